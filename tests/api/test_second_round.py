"""A second round over the chunks: what the partitions themselves would tell."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sfumato as sf

PAIRS = [sf.Rand(), sf.Rand(pairs="all")]
INFORMATION = ["variation_of_information", "mutual_information"]
ROUNDING = 1e-7  # of the root of a variance that is 0 up to rounding
RATIOS = ["adjusted_rand", "jaccard", "fowlkes_mallows", "normalized_mutual_information"]


def memberships(rng, n, k):
    return rng.dirichlet(np.linspace(0.3, 2, k), n)


def labels(rng, n, k=3):
    return rng.integers(k, size=n)


def cut(a, b, *at):
    return [(a[first:last], b[first:last]) for first, last in pairwise([0, *at, len(a)])]


def sides(n, *, of_hard):
    rng = np.random.default_rng(n)
    other = labels(rng, n) if of_hard else memberships(rng, n, 2)
    return memberships(rng, n, 4), other


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("of_hard", [True, False])
@pytest.mark.parametrize("measure", PAIRS)
def test_standard_deviations_of_pair_counts_are_exact(measure, of_hard, turned):
    a, b = sides(300, of_hard=of_hard)
    a, b = (b, a) if turned else (a, b)
    found = sf.summarize(cut(a, b, 11, 130), rounds=2).compare(measure=measure)
    expected = sf.compare(a, b, measure=measure)
    assert found.mean == pytest.approx(expected.mean, abs=1e-13)
    assert found.std == pytest.approx(expected.std, rel=1e-7)
    assert not any("standard deviation" in note for note in found.notes)


@settings(max_examples=25, deadline=None)
@given(st.integers(2, 12), st.integers(1, 3), st.integers(0, 10**6))
def test_no_standard_deviation_is_larger_than_the_range_permits(n, k, seed):
    rng = np.random.default_rng(seed)
    a, b = memberships(rng, n, k), labels(rng, n)
    measures = ("rand", *INFORMATION, *RATIOS)
    every = {m: sf.compare(a, b, measure=m, engine="exact") for m in measures}
    for rounds in (1, 2):
        summary = sf.summarize([(a, b)], rounds=rounds)
        for measure, exact in every.items():
            found = summary.compare(measure=measure)
            within = [float(note.split()[-1][:-1]) for note in found.notes if "within" in note]
            most = [
                float(note.split("most ")[1].split(":")[0])
                for note in found.notes
                if " most " in note
            ]
            widest = (
                2 * np.log(n) if measure in INFORMATION else 2.0 if measure[:3] == "adj" else 1.0
            )
            assert not found.std > widest / 2 + 1e-12
            assert all(each <= 1.06 * widest / 2 + 1e-12 for each in most)  # two digits
            if np.isfinite(found.std):
                slack = within[0] * 1.1 if within else 2e-6 * found.std + ROUNDING
                assert abs(found.std - exact.std) <= slack, (measure, rounds)
            elif most:
                assert exact.std <= most[0] * 1.06 + ROUNDING, (measure, rounds)


@pytest.mark.parametrize("measure", [*INFORMATION, *RATIOS])
def test_standard_deviations_of_others_lie_within_what_is_said(measure):
    rng = np.random.default_rng(5)
    n = 3000
    b = rng.choice(3, p=[0.7, 0.2, 0.1], size=n)
    a = 0.6 * np.eye(3)[b] + 0.4 * rng.dirichlet([3.0, 1.0, 0.5], n)
    one, two = (
        sf.summarize(cut(a, b, 700), rounds=rounds).compare(measure=measure) for rounds in (1, 2)
    )
    assert np.isnan(one.std)
    most = float(one.notes[-1].split("at most ")[1].split(":")[0])
    rng = np.random.default_rng(1)
    drawn = sf.compare(a, b, measure=measure, engine=sf.Sampled(n_samples=4000), rng=rng).std
    within = float(two.notes[-1].split("within ")[1][:-1]) if two.notes else 0.0
    assert within < 0.7 * two.std
    assert abs(two.std - drawn) <= within + 0.05 * drawn
    assert drawn <= 1.05 * most
    assert two.error <= one.error
    assert abs(one.mean - two.mean) <= one.error + two.error


@pytest.mark.parametrize("measure", ["adjusted_rand", "jaccard"])
def test_means_of_ratios_are_known_better(measure):
    a, b = sides(4000, of_hard=True)
    one, two = (
        sf.summarize(cut(a, b, 1000), rounds=rounds).compare(measure=measure) for rounds in (1, 2)
    )
    exact = sf.compare(a, b, measure=measure)
    assert two.error < one.error / 5
    assert abs(two.mean - exact.mean) <= two.error + exact.error


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("of_hard", [True, False])
@pytest.mark.parametrize("measure", INFORMATION)
def test_means_of_entropies_are_those_of_the_partitions(measure, of_hard, turned):
    for n in (3, 40, 700):
        a, b = sides(n, of_hard=of_hard)
        a, b = (b, a) if turned else (a, b)
        one, two = (
            sf.summarize(cut(a, b, n // 3), rounds=rounds).compare(measure=measure)
            for rounds in (1, 2)
        )
        expected = sf.compare(a, b, measure=measure)
        assert two.mean == pytest.approx(expected.mean, rel=0, abs=1e-11)
        assert abs(two.mean - expected.mean) <= two.error + 1e-14
        assert two.error < 2e-10
        assert one.error > 1e-5


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 90), st.booleans(), st.integers(0, 10**6))
def test_any_chunks_agree_with_the_partitions(n, of_hard, seed):
    rng = np.random.default_rng(seed)
    a = rng.dirichlet([0.1, 1.0, 3.0], n)
    nearly = rng.random(n) < 0.4
    a[nearly] = np.eye(3)[rng.integers(3, size=nearly.sum())] * (1 - 1e-12) + 1e-12 / 3
    a[rng.random(n) < 0.2] = [0.0, 1.0, 0.0]
    a = np.insert(a, 1, 0.0, axis=1)  # a cluster without objects
    b = labels(rng, n, 4) if of_hard else memberships(rng, n, 2)
    chunks = cut(a, b, *np.unique(rng.integers(1, n, size=2)).tolist())
    for rounds in (1, 2):
        summary = sf.summarize(chunks, rounds=rounds)
        for measure in ("rand", *INFORMATION, *RATIOS):
            found = summary.compare(measure=measure)
            expected = sf.compare(a, b, measure=measure, engine="bounds")
            slack = found.error + expected.error + 1e-13
            assert abs(found.mean - expected.mean) <= slack, (measure, rounds)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("tiny", [1e-40, 1e-100, 1e-200, 1e-300, 5e-324])
@pytest.mark.parametrize("of_hard", [True, False])
def test_tiny_memberships_count_as_none(tiny, of_hard):
    a, b = sides(60, of_hard=of_hard)
    a, least = np.insert(a, 4, 0.0, axis=1), np.insert(a, 4, tiny, axis=1)
    for rounds in (1, 2):
        summary = sf.summarize(cut(least, b, 20), rounds=rounds)
        assert sf.Summary.from_arrow(summary.to_arrow()) == summary
        for measure in (*INFORMATION, *RATIOS):
            found = summary.compare(measure=measure)
            expected = sf.summarize([(a, b)], rounds=rounds).compare(measure=measure)
            assert abs(found.mean - expected.mean) <= found.error + expected.error + 1e-13
            assert found.error <= 1.1 * expected.error + 1e-12
            assert found.std == pytest.approx(expected.std, rel=1e-3, nan_ok=True)


@pytest.mark.parametrize("n", [40, 300, 3000])
@pytest.mark.parametrize(
    "measure", ["normalized_mutual_information", "adjusted_mutual_information", "v_measure"]
)
def test_ratios_of_entropies_are_known_as_from_the_objects(measure, n):
    a, b = sides(n, of_hard=True)
    found = sf.summarize(cut(a, b, n // 2, n // 2 + 9), rounds=2).compare(measure=measure)
    exact = sf.compare(a, b, measure=measure)
    bounds = sf.compare(a, b, measure=measure, engine="bounds")
    assert abs(found.mean - exact.mean) <= found.error + exact.error
    assert found.error <= 2 * bounds.error + 1e-11


def test_two_rounds_have_the_same_bits_on_threads_and_from_files(tmp_path):
    a, b = sides(900, of_hard=True)
    expected = sf.summarize(cut(a, b, 300, 600), rounds=2)
    with ThreadPoolExecutor(3) as threads:
        assert sf.summarize(cut(a, b, 300, 600), rounds=2, executor=threads) == expected
    names = [f"p{i}" for i in range(4)]
    table = pa.table({name: a[:, i] for i, name in enumerate(names)} | {"label": b})
    pq.write_table(table, tmp_path / "x.parquet", row_group_size=300)
    scan = sf.scan(tmp_path / "x.parquet", a=names, b="label")
    found = scan.compare(rounds=2)
    assert found.std == pytest.approx(expected.compare().std, rel=1e-9)
    streamed = sf.scan(pl.LazyFrame(table.to_pandas()), a=names, b="label").compare(rounds=2)
    assert streamed.std == pytest.approx(found.std, rel=1e-9)
    assert scan.explain(rounds=2).passes == 2
    assert "passes   2" in repr(scan.explain(rounds=2))
    assert scan.explain().passes == 1
    assert scan.explain(["partition_distance"], rounds=2).passes == 1
    report = scan.evaluate(["rand", "adjusted_rand"], rounds=2)
    assert all(np.isfinite(row["std"]) for row in report.rows)


@pytest.mark.parametrize("of_hard", [True, False])
def test_a_second_round_travels_and_is_lost_by_adding(of_hard):
    a, b = sides(100, of_hard=of_hard)
    summary = sf.summarize([(a, b)], rounds=2)
    assert "a second round" in repr(summary)
    assert sf.Summary.from_arrow(summary.to_arrow()) == summary
    both = summary + summary
    assert "a second round" not in repr(both)
    assert np.isnan(both.compare().std)


def test_many_clusters_have_bounded_standard_deviations():
    rng = np.random.default_rng(0)
    a, b = memberships(rng, 400, 30), memberships(rng, 400, 30)
    found = sf.summarize([(a, b)], rounds=2, measures=["rand"]).compare()
    expected = sf.compare(a, b).std
    within = float(found.notes[-1].split("within ")[1][:-1])
    assert abs(found.std - expected) <= within * 1.1


def test_rounds_may_be_any_whole_number_but_no_truth_value():
    a, b = sides(20, of_hard=True)
    assert sf.summarize([(a, b)], rounds=np.int64(2)) == sf.summarize([(a, b)], rounds=2)
    for wrong in (True, 3):
        with pytest.raises(sf.InputError, match=f"rounds must be 1 or 2, got {wrong}"):
            sf.summarize([(a, b)], rounds=wrong)


def test_counts_need_no_second_round():
    calls = []

    def load():
        calls.append(1)
        return [0, 0, 1], [0, 1, 1]

    sf.summarize([load], rounds=2)
    assert len(calls) == 1


def test_one_shot_sources_are_refused_before_reading():
    def chunks():
        raise AssertionError("read")
        yield

    scan = sf.scan(chunks())
    for ask in (partial(sf.summarize, chunks()), scan.compare, scan.explain):
        with pytest.raises(sf.InputError, match="every chunk twice, and generator can be read on"):
            ask(rounds=2)


class Changing:
    """Chunks that are others when they are read again."""

    def __init__(self, *rounds):
        self.rounds = list(rounds)

    def __iter__(self):
        return iter(self.rounds.pop(0))


def test_chunks_that_change_between_rounds_are_refused():
    a, b = sides(50, of_hard=True)
    with pytest.raises(sf.InputError, match="The second round found 49 objects and the first 50"):
        sf.summarize(Changing([(a, b)], [(a[1:], b[1:])]), rounds=2)
    with pytest.raises(
        sf.ChunkError, match="second round: chunk 0: the clusters are others"
    ) as bad:
        sf.summarize(Changing([(a, b)], [(a, b + 7)]), rounds=2)
    assert "the first round is finished: see this error's .finished" in str(bad.value)
    assert bad.value.finished[range(1)] == sf.summarize([(a, b)])


@pytest.mark.parametrize(
    ("column", "change"),
    [
        ("nodes.rows", lambda rows: [9, *rows[1:]]),
        ("nodes.rows", lambda rows: [rows[1], *rows[1:]]),
        ("nodes.columns", lambda columns: columns[1:]),
        ("nodes.fits", lambda fits: [99, *fits[1:]]),
        ("nodes.scales", lambda scales: [0.0, *scales[1:]]),
        ("nodes.totals", lambda totals: [totals[0] + 1, *totals[1:]]),
        ("nodes.logs", lambda logs: [0.5, *logs[1:]]),
        ("nodes.logs", lambda logs: logs[1:]),
        ("nodes.slopes", lambda slopes: [float("nan"), *slopes[1:]]),
        ("laws.firsts", lambda firsts: [1000, *firsts[1:]]),
        ("laws.lengths", lambda lengths: [lengths[0] - 1, *lengths[1:]]),
        ("laws.probabilities", lambda chances: [chances[0] + 0.5, *chances[1:]]),
        ("laws.lost", lambda lost: lost[1:]),
    ],
)
def test_a_damaged_second_round_is_refused(column, change):
    a, b = sides(100, of_hard=True)
    table = sf.summarize([(a, b)], rounds=2).to_arrow()
    at, field = table.column_names.index(column), table.schema.field(column)
    wrong = pa.array([change(table[column][0].as_py())], field.type)
    with pytest.raises(sf.InputError, match="damaged"):
        sf.Summary.from_arrow(table.set_column(at, field, wrong))
