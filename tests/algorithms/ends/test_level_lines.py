"""Ends at the levels between others, by lines and tables, against all tables of every level."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from literal import all_tables
from objectives import objective_of
from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.ends.level_brackets import bracket_levels, bracket_seconds, sweep_brackets
from sfumato.algorithms.ends.level_lines import between_levels
from sfumato.algorithms.ends.level_sweeps import spread_levels
from sfumato.algorithms.tables.level_types import level_types
from strategies import random_degrees

MEASURES = ("variation_of_information", "adjusted_rand", "mutual_information", "rand", "jaccard")


def levels_of(*sides):
    return np.unique(np.concatenate([side[side > 0] for side in sides]))[::-1]


def narrowed(objective, types, solved, masses, deadline=None, **options):
    """Ends at all levels by those of the solved ones, before and after."""
    tables = {}
    some = bracket_levels(objective, types, Deadline(), tables, solved)
    ends = spread_levels(some, solved, len(masses))
    lowest, highest = objective.bounds
    ends = ends._replace(
        low_bounds=np.maximum(ends.low_bounds, lowest),
        high_bounds=np.minimum(ends.high_bounds, highest),
    )
    deadline = deadline or Deadline()
    return ends, between_levels(objective, types, tables, ends, masses, deadline, **options)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(MEASURES), st.integers(0, 2**32 - 1), st.integers(1, 4), st.booleans())
def test_brackets_hold_the_ends_of_all_tables_at_every_level(measure, seed, n_solved, is_hard):
    rng = np.random.default_rng(seed)
    n_groups = int(rng.integers(2, 6 if is_hard else 4))
    shape = int(rng.integers(2, 4)), int(rng.integers(2, 4))
    counts = rng.integers(1, 4 if is_hard else 3, size=n_groups)
    a, b = (random_degrees(rng, n_groups, size, power=2) for size in shape)
    if is_hard:
        b = np.eye(shape[1])[rng.integers(shape[1], size=n_groups)]
    levels = levels_of(a, b)
    types = level_types(a, b, counts, levels)
    objective = objective_of(measure, int(counts.sum()), shape)
    inner = rng.choice(len(levels), size=min(n_solved, len(levels)), replace=False)
    solved = np.union1d(inner, [0, len(levels) - 1])
    masses = np.ones(len(levels))
    before, found = narrowed(objective, types, solved, masses)
    # With little time, where all is open stands for the last level.
    swept = sweep_brackets(objective, types, masses, 1e-3 * n_solved, Deadline())
    for at in range(len(levels)):
        (own,) = types.counts_at(np.array([at]))
        values = objective.of_tables(all_tables(types.row_sets, types.column_sets, own, shape))
        for ends in (found, swept):
            assert ends.low_bounds[at] <= values.min() + 1e-9
            assert ends.lows[at] >= values.min() - 1e-9
            assert ends.highs[at] <= values.max() + 1e-9
            assert ends.high_bounds[at] >= values.max() - 1e-9
    # A bound that meets an attained value within rounding becomes that value.
    assert (found.low_bounds >= before.low_bounds - 1e-9).all()
    assert (found.high_bounds <= before.high_bounds + 1e-9).all()


@pytest.mark.parametrize("measure", MEASURES)
def test_tables_that_no_one_asks_for_or_that_come_too_late_are_left_out(measure):
    rng = np.random.default_rng(0)
    n, k = 60, 3
    degrees = random_degrees(rng, n, k, power=2)
    truth = np.eye(k)[np.arange(n) % k]
    levels = levels_of(degrees, truth)
    types = level_types(degrees, truth, np.ones(n, dtype=np.int64), levels)
    objective = objective_of(measure, n, (k, k))
    solved, masses = np.array([0, 20, len(levels) - 1]), np.ones(len(levels))
    before, whole = narrowed(objective, types, solved, masses)
    _, unasked = narrowed(objective, types, solved, masses, with_tables=False)
    _, late = narrowed(objective, types, solved, masses, Deadline(0.0))
    assert (whole.lows < before.lows).any() or (whole.highs > before.highs).any()
    for found in (unasked, late):
        np.testing.assert_array_equal(found.lows, before.lows)
        np.testing.assert_array_equal(found.highs, before.highs)
        assert (found.low_bounds <= whole.lows + 1e-9).all()
        assert (found.high_bounds >= whole.highs - 1e-9).all()


@pytest.mark.parametrize("measure", ["variation_of_information", "adjusted_rand"])
def test_what_levels_between_lose_falls_with_the_square_of_the_gap(measure):
    rng = np.random.default_rng(0)
    n, k = 4000, 4
    labels = np.arange(n) % k
    degrees = 0.5 * np.eye(k)[labels] + 0.5 * rng.dirichlet(np.full(k, 0.3), n)
    degrees /= degrees.max(axis=1, keepdims=True)
    levels = levels_of(degrees)
    types = level_types(degrees, np.eye(k)[labels], np.ones(n, int), levels)
    objective = objective_of(measure, n, (k, k))
    masses = levels - np.append(levels[1:], 0.0)
    widths = []
    for n_solved in (6, 18):
        steps = np.linspace(-0.9, -0.4, n_solved)
        solved = np.union1d(np.searchsorted(-levels, steps), [0, len(levels) - 1])
        of_all = slice(solved[1], solved[-2])
        for ends in narrowed(objective, types, solved, masses):
            width = ends.lows - ends.low_bounds + ends.high_bounds - ends.highs
            widths.append(width[of_all] @ masses[of_all])
    assert widths[2] > 0.25 * widths[0]  # by neighbours alone
    assert widths[1] < 0.2 * widths[0]
    assert widths[3] < 0.2 * widths[1]


def test_a_last_level_that_is_too_dear_is_replaced_by_one_where_all_is_open():
    rng = np.random.default_rng(0)
    n, k = 2000, 8
    labels = np.arange(n) % k
    degrees = 0.5 * np.eye(k)[labels] + 0.5 * rng.dirichlet(np.full(k, 0.3), n).round(2)
    degrees /= degrees.max(axis=1, keepdims=True)
    levels = levels_of(degrees)
    types = level_types(degrees, np.eye(k)[labels], np.ones(n, int), levels)
    objective = objective_of("adjusted_rand", n, (k, k))
    masses = levels - np.append(levels[1:], 0.0)
    of_last = bracket_seconds(objective, float(types.n_cells[-1]))
    found = sweep_brackets(objective, types, masses, 1.5 * of_last, Deadline())
    (last,) = bracket_levels(objective, types, Deadline(), {}, np.array([len(levels) - 1])).lows
    assert -0.01 < found.low_bounds[-1] <= min(last, found.lows[-1])  # -0.5 for other sizes
    assert found.widths @ masses < 0.005
