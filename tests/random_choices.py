"""Random lists of choices, and what they can make by brute force over all assignments."""

from collections.abc import Callable
from functools import reduce
from itertools import product

import numpy as np

from sfumato.algorithms.tables.choices import Choices

Table = tuple[int, ...]


def make_choices(types: list[tuple[int, dict[int, float]]], n_cells: int) -> Choices:
    """Types given by a count and the weight of each cell."""
    options = [list(weights.items()) for _, weights in types]
    flat = [entry for entries in options for entry in entries]
    return Choices(
        counts=np.array([count for count, _ in types], dtype=np.int64),
        starts=np.cumsum([0, *map(len, options)], dtype=np.int64),
        cells=np.array([cell for cell, _ in flat], dtype=np.int64),
        weights=np.array([weight for _, weight in flat], dtype=np.float64),
        labels=np.arange(n_cells),
    )


def random_choices(rng: np.random.Generator, *, n_cells: int = 6, n_objects: int = 6) -> Choices:
    """A few types on few cells: some share cells, some do not, some have no choice."""
    types: list[tuple[int, dict[int, float]]] = []
    left = n_objects
    while left and len(types) < 4:
        count = int(rng.integers(1, min(3, left) + 1))
        left -= count
        cells = rng.choice(n_cells, size=int(rng.integers(1, 4)), replace=False)
        weights = rng.integers(1, 8, size=len(cells)) / 8
        weights[0] = 1.0  # one certain option, so that these are possibilities too
        types.append((count, dict(zip(cells.tolist(), weights.tolist(), strict=True))))
    return make_choices(types, n_cells)


def brute_force(
    choices: Choices,
    times: Callable[[float, float], float],
    plus: Callable[[float, float], float],
) -> dict[Table, float]:
    """The weight of every table, from every assignment of every object."""
    found: dict[Table, float] = {}
    for chosen in product(*_options_of_objects(choices)):
        weight = reduce(times, (choices.weights[entry] for entry in chosen), 1.0)
        if weight > 0:
            cells = choices.cells[list(chosen)]
            table = tuple(np.bincount(cells, minlength=len(choices.labels)).tolist())
            found[table] = plus(found[table], weight) if table in found else weight
    return found


def _options_of_objects(choices: Choices) -> list[range]:
    spans = zip(choices.starts[:-1].tolist(), choices.starts[1:].tolist(), strict=True)
    return [
        range(first, last)
        for count, (first, last) in zip(choices.counts.tolist(), spans, strict=True)
        for _ in range(count)
    ]


def normalised(choices: Choices) -> Choices:
    """The same with weights that sum to 1 in every type."""
    sums = np.add.reduceat(choices.weights, choices.starts[:-1])
    return choices._replace(weights=choices.weights / np.repeat(sums, np.diff(choices.starts)))
