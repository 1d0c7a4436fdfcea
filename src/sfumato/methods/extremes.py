"""Both ends of a measure over the tables within reach of rough partitions, solved exactly.

The family of the measure and the kinds of the two sides pick the algorithm; many rough partitions
that share their pairs of sets are solved in one call.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints, Tables
from sfumato.algorithms.ends import both_rough, majority, matching
from sfumato.algorithms.ends.extremes import Extremes
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.families import Affine, Family, Majority, Matching, Ratio, Separable
from sfumato.methods.by_distance import ends_by_distance, has_distance
from sfumato.methods.ratio_ends import ratio_ends
from sfumato.methods.weighted import Budget, hard_truth_solver, truth_classes, truth_sums
from sfumato.query import Query

__all__ = ["Solved", "has_brackets", "is_solvable", "solve_ends", "solve_seconds", "solve_types"]

_MOST_ROWS = 12
_MOST_COLUMNS = 32
_MOST_CELLS = 64


class Solved(NamedTuple):
    """Both ends for a batch of rough partitions, in the orientation of the measure.

    ``lows`` and ``highs`` are attained by the tables; the bounds lie further out or are equal.
    """

    lows: Floats
    low_bounds: Floats
    low_tables: Tables
    highs: Floats
    high_bounds: Floats
    high_tables: Tables


def _is_single(sets: Ints) -> bool:
    return not (sets & (sets - 1)).any()


def is_solvable(query: Query, types: SetTypes | None = None) -> bool:
    """Whether an algorithm exists for the measure's family and the two sides.

    The types are those of the query, unless others are given.
    """
    n_rows, n_columns = query.shape
    if max(n_rows, n_columns) > _MOST_COLUMNS:
        return False
    if types is None and _is_wide(query):
        return False
    types = query.set_types if types is None else types
    family = query.measure.family(query.n_objects)
    if _is_single(types.column_sets):
        return n_rows <= _MOST_ROWS and _fits_hard_truth(query, family, n_columns)
    if _is_single(types.row_sets):
        return (
            n_columns <= _MOST_ROWS
            and not isinstance(family, Majority)
            and _fits_hard_truth(query, family, n_rows)
        )
    if isinstance(family, Separable):
        return n_rows * n_columns <= _MOST_CELLS and family.distance_scale is not None
    if isinstance(family, Ratio):
        return (
            n_rows * n_columns <= _MOST_CELLS
            and max(n_rows, n_columns) < query.n_objects
            and family.is_even
        )
    return isinstance(family, Matching)


def has_brackets(query: Query, types: SetTypes | None = None) -> bool:
    """Whether both ends can be solved, or at least bracketed by those of a distance."""
    if is_solvable(query, types):
        return True
    if not has_distance(query) or (types is None and _is_wide(query)):
        return False
    types = query.set_types if types is None else types
    return not _is_single(types.row_sets) and not _is_single(types.column_sets)


def _is_wide(query: Query) -> bool:
    return query.theory == "evidential" and query.is_wide


def _fits_hard_truth(query: Query, family: Family | None, n_truth: int) -> bool:
    if isinstance(family, Ratio):
        # A positive denominator everywhere: more objects than clusters, and a truth that neither
        # joins nor parts everything.
        n_clusters = query.shape[0] + query.shape[1] - n_truth
        return 1 < n_truth < query.n_objects and n_clusters < query.n_objects
    return family is not None


def solve_seconds(query: Query, *, is_hard_side: bool | None = None) -> float:
    """About the time that both ends of one rough partition take, by family and size.

    ``is_hard_side`` says whether one side of each is certain; None: as in the query.
    """
    if is_hard_side is None:
        is_hard_side = has_hard_side(query)
    family = query.measure.family(query.n_objects)
    n_clusters = max(query.shape)
    growth = 4.0 ** max(0, n_clusters - 3)
    if isinstance(family, Matching):
        if n_clusters > 3:
            return 0.05
        return 1e-5 if is_hard_side else 3e-3
    if isinstance(family, Majority):
        return 5e-3 * n_clusters  # two integer programs
    if not is_hard_side:
        return growth * (2e-2 if isinstance(family, Ratio) and family.is_even else 2e-3)
    one = 2e-5
    if isinstance(family, Separable) and family.distance_scale is None:
        one *= 4.0
    if isinstance(family, Ratio):
        one *= 10.0 if family.power == 1.0 else 100.0
    return one * growth


def has_hard_side(query: Query) -> bool:
    """Whether one of the two sides is certain."""
    return "hard" in (query.a.kind, query.b.kind)


def solve_ends(query: Query, counts: Ints | None = None, *, max_nodes: int, threads: int) -> Solved:
    """Smallest and largest value within reach of each focal table.

    Parameters
    ----------
    query : Query
        One for which `has_brackets` holds; searches close only where `is_solvable` does.
    counts : ndarray of shape (f, p) or None
        Objects per pair of sets in use; None for the one focal table of a rough query.
    max_nodes : int
        Nodes of each search.
    threads : int
    """
    types = query.set_types if counts is None else query.types_of(counts)
    return solve_types(query, types, max_nodes=max_nodes, threads=threads)


def solve_types(query: Query, types: SetTypes, *, max_nodes: int, threads: int) -> Solved:
    """The same for types of objects that are given as they are, whatever the query's theory."""
    family = query.measure.family(query.n_objects)
    assert family is not None
    budget = Budget(max_nodes, threads)
    shape = query.shape
    is_turned = _is_single(types.row_sets) and not _is_single(types.column_sets)
    if is_turned:  # the hard side becomes the truth
        types = SetTypes(types.column_sets, types.row_sets, types.counts)
        family, shape = _turned(family, is_symmetric=query.measure.symmetric), (shape[1], shape[0])
    if is_turned or is_solvable(query, types):
        least, most = _ends(family, types, shape, query.n_objects, budget)
    else:
        least, most = ends_by_distance(query, types, budget)
    if is_turned:
        least, most = (
            Extremes(np.ascontiguousarray(found.tables.transpose(0, 2, 1)), *found[1:])
            for found in (least, most)
        )
    values = query.measure.of_tables(np.concatenate([least.tables, most.tables]))
    lows, highs = values[: len(least.tables)], values[len(least.tables) :]
    low_bounds = _bounds_as_values(query, least, lows, outward=np.minimum)
    high_bounds = _bounds_as_values(query, most, highs, outward=np.maximum)
    return Solved(lows, low_bounds, least.tables, highs, high_bounds, most.tables)


def _bounds_as_values(
    query: Query,
    found: Extremes,
    values: Floats,
    *,
    outward: Callable[[Floats, Floats], Floats],
) -> Floats:
    """Bounds that are never inside the values, which are those of the measure itself."""
    lowest, highest = query.bounds
    bounds = outward(np.clip(found.bounds, lowest, highest), values)
    return np.where(found.bounds == found.values, values, bounds)


def _turned(family: Family, *, is_symmetric: bool) -> Family:
    """The family of the transposed table."""

    def swap(affine: Affine) -> Affine:
        return Affine(affine.offset, affine.columns, affine.rows, affine.cells)

    if isinstance(family, Separable):
        return Separable(family.psi, swap(family.value))
    if isinstance(family, Ratio) and not is_symmetric:

        def parts(column_sum: float) -> tuple[Affine, Affine]:
            numerator, denominator = family.parts(column_sum)
            return swap(numerator), swap(denominator)

        return replace(family, parts=parts)
    return family


def _ends(
    family: Family, types: SetTypes, shape: tuple[int, int], n_objects: int, budget: Budget
) -> tuple[Extremes, Extremes]:
    """Smallest and largest value, both with values and bounds in the units of the measure."""
    match family:
        case Separable():
            return _separable_ends(family, types, shape, budget)
        case Matching():
            return _matching_ends(family, types, shape, budget)
        case Majority():
            return _majority_ends(family, types, shape)
        case Ratio():
            if _is_single(types.column_sets):
                return _ratio_ends_by_truth(family, types, shape, n_objects, budget)
            return ratio_ends(family, types, shape, n_objects, budget, is_hard_truth=False)


def _ratio_ends_by_truth(
    family: Ratio, types: SetTypes, shape: tuple[int, int], n_objects: int, budget: Budget
) -> tuple[Extremes, Extremes]:
    """Instances whose truths have the same sum of psi are solved together."""
    sums = np.round(truth_sums(family.psi, types, shape[1]), 9)
    _, group_of = np.unique(sums, return_inverse=True)
    order = np.argsort(group_of, kind="stable")
    groups = np.split(order, np.flatnonzero(np.diff(group_of[order])) + 1)
    solved = [
        ratio_ends(
            family,
            SetTypes(types.row_sets, types.column_sets, types.counts[group]),
            shape,
            n_objects,
            budget,
            is_hard_truth=True,
        )
        for group in groups
    ]
    if len(groups) == 1:
        return solved[0]
    back = np.argsort(order)
    least, most = (
        Extremes(*(np.concatenate(part)[back] for part in zip(*ends, strict=True)))
        for ends in zip(*solved, strict=True)
    )
    return least, most


def _scaled(found: Extremes, offset: float | Floats, scale: float) -> Extremes:
    values = offset + scale * found.values
    bounds = np.where(found.bounds == found.values, values, offset + scale * found.bounds)
    return Extremes(found.tables, values, bounds)


def _distance_weights(family: Separable) -> tuple[float, float]:
    """Weights of rows and columns in units where the cells have weight -2, as in a distance."""
    scale = -family.value.cells / 2
    rows, columns = family.value.rows / scale, family.value.columns / scale
    return round(rows, 12), round(columns, 12)


def _separable_ends(
    family: Separable, types: SetTypes, shape: tuple[int, int], budget: Budget
) -> tuple[Extremes, Extremes]:
    value = family.value
    scale, offset = -value.cells / 2, value.offset
    row_weight, _ = _distance_weights(family)
    if _is_single(types.column_sets):
        solve = hard_truth_solver(family.psi, types, shape, budget)
        everything = np.arange(len(types.counts))
        weights = np.full(len(types.counts), row_weight)
        near, far = solve(everything, weights, "near"), solve(everything, weights, "far")
        offset = offset + value.columns * truth_sums(family.psi, types, shape[1])
    else:
        near, far = (
            end(
                types.row_sets.astype(np.uint32),
                types.column_sets.astype(np.uint32),
                types.counts,
                n_rows=shape[0],
                n_columns=shape[1],
                psi=family.psi,
                max_nodes=budget.max_nodes,
                threads=budget.threads,
            )
            for end in (both_rough.near_end, both_rough.far_end)
        )
    near, far = _scaled(near, offset, scale), _scaled(far, offset, scale)
    return (near, far) if scale > 0 else (far, near)


def _matching_ends(
    family: Matching, types: SetTypes, shape: tuple[int, int], budget: Budget
) -> tuple[Extremes, Extremes]:
    smallest, largest = (
        end(
            types.row_sets.astype(np.uint32),
            types.column_sets.astype(np.uint32),
            types.counts,
            n_rows=shape[0],
            n_columns=shape[1],
            max_nodes=budget.max_nodes,
            threads=budget.threads,
        )
        for end in (matching.smallest_match, matching.largest_match)
    )
    smallest = _scaled(smallest, family.offset, family.slope)
    largest = _scaled(largest, family.offset, family.slope)
    return (smallest, largest) if family.slope > 0 else (largest, smallest)


def _majority_ends(
    family: Majority, types: SetTypes, shape: tuple[int, int]
) -> tuple[Extremes, Extremes]:
    smallest, largest = (
        end(types.row_sets, truth_classes(types), types.counts, n_rows=shape[0], n_columns=shape[1])
        for end in (majority.smallest_majority, majority.largest_majority)
    )
    return _scaled(smallest, 0.0, family.slope), _scaled(largest, 0.0, family.slope)
