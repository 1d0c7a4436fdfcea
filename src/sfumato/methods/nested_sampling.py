"""Draw rough partitions, then clusterings from each: the paper's nested sampling."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from math import inf
from typing import TypeAlias, final

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.concentration import line_half_width
from sfumato.algorithms.sampling.prior import Prior
from sfumato.algorithms.tables.focal_model import draw_within
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.algorithms.tables.table_values import values_of
from sfumato.methods.base import Method, Scope
from sfumato.question.draws import expected_error, planned_draws, prior_of, shortfall_notes
from sfumato.question.levels import at_level, levels_of, widest_level
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, intervals, sampled_answer

__all__ = ["NestedSampling"]

_DEFAULT_DRAWS = 1000
_BLOCK = 64
_CELLS_AT_ONCE = 1 << 24  # of the tables of a block, however many clusters there are
_CELLS_KEPT = 10_000_000  # that the cuts at levels met before leave open

_Draw: TypeAlias = Callable[[int, np.random.SeedSequence], tuple[Floats, Floats]]


@final
class NestedSampling(Method):
    """Average the smallest and the largest of a few clusterings of each drawn rough partition.

    The inner draws miss the ends, so both means are biased inward and the true interval is
    wider; the bias vanishes only as the number of inner draws grows. A possibilistic partition
    read with min is a rough one at a random level.
    """

    name = "nested_sampling"
    cost = "outer times inner draws"
    scopes = (
        Scope(theories=("evidential", "levels"), guarantees=("inner",)),
        Scope(theories=("possibilistic",), guarantees=("inner",), t_norms=("min",)),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Draw in blocks and average the ends of each."""
        is_evidential = query.theory == "evidential"
        if is_evidential and (policy.nested is False or query.joint.is_wide):
            return
        n_inner, n_cells = policy.n_inner, query.objective.n_cells
        objects = query.joint.objects_per_draw if is_evidential else query.n_objects
        work = max(objects, n_cells) * n_inner  # tables are filled, and then read
        prior = prior_of(query)
        draws = planned_draws(
            query, prior, policy, objects=work, default=_DEFAULT_DRAWS, confidence=policy.confidence
        )
        if policy.n_samples is None and not policy.tolerance_is_demand:
            draws = min(draws, max(_BLOCK, int(policy.max_draws_of_objects / work)))
        yield Plan(
            guarantee="inner",
            tables=draws * n_inner,
            bytes=8.0 * _block(n_cells, n_inner) * n_inner * n_cells,
            seconds=draws * n_inner * (1e-6 + 1e-8 * max(objects, n_cells)),
            why=f"{draws:,} random rough partitions, {n_inner} random clusterings of each",
            n_samples=draws,
            error=inf,
            work=partial(_answer, query, policy, prior, draws),
        )


def _answer(query: Query, policy: Policy, prior: Prior, draws: int, run: Run) -> Answer:
    draw = _draw if query.theory == "evidential" else _draw_at_levels
    block = _block(query.objective.n_cells, policy.n_inner)
    blocks = draw_in_blocks(draw(query, policy.n_inner), draws, run, block=block)
    lows, highs = (np.concatenate(side) for side in zip(*blocks, strict=True))
    error = line_half_width(expected_error(prior, policy, draws), draws, len(lows))
    return sampled_answer(
        query.quantity,
        "inner",
        (lows, highs, np.ones(len(lows))),
        query.objective.bounds,
        n_samples=len(lows),
        half_width=error,
        confidence=policy.confidence,
        distribution=intervals(lows, highs),
        notes=(
            f"Nested sampling ({len(lows):,} rough partitions, {policy.n_inner} clusterings "
            "of each) is biased inward: the true interval is wider, but for the chance error "
            "of the draws.",
            *shortfall_notes(query, policy, draws, len(lows), inf if error == inf else 0.0),
        ),
    )


def _block(n_cells: int, n_inner: int) -> int:
    return max(1, min(_BLOCK, _CELLS_AT_ONCE // (n_inner * n_cells)))


def _draw(query: Query, n_inner: int) -> _Draw:
    """Draw rough partitions by their masses, and clusterings from each."""
    objective, model = query.objective, query.joint.focal_model
    sampler = FocalSampler(model, _BLOCK)

    def block(size: int, seed: np.random.SeedSequence) -> tuple[Floats, Floats]:
        focal_seed, cell_seed = seed.spawn(2)
        counts = sampler.draw(size, focal_seed)
        tables = draw_within(model, counts, n_inner, cell_seed)
        values = values_of(objective, model.base, model.pairs.labels, tables).reshape(size, -1)
        return values.min(axis=1), values.max(axis=1)

    return block


def _draw_at_levels(query: Query, n_inner: int) -> _Draw:
    """Draw a level for each draw, so that the first blocks alone are a fair sample too."""
    levels, masses = levels_of(query)
    cells_each = max(query.n_objects, widest_level(query)[1].joint.n_open_cells)

    @lru_cache(maxsize=1 + int(_CELLS_KEPT / cells_each))
    def draw_at(level: float) -> _Draw:
        return _draw(at_level(query, level), n_inner)

    def block(size: int, seed: np.random.SeedSequence) -> tuple[Floats, Floats]:
        level_seed, draw_seed = seed.spawn(2)
        times = np.random.default_rng(level_seed).multinomial(size, masses / masses.sum())
        drawn = np.flatnonzero(times)
        parts = [
            draw_at(float(levels[at]))(int(times[at]), child)
            for at, child in zip(drawn, draw_seed.spawn(len(drawn)), strict=True)
        ]
        lows, highs = (np.concatenate(side) for side in zip(*parts, strict=True))
        return lows, highs

    return block
