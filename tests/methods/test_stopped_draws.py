"""What draws promise when the clock stops them, and how long they take depends on what they are."""

import numpy as np
import pytest

import sfumato as sf
from by_method import answer
from sfumato.algorithms.deadline import Deadline, look
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.sampling.concentration import hoeffding_half_width
from sfumato.algorithms.sampling.control_variates import Limits
from sfumato.algorithms.sampling.mean import Draws, Goal, Source, estimate_means
from sfumato.algorithms.sampling.prior import Prior
from sfumato.algorithms.sampling.strata import Strata

RNG = np.random.default_rng(0)
FUZZY = RNG.dirichlet(np.ones(3), size=40)
OTHER = RNG.dirichlet(np.ones(3), size=40)
POSSIBLE = np.maximum(RNG.random((40, 3)), np.eye(3)[RNG.integers(3, size=40)])
LEVELS = sf.PossibilisticPartition(POSSIBLE, t_norm="min")


class Clock:
    """A clock that stands still until it is told to strike."""

    def __init__(self, strikes_after=None):
        self.now, self.looks, self.strikes_after = 0.0, 0, strikes_after

    def __call__(self):
        self.looks += 1
        is_struck = self.strikes_after is not None and self.looks > self.strikes_after
        return 1e9 if is_struck else self.now


def slow_when_unlucky(clock, confidence):
    """Coins whose clock strikes where their mean is as far off as Hoeffding's bound allows."""
    total, size = 0.0, 0

    def sample(n_draws, seed):
        nonlocal total, size
        values = (np.random.default_rng(seed).random((n_draws, 1)) < 0.5).astype(float)
        total, size = total + values.sum(), size + n_draws
        if abs(total / size - 0.5) > hoeffding_half_width(size, 1.0, confidence, 1):
            clock.now = 2.0
        return Draws(values, np.zeros((n_draws, 0)), np.zeros((n_draws, 1)))

    return Source(sample, 20)


@pytest.mark.parametrize("bound", ["best", "hoeffding"])
def test_a_clock_that_strikes_at_the_worst_time_breaks_no_promise(bound):
    n_seeds, confidence = 120, 0.8
    late = covered = 0
    for seed in range(n_seeds):
        clock = Clock()
        source = slow_when_unlucky(clock, confidence)
        run = Run(np.random.default_rng(seed), Deadline(1.0, clock=clock), lambda share: None, 1)
        goal = Goal(4000, 1e-6, confidence, bound)
        found = estimate_means(source, goal, Prior(0.0, 1.0, 0.0, 1), run)
        late += found.is_late
        covered += found.lows[0] <= 0.5 <= found.highs[0]
    # Where it is late Hoeffding's bound for the draws made is broken, and that is too often.
    assert late / n_seeds > 1.2 * (1 - confidence)
    assert covered / n_seeds >= confidence


@pytest.mark.parametrize("n_quick", [1, 700, 1024, 1500, 3000])
def test_draws_are_kept_where_the_next_ones_are_cut_short(n_quick):
    clock, size = Clock(), 0

    def sample(n_draws, seed):
        nonlocal size
        if size >= n_quick:
            clock.now = 9.0
            look()
        size += n_draws
        values = (np.random.default_rng(seed).random((n_draws, 1)) < 0.5).astype(float)
        return Draws(values, values - 0.5, np.zeros((n_draws, 1)))

    source = Source(sample, 512, lambda slopes: Limits(-0.5, 0.5, 0.0))
    run = Run(np.random.default_rng(0), Deadline(1.0, clock=clock), lambda share: None, 1)
    found = estimate_means(source, Goal(10**6, 1e-6, 0.95, "best"), Prior(0.0, 1.0, 0.0, 1), run)
    assert found.is_late
    assert len(found.values) == size
    assert found.lows[0] <= 0.5 <= found.highs[0]


@pytest.mark.parametrize("quantity", ["expectation", "distribution"])
def test_levels_stopped_by_the_clock_state_the_error_for_any_time(quantity):
    engine = sf.Auto(max_seconds=60.0, threads=1)
    found = answer(
        "sample", LEVELS, FUZZY, "partition_distance", quantity, engine=engine,
        n_samples=5000, tolerance=None, clock=Clock(strikes_after=300),
    )  # fmt: skip
    assert 0 < found.n_samples < 5000
    assert any("Stopped by max_seconds=60" in note for note in found.notes)
    risk = 0.05 if quantity == "expectation" else 0.025
    strata = Strata(256, spread=1.0, step=1 / 39, n_objects=40, confidence=1 - risk)
    expected = strata.half_width(found.n_samples, 5000)
    assert found.lower - found.lower_bracket[0] == pytest.approx(expected, rel=1e-9)
    assert expected > 1.2 * strata.half_width(found.n_samples, found.n_samples)


def test_nested_draws_stopped_by_the_clock_state_the_error_for_any_time():
    engine = sf.Auto(max_seconds=60.0, threads=1)
    budget = {"n_samples": 1000, "tolerance": None, "n_inner": 5, "nested": True}
    found = answer("sample", LEVELS, FUZZY, "jaccard", engine=engine, clock=Clock(4), **budget)
    n_draws = found.n_samples
    assert 0 < n_draws < 1000
    planned = hoeffding_half_width(1000, 1.0, 0.95, 2)
    expected = planned * (1 + 1000 / n_draws) / 2
    assert found.lower_bracket[1] == pytest.approx(min(1.0, found.lower + expected), rel=1e-9)
    assert expected > 1.2 * hoeffding_half_width(n_draws, 1.0, 0.95, 2)


def test_a_distribution_stopped_by_the_clock_has_a_wider_band():
    engine = sf.Auto(max_seconds=60.0, threads=1, tolerance=1e-4)
    found = answer(
        "sample", FUZZY, OTHER, "jaccard", "distribution", engine=engine, clock=Clock(15)
    )
    # Drawing may end after each block: the b-th has 1 / (b (b + 1)) of half the risk.
    bands = [np.sqrt(np.log(2 * b * (b + 1) / 0.025) / (2 * found.n_samples)) for b in range(1, 10)]
    note = next(note for note in found.notes if note.startswith("The distribution"))
    assert sum(f"within {band:.3g} of the truth, and the means" in note for band in bands) == 1
    assert f"within {bands[0]:.3g} of" not in note
