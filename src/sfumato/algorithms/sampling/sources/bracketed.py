"""Draw random rough partitions of any size, and bracket both ends of a measure for each.

A focal set is drawn for each object, on each side.
"""

from typing import TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import look
from sfumato.algorithms.ends.relax import RelaxedEnds, relax_seconds, relaxed_ends
from sfumato.algorithms.ends.rough_batch import RoughBatch, rough_batch
from sfumato.algorithms.ends.solve import Solved
from sfumato.algorithms.sampling.mean import Draws, Source
from sfumato.algorithms.sampling.strata import joined
from sfumato.algorithms.tables.set_draws import DrawnSide, DrawnSides, draw_sets
from sfumato.families import Adjusted, Objective

__all__ = [
    "BracketedEnds",
    "batch_of_draws",
    "bracket_seconds",
    "bracket_source",
    "draw_brackets",
    "is_bracketable",
    "outer_ends",
]

# Outer sides of the brackets of the lower and the upper end, and the widths of these brackets.
BracketedEnds: TypeAlias = tuple[Floats, Floats, Floats, Floats]

_MOST_NUMBERS = 2e7  # cells of the table, objects, and listed cells of one draw
_NUMBERS_AT_ONCE = 1 << 20
_SECONDS_PER_OBJECT = 1.5e-7  # to draw a set


def is_bracketable(objective: Objective, sides: DrawnSides) -> bool:
    """Whether the measure has a known structure and one draw fits in memory.

    With more cells than objects chance may give all information there is, and no bracket of what
    is adjusted for it would be of use.
    """
    if objective.family is None:
        return False
    if isinstance(objective.family, Adjusted) and objective.n_cells > objective.n_objects:
        return False
    return _numbers(objective, sides, is_most=True) <= _MOST_NUMBERS


def _numbers(objective: Objective, sides: DrawnSides, *, is_most: bool) -> float:
    """Numbers that one draw holds, at most or on average: the table and the lists of open cells.

    Objects with the same sets are listed together. So a draw lists at most the cells of all pairs
    of sets.
    """
    rows, columns = (
        np.maximum.reduceat(side.sizes, side.starts[:-1])[side.statements]
        if is_most
        else side.mean_sizes
        for side in (sides.rows, sides.columns)
    )
    listed = float(sides.counts @ (rows * columns))
    merged = float(len(sides.rows.set_members)) * float(len(sides.columns.set_members))
    return float(objective.n_cells) + objective.n_objects + min(listed, merged)


def bracket_seconds(objective: Objective, sides: DrawnSides) -> float:
    """Estimate the time for both brackets of one draw, by family and size.

    Objects are drawn one by one; what follows is about the cells that are listed.
    """
    listed = _numbers(objective, sides, is_most=False) - objective.n_objects
    return _SECONDS_PER_OBJECT * objective.n_objects + relax_seconds(objective, listed)


def bracket_source(objective: Objective, sides: DrawnSides) -> Source:
    """Draws whose ends are bracketed; without control variates."""

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        ends = _brackets(objective, sides, size, seed)
        return Draws.of(ends[:2], ends[2:])

    return Source(sample, _block(objective, sides))


def _block(objective: Objective, sides: DrawnSides) -> int:
    """Number of draws to make side by side."""
    return max(1, int(_NUMBERS_AT_ONCE / _numbers(objective, sides, is_most=True)))


def draw_brackets(
    objective: Objective, sides: DrawnSides, n_draws: int, seed: np.random.SeedSequence
) -> BracketedEnds:
    """Draw rough partitions and bracket both ends of each: outer sides and widths of the brackets.

    An outer side lies too far out by at most the width of its bracket. The draws are made in
    blocks that fit in memory.
    """
    block = _block(objective, sides)
    sizes = [min(block, n_draws - at) for at in range(0, n_draws, block)]
    return joined(
        [
            _brackets(objective, sides, size, child)
            for size, child in zip(sizes, seed.spawn(len(sizes)), strict=True)
        ]
    )


def _brackets(
    objective: Objective, sides: DrawnSides, n_draws: int, seed: np.random.SeedSequence
) -> BracketedEnds:
    """Draw a set for each object on each side. The two sides are independent."""
    drawn: list[tuple[DrawnSide, Ints]] = []
    for side, child in zip((sides.rows, sides.columns), seed.spawn(2), strict=True):
        look()
        own = np.repeat(side.statements, sides.counts)
        rng = np.random.default_rng(child)
        sets = draw_sets(side.starts, side.sets, side.weights, own, n_draws, rng)
        drawn.append((side, sets))
    return outer_ends(relaxed_ends(objective, batch_of_draws(objective, *drawn)))


def batch_of_draws(
    objective: Objective, rows: tuple[DrawnSide, Ints], columns: tuple[DrawnSide, Ints]
) -> RoughBatch:
    """Rough comparisons from the sets that were drawn for all objects, of shape (n_draws, n)."""
    n_draws = len(rows[1])
    return rough_batch(
        np.repeat(np.arange(n_draws), objective.n_objects),
        (rows[1].ravel(), columns[1].ravel()),
        np.ones(rows[1].size, dtype=np.int64),
        (rows[0].set_starts, rows[0].set_members),
        (columns[0].set_starts, columns[0].set_members),
        n_tables=n_draws,
        shape=objective.shape,
    )


def outer_ends(found: Solved | RelaxedEnds) -> BracketedEnds:
    """Turn brackets of both ends into their outer sides and their widths."""
    return (
        found.low_bounds,
        found.high_bounds,
        found.lows - found.low_bounds,
        found.high_bounds - found.highs,
    )
