"""Tables that were drawn chunk by chunk, while the objects were there."""

from collections.abc import Iterator
from functools import partial
from math import inf
from typing import final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.algorithms.ends.rough_batch import batch_of_types
from sfumato.algorithms.ends.solve import has_brackets, is_solvable, solve_seconds
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.sampling.mean import Draws, Goal, Source, estimate_means
from sfumato.algorithms.sampling.prior import Prior
from sfumato.algorithms.sampling.sources.bracketed import outer_ends
from sfumato.algorithms.sampling.sources.solved import ends_by_search
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.errors import CostError
from sfumato.families import Objective
from sfumato.methods.base import Method, Scope
from sfumato.question.draws import (
    estimate_notes,
    expected_error,
    gap_notes,
    mean_confidence,
    prior_of,
)
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, empirical, estimated_answer, intervals

__all__ = ["KeptDraws"]

_MOST_SHARES = 100  # each of many searches gets this part of the nodes of a single one


@final
class KeptDraws(Method):
    """Means over tables that a summary holds.

    Of fuzzy sides these are clusterings, of others rough partitions. Each counts all objects, so
    that it says as much as a draw in memory. Both ends of a rough partition are solved, or
    bracketed.
    """

    name = "kept_draws"
    cost = "a value, two searches or one relaxation for each draw"
    scopes = (
        Scope(
            theories=("fuzzy", "evidential"),
            guarantees=("confidence", "inner"),
            quantities=("expectation", "distribution"),
            needs="draws",
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Evaluate what was drawn."""
        kept = query.joint.kept
        assert kept is not None
        assert kept.draws is not None
        objective, types = query.objective, kept.draws.set_types()
        n_draws, prior = kept.draws.n_draws, prior_of(query)
        is_solved = query.theory == "fuzzy" or has_brackets(objective, types)
        if not is_solved and objective.family is None:
            raise CostError(
                f"{query.measure.name} has no known structure, so the ends of a drawn rough "
                "partition cannot be found: use compare on the partitions themselves."
            )
        error = expected_error(prior, policy, n_draws)
        seconds = solve_seconds(objective, has_hard_side=query.has_hard_side) if is_solved else 0.1
        guarantee: Guarantee = "confidence" if error < inf else "inner"
        yield Plan(
            guarantee=guarantee,
            tables=2 * n_draws,
            bytes=64.0 * types.counts.size,
            seconds=n_draws * (1e-5 if query.theory == "fuzzy" else seconds),
            why=f"{n_draws:,} tables were drawn while the objects were there",
            n_samples=n_draws,
            error=error,
            work=partial(_answer, query, policy, types, prior, guarantee),
        )


def _answer(
    query: Query, policy: Policy, types: SetTypes, prior: Prior, guarantee: Guarantee, run: Run
) -> Answer:
    n_draws = len(types.counts)
    is_exact = query.theory == "fuzzy" or is_solvable(query.objective, types)
    nodes = policy.max_nodes // min(n_draws, _MOST_SHARES)
    budget = Budget(nodes, policy.n_threads, run.deadline)
    draws = (
        _values(query.objective, types)
        if query.theory == "fuzzy"
        else _ends(query.objective, types, budget)
    )

    def sample(size: int, _: np.random.SeedSequence) -> Draws:
        assert size == n_draws, "all at once: one block"
        return draws

    source = Source(sample, n_draws)
    goal = Goal(n_draws, None, mean_confidence(query, policy), policy.bound)
    found = estimate_means(source, goal, prior, run)
    distribution = None
    if query.quantity == "distribution" and query.theory == "fuzzy":
        distribution = empirical(found.values[:, 0])
    elif query.quantity == "distribution":
        is_outer = bool(found.gaps.max() > ROUNDING)
        distribution = intervals(*found.values.T, is_outer=is_outer)
    return estimated_answer(
        guarantee,
        found,
        query.objective.bounds,
        confidence=policy.confidence,
        distribution=distribution,
        notes=(
            *gap_notes(found.gaps[0], found.gaps[-1], is_solved=is_exact),
            *estimate_notes(query, policy, n_draws, found),
        ),
    )


def _values(objective: Objective, types: SetTypes) -> Draws:
    """Values of tables: every set is one cluster."""
    n_draws = len(types.counts)
    cells = np.log2(types.row_sets).astype(np.int64) * objective.shape[1] + types.classes
    tables = np.zeros((n_draws, objective.n_cells), dtype=np.int64)
    np.add.at(tables.T, cells, types.counts.T)
    values = objective.of_tables(tables.reshape(n_draws, *objective.shape))[:, None]
    return Draws(values, np.zeros((n_draws, 0)), np.zeros_like(values))


def _ends(objective: Objective, types: SetTypes, budget: Budget) -> Draws:
    """Outer ends of drawn rough partitions."""
    if has_brackets(objective, types):
        find = ends_by_search(objective, lambda counts: types._replace(counts=counts), budget)
        lows, highs, low_gaps, high_gaps = find(types.counts)
    else:
        batch = batch_of_types(types, objective.shape)
        lows, highs, low_gaps, high_gaps = outer_ends(relaxed_ends(objective, batch))
    return Draws(
        np.stack([lows, highs], axis=1),
        np.zeros((len(lows), 0)),
        np.stack([low_gaps, high_gaps], axis=1),
    )
