"""Ratios by Dinkelbach's iteration, with a weighted search that closes a little too early."""

import numpy as np
import pytest

import sfumato as sf
from sfumato.algorithms.ends.dinkelbach import RatioProblem, ratio_end, whole_scale
from sfumato.algorithms.ends.found_ends import ROUNDING, FoundEnds, up_to_rounding
from sfumato.algorithms.ends.root_ratio import largest_root_ratio, least_root_ratio
from sfumato.families import Affine

# Jaccard of six objects: pairs joined by both, over pairs joined by either (the truth joins six).
BOTH = Affine(-6.0, cells=1.0)
EITHER = Affine(-6.0 + 18.0, rows=1.0, cells=-1.0)
TABLES = np.array([[[3, 0], [0, 3]], [[3, 1], [0, 2]], [[2, 1], [1, 2]], [[3, 3], [0, 0]]])


def sums(tables):
    return (tables.sum(axis=2) ** 2).sum(axis=1), (tables**2).sum(axis=(1, 2))


def solver_of(tables, *, left_open):
    """Give the worst table that lies within the tolerance, and call it the best."""

    def solve(instances, weights, end):
        r, s = sums(tables)
        values = weights[0] * r - 2.0 * s
        sign = 1 if end == "near" else -1
        is_close = sign * values <= (sign * values).min() + left_open
        at = np.flatnonzero(is_close)[np.argmax((sign * values)[is_close])]
        value = values[[at]].astype(float)
        return FoundEnds(tables[[at]], value, value.copy())

    return solve


def jaccard_of(tables):
    r, s = sums(tables)
    return BOTH.at(r, s) / EITHER.at(r, s)


def ends(left_open, scale, tables=TABLES[1:]):
    solve = solver_of(tables, left_open=left_open)
    problem = RatioProblem(solve, sums, BOTH, EITHER, 6.0, left_open, scale)
    return [ratio_end(problem, tables[:1], sense) for sense in ("min", "max")]


@pytest.mark.parametrize("left_open", [0.0, 1e-6, 0.5, 4.0])
@pytest.mark.parametrize("scale", [None, 1.0])
def test_bounds_hold_whatever_a_search_leaves_open(left_open, scale):
    least, most = ends(left_open, scale)
    truth = jaccard_of(TABLES[1:])
    assert least.bounds <= truth.min() <= least.values
    assert most.values <= truth.max() <= most.bounds


def test_an_excess_is_kept_where_the_parts_are_not_integers():
    least, most = ends(1e-6, None)
    assert most.bounds - most.values == pytest.approx(1e-6 * 0.5 * (1 + most.values[0]) / 6)
    assert least.bounds < least.values


def test_an_excess_below_one_over_the_denominator_is_none_for_integers():
    for found in ends(1e-6, 1.0):
        assert found.bounds == found.values
    assert ends(0.5, 1.0)[1].bounds > ends(0.5, 1.0)[1].values


def test_a_difference_of_the_stated_rounding_is_none():
    values = np.array([0.5, 0.5, 3.0])
    bounds = values + ROUNDING * np.array([0.5, 2.0, 2.5])
    closed = up_to_rounding(FoundEnds(TABLES[:3], values, bounds))
    assert (closed.bounds == closed.values).tolist() == [True, False, True]


def test_pair_counts_become_integers_by_the_number_of_pairs():
    objective = sf.AdjustedRand().family(7)
    assert whole_scale(*(part.with_columns(21.0) for part in objective.parts(21.0)), 7) == 42.0
    assert whole_scale(BOTH, EITHER, 6) == 1.0
    assert whole_scale(Affine(np.log(6)), EITHER, 6) is None


@pytest.mark.parametrize("left_open", [0.0, 1e-3, 1.0])
def test_bounds_of_root_ratios_hold_whatever_a_search_leaves_open(left_open):
    product = Affine(-6.0 * 12.0, rows=12.0)  # pairs joined by either side, multiplied
    solve = solver_of(TABLES, left_open=left_open)
    r, s = sums(TABLES)
    truth = BOTH.at(r, s) / np.sqrt(product.at(r, s))
    problem = RatioProblem(solve, sums, BOTH, product, 6.0, left_open)
    least = least_root_ratio(problem, TABLES[:1])
    most = largest_root_ratio(problem, TABLES[:1])
    assert least.bounds <= truth.min() + 1e-15 <= least.values + 2e-15
    assert most.values <= truth.max() + 1e-15 <= most.bounds + 2e-15
