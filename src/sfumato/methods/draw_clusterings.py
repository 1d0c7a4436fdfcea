"""Draw hard clusterings from rough or fuzzy partitions (paper, section 3.3)."""

from functools import partial
from math import inf
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.algorithms.tables.focal_model import draw_within
from sfumato.algorithms.tables.sampler import FocalSampler, ProductSampler
from sfumato.families import Matching
from sfumato.methods.answers import estimated_answer, sampled_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.blocks import draw_in_blocks
from sfumato.methods.control_variates import (
    Controls,
    count_controls,
    square_controls,
    together,
)
from sfumato.methods.estimate import Draws, Source, estimate_means
from sfumato.methods.sampling import (
    half_width,
    objects_per_draw,
    planned_draws,
    shortfall_notes,
)
from sfumato.query import Query
from sfumato.results.comparison import Comparison
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
    as asked for. The extremes of a rough one are inner values: no number of draws makes them a
    bound.
    """

    name = "draw_clusterings"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to rough and to fuzzy comparisons."""
        if query.theory not in ("rough", "fuzzy"):
            return None
        objects = objects_per_draw(query)
        cells = query.shape[0] * query.shape[1]
        steps = _steps_per_value(query)
        draws = planned_draws(query, policy, objects=objects + steps, default=_DEFAULT_DRAWS)
        is_mean = query.theory == "fuzzy" and half_width(query, policy, draws) < inf
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="confidence" if is_mean else "inner",
            tables=draws,
            bytes=8.0 * draws + 8.0 * 1024 * cells,
            seconds=draws * (1e-6 + 1e-8 * objects + 3e-8 * steps),
            why=f"{draws:,} random clusterings stand for all of them",
            n_samples=draws,
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Draw in blocks and summarise the values."""
        if plan.query.theory == "fuzzy":
            source = _fuzzy_source(plan)
            found = estimate_means(plan, source, rng=rng, deadline=deadline, progress=progress)
            return estimated_answer(plan, found, distribution=_empirical(found.values[:, 0]))
        assert plan.n_samples is not None
        values = np.concatenate(
            draw_in_blocks(
                partial(_draw_within_sets, plan.query),
                plan.n_samples,
                rng=rng,
                threads=plan.policy.threads,
                deadline=deadline,
                progress=progress,
            )
        )
        return _extremes(plan, values)


class _Drawn(NamedTuple):
    """Random counts on some cells of the table, to be added to a base table."""

    sampler: FocalSampler | ProductSampler
    base: Ints  # (n_cells,)
    cells: Ints
    controls: Controls | None


def _drawn(plan: Plan) -> _Drawn:
    query = plan.query
    if query.product_rows is not None:
        n_cells = query.shape[0] * query.shape[1]
        base = np.zeros(n_cells, dtype=np.int64)
        return _Drawn(ProductSampler(*query.product_rows), base, np.arange(n_cells), None)
    assert plan.n_samples is not None
    model = query.focal_model
    sampler = FocalSampler(model, plan.n_samples)
    cells = model.pairs.labels[model.pairs.cells]  # one per pair: fuzzy sets are single clusters
    return _Drawn(sampler, model.base, cells, count_controls(model, sampler))


def _steps_per_value(query: Query) -> float:
    """What a value costs, in looks at a cell, each about as dear as an object drawn."""
    cells = float(query.shape[0] * query.shape[1])
    if isinstance(query.measure.family(query.n_objects), Matching):
        return cells + min(query.shape) * cells / 10  # the Hungarian method
    return cells


def _fuzzy_source(plan: Plan) -> Source:
    query = plan.query
    sampler, base, cells, counted = _drawn(plan)
    n_cells = query.shape[0] * query.shape[1]
    has_squares = n_cells <= _MOST_CELLS_FOR_SQUARES
    parts = [*([] if counted is None else [counted]), *([square_controls(query)] * has_squares)]
    controls = together(parts)

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        counts = sampler.draw(size, seed)
        values = query.values(base, cells, counts)
        tables = None
        if has_squares:
            tables = np.repeat(base[None, :], size, axis=0)
            tables[:, cells] += counts
            tables = tables.reshape(size, *query.shape)
        return Draws(values[:, None], controls.of(counts, tables), np.zeros((size, 1)))

    block = max(_SMALLEST_BLOCK, min(_LARGEST_BLOCK, _CELLS_AT_ONCE // n_cells))
    return Source(sample, controls.spread, block)


def _draw_within_sets(query: Query, size: int, seed: np.random.SeedSequence) -> Floats:
    model = query.focal_model
    counts = np.repeat(model.fixed[None, :], size, axis=0)
    return query.values(model.base, model.pairs.labels, draw_within(model, counts, 1, seed))


def _empirical(values: Floats) -> ValueKnowledge:
    distinct, which = distinct_values(values)
    return ValueDistribution(distinct, np.bincount(which) / len(values))


def _extremes(plan: Plan, values: Floats) -> Comparison:
    seen = distinct_values(values)[0]
    return sampled_answer(
        plan,
        (seen[:1], seen[-1:], np.ones(1)),
        guarantee="inner",
        n_samples=len(values),
        half_width=0.0,
        distribution=ValueSet(seen, is_complete=False),
        notes=(
            f"Sampled: the ends are the smallest and largest of {len(values):,} draws; the true "
            "ends may lie further out.",
            *shortfall_notes(plan, len(values), 0.0),
        ),
    )
