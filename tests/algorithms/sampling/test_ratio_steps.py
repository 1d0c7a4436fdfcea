"""How much one object changes a ratio: against all moves, and against all sets of one object."""

from itertools import product

import numpy as np
import pytest

import sfumato as sf
from objectives import objective_of
from sfumato.algorithms.sampling.prior import Prior, draws_for, prior_bound
from sfumato.algorithms.sampling.ratio_steps import ratio_step
from sfumato.algorithms.tables.likely_sizes import SizeLimits

MEASURES = (
    "adjusted_rand",
    "jaccard",
    "dice",
    "fowlkes_mallows",
    "normalized_mutual_information",
    "completeness",
    "homogeneity",
    sf.NormalizedVariationOfInformation("joint_entropy"),
)


def tables_of(clusterings, shape):
    """Tables of pairs of clusterings, each a pair of arrays of codes."""
    found = np.zeros((len(clusterings), *shape), dtype=np.int64)
    for table, (rows, columns) in zip(found, clusterings, strict=True):
        np.add.at(table, (rows, columns), 1)
    return found


def limits_of(sizes):
    return SizeLimits(sizes.min(axis=0).astype(float), sizes.max(axis=0).astype(float))


def moved(codes, x, code):
    other = codes.copy()
    other[x] = code
    return other


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.parametrize("is_hard", [True, False])
def test_no_move_of_an_object_exceeds_the_step(measure, is_hard):
    rng = np.random.default_rng(1)
    largest = 0.0
    for _ in range(25):
        n, k, m = rng.integers(4, 25), rng.integers(2, 4), rng.integers(2, 4)
        rows, columns = rng.integers(k, size=n), rng.integers(m, size=n)
        moves = [(rows, columns)]
        for x, i, j in product(range(n), range(k), range(m)):
            if not is_hard or j == columns[x]:
                moves.append((moved(rows, x, i), moved(columns, x, j)))
        tables = tables_of(moves, (k, m))
        objective = objective_of(measure, int(n), (k, m))
        row_limits, column_limits = limits_of(tables.sum(axis=2)), limits_of(tables.sum(axis=1))
        step = ratio_step(objective, row_limits, column_limits)
        values = objective.of_tables(tables)
        assert np.abs(values - values[0]).max() <= step
        largest = max(largest, np.abs(values - values[0]).max() / step)
    assert largest > 0.1  # the step is not far from what objects do


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_no_set_of_an_object_moves_an_end_by_more_than_the_step(measure):
    rng = np.random.default_rng(2)
    for _ in range(12):
        n, k = 5, 3
        codes = np.array([0, 0, 1, 1, 2])
        sets = [rng.choice(k, size=rng.integers(1, 3), replace=False) for _ in range(n)]
        ends = []
        everything = []
        for other in ([0], [1], [0, 2], [0, 1, 2]):
            choices = product(*[*sets[:-1], other])
            tables = tables_of([(np.array(rows), codes) for rows in choices], (k, k))
            everything.append(tables)
            values = objective_of(measure, n, (k, k)).of_tables(tables)
            ends.append((values.min(), values.max()))
        tables = np.concatenate(everything)
        limits = limits_of(tables.sum(axis=2)), limits_of(tables.sum(axis=1))
        step = ratio_step(objective_of(measure, n, (k, k)), *limits)
        assert np.ptp(np.array(ends), axis=0).max() <= step


def test_the_chance_to_leave_the_limits_is_paid_for():
    sure = Prior(0.0, 1.0, 0.0, 2, step=1e-4, n_objects=1e4, unsureness=2500.0)
    likely = sure._replace(step_risk=1e-6)
    options = {"bound": "best", "confidence": 0.95}
    plain, author = prior_bound(sure, 100, **options)
    paid, _ = prior_bound(likely, 100, **options)
    at_higher_confidence, _ = prior_bound(sure, 100, bound="best", confidence=0.95 + 1e-4)
    assert author == "McDiarmid"
    assert paid == pytest.approx(at_higher_confidence + 1e-6)
    assert plain < paid
    # With too many draws nothing is left of the risk.
    assert prior_bound(likely, 10**6, **options)[1] == "Hoeffding"
    assert draws_for(likely, 0.01, **options) == draws_for(
        sure._replace(step=float("inf")), 0.01, **options
    )


def masses_around(rng, labels, k):
    """Singletons, pairs and now and then everything, around the labels."""
    sets = [{i} for i in range(k)] + [{i, (i + 1) % k} for i in range(k)] + [set(range(k))]
    masses = np.zeros((len(labels), len(sets)))
    masses[np.arange(len(labels)), labels] = 0.7
    masses[np.arange(len(labels)), k + rng.integers(k, size=len(labels))] = 0.25
    masses[:, -1] = 0.05
    return sf.EvidentialPartition(
        masses, focal_sets=np.array([[i in each for i in range(k)] for each in sets])
    )


@pytest.mark.parametrize("measure", ["adjusted_rand", "normalized_mutual_information"])
def test_errors_of_drawn_ends_fall_with_the_number_of_objects(measure):
    rng = np.random.default_rng(3)
    errors = []
    for n in (300, 3000, 30_000):
        labels = rng.integers(5, size=n)
        a = masses_around(rng, labels, 5)
        plan = sf.explain(a, labels, measure=measure, engine=sf.Sampled(n_samples=20))
        errors.append(plan.error)
    assert errors[1] < errors[0] / 2
    assert errors[2] < errors[1] / 2
    assert errors[2] < 0.02
