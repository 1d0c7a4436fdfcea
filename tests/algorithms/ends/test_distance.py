"""Brackets of two rough sides from the ends of Rand and of the variation of information."""

import numpy as np
import pytest

import sfumato as sf
from by_method import question
from oracle import d_R
from sfumato.algorithms.ends.distance import ends_by_distance, has_distance
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.solve import has_brackets, is_solvable, solve_types
from strategies import random_rough

FEW_OPEN = {"share": 0.15, "n_open": 2}  # mostly single clusters
# Where two rough sides have no solver of their own.
UNSOLVED = (
    "mutual_information",
    "adjusted_rand",
    "normalized_mutual_information",
    "fowlkes_mallows",
    "homogeneity",
    "completeness",
    "v_measure",
)


def as_sets(rough):
    return tuple(frozenset(np.flatnonzero(row).tolist()) for row in rough.mask)


@pytest.mark.parametrize("measure", [*UNSOLVED, "jaccard", "dice", "rand"])
@pytest.mark.parametrize("max_nodes", [0, 1000])
def test_brackets_hold_the_literal_ends(measure, max_nodes):
    rng = np.random.default_rng(len(measure))
    n_useful = 0
    for _ in range(40):
        n = int(rng.integers(5, 8))
        a, b = (random_rough(rng, n, int(rng.integers(2, 4)), **FEW_OPEN) for _ in range(2))
        query = question(a, b, measure, "range")
        objective = query.objective
        assert has_distance(objective)
        least, most = ends_by_distance(objective, query.joint.set_types, Budget(max_nodes, 1))
        values = d_R((as_sets(a), as_sets(b)), measure)
        slack = 1e-9
        assert least.bounds[0] - slack <= min(values) <= least.values[0] + slack
        assert most.values[0] - slack <= max(values) <= most.bounds[0] + slack
        n_useful += least.bounds[0] > objective.bounds[0] or most.bounds[0] < objective.bounds[1]
    assert n_useful > 5


def test_where_the_distance_is_the_measure_the_bracket_closes():
    rng = np.random.default_rng(3)
    for measure in ("rand", "variation_of_information"):
        a, b = (random_rough(rng, 8, 3, **FEW_OPEN) for _ in range(2))
        query = question(a, b, measure, "range")
        least, most = ends_by_distance(query.objective, query.joint.set_types, Budget(10_000, 1))
        exact = sf.compare(a, b, measure=measure, engine="exact")
        for end, expected in ((least, exact.lower), (most, exact.upper)):
            assert (end.bounds[0], end.values[0]) == pytest.approx((expected,) * 2, abs=1e-11)


@pytest.mark.parametrize("measure", UNSOLVED)
def test_a_batch_is_the_same_as_its_instances_one_by_one(measure):
    rng = np.random.default_rng(4)
    masses = rng.dirichlet(np.full(7, 0.3), size=(2, 20))
    sets = np.array([[bits >> i & 1 for i in range(3)] for bits in range(1, 8)], dtype=bool)
    a, b = (sf.EvidentialPartition(m, sets) for m in masses)
    query = question(a, b, measure)
    objective, joint = query.objective, query.joint
    assert has_brackets(objective, joint.set_types)
    assert not is_solvable(objective, joint.set_types)
    counts = joint.sampler(5).draw(5, np.random.SeedSequence(0))
    together = solve_types(objective, joint.types_of(counts), Budget(100, 2))
    for at in range(5):
        alone = solve_types(objective, joint.types_of(counts[at : at + 1]), Budget(100, 1))
        for side, single in zip(together, alone, strict=True):
            assert np.array_equal(side[at], single[0])
    assert (together.low_bounds <= together.lows).all()
    assert (together.highs <= together.high_bounds).all()
