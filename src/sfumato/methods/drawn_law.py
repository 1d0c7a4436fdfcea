"""Drawn partitions against hard ones or each other: the law of the value over the draws."""

from collections.abc import Iterator
from functools import partial
from math import inf
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Guarantee, Ints
from sfumato.algorithms.draws.draw_list import DrawCodes, pair_tables
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.sampling.control_variates import Limits
from sfumato.algorithms.sampling.mean import Draws, Source, estimate_means
from sfumato.algorithms.sampling.prior import Prior
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.errors import CostError
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency
from sfumato.methods.base import Method, Scope
from sfumato.partitions.base import Partition
from sfumato.partitions.drawn import DrawnPartition
from sfumato.partitions.hard import HardPartition
from sfumato.question.draws import (
    estimate_notes,
    expected_error,
    goal_of,
    mean_confidence,
    planned_draws,
    prior_of,
)
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, empirical, estimated_answer, exact_answer
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
    chain (``paired=True``) meet in their order.
    """

    name = "drawn_law"
    cost = "O(s (n + k1 k2)), for two drawn sides O(s1 s2 (n + k1 k2)) or the random pairs"
    scopes = (Scope(theories=("drawn",), guarantees=("exact", "confidence", "inner")),)

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Count the tables in blocks, evaluate the measure and merge equal values."""
        sides = _side(query.a, query.is_paired), _side(query.b, query.is_paired)
        if sides[0] is None or sides[1] is None:
            return
        n_cells = query.objective.n_cells
        if n_cells > _MOST_CELLS and not isinstance(query.measure, CellMeasure):
            raise CostError(
                f"{query.measure.name} needs whole tables of up to {n_cells:,} pairs of clusters "
                f"({_MOST_CELLS:,} at most): merge or drop small clusters first."
            )
        pairs = _Pairs(query, sides[0], sides[1])
        n_pairs = pairs.n_pairs
        yield Plan(
            guarantee="exact",
            tables=n_pairs,
            bytes=32.0 * n_pairs + 32.0 * max(_CELLS_AT_ONCE, n_cells),
            seconds=n_pairs * pairs.seconds_each,
            why=f"{n_pairs:,.0f} tables of the given draws say it all",
            work=partial(_law, query, pairs),
        )
        if pairs.is_product:
            yield _plan_random_pairs(query, policy, pairs)


class _Side(NamedTuple):
    codes: DrawCodes  # (s, n)
    weights: Floats  # (s,)


def _side(side: Partition, is_paired: bool) -> _Side | None:
    if isinstance(side, HardPartition):
        return _Side(side.codes[None].astype(np.int32), np.ones(1))
    if not isinstance(side, DrawnPartition):
        return None
    return _Side(side.codes, side.weights) if is_paired else _Side(*side.distinct[:2])


class _Pairs(NamedTuple):
    """The pairs of draws of a question, numbered row by row."""

    query: Query
    first: _Side
    second: _Side

    @property
    def is_matched(self) -> bool:
        """Whether draws meet in their order."""
        return self.query.is_paired and len(self.first.weights) == len(self.second.weights)

    @property
    def is_product(self) -> bool:
        """Whether each of several draws meets each of several others."""
        sizes = len(self.first.weights), len(self.second.weights)
        return not self.is_matched and min(sizes) > 1

    @property
    def n_pairs(self) -> float:
        if self.is_matched:
            return float(len(self.first.weights))
        return float(len(self.first.weights)) * len(self.second.weights)

    @property
    def seconds_each(self) -> float:
        n, cells = self.query.n_objects, self.query.objective.n_cells
        return _SECONDS_PER_PAIR + _SECONDS_PER_OBJECT * n + _SECONDS_PER_CELL * cells

    def places(self, first: int, last: int) -> tuple[Ints, Ints]:
        """The draws of pairs number ``first`` to ``last`` - 1."""
        at = np.arange(first, last)
        if self.is_matched:
            return at, at
        rows, columns = np.divmod(at, len(self.second.weights))
        return rows, columns

    def values(self, rows: Ints, columns: Ints) -> Floats:
        """Values of pairs of draws, block by block."""
        query, shape = self.query, (self.query.a.n_clusters, self.query.b.n_clusters)
        n_cells = shape[0] * shape[1]
        measure = query.measure
        if n_cells > query.n_objects and isinstance(measure, CellMeasure):
            places = zip(rows.tolist(), columns.tolist(), strict=True)
            return np.array([self._by_cells(measure, i, j) for i, j in places])
        block = max(1, _CELLS_AT_ONCE // n_cells)
        found = np.empty(len(rows))
        for at in range(0, len(rows), block):
            some = slice(at, at + block)
            tables = pair_tables(
                self.first.codes, self.second.codes, rows[some], columns[some], shape
            )
            found[some] = measure.of_tables(tables)
        return found

    def _by_cells(self, measure: CellMeasure, i: int, j: int) -> float:
        """The value of one pair by its non-empty cells, where most are empty."""
        a, b = (side.codes[at].astype(np.int64) for side, at in ((self.first, i), (self.second, j)))
        sizes = int(a.max()) + 1, int(b.max()) + 1
        table = Contingency.from_codes(a, b, n_rows=sizes[0], n_columns=sizes[1])
        return float(measure.of_contingency(table))


def _law(query: Query, pairs: _Pairs, run: Run) -> Answer:
    n_pairs = int(pairs.n_pairs)
    rows, columns = pairs.places(0, n_pairs)
    masses = pairs.first.weights[rows]
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
    return exact_answer(
        query.quantity,
        (distinct, distinct, law),
        distribution=ValueDistribution(distinct, law),
        find_witness=partial(_witness, pairs, draws) if query.quantity == "range" else None,
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
    prior = prior_of(query)
    draws = planned_draws(
        query,
        prior,
        policy,
        objects=query.n_objects + query.objective.n_cells,
        default=_MANY_DRAWS,
        confidence=mean_confidence(query, policy),
    )
    error = expected_error(prior, policy, draws)
    guarantee: Guarantee = "confidence" if error < inf else "inner"
    return Plan(
        guarantee=guarantee,
        tables=draws,
        bytes=32.0 * draws + 32.0 * max(_CELLS_AT_ONCE, query.objective.n_cells),
        seconds=draws * pairs.seconds_each,
        why=f"{draws:,} random pairs of draws stand for all {pairs.n_pairs:,.0f}",
        n_samples=draws,
        shortest=pairs.seconds_each,
        error=error,
        work=partial(_random_pairs, query, policy, prior, guarantee, draws, pairs),
    )


def _random_pairs(
    query: Query,
    policy: Policy,
    prior: Prior,
    guarantee: Guarantee,
    draws: int,
    pairs: _Pairs,
    run: Run,
) -> Answer:
    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        rng = np.random.default_rng(seed)
        rows, columns = (
            rng.choice(len(side.weights), size, p=side.weights)
            for side in (pairs.first, pairs.second)
        )
        values = pairs.values(rows, columns)
        return Draws(values[:, None], np.zeros((size, 0)), np.zeros((size, 1)))

    source = Source(sample, _no_limits, policy.block(1024, pairs.seconds_each))
    found = estimate_means(source, goal_of(query, policy, draws), prior, run)
    return estimated_answer(
        guarantee,
        found,
        query.objective.bounds,
        confidence=policy.confidence,
        distribution=empirical(found.values[:, 0]),
        notes=estimate_notes(query, policy, draws, found),
    )


def _no_limits(slopes: Floats) -> Limits:
    return Limits(0.0, 0.0, 0.0)
