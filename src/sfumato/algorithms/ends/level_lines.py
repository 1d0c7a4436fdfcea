r"""Bracket both ends at the levels between others whose ends are known, by lines and tables.

The tables within reach at a level are within reach at all lower levels too. So a line below a
measure at a level is below it at all higher levels, where its smallest value follows from the types
of objects alone; and a table at a level, with some objects moved that may move now, is a table at
the levels below. Where lines and tables are those of the ends, both lose in proportion to the
square of the gap, while the ends of the neighbours lose in proportion to the gap.
"""

from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.ends.largest_row import has_largest_row, largest_row_line
from sfumato.algorithms.ends.level_sweeps import LevelEnds, narrow_levels
from sfumato.algorithms.ends.ratio_bounds import ratio_at, ratio_parts, slopes_at
from sfumato.algorithms.ends.relaxed_sums import psi_table
from sfumato.algorithms.ends.rough_batch import RoughBatch, batch_of_types
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.level_types import LevelTypes
from sfumato.families import Objective, Psi, Ratio, Separable, psi_of, psi_sum

__all__ = ["LevelTables", "batch_of_levels", "between_levels", "tables_of"]

_LEAST_COUNT = 0.5  # of objects in a cell, where a line touches
_SLACK = 1e-10  # relative: rounding must not make a bound wrong
_NEGLIGIBLE = 0.1  # of the error that gaps have on average
_MOST_LEVELS = 32  # whose lines are found side by side


class LevelTables(NamedTuple):
    """The tables that attain both ends at a level."""

    types: Ints  # (e,) of objects that are present
    sent: tuple[Ints, Ints]  # objects of each type in each of its cells, row by row
    tables: tuple[Ints, Ints]  # (k1, k2)


def batch_of_levels(
    types: LevelTypes, at: Ints, shape: tuple[int, int]
) -> tuple[RoughBatch, list[Ints]]:
    """The rough comparisons at the levels ``at``, and the types that are present at each."""
    counts = types.counts_at(at)
    here = np.flatnonzero(counts.any(axis=0))
    sets = SetTypes(types.row_sets[here], types.column_sets[here], counts[:, here])
    return batch_of_types(sets, shape), [np.flatnonzero(own) for own in counts]


def tables_of(
    batch: RoughBatch, present: list[Ints], at: Ints, sent: tuple[Ints, Ints]
) -> dict[int, LevelTables]:
    """Take the tables of a batch of levels apart."""
    cuts = batch.cells.starts[batch.starts[1:-1]]
    lows, highs = (np.split(side, cuts) for side in sent)
    filled = (batch.fill(side) for side in sent)
    each = zip(at.tolist(), present, zip(lows, highs, strict=True), *filled, strict=True)
    return {level: LevelTables(own, sides, (a, b)) for level, own, sides, a, b in each}


def between_levels(
    objective: Objective,
    types: LevelTypes,
    tables: dict[int, LevelTables],
    ends: LevelEnds,
    masses: Floats,
    deadline: Deadline,
    *,
    with_tables: bool = True,
) -> LevelEnds:
    """Narrow the brackets at the levels between those of which the tables are known.

    Gaps with far less than their part of the error, by the masses of their levels, are left as they
    are, and so is all that would be found after the deadline. Without ``with_tables`` only the
    bounds are asked for, not what is attained.

    Notes
    -----
    Tables: one pass over the moves of objects from type to type. Lines of x log x where the sum is
    convex: the same. Lines of ratios of squares against a certain side: two bounds as in
    `largest_row_sums` for each gap.
    """
    family = objective.family
    if not isinstance(family, Separable | Ratio) or not tables:  # no time for a single level
        return ends
    # The levels after the last table have no line; what is attained is carried there, too.
    solved = np.array([*sorted(tables), len(masses)])
    upto = np.cumsum(masses)
    between = upto[solved[1:] - 1] - upto[solved[:-1]]
    least_worth = _NEGLIGIBLE * float(ends.widths @ masses) / len(solved)
    last = np.minimum(solved, len(masses) - 1)
    sides: list[tuple[Floats, Floats]] = []
    for end, sense in enumerate((1, -1)):
        attained, bounds = (
            (ends.lows, ends.low_bounds) if end == 0 else (-ends.highs, -ends.high_bounds)
        )
        change = np.maximum(-np.diff(attained[last]), -np.diff(bounds[last]))
        change[-1] += attained[-1] - bounds[-1]
        is_open = (np.diff(solved) > 1) & (between * change > least_worth)
        if is_open.any() and with_tables:
            gaps = _Gaps(objective, types, solved[:-1][is_open], solved[1:][is_open], sense)
            above = [tables[at] for at in gaps.above.tolist()]
            attained = gaps.attained(attained, above, end, deadline)
        is_open[-1] = False
        if is_open.any():
            gaps = _Gaps(objective, types, solved[:-1][is_open], solved[1:][is_open], sense)
            lower = np.stack([tables[at].tables[end] for at in gaps.below.tolist()])
            upper = np.stack([tables[at].tables[end] for at in gaps.above.tolist()])
            bounds = gaps.bounds(attained, bounds, (upper, lower), deadline)
        sides.append((attained, bounds))
    (lows, low_bounds), (highs, high_bounds) = sides
    found = LevelEnds(low_bounds, lows, -highs, -high_bounds)
    return narrow_levels(ends, found, np.arange(len(lows)))


@final
class _Gaps:
    """Levels between pairs of others, with values that are negative if ``sense`` is -1."""

    def __init__(
        self, objective: Objective, types: LevelTypes, above: Ints, below: Ints, sense: int
    ) -> None:
        self._objective, self._types, self._sense = objective, types, sense
        self.above, self.below = above, below
        sizes = below - above - 1
        self._gap_of = np.repeat(np.arange(len(above)), sizes)
        self._levels = np.arange(len(self._gap_of)) + np.repeat(
            above + 1 - np.cumsum(sizes) + sizes, sizes
        )

    def attained(
        self, known: Floats, tables: list[LevelTables], end: int, deadline: Deadline
    ) -> Floats:
        """Values of the tables above each gap, with the objects moved that may move now."""
        family, sense = self._objective.family, self._sense
        assert isinstance(family, Separable | Ratio)
        psi = psi_table(family.psi, self._objective.n_objects + 1)
        if isinstance(family, Separable):
            value = family.value
            weights = np.tile([value.rows, value.columns, value.cells], (len(tables), 1))
        else:
            filled = np.stack([own.tables[end] for own in tables])
            weights = slopes_at(family, _sums_of(family.psi, filled))
        sent = [(own.types, own.sent[end]) for own in tables]
        sums = self._types.carry_tables(
            self.above, self.below, sent, sense * weights, psi, self._objective.shape, deadline
        )
        levels = self._levels[np.isfinite(sums[self._levels, 0])]  # for which there was time
        if len(levels) == 0:
            return known
        sums = sums[levels]
        values = (
            family.value.of_sums(*sums.T)
            if isinstance(family, Separable)
            else ratio_at(family, sums)
        )
        found = known.copy()
        values = sense * np.clip(values, *self._objective.bounds)
        found[levels] = np.fmin(known[levels], values)
        return found

    def bounds(
        self, attained: Floats, known: Floats, tables: tuple[Ints, Ints], deadline: Deadline
    ) -> Floats:
        """Bounds by lines that are found below each gap; ``tables`` are those above and below."""
        family = self._objective.family
        if isinstance(family, Separable):
            values = self._convex_bounds(family, tables[1])
        else:
            assert isinstance(family, Ratio)
            values = self._ratio_bounds(family, attained, known, tables[0], deadline)
        if values is None:
            return known
        found = known.copy()
        values = values - _SLACK * np.maximum(1.0, np.abs(values))
        found[self._levels] = np.minimum(
            np.fmax(known[self._levels], values), attained[self._levels]
        )
        return found

    def _convex_bounds(self, family: Separable, tables: Ints) -> Floats | None:
        """By the slopes of convex sums of x log x at the tables; see `least_convex_sums`."""
        value = family.value
        weights = self._sense * np.array([value.rows, value.columns, value.cells])
        is_certain = self._types.is_certain
        free = weights * [not is_certain[0], not is_certain[1], True]
        if family.psi != "xlogx" or (free[:2] > 0.0).any() or free.sum() < -1e-12 * free[2]:
            return None
        near = np.maximum(tables, _LEAST_COUNT)
        margins = near.sum(axis=2, keepdims=True), near.sum(axis=1, keepdims=True), near
        costs = np.zeros(tables.shape)
        for weight, part in zip(free, margins, strict=True):
            costs += weight * (1.0 + np.log(part))
        fixed = (weights - free) @ _sums_of("xlogx", tables).T
        constants = fixed - free.sum() * near.sum(axis=(1, 2)) + self._sense * value.offset
        lines = self._types.carry_lines(self.above, self.below, costs)
        return lines[self._levels] + constants[self._gap_of]

    def _ratio_bounds(
        self, family: Ratio, attained: Floats, known: Floats, tables: Ints, deadline: Deadline
    ) -> Floats | None:
        r"""Bounds of a ratio P / Q of squares against a certain side.

        Let L be the smallest of :math:`P - \theta Q` at a level, which is concave in
        :math:`\theta`. Lines bound it at the bound below the gap and at the value that is attained
        above the gap. Where a line between these two bounds meets 0, L is positive.
        """
        lowest = min(self._sense * limit for limit in self._objective.bounds)
        low, high = known[self.below], attained[self.above]
        if family.psi != "square" or family.power != 1.0 or not self._types.is_certain[1]:
            return None
        sums = _sums_of("square", tables)
        parts = ratio_parts(family, sums[:, 1])
        thetas = low, high
        weights = [self._sense * parts.above - at[:, None] * parts.below for at in thetas]
        ceilings = [(own[:, 1:] * sums).sum(axis=1) for own in weights]
        constants = np.full((2, len(low)), -np.inf)
        costs = np.zeros((2, len(low), *self._objective.shape))
        for start in range(0, len(low), _MOST_LEVELS):
            if deadline.is_over:
                break
            own = np.arange(start, min(start + _MOST_LEVELS, len(low)))
            batch, _ = batch_of_levels(self._types, self.below[own], self._objective.shape)
            if not all(has_largest_row(batch, each[own, 1:]) for each in weights):
                return None
            for at, (each, ceiling) in enumerate(zip(weights, ceilings, strict=True)):
                found = largest_row_line(batch, each[own, 1:], ceiling[own])
                constants[at, own], costs[at, own] = found
        gaps_at: list[Floats] = []
        for at, (each, ceiling) in enumerate(zip(weights, ceilings, strict=True)):
            lines = self._types.carry_lines(self.above, self.below, costs[at])[self._levels]
            least = np.minimum(lines + constants[at, self._gap_of], ceiling[self._gap_of])
            gaps_at.append(least + each[self._gap_of, 0])
        first, last = gaps_at
        is_fine = (low[self._gap_of] > lowest) & (first > 0.0) & np.isfinite(last)
        first, last = np.where(is_fine, first, 1.0), np.where(is_fine, last, 0.0)
        share = first / (first - np.minimum(last, 0.0))
        return np.where(is_fine, low[self._gap_of] + share * (high - low)[self._gap_of], np.nan)


def _sums_of(psi: Psi, tables: Ints) -> Floats:
    """Sums of psi over rows, columns and cells: (n_tables, 3)."""
    cells = psi_of(psi, tables.astype(np.float64)).sum(axis=(1, 2))
    return np.stack(
        [psi_sum(psi, tables.sum(axis=2)), psi_sum(psi, tables.sum(axis=1)), cells], axis=1
    )
