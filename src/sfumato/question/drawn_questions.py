"""A question about drawn partitions, taken apart into pairs of draws or single draws."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.draws.draw_list import DrawCodes, pair_tables
from sfumato.measures.base import CellMeasure, Measure
from sfumato.measures.contingency import Contingency
from sfumato.measures.difference import Difference
from sfumato.partitions.base import IndependentPartition, Partition
from sfumato.partitions.drawn import DrawnPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.theories import join, range_is_that_of_supports
from sfumato.question.composite import DrawnPair, check_number_of_draws
from sfumato.question.query import Query, difference_query

__all__ = ["CELLS_AT_ONCE", "PairsOfDraws", "SingleDraws"]

CELLS_AT_ONCE = 1 << 20
_SECONDS_PER_OBJECT, _SECONDS_PER_CELL, _SECONDS_PER_TABLE = 2e-9, 2e-8, 1e-7


class _Side(NamedTuple):
    codes: DrawCodes  # (s, n)
    weights: Floats  # (s,)
    n_clusters: int


def _side(side: Partition, is_paired: bool) -> _Side | None:
    k = side.n_clusters
    if isinstance(side, HardPartition):
        return _Side(side.codes[None].astype(np.int32), np.ones(1), k)
    if not isinstance(side, DrawnPartition):
        return None
    return _Side(side.codes, side.weights, k) if is_paired else _Side(*side.distinct[:2], k)


class PairsOfDraws(NamedTuple):
    """The pairs of draws of a question, numbered row by row.

    In a difference a row is a draw of the first candidate with one of its rival.
    """

    query: Query
    measure: Measure
    weights: Floats  # of the rows
    first: _Side
    second: _Side
    rival: _Side | None = None

    @classmethod
    def of(cls, query: Query) -> "PairsOfDraws | None":
        """None where a partition is soft."""
        second = _side(query.b, query.is_paired)
        if isinstance(query.a, DrawnPair):
            first, rival = (_side(side, is_paired=False) for side in query.a.candidates)
            if first is None or second is None or rival is None:
                return None
            return cls(query, query.measure_of_one, query.a.weights, first, second, rival)
        first = _side(query.a, query.is_paired)
        if first is None or second is None:
            return None
        return cls(query, query.measure, first.weights, first, second)

    @property
    def is_matched(self) -> bool:
        """Whether draws meet in their order."""
        return self.query.is_paired and len(self.first.weights) == len(self.second.weights)

    @property
    def is_product(self) -> bool:
        """Whether each of several draws meets each of several others."""
        sides = (self.first, self.second, self.rival)
        n_varying = sum(side is not None and len(side.weights) > 1 for side in sides)
        return not self.is_matched and n_varying > 1

    @property
    def n_pairs(self) -> float:
        """Pairs of all rows with all columns, or of those that meet."""
        if self.is_matched:
            return float(len(self.weights))
        return float(len(self.weights)) * len(self.second.weights)

    @property
    def n_tables(self) -> float:
        """Tables of all pairs: those of two candidates are counted apart."""
        if self.rival is None:
            return self.n_pairs
        n_rows = len(self.first.weights) + len(self.rival.weights)
        return float(n_rows) * len(self.second.weights)

    @property
    def n_cells(self) -> int:
        """Of the largest table."""
        sides = (self.first, self.rival)
        return self.second.n_clusters * max(side.n_clusters for side in sides if side is not None)

    @property
    def seconds_each(self) -> float:
        """About the time of one table."""
        n, cells = self.query.n_objects, self.n_cells
        return _SECONDS_PER_TABLE + _SECONDS_PER_OBJECT * n + _SECONDS_PER_CELL * cells

    def places(self, first: int, last: int) -> tuple[Ints, Ints]:
        """The draws of pairs number ``first`` to ``last`` - 1."""
        at = np.arange(first, last)
        if self.is_matched:
            return at, at
        rows, columns = np.divmod(at, len(self.second.weights))
        return rows, columns

    def sides(self, row: int, column: int) -> tuple[HardPartition, HardPartition]:
        """Both partitions of a pair."""
        codes = self.first.codes[row], self.second.codes[column]
        a, b = map(_hard, (self.query.a, self.query.b), codes)
        return a, b

    def values(self, rows: Ints, columns: Ints) -> Floats:
        """Values of pairs of draws, or differences of them."""
        if self.rival is None:
            return self._values(self.first, rows, columns)
        ours, theirs = np.divmod(rows, len(self.rival.weights))
        mine, other = (
            self._each_once(self.first, ours, columns),
            self._each_once(self.rival, theirs, columns),
        )
        return mine - other

    def _each_once(self, side: _Side, rows: Ints, columns: Ints) -> Floats:
        """Values of pairs of draws, of which many are the same."""
        size = len(self.second.weights)
        places, which = np.unique(rows * size + columns, return_inverse=True)
        return self._values(side, *np.divmod(places, size))[which]

    def _values(self, side: _Side, rows: Ints, columns: Ints) -> Floats:
        """Values of pairs of draws, block by block."""
        shape, measure = (side.n_clusters, self.second.n_clusters), self.measure
        n_cells = shape[0] * shape[1]
        if n_cells > self.query.n_objects and isinstance(measure, CellMeasure):
            places = zip(rows.tolist(), columns.tolist(), strict=True)
            codes = ((side.codes[i], self.second.codes[j]) for i, j in places)
            return np.array([_by_cells(measure, *pair) for pair in codes])
        block = max(1, CELLS_AT_ONCE // n_cells)
        found = np.empty(len(rows))
        for at in range(0, len(rows), block):
            some = slice(at, at + block)
            tables = pair_tables(side.codes, self.second.codes, rows[some], columns[some], shape)
            found[some] = measure.of_tables(tables)
        return found


def _by_cells(measure: CellMeasure, rows: DrawCodes, columns: DrawCodes) -> float:
    """The value of one pair by its non-empty cells, where most are empty."""
    a, b = rows.astype(np.int64), columns.astype(np.int64)
    sizes = int(a.max()) + 1, int(b.max()) + 1
    table = Contingency.from_codes(a, b, n_rows=sizes[0], n_columns=sizes[1])
    return float(measure.of_contingency(table))


def _hard(side: Partition, codes: DrawCodes) -> HardPartition:
    if isinstance(side, HardPartition):
        return side
    assert isinstance(side, DrawnPartition)
    return side.hard(codes)


@final
@dataclass(frozen=True, eq=False)
class SingleDraws:
    """The questions about single draws of what is drawn; some other partition is soft."""

    query: Query
    weights: Floats  # (s,): probabilities of the draws
    sizes: Ints  # (s,): clusters of each draw
    question: Callable[[int], Query]

    @classmethod
    def of(cls, query: Query) -> "SingleDraws":
        """The questions about a drawn partition beside a soft one, or about a drawn candidate."""
        if isinstance(query.a, DrawnPair):
            return cls._of_candidates(query, query.a)
        sides = query.a, query.b
        is_first = isinstance(query.a, DrawnPartition)
        drawn, other = sides if is_first else sides[::-1]
        assert isinstance(drawn, DrawnPartition)
        assert isinstance(other, IndependentPartition)
        draws = drawn.distinct
        hard = drawn.hard(draws.codes[0])
        theory = join(hard, other)
        if query.quantity == "range" and range_is_that_of_supports(hard, other, theory):
            other = other.support().simplest()

        def question(at: int) -> Query:
            hard = drawn.hard(draws.codes[at])
            a, b = (hard, other) if is_first else (other, hard)
            measure = query.measure
            if isinstance(measure, Difference):
                measure = replace(measure, n_columns=b.n_clusters)
            return replace(query, a=a, b=b, measure=measure, theory=join(a, b), notes=())

        return cls(query, draws.weights, draws.sizes, question)

    @classmethod
    def _of_candidates(cls, query: Query, pair: DrawnPair) -> "SingleDraws":
        """Two candidates, at least one of them drawn; the truth may be drawn too."""
        truth, measure = query.b, query.measure_of_one
        truths = [truth], np.ones(1)
        if isinstance(truth, DrawnPartition):
            check_number_of_draws(*pair.candidates, truth)
            truths = [truth.hard(codes) for codes in truth.distinct.codes], truth.distinct.weights

        def question(at: int) -> Query:
            place, which = divmod(at, len(truths[0]))
            found = difference_query(*pair.draw(place), truths[0][which], measure, query.quantity)
            return replace(found, notes=())

        sizes = np.outer(pair.sizes, [one.n_clusters for one in truths[0]])
        return cls(query, np.outer(pair.weights, truths[1]).ravel(), sizes.ravel(), question)

    @property
    def hardest(self) -> Query:
        """The question about the draw with most clusters."""
        return self.question(int(np.argmax(self.sizes)))
