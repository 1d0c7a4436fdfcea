"""Draw hard clusterings, and find the value of each."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.sampling.control_variates import (
    Controls,
    count_controls,
    square_controls,
    together,
)
from sfumato.algorithms.sampling.mean import Draws, Source
from sfumato.algorithms.tables.focal_model import FocalModel, draw_within
from sfumato.algorithms.tables.rows import Rows
from sfumato.algorithms.tables.sampler import FocalSampler, ProductSampler
from sfumato.algorithms.tables.table_values import fill_tables, values_of
from sfumato.families import Matching, Objective

__all__ = [
    "DrawnEnds",
    "TableDraws",
    "by_cells",
    "by_sides",
    "clustering_source",
    "nested_ends",
    "random_values",
    "steps_per_value",
]

DrawnEnds: TypeAlias = tuple[Floats, Floats]  # smallest and largest value of each draw

_MOST_CELLS_FOR_SQUARES = 4096
_SMALLEST_BLOCK, _LARGEST_BLOCK = 64, 4096
_CELLS_AT_ONCE = 1 << 18


class TableDraws(NamedTuple):
    """Random counts on some cells of the table, to be added to a base table."""

    sampler: FocalSampler | ProductSampler
    base: Ints  # (n_cells,)
    cells: Ints
    controls: Controls | None


def by_cells(model: FocalModel, n_draws: int) -> TableDraws:
    """Draw a cell of the table for each object; all sets are single clusters."""
    sampler = FocalSampler(model, n_draws)
    cells = model.pairs.labels[model.pairs.cells]  # one per pair
    return TableDraws(sampler, model.base, cells, count_controls(model, sampler))


def by_sides(rows: Rows, columns: Rows, n_cells: int) -> TableDraws:
    """Draw a row and then a column for each object: the cells are too many to list."""
    base = np.zeros(n_cells, dtype=np.int64)
    return TableDraws(ProductSampler(rows, columns), base, np.arange(n_cells), None)


def clustering_source(
    objective: Objective, draws: TableDraws, probabilities: tuple[Rows, Rows]
) -> Source:
    """Values of drawn clusterings, with their counts and squared counts as control variates."""
    sampler, base, cells, counted = draws
    parts = [] if counted is None else [counted]
    has_squares = objective.n_cells <= _MOST_CELLS_FOR_SQUARES
    if has_squares:
        parts.append(square_controls(*probabilities, objective.n_objects, objective.shape))
    controls = together(parts)

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        counts = sampler.draw(size, seed)
        values = values_of(objective, base, cells, counts)
        tables = fill_tables(base, cells, counts, objective.shape) if has_squares else None
        return Draws(values[:, None], controls.of(counts, tables), np.zeros((size, 1)))

    block = max(_SMALLEST_BLOCK, min(_LARGEST_BLOCK, _CELLS_AT_ONCE // objective.n_cells))
    return Source(sample, block, controls.limits)


def steps_per_value(objective: Objective) -> float:
    """What a value costs, in looks at a cell, each about as dear as an object drawn."""
    cells = float(objective.n_cells)
    if isinstance(objective.family, Matching):
        return cells + min(objective.shape) * cells / 10  # the Hungarian method
    return cells


def random_values(
    objective: Objective, model: FocalModel
) -> Callable[[int, np.random.SeedSequence], Floats]:
    """Values of clusterings drawn evenly from one rough comparison."""

    def block(size: int, seed: np.random.SeedSequence) -> Floats:
        counts = np.repeat(model.fixed[None, :], size, axis=0)
        tables = draw_within(model, counts, 1, seed)
        return values_of(objective, model.base, model.pairs.labels, tables)

    return block


def nested_ends(
    objective: Objective, model: FocalModel, n_inner: int
) -> Callable[[int, np.random.SeedSequence], DrawnEnds]:
    """Draw rough partitions by their masses, and keep the ends of some clusterings of each."""
    sampler = FocalSampler(model, _SMALLEST_BLOCK)

    def block(size: int, seed: np.random.SeedSequence) -> DrawnEnds:
        focal_seed, cell_seed = seed.spawn(2)
        counts = sampler.draw(size, focal_seed)
        tables = draw_within(model, counts, n_inner, cell_seed)
        values = values_of(objective, model.base, model.pairs.labels, tables).reshape(size, -1)
        return values.min(axis=1), values.max(axis=1)

    return block
