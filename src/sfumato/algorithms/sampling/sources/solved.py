"""Both ends of rough partitions that are drawn, or were drawn before: by search or from a list."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.algorithms.ends.rough_batch import batch_of_types
from sfumato.algorithms.ends.solve import Solved, has_brackets, solve_types
from sfumato.algorithms.sampling.control_variates import count_controls, together
from sfumato.algorithms.sampling.mean import Draws, Source
from sfumato.algorithms.sampling.sources.bracketed import BracketedEnds, outer_ends
from sfumato.algorithms.tables.focal_model import FocalModel, SetTypes, reach_tables
from sfumato.algorithms.tables.sampler import ClassSampler, FocalSampler
from sfumato.algorithms.tables.table_values import values_of
from sfumato.families import Objective

__all__ = [
    "FindEnds",
    "ends_by_list",
    "ends_by_search",
    "given_ends",
    "given_values",
    "solved_source",
]

FindEnds: TypeAlias = Callable[[Ints], BracketedEnds]  # of drawn focal tables

_NEGLIGIBLE = 1e-6  # distance of a bound to what is attained


def solved_source(sampler: FocalSampler | ClassSampler, find_ends: FindEnds, block: int) -> Source:
    """Both ends of drawn rough partitions, with the drawn counts as control variates."""
    counted = count_controls(sampler.model, sampler) if isinstance(sampler, FocalSampler) else None
    controls = together(counted)

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        counts = sampler.draw(size, seed)
        ends = find_ends(counts)
        return Draws.of(ends[:2], ends[2:], controls.of(counts, None))

    return Source(sample, block, controls.limits)


def ends_by_list(objective: Objective, model: FocalModel) -> FindEnds:
    """Find both ends of each drawn rough partition among all its tables."""

    def find_ends(counts: Ints) -> BracketedEnds:
        tables, starts, ids = reach_tables(model, counts)
        values = values_of(objective, model.base, model.pairs.labels, tables)[ids]
        lows, highs = (end.reduceat(values, starts[:-1]) for end in (np.minimum, np.maximum))
        return lows, highs, np.zeros(len(lows)), np.zeros(len(highs))

    return find_ends


def ends_by_search(
    objective: Objective, types_of: Callable[[Ints], SetTypes], budget: Budget
) -> FindEnds:
    """Solve both ends of each drawn rough partition; searches that stay open leave brackets."""

    def find_ends(counts: Ints) -> BracketedEnds:
        types = types_of(counts)
        return outer_ends(_sharpened(objective, types, solve_types(objective, types, budget)))

    return find_ends


def _sharpened(objective: Objective, types: SetTypes, found: Solved) -> Solved:
    """Draws that are not solved exactly, no wider than a relaxation has them."""
    gaps = np.maximum(found.lows - found.low_bounds, found.high_bounds - found.highs)
    is_open = gaps > _NEGLIGIBLE
    if not is_open.any():
        return found
    batch = batch_of_types(types._replace(counts=types.counts[is_open]), objective.shape)
    other = relaxed_ends(objective, batch)

    def sharper(own: Floats, others: Floats, pick: Callable[[Floats, Floats], Floats]) -> Floats:
        both = own.copy()
        both[is_open] = pick(own[is_open], others)
        return both

    lows = sharper(found.lows, other.lows, np.minimum)
    highs = sharper(found.highs, other.highs, np.maximum)
    low_bounds = sharper(found.low_bounds, other.low_bounds, np.maximum)
    high_bounds = sharper(found.high_bounds, other.high_bounds, np.minimum)
    return found._replace(
        lows=lows,
        highs=highs,
        low_bounds=np.minimum(low_bounds, lows),
        high_bounds=np.maximum(high_bounds, highs),
    )


def given_values(objective: Objective, types: SetTypes) -> Source:
    """Values of tables: every set is one cluster."""
    n_draws = len(types.counts)
    cells = np.log2(types.row_sets).astype(np.int64) * objective.shape[1] + types.classes
    tables = np.zeros((n_draws, objective.n_cells), dtype=np.int64)
    np.add.at(tables.T, cells, types.counts.T)
    return _given(Draws.of([objective.of_tables(tables.reshape(n_draws, *objective.shape))]))


def given_ends(objective: Objective, types: SetTypes, budget: Budget) -> Source:
    """Outer ends of rough partitions, searched for where that is possible, or else bracketed."""
    if has_brackets(objective, types):
        find = ends_by_search(objective, lambda counts: types._replace(counts=counts), budget)
        ends = find(types.counts)
    else:
        ends = outer_ends(relaxed_ends(objective, batch_of_types(types, objective.shape)))
    return _given(Draws.of(ends[:2], ends[2:]))


def _given(draws: Draws) -> Source:
    """All of them are one block."""

    def sample(size: int, _: np.random.SeedSequence) -> Draws:
        assert size == len(draws.values), "all at once: one block"
        return draws

    return Source(sample, len(draws.values))
