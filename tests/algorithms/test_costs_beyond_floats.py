"""Costs such as (n + 1)^k leave the floats for many clusters: they are compared as logarithms."""

import numpy as np
import pytest

import sfumato as sf
from by_method import planned
from objectives import objective_of
from sfumato.algorithms.ends.solve import solve_seconds
from sfumato.algorithms.laws.column_laws import column_work
from sfumato.algorithms.laws.hard_matching import bound_hard_matching
from sfumato.algorithms.possibility.class_columns import fits_keys
from sfumato.algorithms.possibility.profile import bound_profile


def test_row_sums_fit_an_integer_up_to_sixty_two_bits():
    assert fits_keys(2**31 - 2, 2)
    assert not fits_keys(2**31, 2)
    assert not fits_keys(10**4, 100)
    assert not fits_keys(10**9, 10**4)


@pytest.mark.parametrize("t_norm", ["product", "lukasiewicz"])
@pytest.mark.parametrize("measure", ["rand", "jaccard", "partition_distance"])
def test_a_hundred_clusters_of_ten_thousand_objects_can_be_planned(t_norm, measure):
    n, k = 10_000, 100
    rng = np.random.default_rng(0)
    degrees = np.zeros((n, k))
    degrees[np.arange(n), rng.integers(0, k, n)] = 0.5
    degrees[np.arange(n), rng.integers(0, k, n)] = 1.0
    side = sf.PossibilisticPartition(degrees, t_norm=t_norm)
    plan = planned("cheapest_tables", side, rng.integers(0, k, n), measure)
    assert 0.0 < plan.seconds < np.inf


def test_bounds_of_laws_are_numbers_however_many_clusters():
    n, k = 20_000, 120
    memberships = np.full((n, k), 1.0 / k)
    codes = np.zeros(n, dtype=np.int64)
    assert column_work(memberships, codes, 1, max_lost_mass=1e-12) > 1e20
    assert bound_profile(memberships, codes, 1) > 1e100
    few = np.full((2000, 8), 0.125)
    found = bound_hard_matching(few, np.arange(2000) % 8, 8, max_lost_mass=1e-12)
    assert found.states > 1e12


def test_solving_time_is_a_number_for_a_thousand_clusters():
    objective = objective_of("rand", 10_000, (1000, 1000))
    assert solve_seconds(objective, has_hard_side=True) > 1e100
