"""Draw rough partitions by their masses, and find both ends of each by search or from a list."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from sfumato._typing import Ints
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.algorithms.ends.rough_batch import batch_of_types
from sfumato.algorithms.ends.solve import Solved, solve_types
from sfumato.algorithms.sampling.control_variates import count_controls, together
from sfumato.algorithms.sampling.mean import Draws, Source
from sfumato.algorithms.sampling.sources.bracketed import BracketedEnds, outer_ends
from sfumato.algorithms.tables.focal_model import FocalModel, SetTypes, reach_tables
from sfumato.algorithms.tables.sampler import ClassSampler, FocalSampler
from sfumato.algorithms.tables.table_values import values_of
from sfumato.families import Objective

__all__ = ["FindEnds", "ends_by_list", "ends_by_search", "solved_source"]

FindEnds: TypeAlias = Callable[[Ints], BracketedEnds]  # of drawn focal tables

_NEGLIGIBLE = 1e-6  # distance of a bound to what is attained


def solved_source(sampler: FocalSampler | ClassSampler, find_ends: FindEnds, block: int) -> Source:
    """Both ends of drawn rough partitions, with the drawn counts as control variates."""
    counted = count_controls(sampler.model, sampler) if isinstance(sampler, FocalSampler) else None
    controls = together([] if counted is None else [counted])

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        counts = sampler.draw(size, seed)
        lows, highs, low_gaps, high_gaps = find_ends(counts)
        return Draws(
            np.stack([lows, highs], axis=1),
            controls.of(counts, None),
            np.stack([low_gaps, high_gaps], axis=1),
        )

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
    lows, highs = found.lows.copy(), found.highs.copy()
    low_bounds, high_bounds = found.low_bounds.copy(), found.high_bounds.copy()
    lows[is_open] = np.minimum(lows[is_open], other.lows)
    highs[is_open] = np.maximum(highs[is_open], other.highs)
    low_bounds[is_open] = np.maximum(low_bounds[is_open], other.low_bounds)
    high_bounds[is_open] = np.minimum(high_bounds[is_open], other.high_bounds)
    return found._replace(
        lows=lows,
        highs=highs,
        low_bounds=np.minimum(low_bounds, lows),
        high_bounds=np.maximum(high_bounds, highs),
    )
