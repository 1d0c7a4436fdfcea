"""Many answers at once: reports and pairwise tables."""

import json

import numpy as np
import pytest

import sfumato as sf

TRUTH = [0, 0, 1, 1]
FUZZY = [[1.0, 0.0], [0.5, 0.5], [0.0, 1.0], [0.0, 1.0]]
ROUGH = sf.RoughPartition.from_sets([{0}, {0}, {0, 1}, {1}])
COLUMNS = [
    "name",
    "kind",
    "measure",
    "lower",
    "upper",
    "mean",
    "std",
    "guarantee",
    "error",
    "method",
    "seconds",
]


@pytest.fixture
def report():
    return sf.evaluate(
        {"fcm": FUZZY, "rkm": ROUGH}, TRUTH, measures=("rand", "partition_distance"), engine="exact"
    )


def test_there_is_one_row_per_candidate_and_measure(report):
    assert len(report) == 4
    assert list(report) == [
        ("fcm", "rand"),
        ("fcm", "partition_distance"),
        ("rkm", "rand"),
        ("rkm", "partition_distance"),
    ]
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


def test_a_report_leaves_as_json_and_as_a_frame(report):
    content = json.loads(json.dumps(report.to_dict()))
    assert content["rows"][0]["mean"] == pytest.approx(0.75)
    assert content["notes"] == []
    frame = report.to_frame()
    assert list(frame.columns) == COLUMNS
    assert frame["lower"].tolist() == [row["lower"] for row in report.rows]


def test_a_report_reads_as_a_table(report):
    lines = repr(report).splitlines()
    assert lines[0].split() == ["name", "kind", "measure", "value", "guarantee", "error", "time"]
    assert lines[1].split()[:6] == ["fcm", "fuzzy", "rand", "0.7500", "exact", "0"]
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


def test_names_are_escaped_in_html():
    page = sf.evaluate({"<i>": TRUTH}, TRUTH, measures="rand")._repr_html_()
    assert "<i>" not in page
    assert "&lt;i&gt;" in page


def test_mixed_readings_of_possibilities_are_noted():
    rows = [[1, 0.5], [1, 0], [0, 1], [0, 1]]
    readings = {str(t): sf.PossibilisticPartition(rows, t_norm=t) for t in (None, "min")}
    mixed = sf.evaluate(readings, TRUTH, measures=["rand"])
    assert mixed.notes == (
        "The possibilistic candidates are read in different ways (None, min), so their intervals "
        "are not comparable.",
    )
    assert repr(mixed).endswith(f"note: {mixed.notes[0]}")
    same = sf.evaluate({"a": readings["min"], "b": readings["min"]}, TRUTH, measures=["rand"])
    assert same.notes == ()


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


def test_a_soft_partition_is_not_at_distance_zero_from_itself():
    found = sf.pairwise({"fcm": FUZZY, "km": TRUTH}, engine="exact")
    # Two independent copies of an even choice agree half of the time, else by one half of pairs.
    assert found.lower[0, 0] == found.upper[0, 0] == pytest.approx(0.75)
    assert found.lower[1, 1] == 1.0


def test_a_pairwise_table_is_read_by_name_and_printed():
    found = sf.pairwise({"fcm": FUZZY, "rkm": ROUGH}, engine="exact")
    assert found.names == ("fcm", "rkm")
    lines = repr(found).splitlines()
    assert lines[0].split() == ["rand", "fcm", "rkm"]
    assert lines[1].split()[:2] == ["fcm", "0.7500"]
    assert found._repr_html_().count("<tr>") == 3
    with pytest.raises(sf.InputError, match=r"No comparison .*; the partitions are 'fcm', 'rkm'"):
        found["fcm", "km"]
    frame = found.to_frame()
    assert frame[["a", "b"]].to_numpy().tolist() == [
        ["fcm", "fcm"],
        ["fcm", "rkm"],
        ["rkm", "fcm"],
        ["rkm", "rkm"],
    ]
