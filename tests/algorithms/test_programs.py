"""Integer programs: no gap, bounds that hold, states that are checked, and silence."""

import ctypes
import os
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize

import sfumato as sf
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.majority import largest_majority, smallest_majority
from sfumato.algorithms.ends.matching_program import smallest_match_program
from sfumato.algorithms.programs import quiet_solver, solve_program, whole_bound
from sfumato.algorithms.tables.focal_model import SetTypes

# 182,072 lies within a relative gap of 1e-4 of the optimum.
ROW_SETS = np.array([9, 26, 20, 57, 51, 60, 53, 18, 29, 44])
CLASSES = np.array([3, 0, 4, 3, 4, 3, 4, 3, 2, 1])
COUNTS = np.array([55038, 49739, 87240, 12229, 30514, 29596, 61135, 20760, 15383, 83653])


def test_the_smallest_purity_is_not_that_of_a_program_with_a_gap():
    mask = np.repeat((ROW_SETS[:, None] >> np.arange(6)) & 1 == 1, COUNTS, axis=0)
    found = sf.compare(sf.RoughPartition(mask), np.repeat(CLASSES, COUNTS), measure="purity")
    assert found.guarantee == "exact"
    assert round(found.lower * COUNTS.sum()) == 182_070


def test_no_capacities_below_the_smallest_majority_hold_all_classes():
    rng = np.random.default_rng(3)
    for _ in range(20):
        row_sets, classes = rng.integers(1, 8, 6), rng.integers(0, 3, 6)
        counts = rng.integers(1, 4, (1, 6))
        found = smallest_majority(SetTypes(row_sets, 1 << classes, counts), (3, 3))
        assert found.tables[0].sum() == counts.sum()
        assert found.values == found.bounds == least_capacities(row_sets, classes, counts[0])


def least_capacities(row_sets, classes, counts):
    """Least sum of capacities for which Hall's condition holds in every class, by trying all."""
    sets = range(1, 8)
    demand = {
        rows: max(counts[(classes == j) & (row_sets & ~rows == 0)].sum() for j in range(3))
        for rows in sets
    }
    most = counts.sum() + 1
    return min(
        sum(capacities)
        for capacities in np.ndindex(most, most, most)
        if all(
            sum(capacities[i] for i in range(3) if rows >> i & 1) >= demand[rows] for rows in sets
        )
    )


def program_that_ends(status, **fields):
    """A solver that gives up, as HiGHS may."""
    message = {1: "Time limit reached.", 4: "Solve error."}[status]
    nothing = {"x": None, "fun": None, "mip_dual_bound": None, "message": message}
    return lambda *_, **__: SimpleNamespace(status=status, **(nothing | fields))


@pytest.mark.parametrize("status", [1, 4])
def test_a_program_that_finds_nothing_leaves_a_valid_bracket(monkeypatch, status):
    monkeypatch.setattr(optimize, "milp", program_that_ends(status))
    types = SetTypes(np.array([3, 1]), np.array([1, 2]), np.array([[2, 1]]))
    least = smallest_majority(types, (2, 2))
    assert least.bounds <= 2 <= least.values  # both objects of class 0 beside the one of class 1
    assert least.tables.sum() == 3
    sets, counts = np.array([7, 1, 2]), np.array([[5, 4, 2]])
    types = SetTypes(sets, sets, counts)
    _, values, bounds = smallest_match_program(types, (3, 3), Budget(max_nodes=100))
    assert bounds[0] <= 6 <= values[0]


def test_a_program_without_an_end_is_no_proof_of_the_largest_majority(monkeypatch):
    rng = np.random.default_rng(0)
    row_sets, classes = rng.integers(1, 1 << 8, 20), rng.integers(0, 8, 20)
    counts = rng.integers(1, 9, (1, 20))
    types = SetTypes(row_sets, 1 << classes, counts)
    best = largest_majority(types, (8, 8))
    assert best.values == best.bounds
    monkeypatch.setattr(optimize, "milp", program_that_ends(4, mip_dual_bound=0.0))
    found = largest_majority(types, (8, 8))
    assert found.values < best.values <= found.bounds == counts.sum()


def test_a_bound_below_an_integer_by_the_tolerance_proves_that_integer():
    assert whole_bound(7.0 - 1e-5, 1e3) == 7.0
    assert whole_bound(7.0 + 1e-5, 1e3) == 7.0
    assert whole_bound(6.5, 1e3) == 7.0


def test_a_bound_of_very_many_objects_allows_for_the_tolerance_of_each():
    assert whole_bound(7e6, 1e7) == 7e6 - 4
    assert whole_bound(-np.inf, 1e7) == -np.inf


def test_a_node_limit_leaves_a_bound_below_the_optimum():
    rng = np.random.default_rng(1)
    weights = rng.integers(10, 99, (3, 30)).astype(float)
    limits = weights.sum(axis=1) / 2, np.inf
    ones = np.ones(30)
    costs = rng.integers(10, 99, 30).astype(float)
    best = solve_program(costs, weights, limits, highest=1.0, is_whole=ones)
    early = solve_program(costs, weights, limits, highest=1.0, is_whole=ones, max_nodes=1)
    relaxed = solve_program(costs, weights, limits, highest=1.0)
    assert relaxed.bound <= early.bound <= best.bound + 1e-6
    assert best.bound == pytest.approx(float(costs @ np.rint(best.point)), abs=1e-6)


def test_what_a_solver_prints_below_python_does_not_reach_the_standard_output(capfd):
    library = ctypes.CDLL(None)
    with quiet_solver():
        os.write(1, b"written\n")
        library.printf(b"held back by the C library\n")
    print("kept")
    library.fflush(None)
    assert capfd.readouterr().out == "kept\n"


def test_a_comparison_whose_solver_prints_leaves_the_output_clean(capfd, monkeypatch):
    solve = optimize.milp

    def chatty(*arguments, **options):
        os.write(1, b"HighsMipSolverData::transformNewIntegerFeasibleSolution\n")
        return solve(*arguments, **options)

    monkeypatch.setattr(optimize, "milp", chatty)
    rough = sf.RoughPartition.from_sets([{0, 1}, {1}, {0, 1}, {0}])
    found = sf.compare(rough, [0, 0, 1, 1], measure="purity", engine=sf.Bounds())
    assert (found.lower, found.upper) == (0.5, 1.0)
    assert capfd.readouterr().out == ""
