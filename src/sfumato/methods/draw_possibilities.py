"""Draw clusterings and keep the possibility of each: an inner profile of d_P."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from math import inf
from typing import final

import numpy as np

from sfumato._typing import Floats, TNorm
from sfumato.algorithms.possibility.t_norms import combine, costs_of, possibilities_of
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.tables.choices import Choices, Compact, draw_tables, split_certain
from sfumato.algorithms.tables.table_values import values_of
from sfumato.methods.base import Method, Scope
from sfumato.question.draws import shortfall_notes
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, possibilities_of_values, sampled_answer

__all__ = ["DrawPossibilities"]

_DEFAULT_DRAWS = 10_000
# Each draw favours possible choices by one of these powers, from bold to cautious.
_POWERS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
_ENTRIES_AT_ONCE = 1 << 22


@final
class DrawPossibilities(Method):
    """Draw clusterings at several degrees of caution; the possibility of each is exact.

    The largest possibility seen of a value never exceeds the true one, so the expectations are
    inner values.
    """

    name = "draw_possibilities"
    cost = "the draws"
    scopes = (
        Scope(
            theories=("possibilistic",),
            guarantees=("inner",),
            t_norms=("product", "lukasiewicz"),
        ),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Draw in blocks and keep the largest possibility of each value."""
        draws = policy.n_samples or _DEFAULT_DRAWS
        yield Plan(
            guarantee="inner",
            tables=draws,
            bytes=8.0 * _ENTRIES_AT_ONCE,
            seconds=draws * (1e-6 + 2e-8 * query.n_objects),
            why=f"{draws:,} random clusterings, each with its possibility",
            n_samples=draws,
            error=inf,
            work=partial(_answer, query, policy, draws),
        )


def _answer(query: Query, policy: Policy, draws: int, run: Run) -> Answer:
    objective = query.objective
    choices = query.joint.cell_choices(partial(combine, query.t_norm))
    fixed, open_choices = split_certain(choices)
    base = np.zeros(objective.n_cells, dtype=np.int64)
    base[choices.labels] = fixed

    def evaluate(drawn: Compact) -> tuple[Floats, Floats]:
        tables = _cells_of_entries(open_choices, drawn)
        values = values_of(objective, base, open_choices.labels, tables)
        return values, _possibilities(query.t_norm, open_choices, drawn)

    def draw(size: int, seed: np.random.SeedSequence) -> tuple[Floats, Floats]:
        return evaluate(_draw(open_choices, size, seed))

    block = max(len(_POWERS), min(1024, _ENTRIES_AT_ONCE // max(1, len(choices.cells))))
    blocks = draw_in_blocks(draw, draws, run, block=block)
    n_drawn = sum(len(values) for values, _ in blocks)
    blocks.append(evaluate(_most_possible(open_choices)))
    values, possibilities = (np.concatenate(side) for side in zip(*blocks, strict=True))
    possible = possibilities > 0.0
    seen = possibilities_of_values(values[possible], possibilities[possible])
    found = replace(seen, is_complete=False)
    return sampled_answer(
        query.quantity,
        "inner",
        found.ends,
        objective.bounds,
        n_samples=n_drawn,
        confidence=policy.confidence,
        distribution=found,
        notes=(
            f"Sampled: possibilities are the largest seen in {n_drawn:,} draws; the true "
            "interval may be wider.",
            *shortfall_notes(query, policy, draws, n_drawn, 0.0),
        ),
    )


def _draw(choices: Choices, size: int, seed: np.random.SeedSequence) -> Compact:
    """Objects per entry of the lists, one row per clustering."""
    entries = choices._replace(
        cells=np.arange(len(choices.cells)), labels=np.arange(len(choices.cells))
    )
    shares = [size // len(_POWERS) + (at < size % len(_POWERS)) for at in range(len(_POWERS))]
    return np.concatenate(
        [
            draw_tables(
                entries._replace(weights=choices.weights**power),
                counts=choices.counts[None, :],
                n_repeats=share,
                seed=child,
            )
            for power, share, child in zip(_POWERS, shares, seed.spawn(len(_POWERS)), strict=True)
        ]
    )


def _most_possible(choices: Choices) -> Compact:
    """The clustering of possibility 1: every object takes its best entry."""
    owner = np.repeat(np.arange(len(choices.counts)), np.diff(choices.starts))
    best_first = np.lexsort((-choices.weights, owner))
    drawn = np.zeros((1, len(choices.cells)), dtype=np.int32)
    drawn[0, best_first[choices.starts[:-1]]] = choices.counts
    return drawn


def _cells_of_entries(choices: Choices, drawn: Compact) -> Compact:
    order = np.argsort(choices.cells, kind="stable")
    starts = np.searchsorted(choices.cells[order], np.arange(len(choices.labels)))
    return np.add.reduceat(drawn[:, order], starts, axis=1, dtype=np.int32)


def _possibilities(t_norm: TNorm, choices: Choices, drawn: Compact) -> Floats:
    # A product of two tiny possibilities may be 0, and 0 times an infinite cost is no number.
    costs = costs_of(t_norm, np.maximum(choices.weights, np.nextafter(0.0, 1.0)))
    return possibilities_of(t_norm, (drawn * costs).sum(axis=1))
