"""Random rough partitions of any size, with both ends of each bracketed."""

from typing import TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.rough_batch import RoughBatch, rough_batch
from sfumato.algorithms.tables.set_draws import draw_sets
from sfumato.families import Majority, Matching, Ratio
from sfumato.methods.bracketed_ends import BracketedEnds, bracket_ends
from sfumato.methods.extremes import Solved
from sfumato.query import Query

__all__ = [
    "OuterEnds",
    "bracket_block",
    "bracket_seconds",
    "draw_brackets",
    "is_bracketable",
    "outer_ends",
]

OuterEnds: TypeAlias = tuple[Floats, Floats, Floats, Floats]  # lows, highs, and their gaps

_MOST_NUMBERS = 2e7  # cells, listed or of the table, of one draw
_NUMBERS_AT_ONCE = 1 << 20
_SECONDS_PER_NUMBER = 1e-6
_SECONDS_PER_PRODUCT = 1e-8  # of the Hungarian method


def is_bracketable(query: Query) -> bool:
    """Whether the measure has a known structure and one draw fits in memory."""
    return (
        query.measure.family(query.n_objects) is not None
        and _numbers(query, is_most=True) <= _MOST_NUMBERS
    )


def _numbers(query: Query, *, is_most: bool) -> float:
    """Cells of one table and those that the objects of one draw may go to, at most or on average.

    Objects with the same sets go together, so no draw lists more than all pairs of sets do.
    """
    joint = query.joint
    sizes: list[Floats] = []
    for side, statements in ((joint.a, joint.a_statements), (joint.b, joint.b_statements)):
        own = side.family.sizes[side.sets].astype(np.float64)
        firsts = side.starts[:-1]
        each = (
            np.maximum.reduceat(own, firsts)
            if is_most
            else np.add.reduceat(own * side.weights, firsts)
        )
        sizes.append(each[statements])
    listed = float(joint.counts @ (sizes[0] * sizes[1]))
    merged = float(joint.a.family.sizes.sum()) * float(joint.b.family.sizes.sum())
    return float(query.shape[0]) * query.shape[1] + query.n_objects + min(listed, merged)


def bracket_seconds(query: Query) -> float:
    """About the time that both brackets of one draw take, by family and size."""
    seconds = _SECONDS_PER_NUMBER * _numbers(query, is_most=False)
    match query.measure.family(query.n_objects):
        case Matching():
            products = float(min(query.shape)) ** 2 * max(query.shape)
            return 0.5 * seconds + _SECONDS_PER_PRODUCT * products
        case Majority():
            return 0.5 * seconds
        case Ratio():
            return 4 * seconds
        case _:
            return seconds


def bracket_block(query: Query) -> int:
    """Draws to take side by side."""
    return max(1, int(_NUMBERS_AT_ONCE / _numbers(query, is_most=True)))


def draw_brackets(query: Query, n_draws: int, seed: np.random.SeedSequence) -> OuterEnds:
    """Outer ends of drawn rough partitions, and by how much each may lie too far out."""
    batch = _draw(query, n_draws, seed)
    found = bracket_ends(query.measure, batch, query.bounds)
    return outer_ends(found)


def outer_ends(found: Solved | BracketedEnds) -> OuterEnds:
    """The outer side of both ends, and how far the attained ones lie inside."""
    return (
        found.low_bounds,
        found.high_bounds,
        found.lows - found.low_bounds,
        found.high_bounds - found.highs,
    )


def _draw(query: Query, n_draws: int, seed: np.random.SeedSequence) -> RoughBatch:
    """The two sides are independent, so each draws by itself."""
    joint = query.joint
    pairs: list[Ints] = []
    for side, statements, child in zip(
        (joint.a, joint.b), (joint.a_statements, joint.b_statements), seed.spawn(2), strict=True
    ):
        own = np.repeat(statements, joint.counts)
        rng = np.random.default_rng(child)
        pairs.append(draw_sets(side.starts, side.sets, side.weights, own, n_draws, rng).ravel())
    return rough_batch(
        np.repeat(np.arange(n_draws), query.n_objects),
        (pairs[0], pairs[1]),
        np.ones(len(pairs[0]), dtype=np.int64),
        (joint.a.set_starts, joint.a.set_members),
        (joint.b.set_starts, joint.b.set_members),
        n_tables=n_draws,
        shape=query.shape,
    )
