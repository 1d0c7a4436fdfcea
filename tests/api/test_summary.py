"""Summaries answer as the partitions do, add up, travel, and say what they lack."""

import json
import pickle
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf
from strategies import hard_partitions, rough_partitions

N, K = 600, 4


def hard(rng, n=N, k=K):
    return sf.HardPartition(rng.integers(k, size=n))


def rough(rng, n=N, k=3):
    mask = rng.random((n, k)) < 0.4
    mask[np.arange(n), rng.integers(k, size=n)] = True
    return sf.RoughPartition(mask)


def fuzzy(rng, n=N, k=3):
    return sf.FuzzyPartition(rng.dirichlet(np.ones(k), n))


def cut(a, b, at):
    """The chunks between the places ``at``."""
    places = [0, *at, a.n_objects]
    return [
        (a.take(np.arange(first, last)), b.take(np.arange(first, last)))
        for first, last in pairwise(places)
    ]


@pytest.mark.parametrize("measure", sf.measures())
@pytest.mark.parametrize("make", [hard, rough])
def test_counts_give_the_answer_of_the_partitions(make, measure):
    rng = np.random.default_rng(3)
    a, b = make(rng), hard(rng)
    summary = sf.summarize(cut(a, b, [7, 400]))
    found, expected = summary.compare(measure=measure), sf.compare(a, b, measure=measure)
    assert (found.lower, found.upper) == pytest.approx((expected.lower, expected.upper), abs=1e-12)
    assert (found.guarantee, found.method) == (expected.guarantee, expected.method)
    assert found.error == pytest.approx(expected.error, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_small_partitions_of_any_cut_are_answered_alike(data):
    n = data.draw(st.integers(1, 6))
    a, b = (
        data.draw(
            st.one_of(rough_partitions(n_objects=st.just(n)), hard_partitions(n_objects=st.just(n)))
        )
        for _ in range(2)
    )
    at = sorted(data.draw(st.sets(st.integers(1, n))) - {n})
    summary = sf.summarize(cut(a, b, at))
    for measure in ("rand", "adjusted_rand", "partition_distance", "purity"):
        found, expected = summary.compare(measure=measure), sf.compare(a, b, measure=measure)
        assert found.lower == pytest.approx(expected.lower, abs=1e-12)
        assert found.upper == pytest.approx(expected.upper, abs=1e-12)


@pytest.mark.parametrize("quantity", ["range", "distribution"])
def test_rough_counts_answer_every_quantity(quantity):
    rng = np.random.default_rng(4)
    a, b = rough(rng, 12), hard(rng, 12, 2)
    found = sf.summarize(cut(a, b, [5]), quantity=quantity).compare(quantity=quantity)
    expected = sf.compare(a, b, quantity=quantity)
    assert (found.lower, found.upper) == (expected.lower, expected.upper)
    if quantity == "distribution":
        assert np.array_equal(found.distribution.values, expected.distribution.values)


@pytest.mark.parametrize("make", [hard, fuzzy])
@pytest.mark.parametrize("turned", [False, True])
def test_sums_bracket_the_answer_of_the_partitions(make, turned):
    rng = np.random.default_rng(5)
    a, b = fuzzy(rng), make(rng)
    if turned:
        a, b = b, a
    summary = sf.summarize(cut(a, b, [100, 101]))
    asked = [name for name in sf.measures() if name not in ("partition_distance", "purity")]
    if make is fuzzy:
        asked.remove("adjusted_mutual_information")
    for measure in asked:
        found, expected = summary.compare(measure=measure), sf.compare(a, b, measure=measure)
        assert found.lower_bracket[0] <= expected.upper_bracket[1] + 1e-12, measure
        assert expected.lower_bracket[0] - 1e-12 <= found.upper_bracket[1], measure
        assert found.error < 1e-3, measure
    rand = summary.compare(measure="rand")
    assert rand.guarantee == "exact"
    assert rand.mean == pytest.approx(sf.compare(a, b).mean, abs=1e-13)


def test_memberships_of_zeros_and_ones_are_counted():
    rng = np.random.default_rng(6)
    codes, b = rng.integers(3, size=50), hard(rng, 50)
    summary = sf.summarize(cut(sf.FuzzyPartition(np.eye(3)[codes]), b, [20]))
    found = summary.compare(measure="partition_distance")
    assert found.is_exact
    assert found.mean == sf.compare(codes, b, measure="partition_distance").mean


@pytest.mark.parametrize("is_fuzzy", [True, False])
def test_the_range_of_memberships_and_masses_is_that_of_their_supports(is_fuzzy):
    rng = np.random.default_rng(7)
    p = rng.dirichlet(np.ones(3), 40)
    p[rng.random(p.shape) < 0.5] = 0.0
    p[:, 0] += 1e-3
    p /= p.sum(axis=1, keepdims=True)
    sets = [[1, 0, 0], [1, 1, 0], [0, 1, 1]]
    a = sf.FuzzyPartition(p) if is_fuzzy else sf.EvidentialPartition(p, sets)
    b = hard(rng, 40)
    summary = sf.summarize(cut(a, b, [11]), quantity="range")
    found, expected = (summary.compare(quantity="range"), sf.compare(a, b, quantity="range"))
    assert (found.lower, found.upper) == (expected.lower, expected.upper)
    with pytest.raises(sf.UnsupportedError, match="keeps only counts of pairs of sets"):
        summary.compare()


def test_sums_do_not_answer_for_the_range_of_tiny_memberships():
    p, labels = np.array([[1.0, 1e-17], [0.0, 1.0], [1.0, 0.0], [0.0, 1.0]]), [0, 0, 1, 1]
    assert sf.compare(p, labels, quantity="range").upper == 0.5
    with pytest.raises(sf.UnsupportedError, match="needs counts of pairs of sets"):
        sf.summarize([(p, labels)]).compare(quantity="range")
    found = sf.summarize([(p, labels)], quantity="range").compare(quantity="range")
    assert (found.lower, found.upper) == (pytest.approx(1 / 3), 0.5)


def test_labels_first_seen_late_are_fine_and_order_does_not_matter():
    one = sf.summarize([([0, 0, 5], ["x", "y", "y"])])
    two = sf.summarize([([3, 5], ["y", "z"])])
    assert (one + two) == (two + one)
    assert sum([one, two]) == one + two
    assert (one + two).compare().mean == sf.compare([0, 0, 5, 3, 5], list("xyyyz")).mean
    p = [[0.5, 0.5]]
    late = sf.summarize([(p, ["y"])]) + sf.summarize([(p, ["x"])])
    assert late.compare().mean == pytest.approx(sf.compare(p + p, ["y", "x"]).mean)


def test_what_was_not_kept_is_named():
    few = sf.summarize([([[0.5, 0.5], [1.0, 0.0]], ["x", "y"])], measures=["rand"])
    assert few.compare(measure="rand").is_exact
    with pytest.raises(
        sf.UnsupportedError,
        match=r"needs power sums of memberships, and this summary keeps only sums of memberships: "
        r"make it with summarize\(..., measures=\['mutual_information'\]",
    ):
        few.compare(measure="mutual_information")
    more = few + sf.summarize([([[0.5, 0.5], [1.0, 0.0]], ["x", "y"])])  # what both keep
    assert more.compare(measure="rand").is_exact
    with pytest.raises(sf.UnsupportedError, match="needs power sums"):
        more.compare(measure="mutual_information")
    ranges = sf.summarize([([[0.5, 0.5]], ["x"])], quantity="range")
    with pytest.raises(sf.InputError, match="keeps sums of memberships, the other counts of pairs"):
        few + ranges


def test_what_needs_the_objects_says_so():
    found = sf.summarize([([0, 0, 1], ["x", "y", "y"])]).compare()
    for ask in (
        found.contributions,
        found.expected_table,
        lambda: found.lower_witness,
        lambda: found.upper_witness,
    ):
        with pytest.raises(sf.UnsupportedError, match="needs the objects"):
            ask()


def test_one_pass_serves_a_report():
    rng = np.random.default_rng(8)
    a, b = fuzzy(rng), hard(rng)
    asked = ["rand", "adjusted_rand", "normalized_mutual_information"]
    report = sf.summarize([(a, b)], measures=asked).evaluate(asked)
    assert [row["measure"] for row in report.rows] == asked
    assert "adjusted Rand" in report.to_markdown().replace("_", " ").replace("rand", "Rand")
    with pytest.raises(sf.UnsupportedError, match="is an index"):
        sf.summarize([(a, b)], measures=["indices.campello"])


@pytest.mark.parametrize("make", [hard, rough, fuzzy])
def test_a_summary_travels_without_a_pickle(make):
    rng = np.random.default_rng(9)
    a, b = make(rng), sf.HardPartition(rng.choice(["u", "v"], N))
    summary = sf.summarize(cut(a, b, [10]))
    table = summary.to_arrow()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    read = sf.Summary.from_arrow(pa.ipc.open_file(sink.getvalue()).read_all())
    assert read == summary == pickle.loads(pickle.dumps(summary))
    assert read.compare().mean == summary.compare().mean
    assert read != sf.summarize([(a, b)] * 2)


def with_column(table, name, value):
    at, field = table.column_names.index(name), table.schema.field(name)
    kind = None if any(isinstance(each, float) for each in value) else field.type
    return table.set_column(at, name, pa.array([value], kind))


def with_text(table, text):
    return table.replace_schema_metadata({b"sfumato.summary": text})


def with_header(table, change):
    header = json.loads(table.schema.metadata[b"sfumato.summary"])
    change(header)
    return with_text(table, json.dumps(header))


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda table: pa.table({"a": [1]}), "no summary"),
        (lambda table: "text", "no summary"),
        (lambda table: table.drop_columns(["counts.counts"]), "damaged"),
        (lambda table: with_header(table, lambda header: header.update(version=2)), "version 2"),
        (lambda table: with_text(table, "[" * 100_000), "damaged"),
    ],
)
def test_damaged_tables_are_refused(damage, words):
    table = sf.summarize([([0, 0, 1], ["x", "y", "y"])]).to_arrow()
    with pytest.raises(sf.InputError, match=words):
        sf.Summary.from_arrow(damage(table))


@pytest.mark.parametrize(
    "columns",
    [
        {"counts.counts": [1, -1, 1]},
        {"counts.counts": [1.5, 1.0, 1.0]},
        {"counts.counts": [2**62, 2**62, 2**62]},
        {"counts.a_sets": [0, 9, 1]},
        {"counts.a_sets": [0, 0, 1], "counts.b_sets": [0, 0, 1]},  # a pair twice
        {"counts.a.members": [0, 7]},
        {"counts.a.members": [0, 0]},
        {"counts.a.members": [1, 0]},
        {"counts.a.starts": [0, 2], "counts.a_sets": [0, 0, 0], "counts.b_sets": [0, 1, 1]},
    ],
)
def test_counts_and_sets_that_do_not_fit_are_refused(columns):
    table = sf.summarize([([0, 0, 1], ["x", "y", "y"])]).to_arrow()
    for name, value in columns.items():
        table = with_column(table, name, value)
    with pytest.raises(sf.InputError, match="damaged"):
        sf.Summary.from_arrow(table)


def test_a_table_of_two_summaries_is_not_read_as_one():
    one, two = (sf.summarize([(labels, [0, 0, 1])]).to_arrow() for labels in ([0, 0, 1], [0, 1, 1]))
    both = pa.concat_tables([one, two])
    with pytest.raises(sf.InputError, match=r"2 summaries: read its rows one by one"):
        sf.Summary.from_arrow(both)
    found = sum(sf.Summary.from_arrow(both.slice(at, 1)) for at in range(2))
    assert found.n_objects == 6


@pytest.mark.parametrize(
    "change",
    [
        lambda header: header.update(version=0),
        lambda header: header.update(version="1"),
        lambda header: header.update(kinds=["foo", "hard"]),
        lambda header: header.update(kinds=["fuzzy", "hard"]),
        lambda header: header.update(kinds="hard"),
        lambda header: header.update(parts={}),
        lambda header: header["parts"]["counts"]["a"].update(names="ab"),
        lambda header: header["parts"]["counts"]["a"].update(names=[None, 1]),
    ],
)
def test_headers_that_do_not_fit_the_counts_are_refused(change):
    table = sf.summarize([([0, 0, 1], ["x", "y", "y"])]).to_arrow()
    with pytest.raises(sf.InputError, match="damaged"):
        sf.Summary.from_arrow(with_header(table, change))


@pytest.mark.parametrize("n_objects", [5, 2.5, 1e300, float("inf"), -1])
def test_numbers_of_objects_that_do_not_fit_the_sums_are_refused(n_objects):
    table = sf.summarize([([[0.9, 0.1], [0.2, 0.8], [0.5, 0.5]], [0, 0, 1])]).to_arrow()
    assert sf.Summary.from_arrow(with_header(table, lambda _: None)).n_objects == 3
    wrong = with_header(table, lambda header: header["parts"]["sums"].update(n_objects=n_objects))
    with pytest.raises(sf.InputError, match="damaged"):
        sf.Summary.from_arrow(wrong)


def test_names_that_no_file_holds_are_refused():
    summary = sf.summarize([(sf.HardPartition([frozenset({0}), frozenset({1})]), [0, 1])])
    with pytest.raises(sf.InputError, match="numbers or text"):
        summary.to_arrow()


def test_explain_names_the_method_of_compare():
    rng = np.random.default_rng(10)
    for make in (hard, rough, fuzzy):
        summary = sf.summarize([(make(rng), hard(rng))])
        assert summary.explain(measure="adjusted_rand").method == (
            summary.compare(measure="adjusted_rand").method
        )


@pytest.mark.parametrize(
    ("side", "words"),
    [
        (sf.PossibilisticPartition([[1.0, 0.5]] * 3, t_norm="min"), "does not add up over objects"),
        (sf.DrawnPartition([[0, 1, 1], [0, 0, 1]]), "objects of a drawn partition depend on each"),
    ],
)
def test_what_does_not_add_up_over_objects(side, words):
    with pytest.raises(sf.UnsupportedError, match=words):
        sf.summarize([(side, [0, 1, 1])])


@pytest.mark.parametrize("engine", ["exact", "sampled"])
def test_counts_that_are_too_dear_are_sent_to_auto(engine):
    rng = np.random.default_rng(14)
    mask = rng.random((300, 6)) < 0.5
    mask[np.arange(300), rng.integers(6, size=300)] = True
    summary = sf.summarize([(sf.RoughPartition(mask), rng.integers(5, size=300))])
    with pytest.raises(sf.CostError, match='engine="auto"'):
        summary.compare(quantity="distribution", engine=engine)


@pytest.mark.parametrize("truth", [[0], [[0.2, 0.8]]])
@pytest.mark.parametrize("measure", ["rand", "adjusted_mutual_information", "partition_distance"])
def test_of_one_object_all_clusterings_are_alike(measure, truth):
    memberships = [[0.3, 0.7]]
    found = sf.summarize([(memberships, truth)]).compare(measure=measure)
    known = sf.compare(memberships, truth, measure=measure)
    assert (found.mean, found.std, found.guarantee) == (known.mean, known.std, "exact")
