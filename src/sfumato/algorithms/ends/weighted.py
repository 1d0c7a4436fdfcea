"""Build solvers of the weighted problem, to which many measures lead.

They find both ends of weight * margins - 2 * sum psi(N). Against a hard truth, margins is the sum
of psi over the row sums, because the column sums are fixed. With two rough sides it is the sum over
the row sums and the column sums.
"""

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends import both_rough, hard_truth
from sfumato.algorithms.ends.dinkelbach import WeightedSolver
from sfumato.algorithms.ends.found_ends import Budget, FoundEnds
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.families import Psi, psi_sum

__all__ = ["both_rough_solver", "hard_truth_solver", "truth_sums"]


def truth_sums(psi: Psi, types: SetTypes, n_columns: int) -> Floats:
    """Sum of psi over the sizes of the truth's classes, in each instance."""
    in_class = types.classes[:, None] == np.arange(n_columns)
    return psi_sum(psi, types.counts @ in_class.astype(np.int64))


def hard_truth_solver(
    psi: Psi, types: SetTypes, shape: tuple[int, int], budget: Budget
) -> WeightedSolver:
    """Build the solver for both ends of weight * sum psi(R) - 2 * sum psi(N): a hard truth."""

    def solve(instances: Ints, weights: Floats, end: str) -> FoundEnds:
        function = hard_truth.near_end if end == "near" else hard_truth.far_end
        own = types._replace(counts=types.counts[instances])
        return function(own, shape, psi, weights, budget)

    return solve


def both_rough_solver(types: SetTypes, shape: tuple[int, int], budget: Budget) -> WeightedSolver:
    """Build the solver for both ends of weight * (sum R^2 + sum C^2) - 2 * sum N^2: rough sides."""

    def solve(instances: Ints, weights: Floats, end: str) -> FoundEnds:
        function = both_rough.weighted_near_end if end == "near" else both_rough.weighted_far_end
        own = types._replace(counts=types.counts[instances])
        return function(own, shape, weights, budget)

    return solve
