"""Possibilistic sides read with the t-norm min: one level for all objects, and its cuts."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from sfumato._typing import Floats
from sfumato.measures.difference import Difference
from sfumato.partitions.possibilistic import PossibilisticPartition, cut_of
from sfumato.partitions.theories import join
from sfumato.question.query import Query

__all__ = [
    "at_level",
    "at_levels",
    "cached_cuts",
    "levels_of",
    "n_open_beside",
    "typical_levels",
    "widest_level",
]

_CELLS_KEPT = 10_000_000  # that the cuts at levels met before leave open


def levels_of(query: Query) -> tuple[Floats, Floats]:
    """Levels of the possibilistic sides, highest first, with their masses: the gaps below."""
    levels = query.levels
    return levels, levels - np.append(levels[1:], 0.0)


def at_level(query: Query, level: float) -> Query:
    """The query of the cuts at one level, which are rough."""
    keeps_rows = isinstance(query.measure, Difference)  # its rows stand for pairs of clusters
    a, b = (cut_of(side, level) for side in query.sides)
    a, b = a if keeps_rows else a.simplest(), b.simplest()
    return replace(query, a=a, b=b, theory=join(a, b))


def at_levels(query: Query) -> Iterator[tuple[float, Query]]:
    """The query at each level, with the level's mass.

    One level is common to all objects, and to both sides if both are possibilistic.
    """
    for level, mass in zip(*levels_of(query), strict=True):
        yield float(mass), at_level(query, float(level))


def widest_level(query: Query) -> tuple[int, Query]:
    """How many levels there are, and the query at the lowest, where most is open."""
    levels, _ = levels_of(query)
    return len(levels), at_level(query, float(levels[-1]))


def typical_levels(query: Query) -> list[Query]:
    """The query at a few levels, which stand for all of them."""
    levels, _ = levels_of(query)
    at = np.searchsorted(-levels, [-0.75, -0.5, -0.25], side="right") - 1
    at = np.unique(np.maximum([*at, len(levels) - 1], 0))
    return [at_level(query, float(level)) for level in levels[at]]


def cached_cuts(query: Query) -> Callable[[float], Query]:
    """The question at a level; those met before are kept as far as memory allows."""
    cells = max(query.n_objects, widest_level(query)[1].joint.n_open_cells)
    return lru_cache(maxsize=1 + int(_CELLS_KEPT / cells))(partial(at_level, query))


def n_open_beside(query: Query) -> int:
    """Objects of which the side without levels leaves several sets open."""
    first, second = query.sides
    side = second if isinstance(first, PossibilisticPartition) else first
    statements = side.statements()
    return int((np.diff(statements.starts)[statements.codes] > 1).sum())
