"""Draw clusterings at several degrees of caution; the possibility of each is exact."""

from collections.abc import Callable

import numpy as np

from sfumato._typing import Floats, TNorm
from sfumato.algorithms.possibility.t_norms import costs_of, possibilities_of
from sfumato.algorithms.tables.choices import Choices, Compact, draw_tables, split_certain
from sfumato.algorithms.tables.ragged import owners_of
from sfumato.algorithms.tables.table_values import values_of
from sfumato.families import Objective

__all__ = ["MOST_ENTRIES", "PossibleDraws", "possible_draws"]

MOST_ENTRIES = 1 << 22  # that the draws of a block hold
# Each draw favours possible choices by one of these powers, from bold to cautious.
_POWERS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)

PossibleDraws = tuple[Floats, Floats]  # value and possibility of each draw


def possible_draws(
    objective: Objective, choices: Choices, t_norm: TNorm
) -> tuple[Callable[[int, np.random.SeedSequence], PossibleDraws], PossibleDraws, int]:
    """What draws values with their possibilities, the most possible value, and a size of blocks."""
    fixed, open_choices = split_certain(choices)
    base = np.zeros(objective.n_cells, dtype=np.int64)
    base[choices.labels] = fixed
    by_cell = np.argsort(open_choices.cells, kind="stable")
    starts = np.searchsorted(open_choices.cells[by_cell], np.arange(len(open_choices.labels)))
    # A product of two tiny possibilities may be 0, and 0 times an infinite cost is no number.
    costs = costs_of(t_norm, np.maximum(open_choices.weights, np.nextafter(0.0, 1.0)))

    def evaluate(drawn: Compact) -> PossibleDraws:
        tables = np.add.reduceat(drawn[:, by_cell], starts, axis=1, dtype=np.int32)
        values = values_of(objective, base, open_choices.labels, tables)
        return values, possibilities_of(t_norm, (drawn * costs).sum(axis=1))

    def draw(size: int, seed: np.random.SeedSequence) -> PossibleDraws:
        return evaluate(_draw(open_choices, size, seed))

    block = max(len(_POWERS), min(1024, MOST_ENTRIES // max(1, len(choices.cells))))
    return draw, evaluate(_most_possible(open_choices)), block


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
    owner = owners_of(choices.starts)
    best_first = np.lexsort((-choices.weights, owner))
    drawn = np.zeros((1, len(choices.cells)), dtype=np.int32)
    drawn[0, best_first[choices.starts[:-1]]] = choices.counts
    return drawn
