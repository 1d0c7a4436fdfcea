"""Draw hard clusterings from rough or fuzzy partitions (paper, section 3.3)."""

from collections.abc import Iterator
from functools import partial
from math import inf
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Guarantee, Ints
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.control_variates import (
    Controls,
    count_controls,
    square_controls,
    together,
)
from sfumato.algorithms.sampling.mean import Draws, Source, estimate_means
from sfumato.algorithms.sampling.prior import Prior
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.algorithms.tables.focal_model import draw_within
from sfumato.algorithms.tables.sampler import FocalSampler, ProductSampler
from sfumato.algorithms.tables.table_values import fill_tables, values_of
from sfumato.families import Matching, Objective
from sfumato.methods.base import Method, Scope
from sfumato.question.draws import (
    estimate_notes,
    expected_error,
    goal_of,
    mean_confidence,
    planned_draws,
    prior_of,
    shortfall_notes,
)
from sfumato.question.joint import Joint
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, estimated_answer, sampled_answer
from sfumato.results.values import ValueDistribution, ValueKnowledge, ValueSet

__all__ = ["DrawClusterings"]

_DEFAULT_DRAWS = 10_000
_MOST_CELLS_FOR_SQUARES = 4096
_SMALLEST_BLOCK, _LARGEST_BLOCK = 64, 4096
_CELLS_AT_ONCE = 1 << 18


@final
class DrawClusterings(Method):
    """Draw pairs of clusterings: uniformly if rough, by their probabilities if fuzzy.

    The mean of a fuzzy comparison comes with a bracket, and drawing goes on until that is as narrow
    as asked for. The ends of a rough one are inner values: no number of draws makes them a
    bound.
    """

    name = "draw_clusterings"
    cost = "the draws"
    scopes = (
        Scope(theories=("fuzzy",), guarantees=("confidence", "inner")),
        Scope(theories=("rough",), guarantees=("inner",)),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Draw in blocks and summarise the values."""
        objective = query.objective
        objects = query.joint.objects_per_draw
        steps = _steps_per_value(objective)
        prior = prior_of(query)
        draws = planned_draws(
            query,
            prior,
            policy,
            objects=objects + steps,
            default=_DEFAULT_DRAWS,
            confidence=mean_confidence(query, policy),
        )
        error = expected_error(prior, policy, draws)
        is_mean = query.theory == "fuzzy"
        guarantee: Guarantee = "confidence" if is_mean and error < inf else "inner"
        yield Plan(
            guarantee=guarantee,
            tables=draws,
            bytes=8.0 * draws + 8.0 * 1024 * objective.n_cells,
            seconds=draws * (1e-6 + 1e-8 * objects + 3e-8 * steps),
            why=f"{draws:,} random clusterings stand for all of them",
            n_samples=draws,
            error=error,
            work=partial(_mean, query, policy, prior, guarantee, draws)
            if is_mean
            else partial(_extremes, query, policy, draws),
        )


def _steps_per_value(objective: Objective) -> float:
    """What a value costs, in looks at a cell, each about as dear as an object drawn."""
    cells = float(objective.n_cells)
    if isinstance(objective.family, Matching):
        return cells + min(objective.shape) * cells / 10  # the Hungarian method
    return cells


def _mean(
    query: Query, policy: Policy, prior: Prior, guarantee: Guarantee, draws: int, run: Run
) -> Answer:
    source = _source(query.objective, query.joint, draws)
    found = estimate_means(source, goal_of(query, policy, draws), prior, run)
    return estimated_answer(
        guarantee,
        found,
        query.objective.bounds,
        confidence=policy.confidence,
        distribution=_empirical(found.values[:, 0]),
        notes=estimate_notes(query, policy, draws, found),
    )


class _Drawn(NamedTuple):
    """Random counts on some cells of the table, to be added to a base table."""

    sampler: FocalSampler | ProductSampler
    base: Ints  # (n_cells,)
    cells: Ints
    controls: Controls | None


def _drawn(joint: Joint, n_draws: int) -> _Drawn:
    if joint.product_rows is not None:
        n_cells = joint.shape[0] * joint.shape[1]
        base = np.zeros(n_cells, dtype=np.int64)
        return _Drawn(ProductSampler(*joint.product_rows), base, np.arange(n_cells), None)
    model = joint.focal_model
    sampler = FocalSampler(model, n_draws)
    cells = model.pairs.labels[model.pairs.cells]  # one per pair: fuzzy sets are single clusters
    return _Drawn(sampler, model.base, cells, count_controls(model, sampler))


def _source(objective: Objective, joint: Joint, n_draws: int) -> Source:
    sampler, base, cells, counted = _drawn(joint, n_draws)
    parts = [] if counted is None else [counted]
    has_squares = objective.n_cells <= _MOST_CELLS_FOR_SQUARES
    if has_squares:
        parts.append(square_controls(*joint.probabilities, objective.n_objects, objective.shape))
    controls = together(parts)

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        counts = sampler.draw(size, seed)
        values = values_of(objective, base, cells, counts)
        tables = fill_tables(base, cells, counts, objective.shape) if has_squares else None
        return Draws(values[:, None], controls.of(counts, tables), np.zeros((size, 1)))

    block = max(_SMALLEST_BLOCK, min(_LARGEST_BLOCK, _CELLS_AT_ONCE // objective.n_cells))
    return Source(sample, controls.limits, block)


def _empirical(values: Floats) -> ValueKnowledge:
    distinct, which = distinct_values(values)
    return ValueDistribution(distinct, np.bincount(which) / len(values))


def _extremes(query: Query, policy: Policy, draws: int, run: Run) -> Answer:
    model = query.joint.focal_model

    def block(size: int, seed: np.random.SeedSequence) -> Floats:
        counts = np.repeat(model.fixed[None, :], size, axis=0)
        tables = draw_within(model, counts, 1, seed)
        return values_of(query.objective, model.base, model.pairs.labels, tables)

    values = np.concatenate(draw_in_blocks(block, draws, run))
    seen = distinct_values(values)[0]
    return sampled_answer(
        query.quantity,
        "inner",
        (seen[:1], seen[-1:], np.ones(1)),
        query.objective.bounds,
        n_samples=len(values),
        confidence=policy.confidence,
        distribution=ValueSet(seen, is_complete=False),
        notes=(
            f"Sampled: the ends are the smallest and largest of {len(values):,} draws; the true "
            "ends may lie further out.",
            *shortfall_notes(query, policy, draws, len(values), 0.0),
        ),
    )
