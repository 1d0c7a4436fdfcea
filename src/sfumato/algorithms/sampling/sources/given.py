"""Tables that were drawn before: all of them are one block."""

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.algorithms.ends.rough_batch import batch_of_types
from sfumato.algorithms.ends.solve import has_brackets
from sfumato.algorithms.sampling.mean import Draws, Source
from sfumato.algorithms.sampling.sources.bracketed import outer_ends
from sfumato.algorithms.sampling.sources.solved import ends_by_search
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.families import Objective

__all__ = ["given_ends", "given_values"]


def given_values(objective: Objective, types: SetTypes) -> Source:
    """Values of tables: every set is one cluster."""
    n_draws = len(types.counts)
    cells = np.log2(types.row_sets).astype(np.int64) * objective.shape[1] + types.classes
    tables = np.zeros((n_draws, objective.n_cells), dtype=np.int64)
    np.add.at(tables.T, cells, types.counts.T)
    values = objective.of_tables(tables.reshape(n_draws, *objective.shape))[:, None]
    return _given(values, np.zeros_like(values))


def given_ends(objective: Objective, types: SetTypes, budget: Budget) -> Source:
    """Outer ends of rough partitions, searched for where that is possible, or else bracketed."""
    if has_brackets(objective, types):
        find = ends_by_search(objective, lambda counts: types._replace(counts=counts), budget)
        lows, highs, low_gaps, high_gaps = find(types.counts)
    else:
        batch = batch_of_types(types, objective.shape)
        lows, highs, low_gaps, high_gaps = outer_ends(relaxed_ends(objective, batch))
    return _given(np.stack([lows, highs], axis=1), np.stack([low_gaps, high_gaps], axis=1))


def _given(values: Floats, gaps: Floats) -> Source:
    n_draws = len(values)

    def sample(size: int, _: np.random.SeedSequence) -> Draws:
        assert size == n_draws, "all at once: one block"
        return Draws(values, np.zeros((size, 0)), gaps)

    return Source(sample, n_draws)
