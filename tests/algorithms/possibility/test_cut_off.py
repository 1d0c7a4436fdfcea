"""Bounds of the cuts below a cut-off: at some levels for all, and where time is over."""

import numpy as np

import sfumato as sf
from by_method import question
from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.level_sweeps import LevelEnds
from sfumato.algorithms.possibility.cut_off import Cuts, with_cuts_below
from sfumato.algorithms.possibility.moves import Graded, bounds_by_moves
from sfumato.algorithms.possibility.t_norms import costs_of
from sfumato.algorithms.tables.choices import Choices


def graded(n, k):
    """Possibilities by product against a hard side, with the cells of one class for each object."""
    rng = np.random.default_rng(0)
    rows, classes = rng.random((n, k)) ** 8, np.arange(n) % 3
    rows /= rows.max(axis=1, keepdims=True)
    partition = sf.PossibilisticPartition(rows, t_norm="product")
    cells = np.arange(k) * 3 + classes[:, None]
    return Graded(
        objective=question(partition, classes, "rand").objective,
        t_norm="product",
        rows=rows,
        columns=np.eye(3)[classes],
        counts=np.ones(n, dtype=np.int64),
        levels=np.unique(rows)[::-1],
        costs=Choices(
            np.ones(n, dtype=np.int64),
            np.arange(n + 1) * k,
            cells.ravel(),
            costs_of("product", rows).ravel(),
            np.arange(3 * k),
        ),
        has_hard_side=True,
    )


def test_of_very_many_levels_each_that_is_bounded_holds_for_those_above(monkeypatch):
    problem = graded(12, 3)
    levels = np.linspace(1.0, 1e-3, 12_000)
    monkeypatch.setattr("sfumato.algorithms.possibility.moves._MOST_BOUNDED", 1e5)
    low, high = bounds_by_moves(problem, levels)
    places = np.linspace(0, len(levels) - 1, 1000).astype(np.int64)
    own_low, own_high = bounds_by_moves(problem, levels[places])
    below_low, below_high = bounds_by_moves(problem, levels[np.minimum(places + 1, places[-1])])
    assert ((below_low <= low[places]) & (low[places] <= own_low)).all()
    assert ((own_high <= high[places]) & (high[places] <= below_high)).all()
    assert own_low[0] > own_low[-1]


def test_where_time_is_over_bounds_of_cuts_are_wider_and_still_hold():
    problem = graded(30, 40)
    nothing = Cuts(np.zeros(0), LevelEnds(*np.zeros((4, 0))))
    late, whole = (
        with_cuts_below(problem, nothing, 0.99, Budget(100, 1, deadline)).ends
        for deadline in (Deadline(0.0), None)
    )
    assert (late.low_bounds <= whole.low_bounds + 1e-12).all()
    assert (late.high_bounds >= whole.high_bounds - 1e-12).all()
    assert (late.low_bounds < whole.low_bounds - 1e-3).any()
    assert (late.low_bounds <= late.lows).all()
