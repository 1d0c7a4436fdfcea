"""Count the objects of each type at every level of two possibilistic partitions.

At a level, an object may be in the clusters whose possibility is at least that level. So its sets
of clusters grow as the level falls, and its type changes.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import final

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import Deadline, kernel_limits
from sfumato.algorithms.tables.ragged import starts_of

__all__ = ["LevelTypes", "level_types"]


@final
class LevelTypes:
    """All types that occur at some level, and how objects change theirs from level to level.

    A type is a pair of sets; sets are bit masks. At the first level there are ``first[t]`` objects
    of type ``t``. At level ``v``, the moves from ``starts[v]`` to ``starts[v + 1]`` take
    ``counts[m]`` objects each from type ``before[m]`` to type ``after[m]``. Levels are numbered
    from the highest down.

    Examples
    --------
    >>> one = level_types(np.array([[1, 0.5]]), np.ones((1, 1)), np.array([7]), np.array([1, 0.5]))
    >>> one.row_sets.tolist(), one.counts_at(np.array([0, 1])).tolist()
    ([1, 3], [[7, 0], [0, 7]])
    """

    def __init__(
        self,
        types: Ints,
        first: Ints,
        starts: Ints,
        before: NDArray[np.int32],
        after: NDArray[np.int32],
        counts: Ints,
    ) -> None:
        self._types = types
        self._moves = first, starts, before, after, counts
        self.row_sets: Ints = types & 0xFFFFFFFF  # (t,)
        self.column_sets: Ints = types >> 32 & 0xFFFFFFFF  # (t,)

    @property
    def n_types(self) -> int:
        """Types at all levels."""
        return len(self._types)

    def counts_at(self, at: Ints) -> Ints:
        """Objects of each type at the levels ``at``, in ascending order: (len(at), t)."""
        return _core.counts_at_levels(*self._moves, at)

    @property
    def is_certain(self) -> tuple[bool, bool]:
        """Whether each object has one row, and one column, at all levels."""
        rows, columns = (
            bool((sets & (sets - 1) == 0).all()) for sets in (self.row_sets, self.column_sets)
        )
        return rows, columns

    def carry_lines(self, above: Ints, below: Ints, costs: Floats) -> Floats:
        """Sums of the cheapest costs that are open to each object, at levels between others.

        Gap g holds the levels between ``above[g]`` and ``below[g]``; gaps ascend. ``costs[g]`` are
        those of the cells there. Elsewhere the sums are 0.
        """
        flat = np.ascontiguousarray(costs.reshape(len(above), -1))
        return _core.carry_lines(*self._moves, self._types, above, below, flat, costs.shape[2])

    def carry_tables(
        self,
        above: Ints,
        below: Ints,
        filled: Sequence[tuple[Ints, Ints]],
        weights: Floats,
        psi: Floats,
        shape: tuple[int, int],
        deadline: Deadline,
    ) -> Floats:
        """Sums of psi over rows, columns and cells of tables at levels between others: (l, 3).

        ``filled[g]`` are the types at ``above[g]`` and their objects in each cell, row by row. An
        object whose sets grow moves where the sums, weighted by ``weights[g]``, fall most. Sums
        that would come after the deadline are NaN.
        """
        entries, sent = (np.concatenate(side) for side in zip(*filled, strict=True))
        starts = starts_of(np.array([len(own) for own, _ in filled]))
        between = self._types, above, below, starts, entries, sent, weights, psi, *shape
        return _core.carry_tables(*self._moves, *between, *kernel_limits(deadline))

    @cached_property
    def n_cells(self) -> Ints:
        """Cells open to the types that are present, for each level: rows times columns."""
        return _core.cells_at_levels(*self._moves, self._types)


def level_types(
    a: Floats,
    b: Floats,
    counts: Ints,
    levels: Floats,
    rows_of: tuple[Ints, Ints] | None = None,
) -> LevelTypes:
    """Follow each object from the highest level to the lowest, and note where its type changes.

    ``a`` and ``b`` are possibilities with a 1 in each row, of at most 32 clusters a side. Levels
    are all their positive entries, highest first, or the lowest of them. Of each group of objects
    there are ``counts``; ``rows_of`` are its rows of a and b, in order if none are given.

    Notes
    -----
    O(e log(k l)) for e positive entries of the groups.
    """
    everything = np.arange(len(counts))
    of_rows, of_columns = (everything, everything) if rows_of is None else rows_of
    return LevelTypes(*_core.level_moves(a, b, of_rows, of_columns, counts, levels))
