"""Draw hard clusterings, and find the value of each."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.sampling.control_variates import count_controls, square_controls, together
from sfumato.algorithms.sampling.mean import Draws, Source
from sfumato.algorithms.tables.focal_model import FocalModel, draw_within
from sfumato.algorithms.tables.rows import Rows
from sfumato.algorithms.tables.sampler import FocalSampler, ProductSampler
from sfumato.algorithms.tables.table_values import fill_tables, values_of
from sfumato.families import Matching, Objective

__all__ = [
    "DrawnEnds",
    "clustering_source",
    "nested_ends",
    "random_values",
    "steps_per_value",
]

DrawnEnds: TypeAlias = tuple[Floats, Floats]  # smallest and largest value of each draw

_MOST_CELLS_FOR_SQUARES = 4096
_SMALLEST_BLOCK, _LARGEST_BLOCK = 64, 4096
_CELLS_AT_ONCE = 1 << 18


def clustering_source(
    objective: Objective,
    drawn: FocalModel | tuple[Rows, Rows],
    probabilities: tuple[Rows, Rows],
    n_draws: int,
) -> Source:
    """Values of drawn clusterings, with their counts and squared counts as control variates.

    A cell of the table is drawn for each object by a model in which all sets are single clusters;
    or a row and then a column, where the cells are too many to list.
    """
    counted = squared = None
    if isinstance(drawn, FocalModel):
        sampler = FocalSampler(drawn, n_draws)
        base, cells = drawn.base, drawn.pairs.labels[drawn.pairs.cells]  # one per pair
        counted = count_controls(drawn, sampler)
    else:
        sampler = ProductSampler(*drawn)
        base, cells = np.zeros(objective.n_cells, dtype=np.int64), np.arange(objective.n_cells)
    if objective.n_cells <= _MOST_CELLS_FOR_SQUARES:
        squared = square_controls(*probabilities, objective.n_objects, objective.shape)
    controls = together(counted, squared)

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        counts = sampler.draw(size, seed)
        values = values_of(objective, base, cells, counts)
        tables = fill_tables(base, cells, counts, objective.shape) if squared else None
        return Draws.of([values], controls=controls.of(counts, tables))

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
