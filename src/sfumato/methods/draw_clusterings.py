"""Draw hard clusterings from rough or fuzzy partitions (paper, section 3.3)."""

from math import inf
from typing import final

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.distinct import distinct_values
from sfumato.algorithms.tables.focal import draw_focal_tables, draw_within
from sfumato.methods.answers import sampled_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.blocks import draw_in_blocks
from sfumato.methods.sampling import (
    distribution_note,
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


@final
class DrawClusterings(Method):
    """Draw pairs of clusterings: uniformly if rough, by their probabilities if fuzzy.

    The mean of a fuzzy comparison comes with Hoeffding's half-width. The extremes of a rough one
    are inner values: no number of draws makes them a bound.
    """

    name = "draw_clusterings"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to rough and to fuzzy comparisons."""
        if query.theory not in ("rough", "fuzzy"):
            return None
        objects = objects_per_draw(query.focal_model)
        draws = planned_draws(query, policy, objects=objects, default=_DEFAULT_DRAWS)
        is_mean = query.theory == "fuzzy" and half_width(query, policy, draws) < inf
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="confidence" if is_mean else "inner",
            tables=draws,
            bytes=8.0 * draws + 8.0 * 1024 * query.shape[0] * query.shape[1],
            seconds=draws * (1e-6 + 1e-8 * objects),
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
        query, policy = plan.query, plan.policy
        model = query.focal_model

        def block(size: int, seed: np.random.SeedSequence) -> Floats:
            focal_seed, cell_seed = seed.spawn(2)
            counts = draw_focal_tables(model, size, focal_seed)
            return query.values(
                model.base, model.pairs.labels, draw_within(model, counts, 1, cell_seed)
            )

        assert plan.n_samples is not None
        values = np.concatenate(
            draw_in_blocks(
                block,
                plan.n_samples,
                rng=rng,
                threads=policy.threads,
                deadline=deadline,
                progress=progress,
            )
        )
        if query.theory == "fuzzy":
            return _mean(plan, values)
        return _extremes(plan, values)


def _mean(plan: Plan, values: Floats) -> Comparison:
    error = half_width(plan.query, plan.policy, len(values))
    notes = shortfall_notes(plan, len(values), error)
    if plan.query.quantity == "distribution":
        notes = (*notes, distribution_note(plan.policy, len(values)))
    return sampled_answer(
        plan,
        (values, values, np.ones(len(values))),
        guarantee=plan.guarantee,
        n_samples=len(values),
        half_width=error,
        distribution=_empirical(values),
        notes=notes,
    )


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
        distribution=ValueSet(seen),
        notes=(
            f"Sampled: the ends are the smallest and largest of {len(values):,} draws; the true "
            "ends may lie further out.",
            *shortfall_notes(plan, len(values), 0.0),
        ),
    )
