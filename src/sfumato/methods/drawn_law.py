"""Drawn partitions against hard ones or each other: the law of the value over the draws."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.draws.draw_list import DrawCodes, pair_tables
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.sampling.mean import Draws, Source
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.errors import CostError
from sfumato.measures.base import CellMeasure, Measure
from sfumato.measures.contingency import Contingency
from sfumato.methods.base import Method, Scope
from sfumato.partitions.base import Partition
from sfumato.partitions.drawn import DrawnPartition
from sfumato.partitions.hard import HardPartition
from sfumato.question.drawn_pair import DrawnPair
from sfumato.question.draws import MeanOfDraws
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, empirical, exact_answer
from sfumato.results.comparison import End, Witness
from sfumato.results.values import ValueDistribution

__all__ = ["DrawnLaw"]

_MOST_CELLS = 100_000_000  # of one table
_CELLS_AT_ONCE = 1 << 20
_MANY_DRAWS = 10_000
_SECONDS_PER_OBJECT, _SECONDS_PER_CELL, _SECONDS_PER_PAIR = 2e-9, 2e-8, 1e-7


@final
class DrawnLaw(Method):
    """The value of every draw, or of every pair of draws, with its probability.

    Draws that group the objects alike count once. Two drawn partitions are independent, so each
    draw of one meets each of the other, or as many random pairs as are affordable; those of one
    chain (``paired=True``) meet in their order. In a difference each draw of one candidate stands
    beside each of the other, and all of them meet the draws of the truth.
    """

    name = "drawn_law"
    cost = "O(s (n + k1 k2)), for two drawn sides O(s1 s2 (n + k1 k2)) or the random pairs"
    scopes = (Scope(theories=("drawn",), guarantees=("exact", "confidence", "inner")),)

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Count the tables in blocks, evaluate the measure and merge equal values."""
        pairs = _Pairs.of(query)
        if pairs is None:
            return
        n_cells = pairs.n_cells
        if n_cells > _MOST_CELLS and not isinstance(pairs.measure, CellMeasure):
            raise CostError(
                f"{pairs.measure.name} needs whole tables of up to {n_cells:,} pairs of clusters "
                f"({_MOST_CELLS:,} at most): merge or drop small clusters first."
            )
        n_pairs = pairs.n_pairs
        yield Plan(
            guarantee="exact",
            tables=n_pairs,
            bytes=32.0 * n_pairs + 32.0 * max(_CELLS_AT_ONCE, n_cells),
            seconds=pairs.n_tables * pairs.seconds_each + n_pairs * _SECONDS_PER_PAIR,
            why=f"{n_pairs:,.0f} tables of the given draws say it all",
            work=partial(_law, query, pairs),
        )
        if pairs.is_product:
            yield _plan_random_pairs(query, policy, pairs)


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


class _Pairs(NamedTuple):
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
    def of(cls, query: Query) -> "_Pairs | None":
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
        sides = (self.first, self.rival)
        return self.second.n_clusters * max(side.n_clusters for side in sides if side is not None)

    @property
    def seconds_each(self) -> float:
        n, cells = self.query.n_objects, self.n_cells
        return _SECONDS_PER_PAIR + _SECONDS_PER_OBJECT * n + _SECONDS_PER_CELL * cells

    def places(self, first: int, last: int) -> tuple[Ints, Ints]:
        """The draws of pairs number ``first`` to ``last`` - 1."""
        at = np.arange(first, last)
        if self.is_matched:
            return at, at
        rows, columns = np.divmod(at, len(self.second.weights))
        return rows, columns

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
        block = max(1, _CELLS_AT_ONCE // n_cells)
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


def _law(query: Query, pairs: _Pairs, run: Run) -> Answer:
    n_pairs = int(pairs.n_pairs)
    rows, columns = pairs.places(0, n_pairs)
    masses = pairs.weights[rows]
    if not pairs.is_matched:
        masses = masses * pairs.second.weights[columns]
    is_counted = masses > 0
    rows, columns, masses = rows[is_counted], columns[is_counted], masses[is_counted]
    values = pairs.values(rows, columns)
    distinct, which = distinct_values(values)
    law = np.bincount(which, masses).astype(np.float64)
    law /= law.sum()
    ends = (int(np.argmin(values)), int(np.argmax(values)))
    draws = [(int(rows[at]), int(columns[at])) for at in ends]
    has_witness = query.quantity == "range" and pairs.rival is None
    return exact_answer(
        query.quantity,
        (distinct, distinct, law),
        distribution=ValueDistribution(distinct, law),
        find_witness=partial(_witness, pairs, draws) if has_witness else None,
    )


def _witness(pairs: _Pairs, draws: list[tuple[int, int]], end: End) -> Witness:
    query, (row, column) = pairs.query, draws[0 if end == "lower" else 1]
    a, b = (
        side if isinstance(side, HardPartition) else _hard(side, codes)
        for side, codes in (
            (query.a, pairs.first.codes[row]),
            (query.b, pairs.second.codes[column]),
        )
    )
    return a, b


def _hard(side: Partition, codes: DrawCodes) -> HardPartition:
    assert isinstance(side, DrawnPartition)
    return side.hard(codes)


def _plan_random_pairs(query: Query, policy: Policy, pairs: _Pairs) -> Plan:
    objects = query.n_objects + pairs.n_cells
    mean = MeanOfDraws.planned(query, policy, objects=objects, default=_MANY_DRAWS)
    draws = mean.n_draws
    return Plan(
        guarantee=mean.guarantee,
        tables=draws,
        bytes=32.0 * draws + 32.0 * max(_CELLS_AT_ONCE, pairs.n_cells),
        seconds=draws * pairs.seconds_each,
        why=f"{draws:,} random pairs of draws stand for all {pairs.n_pairs:,.0f}",
        n_samples=draws,
        shortest=pairs.seconds_each,
        error=mean.error,
        work=partial(_random_pairs, mean, pairs),
    )


def _random_pairs(mean: MeanOfDraws, pairs: _Pairs, run: Run) -> Answer:
    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        rng = np.random.default_rng(seed)
        rows, columns = (
            rng.choice(len(weights), size, p=weights)
            for weights in (pairs.weights, pairs.second.weights)
        )
        values = pairs.values(rows, columns)
        return Draws(values[:, None], np.zeros((size, 0)), np.zeros((size, 1)))

    source = Source(sample, mean.policy.block(1024, pairs.seconds_each))
    found = mean.estimate(source, run)
    return mean.answer(found, empirical(found.values[:, 0]))
