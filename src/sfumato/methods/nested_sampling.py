"""Draw rough partitions, then clusterings from each: the paper's nested sampling."""

from collections.abc import Callable
from functools import lru_cache
from math import inf
from typing import TypeAlias, final

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.tables.focal_model import draw_within
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.methods.answers import intervals, sampled_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.blocks import draw_in_blocks
from sfumato.methods.sampling import half_width, objects_per_draw, planned_draws, shortfall_notes
from sfumato.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["NestedSampling"]

_DEFAULT_DRAWS = 1000
_BLOCK = 64
_CELLS_AT_ONCE = 1 << 24  # of the tables of a block, however many clusters there are
_CELLS_KEPT = 10_000_000  # that the cuts at levels met before leave open

_Draw: TypeAlias = Callable[[int, np.random.SeedSequence], tuple[Floats, Floats]]


@final
class NestedSampling(Method):
    """Average the smallest and the largest of a few clusterings of each drawn rough partition.

    The inner draws miss the extremes, so both means are biased inward and the true interval is
    wider; the bias vanishes only as the number of inner draws grows. A possibilistic partition
    read with min is a rough one at a random level.
    """

    name = "nested_sampling"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to evidential comparisons and to the t-norm min, unless ruled out."""
        if policy.nested is False and query.theory == "evidential":
            return None
        by_level = query.theory == "levels" or (
            query.theory == "possibilistic" and query.t_norm == "min"
        )
        if query.theory != "evidential" and not by_level:
            return None
        if query.theory == "evidential" and query.is_wide:
            return None
        objects = query.n_objects if by_level else objects_per_draw(query)
        n_cells = query.shape[0] * query.shape[1]
        work = max(objects, n_cells) * policy.n_inner  # tables are filled, and then read
        draws = planned_draws(query, policy, objects=work, default=_DEFAULT_DRAWS)
        if policy.n_samples is None and policy.max_draws_of_objects < inf:  # a wish, not a demand
            draws = min(draws, max(_BLOCK, int(policy.max_draws_of_objects / work)))
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="inner",
            tables=draws * policy.n_inner,
            bytes=8.0 * _block(query, policy.n_inner) * policy.n_inner * n_cells,
            seconds=draws * policy.n_inner * (1e-6 + 1e-8 * max(objects, n_cells)),
            why=f"{draws:,} random rough partitions, {policy.n_inner} random clusterings of each",
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
        """Draw in blocks and average the ends of each."""
        query, policy = plan.query, plan.policy
        draw = _draw if query.theory == "evidential" else _draw_at_levels
        assert plan.n_samples is not None
        blocks = draw_in_blocks(
            draw(query, policy.n_inner),
            plan.n_samples,
            rng=rng,
            threads=policy.threads,
            deadline=deadline,
            progress=progress,
            block=_block(query, policy.n_inner),
        )
        lows, highs = (np.concatenate(side) for side in zip(*blocks, strict=True))
        error = half_width(query, policy, len(lows))
        return sampled_answer(
            plan,
            (lows, highs, np.ones(len(lows))),
            guarantee="inner",
            n_samples=len(lows),
            half_width=error,
            distribution=intervals(lows, highs),
            notes=(
                f"Nested sampling ({len(lows):,} rough partitions, {policy.n_inner} clusterings "
                "of each) is biased inward: the true interval is wider, but for the chance error "
                "of the draws.",
                *shortfall_notes(plan, len(lows), inf if error == inf else 0.0),
            ),
        )


def _block(query: Query, n_inner: int) -> int:
    cells_each = n_inner * query.shape[0] * query.shape[1]
    return max(1, min(_BLOCK, _CELLS_AT_ONCE // cells_each))


def _draw(query: Query, n_inner: int) -> _Draw:
    """Draw rough partitions by their masses, and clusterings from each."""
    model = query.focal_model
    sampler = FocalSampler(model, _BLOCK)

    def block(size: int, seed: np.random.SeedSequence) -> tuple[Floats, Floats]:
        focal_seed, cell_seed = seed.spawn(2)
        counts = sampler.draw(size, focal_seed)
        tables = draw_within(model, counts, n_inner, cell_seed)
        values = query.values(model.base, model.pairs.labels, tables).reshape(size, -1)
        return values.min(axis=1), values.max(axis=1)

    return block


def _draw_at_levels(query: Query, n_inner: int) -> _Draw:
    """Draw a level for each draw, so that the first blocks alone are a fair sample too."""
    levels, masses = query.levels()
    cells_each = max(query.n_objects, query.widest_level()[1].n_open_cells)

    @lru_cache(maxsize=1 + int(_CELLS_KEPT / cells_each))
    def at_level(level: float) -> _Draw:
        return _draw(query.at_level(level), n_inner)

    def block(size: int, seed: np.random.SeedSequence) -> tuple[Floats, Floats]:
        level_seed, draw_seed = seed.spawn(2)
        times = np.random.default_rng(level_seed).multinomial(size, masses / masses.sum())
        drawn = np.flatnonzero(times)
        parts = [
            at_level(float(levels[at]))(int(times[at]), child)
            for at, child in zip(drawn, draw_seed.spawn(len(drawn)), strict=True)
        ]
        lows, highs = (np.concatenate(side) for side in zip(*parts, strict=True))
        return lows, highs

    return block
