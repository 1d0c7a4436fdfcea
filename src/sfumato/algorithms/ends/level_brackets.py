"""Bracket both ends at some levels of two possibilistic partitions by a relaxation."""

from functools import partial

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.ends.level_lines import (
    LevelTables,
    batch_of_levels,
    between_levels,
    tables_of,
)
from sfumato.algorithms.ends.level_sweeps import LevelEnds, SolveLevels, sweep_levels
from sfumato.algorithms.ends.relax import relax_seconds
from sfumato.algorithms.ends.rough_batch import batch_of_types
from sfumato.algorithms.ends.rough_bracket import relaxed_in_time
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.level_types import LevelTypes
from sfumato.families import Objective, Ratio, Separable

__all__ = ["bracket_levels", "bracket_seconds", "sweep_brackets"]

# Levels side by side share tables of psi, which are as long as there are objects.
_MOST_LEVELS, _MOST_CELLS = 32, 200_000  # in one batch
_SECONDS_PER_OBJECT = 2e-8  # of a batch
_SECONDS_PER_TYPE = 1e-8  # of all levels, to count those at one
_DEAREST_SHARE = 0.5  # of the time: a last level that costs more is replaced
_SWEPT_SHARE = 0.8  # of the time of ratios: their lines between levels take the rest
# A bracket takes so many times as long as one relaxation, and a level without open cells as long
# as so many cells: fitted to times of 10 and 30 clusters against a hard side.
_STEPS, _STEPS_OF_PAIRS, _STEPS_OF_RATIOS, _CELLS_PER_STEP = 1.65, 1.5, 2.0, 600.0
_LEAST_CELLS, _LEAST_CELLS_OF_PAIRS, _LEAST_CELLS_OF_RATIOS = 1000.0, 400.0, 100.0


def bracket_seconds(objective: Objective, n_cells: float) -> float:
    """Estimate the time for both ends at a level that leaves so many cells open."""
    of_objects = _SECONDS_PER_OBJECT * objective.n_objects / _MOST_LEVELS
    match objective.family:
        case Separable(counts_pairs=True):
            steps, least_cells = _STEPS_OF_PAIRS, _LEAST_CELLS_OF_PAIRS
        case Ratio(psi="square"):
            steps = _STEPS_OF_PAIRS + objective.n_cells / _CELLS_PER_STEP
            least_cells = _LEAST_CELLS_OF_RATIOS
        case Ratio():
            steps, least_cells = _STEPS_OF_RATIOS, _LEAST_CELLS_OF_RATIOS
        case _:
            steps, least_cells = _STEPS, _LEAST_CELLS
    return steps * relax_seconds(objective, least_cells + n_cells) + of_objects


def sweep_brackets(
    objective: Objective,
    types: LevelTypes,
    masses: Floats,
    seconds: float,
    deadline: Deadline,
    *,
    with_tables: bool = True,
) -> LevelEnds:
    """Bracket both ends at all levels: some by a relaxation, those between by what these tell.

    ``masses`` are those of the levels; ``seconds`` is about the time that operation counts may
    stand for. Those levels come first that matter most for their price. Values that are attained
    between them are found ``with_tables`` only.
    """
    prices = _prices(objective, types)
    tables: dict[int, LevelTables] = {}
    bracket = partial(bracket_levels, objective, types, deadline, tables)
    if isinstance(objective.family, Ratio) and prices.sum() > seconds:
        seconds *= _SWEPT_SHARE
    if prices[-1] <= _DEAREST_SHARE * seconds:
        found = sweep_levels(bracket, masses, budget=seconds, prices=prices)
    else:
        # Where all is open, nothing tells objects apart, so this one more level without mass costs
        # next to nothing. It stands for the last one, which would leave no time for the others.
        bracket = partial(_with_all_open, bracket, objective, types, deadline)
        masses_and_none, own = (np.append(side, 0.0) for side in (masses, prices))
        found = sweep_levels(bracket, masses_and_none, budget=seconds, prices=own)
        found = LevelEnds(*(side[:-1] for side in found))
    between = objective, types, tables, found, masses, deadline
    return between_levels(*between, with_tables=with_tables)


def _prices(objective: Objective, types: LevelTypes) -> Floats:
    """Seconds of all levels: a line in the cells."""
    none, one = (bracket_seconds(objective, few) for few in (0.0, 1.0))
    of_types = _SECONDS_PER_TYPE * types.n_types
    return none + of_types + (one - none) * types.n_cells.astype(np.float64)


def _with_all_open(
    bracket: SolveLevels, objective: Objective, types: LevelTypes, deadline: Deadline, at: Ints
) -> LevelEnds:
    """Bracket levels, of which the last may be the one after all others, where all is open.

    What is attained there need not be attained at any level.
    """
    n_levels = len(types.n_cells)
    found = bracket(at[at < n_levels])
    if at[-1] < n_levels or len(found.lows) < len(at) - 1:
        return found
    sets = [
        own if is_certain else np.full_like(own, np.bitwise_or.reduce(own))
        for own, is_certain in zip(
            (types.row_sets, types.column_sets), types.is_certain, strict=True
        )
    ]
    objects = types.counts_at(np.array([0]))[0]
    pairs, which = np.unique(np.stack(sets), axis=1, return_inverse=True)
    counts = np.rint(np.bincount(which, objects, pairs.shape[1])).astype(np.int64)
    batch = batch_of_types(SetTypes(pairs[0], pairs[1], counts[None]), objective.shape)
    relaxed = relaxed_in_time(objective, batch, deadline)
    low, high = objective.bounds
    if relaxed is not None:
        low, high = float(relaxed.low_bounds[0]), float(relaxed.high_bounds[0])
    ends = zip(found, (low, np.inf, -np.inf, high), strict=True)
    return LevelEnds(*(np.append(side, end) for side, end in ends))


def bracket_levels(
    objective: Objective,
    types: LevelTypes,
    deadline: Deadline,
    tables: dict[int, LevelTables],
    at: Ints,
) -> LevelEnds:
    """Bracket both ends at the levels ``at``, in ascending order; at the first if time runs out.

    At least one level is answered, if need be by the bounds of the measure. The tables that attain
    the ends are added to ``tables``.
    """
    parts: list[LevelEnds] = []
    cells: Ints = types.n_cells[at]
    upto = np.cumsum(cells)
    start, most_levels = 0, _MOST_LEVELS
    while start < len(at) and not (start > 0 and deadline.is_over):
        most = int(upto[start] - cells[start]) + _MOST_CELLS
        end = int(np.searchsorted(upto, most, side="right"))
        end = min(max(end, start + 1), start + most_levels)
        batch, present = batch_of_levels(types, at[start:end], objective.shape)
        found = relaxed_in_time(objective, batch, deadline)
        if found is None and end == start + 1:
            break
        if found is None:  # there may be time for one of them
            most_levels = 1
            continue
        tables |= tables_of(batch, present, at[start:end], (found.low_sent, found.high_sent))
        parts.append(LevelEnds(found.low_bounds, found.lows, found.highs, found.high_bounds))
        start = end
    if not parts:
        low, high = (np.full(1, bound) for bound in objective.bounds)
        return LevelEnds(low, high, low, high)
    return LevelEnds(*(np.concatenate(side) for side in zip(*parts, strict=True)))
