"""Many answers at once: reports and pairwise tables."""

import json
from itertools import product

import numpy as np
import pytest

import sfumato as sf

TRUTH = [0, 0, 1, 1]
FUZZY = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [0.0, 1.0]]
ROUGH = sf.RoughPartition.from_sets([{0}, {0}, {0, 1}, {1}])
COLUMNS = [
    *("name", "kind", "measure", "better", "lower", "upper", "mean", "std", "guarantee", "error"),
    *("hardened", "method", "seconds"),
]


@pytest.fixture
def report():
    return sf.evaluate(
        {"fcm": FUZZY, "rkm": ROUGH}, TRUTH, measures=("rand", "partition_distance"), engine="exact"
    )


def test_there_is_one_row_per_candidate_and_measure(report):
    assert len(report) == 4
    assert list(report) == list(product(["fcm", "rkm"], ["rand", "partition_distance"]))
    for row, (name, measure) in zip(report.rows, report, strict=True):
        assert list(row) == COLUMNS
        assert (row["name"], row["measure"]) == (name, measure)


def test_rows_hold_the_numbers_of_the_comparisons(report):
    fuzzy, _, rough, _ = report.rows
    assert fuzzy["kind"] == "fuzzy"
    assert (fuzzy["mean"], fuzzy["std"]) == pytest.approx((0.75, 0.25))
    assert (rough["kind"], rough["lower"], rough["upper"]) == ("rough", 0.5, 1.0)
    assert (rough["mean"], rough["std"]) == (None, None)
    assert (rough["guarantee"], rough["error"]) == ("exact", 0.0)
    assert report["rkm", "rand"].upper == 1.0
    assert sf.compare(ROUGH, TRUTH, engine="exact").lower == report["rkm", "rand"].lower


def test_an_unknown_key_lists_the_known_ones(report):
    with pytest.raises(
        sf.InputError,
        match=r"No comparison \('km', 'rand'\) in this report; there are \('fcm', 'rand'\)",
    ):
        report["km", "rand"]


def test_short_names_of_measures_find_their_rows():
    report = sf.evaluate({"fcm": FUZZY, "rkm": ROUGH}, TRUTH, measures=["ari", "RI"])
    assert report["fcm", "ari"] is report["fcm", "adjusted_rand"]
    assert report["rkm", "ri"] is report["rkm", "RI"] is report["rkm", "rand"]
    assert report.rank("ari").measure == "adjusted_rand"
    for key in (("fcm", "nmi"), "fcm", ("fcm",), ("fcm", 3), ("fcm", ["ari"]), 5):
        with pytest.raises(sf.InputError, match=r"No comparison .* in this report"):
            report[key]


def test_a_report_leaves_as_json_and_as_a_frame(report):
    content = json.loads(json.dumps(report.to_dict()))
    assert content["rows"][0]["mean"] == pytest.approx(0.75)
    assert content["notes"] == []
    frame = report.to_frame()
    assert list(frame.columns) == COLUMNS
    assert frame["lower"].tolist() == [row["lower"] for row in report.rows]


def test_a_report_reads_as_a_table(report):
    lines = repr(report).splitlines()
    assert lines[0].split() == [
        *("name", "kind", "measure", "better", "value", "guarantee", "error", "time")
    ]
    assert lines[1].split()[:7] == ["fcm", "fuzzy", "rand", "higher", "0.7500", "exact", "0"]
    assert "[0.5000, 1.0000]" in lines[3]
    assert report._repr_html_().count("<tr>") == 5


def test_measures_of_one_name_are_told_apart_by_their_options():
    given = [sf.NormalizedMutualInformation(average="max"), "normalized_mutual_information", "rand"]
    found = sf.evaluate({"a": [0, 0, 1, 2]}, [0, 0, 1, 1], measures=given)
    labels = [label for _, label in found]
    assert labels == [
        "normalized_mutual_information(average='max')",
        "normalized_mutual_information(average='arithmetic')",
        "rand",
    ]
    assert found["a", labels[0]].lower < found["a", labels[1]].lower
    assert [row["measure"] for row in found.rows] == labels


def test_mixed_readings_of_possibilities_are_noted():
    rows = [[1, 0.5], [1, 0], [0, 1], [0, 1]]
    readings = {str(t): sf.PossibilisticPartition(rows, t_norm=t) for t in (None, "min")}
    mixed = sf.evaluate(readings, TRUTH, measures=["rand"])
    warning = (
        "The possibilistic candidates are read in different ways (None, min), so their intervals "
        "are not comparable."
    )
    assert mixed.notes[0] == warning
    assert f"note: {warning}" in repr(mixed).splitlines()
    same = sf.evaluate({"a": readings["min"], "b": readings["min"]}, TRUTH, measures=["rand"])
    assert warning not in same.notes


def test_a_report_holds_the_notes_of_its_comparisons():
    rows = sf.PossibilisticPartition([[1, 0.5], [1, 0], [0, 1], [0, 1]], t_norm="min")
    found = sf.evaluate({"fcm": FUZZY, "pcm": rows}, TRUTH, engine=sf.Sampled(n_samples=50), rng=0)
    for (name, measure), result in found.comparisons.items():
        assert result.notes
        for note in result.notes:
            held = [line for line in found.notes if line.endswith(f": {note}")]
            assert any(line.startswith(name) and measure in line for line in held)
    # What both measures say of a candidate is said once.
    reading = found["pcm", "rand"].notes[0]
    assert found.notes.count(f"pcm, rand, partition_distance: {reading}") == 1
    assert found.to_dict()["notes"] == list(found.notes)
    assert repr(found).count("note: ") == len(found.notes)


# --- Seeds -----------------------------------------------------------------------------------

WIDE = np.random.default_rng(0).dirichlet(np.ones(3), size=(3, 30))
SOFT = {"a": WIDE[0], "b": WIDE[1], "c": WIDE[2]}
DRAWN = sf.Sampled(n_samples=200)


def bits(found):
    return (found.lower, found.upper, found.lower_bracket, found.upper_bracket, found.stds)


@pytest.mark.parametrize("make_rng", [lambda: 7, lambda: np.random.default_rng(7)])
def test_a_report_is_its_single_comparisons_in_any_order(make_rng):
    measures = ["jaccard", "adjusted_rand"]
    report = sf.evaluate(SOFT, WIDE[0], measures=measures, engine=DRAWN, rng=make_rng())
    turned = sf.evaluate(
        dict(reversed(SOFT.items())), WIDE[0], measures=measures[::-1], engine=DRAWN, rng=make_rng()
    )
    for name, measure in report:
        alone = sf.compare(SOFT[name], WIDE[0], measure=measure, engine=DRAWN, rng=make_rng())
        assert bits(report[name, measure]) == bits(turned[name, measure]) == bits(alone)
        assert report[name, measure].n_samples == 200


@pytest.mark.parametrize("measure", ["jaccard", "homogeneity"])
def test_a_pairwise_table_is_its_single_comparisons_in_any_order(measure):
    table = sf.pairwise(SOFT, measure=measure, engine=DRAWN, rng=7)
    turned = sf.pairwise(dict(reversed(SOFT.items())), measure=measure, engine=DRAWN, rng=7)
    for a, b in table.comparisons:
        assert bits(table[a, b]) == bits(turned[a, b])
        if a <= b or measure == "homogeneity":  # a symmetric table is drawn on one side
            alone = sf.compare(SOFT[a], SOFT[b], measure=measure, engine=DRAWN, rng=7)
            assert bits(table[a, b]) == bits(alone)


def test_a_generator_gives_other_draws_to_the_next_report():
    rng = np.random.default_rng(0)
    first, second = (
        sf.evaluate({"a": WIDE[0]}, WIDE[1], measures=["jaccard"], engine=DRAWN, rng=rng)
        for _ in range(2)
    )
    assert first["a", "jaccard"].lower != second["a", "jaccard"].lower


# --- Pairwise --------------------------------------------------------------------------------


def counting(calls, *, symmetric):
    def function(table):
        calls.append(table.tolist())
        return table.max() / table.sum()

    return sf.Measure.from_function(
        function, name="share", better="higher", bounds=(0, 1), symmetric=symmetric
    )


@pytest.mark.parametrize(("symmetric", "n_calls"), [(True, 6), (False, 9)])
def test_a_symmetric_measure_is_computed_once_per_pair(symmetric, n_calls):
    calls: list = []
    hard = {"a": [0, 0, 1], "b": [0, 1, 1], "c": [0, 1, 2]}
    sf.pairwise(hard, measure=counting(calls, symmetric=symmetric))
    assert len(calls) == n_calls


def test_rows_are_candidates_and_columns_references():
    hard = {"coarse": [0, 0, 0, 0], "fine": [0, 0, 1, 1]}
    found = sf.pairwise(hard, measure="homogeneity")
    assert found.lower.tolist() == [[1.0, 0.0], [1.0, 1.0]]
    assert found["fine", "coarse"].mean == 1.0
    assert found["coarse", "fine"].mean == 0.0


def test_a_symmetric_table_keeps_the_kinds_of_either_side():
    found = sf.pairwise({"fcm": FUZZY, "rkm": ROUGH}, engine="exact")
    assert np.array_equal(found.lower, found.lower.T)
    assert np.array_equal(found.upper, found.upper.T)
    assert found["fcm", "rkm"].kinds == ("fuzzy", "rough")
    assert found["rkm", "fcm"].kinds == ("rough", "fuzzy")


def test_mirrored_comparisons_have_mirrored_witnesses():
    rough = sf.RoughPartition([[1, 0], [1, 1], [0, 1]], names=["p", "q"])
    found = sf.pairwise({"rough": rough, "truth": ["x", "y", "y"]})
    one, other = found["truth", "rough"].lower_witness
    assert set(one.labels) <= {"x", "y"}
    assert rough.is_compatible(other)


def test_a_soft_partition_is_not_at_distance_zero_from_itself():
    found = sf.pairwise({"fcm": FUZZY, "km": TRUTH}, engine="exact")
    # Two independent copies of an even choice agree half of the time, else by one half of pairs.
    assert found.lower[0, 0] == found.upper[0, 0] == pytest.approx(0.75)
    assert found.lower[1, 1] == 1.0


def test_a_pairwise_table_is_read_by_name_and_printed():
    found = sf.pairwise({"fcm": FUZZY, "rkm": ROUGH}, engine="exact")
    assert found.names == ("fcm", "rkm")
    lines = repr(found).splitlines()
    assert lines[0].split() == ["Rand", "index", "(higher", "is", "better)", "fcm", "rkm"]
    assert lines[1].split()[:2] == ["fcm", "0.7500"]
    assert found._repr_html_().count("<tr>") == 3
    with pytest.raises(sf.InputError, match=r"No comparison .*; the partitions are 'fcm', 'rkm'"):
        found["fcm", "km"]
    frame = found.to_frame()
    assert list(zip(frame["a"], frame["b"], strict=True)) == list(product(found.names, repeat=2))
