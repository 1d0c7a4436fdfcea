"""Find both ends of numerator / sqrt(denominator) over compatible tables.

The numerator depends on s = sum psi(N) alone and the denominator on r = sum psi(R) alone; both
grow. The Fowlkes-Mallows index against a hard truth has this form.
"""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from sfumato._typing import Tables
from sfumato.algorithms.ends.dinkelbach import RatioProblem
from sfumato.algorithms.ends.found_ends import FoundEnds, up_to_rounding

__all__ = ["largest_root_ratio", "least_root_ratio"]

_MOST_ROUNDS = 40
_MOST_CORNERS = 64
_SETTLED = 1e-12


def least_root_ratio(problem: RatioProblem, start: Tables) -> FoundEnds:
    r"""Find the smallest :math:`p / \sqrt{q}`, with a certified bound.

    If every table has :math:`p - \lambda q \ge v`, then :math:`p / \sqrt q \ge \lambda \sqrt q +
    v / \sqrt q \ge 2 \sqrt{\lambda v}`. This bound is attained by a table that minimises
    :math:`p - \lambda q` and has :math:`\lambda = p / 2 q` itself. So :math:`\lambda` is set to
    :math:`p / 2 q` of the last table, round after round, until it no longer changes.

    Parameters are those of `ratio_end`; the numerator must be positive.

    Notes
    -----
    A few rounds of the weighted solver.
    """
    tables, numerator, denominator = start.copy(), problem.numerator, problem.denominator
    p, q = problem.parts(tables)
    ratios, slopes = p / np.sqrt(q), p / (2 * q)
    bounds = np.zeros(len(tables))
    active = np.arange(len(tables))
    for _ in range(_MOST_ROUNDS):
        if len(active) == 0:
            break
        slope = slopes[active]
        weights = 2 * slope * denominator.rows / numerator.cells
        found = problem.solve(active, weights, "far")
        outer = found.bounds + problem.left_open
        floor = numerator.offset - slope * denominator.offset - numerator.cells / 2 * outer
        proved = 2 * np.sqrt(slope * np.maximum(floor, 0.0))
        bounds[active] = np.maximum(bounds[active], proved)
        p, q = problem.parts(found.tables)
        new, next_slopes = p / np.sqrt(q), p / (2 * q)
        gains = new < ratios[active]
        tables[active[gains]], ratios[active[gains]] = found.tables[gains], new[gains]
        moves = np.abs(next_slopes - slope) > _SETTLED * slope
        slopes[active] = next_slopes
        active = active[moves]
    return up_to_rounding(FoundEnds(tables, ratios, bounds))


def largest_root_ratio(problem: RatioProblem, start: Tables) -> FoundEnds:
    r"""Find the largest :math:`p / \sqrt{q}`.

    The ratio is quasi-convex, and only corners where :math:`p - \lambda q` is largest for some
    :math:`\lambda` up to :math:`p / 2 q \le 1 / 2` (in units where :math:`p \le q`) can be best.
    They are found one by one, each by a weighted problem whose weights come from the edge between
    two known corners. If no point lies above an edge by more than :math:`e`, no ratio is larger
    than that of a corner raised by :math:`e`: along an edge the ratio is convex in
    :math:`\sqrt q`.

    Notes
    -----
    One weighted problem per corner. The bound is infinite if there are more than 64 corners, or if
    one of their searches does not close.
    """
    tables, ratios = start.copy(), np.empty(len(start))
    bounds = np.full(len(start), np.inf)
    cells = problem.numerator.cells
    unit = cells / problem.denominator.rows  # of slope: p = q where r = s

    def corner_at(instance: int, weight: float) -> _Corner:
        found = problem.solve(np.array([instance]), np.array([weight]), "near")
        p, q = (float(part[0]) for part in problem.parts(found.tables))
        return _Corner(q, p, found.tables[0], bool(found.bounds[0] == found.values[0]))

    for instance in range(len(start)):
        corners, is_complete = _steep_corners(partial(corner_at, instance), unit)
        best = max(corners, key=lambda corner: corner.p / corner.q**0.5)
        tables[instance], ratios[instance] = best.table, best.p / best.q**0.5
        if is_complete:
            excess = cells / 2 * problem.left_open + _SETTLED * max(1.0, corners[0].p)
            bounds[instance] = max((corner.p + excess) / corner.q**0.5 for corner in corners)
    return up_to_rounding(FoundEnds(tables, ratios, bounds))


class _Corner(NamedTuple):
    """A corner of the convex hull of all (q, p), and whether its search closed."""

    q: float
    p: float
    table: Tables
    is_closed: bool


def _steep_corners(
    corner_at: Callable[[float], _Corner], unit: float
) -> tuple[list[_Corner], bool]:
    """Find all corners that are best for a weight from 0 to 1, and say if this is all of them."""
    corners = [corner_at(0.0), corner_at(1.0)]
    edges = [(corners[0], corners[1])]
    while edges and len(corners) < _MOST_CORNERS:
        left, right = edges.pop()
        if left.q == right.q:
            continue
        slope = (left.p - right.p) / (left.q - right.q)
        between = corner_at(2 * slope / unit)
        corners.append(between)
        gain = (between.p - slope * between.q) - (left.p - slope * left.q)
        if gain > _SETTLED * max(1.0, abs(left.p)):
            edges += [(left, between), (between, right)]
    return corners, not edges and all(corner.is_closed for corner in corners)
