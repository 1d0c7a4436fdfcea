"""Tables drawn chunk by chunk: within the stated error of the truth, whoever draws them."""

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import sfumato as sf

SETS = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]], dtype=bool)
MANY = sf.Sampled(n_samples=400)


def evidential(rng, n):
    return sf.EvidentialPartition(rng.dirichlet([2, 1, 1, 1, 1], n), SETS)


def fuzzy(rng, n):
    return sf.FuzzyPartition(rng.dirichlet(np.ones(3), n))


def rough(rng, n):
    return sf.RoughPartition(SETS[rng.integers(len(SETS), size=n)])


def consonant(rng, n):
    degrees = rng.choice([0.2, 0.5, 1.0], (n, 3))
    degrees[np.arange(n), rng.integers(3, size=n)] = 1.0
    return sf.PossibilisticPartition(degrees)


def hard(rng, n):
    return sf.HardPartition(rng.choice(["u", "v", "w"], n))


def cut(a, b, *places):
    ends = [0, *places, a.n_objects]
    return [(a.take(np.arange(*span)), b.take(np.arange(*span))) for span in pairwise(ends)]


@pytest.mark.parametrize("measure", ["rand", "partition_distance", "jaccard"])
@pytest.mark.parametrize(
    ("first", "second"),
    [
        (evidential, hard),
        (hard, evidential),
        (evidential, rough),
        (rough, fuzzy),
        (consonant, hard),
    ],
)
def test_the_exact_expectations_lie_within_the_stated_error(first, second, measure):
    rng = np.random.default_rng(1)
    a, b = first(rng, 5), second(rng, 5)
    expected = sf.compare(a, b, measure=measure, engine="exact")
    found = sf.summarize(cut(a, b, 2, 4), engine=MANY, rng=0).compare(measure=measure)
    assert found.kinds == expected.kinds
    assert found.n_samples == 400
    assert found.guarantee == "confidence"
    for end in ("lower", "upper"):
        low, high = getattr(found, f"{end}_bracket")
        assert low <= getattr(expected, end) <= high
        # Far nearer than the bracket says, which holds whatever the law.
        assert getattr(found, end) == pytest.approx(getattr(expected, end), abs=0.05)


@pytest.mark.parametrize("measure", ["partition_distance", "purity"])
def test_fuzzy_sides_are_drawn_where_sums_do_not_answer(measure):
    rng = np.random.default_rng(2)
    a, b = fuzzy(rng, 8), hard(rng, 8)
    expected = sf.compare(a, b, measure=measure, engine="exact")
    summary = sf.summarize(cut(a, b, 3), measures=["rand", measure], engine=sf.Auto(), rng=0)
    found = summary.compare(measure=measure)
    assert found.method == "sample"
    assert found.mean == pytest.approx(expected.mean, abs=0.05)
    assert found.lower_bracket[0] <= expected.mean <= found.upper_bracket[1]
    assert summary.compare(measure="rand").guarantee == "exact"
    law = summary.compare(measure=measure, quantity="distribution").distribution
    whole = sf.compare(a, b, measure=measure, quantity="distribution").distribution
    assert set(law.values.round(9)) <= set(whole.values.round(9))


def test_many_objects_are_known_well_by_few_draws():
    rng = np.random.default_rng(3)
    a, b = evidential(rng, 20_000), hard(rng, 20_000)
    found = sf.summarize(cut(a, b, 5_000, 12_000), engine=sf.Sampled(n_samples=25), rng=0).compare()
    expected = sf.compare(a, b, rng=1)
    assert found.error < 6e-3
    assert found.lower == pytest.approx(expected.lower, abs=2e-3)
    assert found.upper == pytest.approx(expected.upper, abs=2e-3)


def test_one_seed_has_one_answer_on_any_executor():
    rng = np.random.default_rng(4)
    a, b = evidential(rng, 300), hard(rng, 300)
    chunks = cut(a, b, 50, 120, 121, 200)
    expected = sf.summarize(chunks, rng=7)
    with ThreadPoolExecutor(3) as threads:
        assert sf.summarize(chunks, rng=7, executor=threads) == expected
    assert sf.summarize(chunks, rng=8) != expected
    assert sf.Summary.from_arrow(expected.to_arrow()) == expected


def test_summaries_of_the_same_random_numbers_are_not_added():
    rng = np.random.default_rng(5)
    one, two = (cut(evidential(rng, 30), hard(rng, 30)) for _ in range(2))
    with pytest.raises(sf.InputError, match="drawn with the same random numbers"):
        sf.summarize(one, rng=0) + sf.summarize(two, rng=0)
    both = sf.summarize(one, rng=0) + sf.summarize(two, rng=1)
    assert both.n_objects == 60
    with pytest.raises(sf.InputError, match="100 draws and the other 400"):
        sf.summarize(one, rng=0) + sf.summarize(two, rng=1, engine=MANY)


def test_too_many_clusters_are_refused():
    side = sf.EvidentialPartition(np.full((2, 2), 0.5), np.array([[1] * 40, [1] + [0] * 39]))
    with pytest.raises(sf.UnsupportedError, match="up to 32 clusters a side, got 40"):
        sf.summarize([(side, [0, 1])])


def test_a_measure_without_structure_has_no_ends():
    share = sf.Measure.from_function(
        lambda table: float(table.max() / table.sum()), name="share", better="higher"
    )
    rng = np.random.default_rng(8)
    summary = sf.summarize(cut(evidential(rng, 10), hard(rng, 10)), measures=[share], rng=0)
    with pytest.raises(sf.CostError, match="share has no known structure"):
        summary.compare(measure=share)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("make", [evidential, consonant, rough, fuzzy])
def test_drawn_tables_travel(make, turned):
    rng = np.random.default_rng(12)
    pair = make(rng, 20), hard(rng, 20)
    other = evidential(rng, 20) if make is rough else pair[1]
    pair = (other, pair[0]) if turned else (pair[0], other)
    summary = sf.summarize([pair], measures=["jaccard", "partition_distance"], rng=0)
    assert set(summary.draws.pairs.counts.sum(axis=1).tolist()) == {20}  # every object
    assert sf.Summary.from_arrow(summary.to_arrow()) == summary


def test_too_many_clusters_of_all_chunks_are_refused():
    rng = np.random.default_rng(13)
    chunks = [(consonant(rng, 40), np.arange(40) % 20 + first) for first in (0, 20, 40)]
    with pytest.raises(sf.UnsupportedError, match="up to 32 clusters a side, got 40"):
        sf.summarize(chunks, measures=["rand"], rng=0)


# A tolerance in place of a number of draws.


@pytest.mark.parametrize("quantity", ["expectation", "distribution"])
@pytest.mark.parametrize(
    ("measure", "tolerance", "is_known", "n_draws"),
    [
        # Hoeffding: log(2 * 2 / 0.025) / (2 t^2), two ends and half of the risk of 5 %.
        ("rand", 0.1, False, {"expectation": 254, "distribution": 289}),
        ("jaccard", 0.1, True, {"expectation": 254, "distribution": 289}),
        # McDiarmid: the same times 4,000 (2 / 4,000)^2, as one object changes Rand by 2 / 4,000.
        ("rand", 0.01, True, {"expectation": 26, "distribution": 29}),
        ("partition_distance", 0.01, True, {"expectation": 7, "distribution": 8}),
    ],
)
def test_a_tolerance_fixes_the_draws_beforehand_and_is_met(
    measure, tolerance, is_known, n_draws, quantity
):
    rng = np.random.default_rng(14)
    a, b = evidential(rng, 4_000 if is_known else 40), hard(rng, 4_000 if is_known else 40)
    chunks = cut(a, b, a.n_objects // 3)
    engine = sf.Sampled(tolerance=tolerance)
    given = chunks if is_known else iter(chunks)
    summary = sf.summarize(given, measures=[measure], quantity=quantity, engine=engine, rng=0)
    assert summary.draws.n_draws == n_draws[quantity]
    found = summary.compare(measure=measure, quantity=quantity, engine=engine)
    gaps = [
        float(each) for n in found.notes for each in re.findall(r"within (\S+) (?:and|of an)", n)
    ]
    assert found.error <= tolerance + max(gaps, default=0.0)
    if is_known:
        expected = sf.compare(a, b, measure=measure, rng=1)
        assert abs(found.lower - expected.lower) <= tolerance + found.error + expected.error


def test_auto_draws_what_its_tolerance_takes_if_that_is_not_too_much():
    rng = np.random.default_rng(15)
    chunks = cut(evidential(rng, 30), hard(rng, 30), 11)
    for engine, expected in (
        ("auto", 100),
        (sf.Auto(tolerance=0.1), 254),
        (sf.Auto(tolerance=0.2), 64),
        (sf.Auto(tolerance=0.2, confidence=0.5), 35),
        (sf.Auto(tolerance=0.01), 100),
    ):
        summary = sf.summarize(chunks, measures=["rand"], engine=engine, rng=0)
        assert summary.draws.n_draws == expected, engine


def test_a_tolerance_that_takes_too_many_draws_is_refused():
    rng = np.random.default_rng(16)
    chunks = cut(evidential(rng, 30), hard(rng, 30), 11)
    engine = sf.Sampled(tolerance=1e-3)
    for executor in (None, ThreadPoolExecutor(1)):
        with pytest.raises(
            sf.CostError, match=r"tolerance=0.001 takes [\d,]+ drawn tables \(10,000"
        ):
            sf.summarize(chunks, measures=["jaccard"], engine=engine, executor=executor)
    with pytest.raises(sf.CostError, match="takes no number of drawn tables"):
        sf.summarize(iter(chunks), measures=["variation_of_information"], engine=engine)
    with pytest.raises(sf.CostError, match=r"takes [\d,]+ drawn tables"):
        sf.scan(chunks).compare(measure="variation_of_information", engine=engine)
    # Sums and counts need no draws.
    fuzzy_chunks = cut(fuzzy(rng, 30), hard(rng, 30), 11)
    assert sf.scan(fuzzy_chunks).compare(engine="auto").is_exact
    labels = [(hard(rng, 5), hard(rng, 5))]
    assert sf.summarize(labels, engine=engine).compare().is_exact


def test_a_tolerance_of_a_parquet_file_is_known_by_its_footer(tmp_path):
    rng = np.random.default_rng(17)
    n, names = 4_000, ["{x}", "{y}", "{x,y}"]
    p = rng.dirichlet(np.ones(3), n)
    table = pa.table({name: p[:, i] for i, name in enumerate(names)} | {"l": np.arange(n) % 2})
    pq.write_table(table, tmp_path / "x.parquet", row_group_size=1500)
    scan = sf.scan(tmp_path / "x.parquet", a=names, b="l", kinds=("evidential", None))
    found = scan.compare(engine=sf.Sampled(tolerance=0.01), rng=0)
    assert found.n_samples == 26
    assert found.error <= 0.01


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("measure", ["variation_of_information", "adjusted_rand", "purity"])
def test_clusters_that_no_object_is_in(measure, turned):
    a = sf.FuzzyPartition([[1.0], [1.0], [1.0]])
    b = sf.RoughPartition(np.eye(4, dtype=bool)[[3, 0, 3]])
    a, b = (b, a) if turned else (a, b)
    found = sf.summarize([(a, b)], measures=[measure], rng=0).compare(measure=measure)
    expected = sf.compare(a, b, measure=measure)
    assert found.lower == pytest.approx(expected.lower, abs=1e-9)
    assert found.upper == pytest.approx(expected.upper, abs=1e-9)


def test_plausibilities_that_are_above_1_by_rounding_are_stored():
    rng = np.random.default_rng(18)
    sets = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 1], [1, 1, 1]], dtype=bool)
    a = sf.EvidentialPartition(rng.dirichlet(np.ones(4), 40), sets)
    assert a.statements().memberships().plausibility.max() > 1
    for at in range(a.n_objects):
        chunk = a.take([at]), sf.HardPartition([0])
        summary = sf.summarize([chunk], engine=sf.Sampled(n_samples=1), rng=0)
        assert sf.Summary.from_arrow(summary.to_arrow()) == summary
