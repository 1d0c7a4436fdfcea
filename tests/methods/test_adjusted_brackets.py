"""Adjusted mutual information of every kind: finite brackets that hold the enumerated ends."""

import json
from itertools import product
from math import isfinite

import numpy as np
import pytest

import oracle
import sfumato as sf
from brackets import assert_held
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.limits import bracket_of_values
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.algorithms.ends.solve import has_brackets, solve_types
from sfumato.question.query import Query

AVERAGES = ("arithmetic", "geometric", "min", "max")
every_average = pytest.mark.parametrize("average", AVERAGES)


def random_sets(rng, n, k, *, openness):
    return [{int(rng.integers(k)), *np.flatnonzero(rng.random(k) < openness)} for _ in range(n)]


def literal_ends(a_sets, b_sets, average):
    """Smallest and largest value over all pairs of clusterings, by the literal definition."""
    values = [
        oracle.adjusted_mutual_information(a, b, average)
        for a in product(*map(sorted, a_sets))
        for b in product(*map(sorted, b_sets))
    ]
    return min(values), max(values)


@every_average
def test_bounds_by_every_algorithm_hold_all_values(average):
    rng = np.random.default_rng(5)
    measure = sf.AdjustedMutualInformation(average)
    for _ in range(40):
        n, k1, k2 = int(rng.integers(2, 7)), *rng.integers(1, 4, size=2)
        a = random_sets(rng, n, k1, openness=0.3)
        b = random_sets(rng, n, k2, openness=rng.choice([0.0, 0.3]))
        low, high = literal_ends(a, b, average)
        sides = (sf.RoughPartition.from_sets(sets) for sets in (a, b))
        query = Query.of(*sides, measure, "range")
        objective, joint = query.objective, query.joint
        found = [objective.bounds, bracket_of_values(objective, *joint.set_matrices)]
        relaxed = relaxed_ends(objective, joint.rough_batch)
        found.append((float(relaxed.low_bounds[0]), float(relaxed.high_bounds[0])))
        assert low - 1e-9 <= relaxed.lows[0] <= relaxed.highs[0] <= high + 1e-9
        if has_brackets(objective, joint.set_types):
            solved = solve_types(objective, joint.set_types, Budget(1000, 1))
            found.append((float(solved.low_bounds[0]), float(solved.high_bounds[0])))
            assert low - 1e-9 <= solved.lows[0] <= solved.highs[0] <= high + 1e-9
            for values, tables in (
                (solved.lows, solved.low_tables),
                (solved.highs, solved.high_tables),
            ):
                assert objective.of_tables(tables).tolist() == values.tolist()
        for least, most in found:
            assert least <= low + 1e-12
            assert most >= high - 1e-12


def rough_against_hard(n=500, k=4):
    rng = np.random.default_rng(1)
    labels = np.arange(n) % k
    sets = [{int(c), int(rng.integers(k))} if rng.random() < 0.1 else {int(c)} for c in labels]
    return sf.RoughPartition.from_sets(sets), labels


@every_average
def test_a_rough_comparison_has_a_narrow_certified_bracket(average):
    a, labels = rough_against_hard()
    measure = sf.AdjustedMutualInformation(average)
    found = sf.compare(a, labels, measure=measure)
    assert (found.guarantee, found.method) == ("certified", "rough_ends")
    assert found.error <= 0.05
    for witness, bracket in (
        (found.lower_witness, found.lower_bracket),
        (found.upper_witness, found.upper_bracket),
    ):
        value = sf.compare(*witness, measure=measure).mean
        assert bracket[0] <= value <= bracket[1]
    drawn = sf.compare(a, labels, measure=measure, engine=sf.Sampled(n_samples=500), rng=0)
    assert found.lower_bracket[0] <= drawn.lower <= drawn.upper <= found.upper_bracket[1]


def evidential(rng, n, k):
    frame = np.ones(k)
    masses = rng.dirichlet(np.r_[np.full(k, 0.4), 0.2], size=n)
    masses[np.arange(n), np.arange(n) % k] += 2
    masses /= masses.sum(axis=1, keepdims=True)
    return sf.EvidentialPartition(masses, [*np.eye(k), frame])


def possible(rng, n, k, t_norm):
    rows = rng.random((n, k)).round(1) * (rng.random((n, k)) < 0.4)
    rows[np.arange(n), np.arange(n) % k] = 1.0
    return sf.PossibilisticPartition(rows, t_norm=t_norm)


KINDS = {
    "rough": lambda rng, n, k: possible(rng, n, k, None).support(),
    "evidential": evidential,
    "consonant": lambda rng, n, k: possible(rng, n, k, None),
    "min": lambda rng, n, k: possible(rng, n, k, "min"),
    "product": lambda rng, n, k: possible(rng, n, k, "product"),
    "fuzzy": lambda rng, n, k: sf.FuzzyPartition(rng.dirichlet(np.full(k, 0.5), size=n)),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "engine", [sf.Auto(tolerance=0.1), "bounds", sf.Sampled(n_samples=30)], ids=str
)
def test_no_kind_and_no_engine_leaves_an_infinite_bracket(kind, engine):
    a = KINDS[kind](np.random.default_rng(2), 40, 3)
    found = sf.compare(
        a, np.arange(40) % 3, measure="adjusted_mutual_information", engine=engine, rng=0
    )
    numbers = [
        *(found.lower, found.upper, found.error, found.hurwicz(0.0), found.hurwicz(1.0)),
        *found.lower_bracket,
        *found.upper_bracket,
    ]
    assert all(isfinite(number) for number in numbers)
    assert found.lower_bracket[0] <= found.lower <= found.upper <= found.upper_bracket[1] <= 1
    json.dumps(found.to_dict(), allow_nan=False)


@pytest.mark.parametrize(
    ("kind", "guarantee"),
    [("rough", "certified"), ("evidential", "confidence"), ("min", "certified")],
)
def test_no_kind_is_left_with_attained_values_alone(kind, guarantee):
    a = KINDS[kind](np.random.default_rng(2), 200, 3)
    found = sf.compare(a, np.arange(200) % 3, measure="adjusted_mutual_information", rng=0)
    assert found.guarantee == guarantee
    assert found.error <= 0.1


@pytest.mark.parametrize("kind", ["evidential", "consonant", "min"])
def test_brackets_of_drawn_and_swept_ends_hold_the_enumerated_ones(kind):
    rng = np.random.default_rng(3)
    for seed in range(10):
        a, labels = KINDS[kind](rng, 7, 3), np.arange(7) % 3
        measure = "adjusted_mutual_information"
        exact = sf.compare(a, labels, measure=measure, engine=sf.Exact(max_tables=10**7))
        engine = sf.Auto(max_tables=10, tolerance=0.2)
        found = sf.compare(a, labels, measure=measure, engine=engine, rng=seed)
        assert_held(found, exact, slack=1e-9)
