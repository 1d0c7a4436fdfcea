"""Possibilistic sides read with the t-norm min: one level for all objects, and its cuts."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from sfumato._typing import Floats
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.theories import join
from sfumato.question.query import Query

__all__ = ["at_level", "at_levels", "levels_of", "widest_level"]


def levels_of(query: Query) -> tuple[Floats, Floats]:
    """Levels of the possibilistic sides, highest first, with their masses: the gaps below."""
    sides = [side for side in (query.a, query.b) if isinstance(side, PossibilisticPartition)]
    levels = np.unique(np.concatenate([side.levels() for side in sides]))[::-1]
    return levels, levels - np.append(levels[1:], 0.0)


def at_level(query: Query, level: float) -> Query:
    """The query of the cuts at one level, which are rough."""
    a, b = (
        side.cut_rows(level).simplest() if isinstance(side, PossibilisticPartition) else side
        for side in (query.a, query.b)
    )
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
