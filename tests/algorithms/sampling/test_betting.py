"""Limits by betting: the literal definition, and that they hold whenever the drawing stops."""

from math import log, sqrt

import numpy as np
import pytest

from sfumato.algorithms.sampling.betting import Horizon, betting_limits
from sfumato.algorithms.sampling.concentration import bernstein_half_width

KINDS = {
    "coin": (0.5, lambda rng, size: (rng.random(size) < 0.5).astype(float)),
    "rare": (0.02, lambda rng, size: (rng.random(size) < 0.02).astype(float)),
    "uniform": (0.5, lambda rng, size: rng.random(size)),
    "narrow": (0.4, lambda rng, size: rng.uniform(0.39, 0.41, size)),
    "skew": (0.1, lambda rng, size: rng.beta(0.1, 0.9, size)),
}
HORIZONS = {
    "planned": Horizon(1000),
    "tolerance": Horizon(1000, 0.05),
    "hurried": Horizon(100_000, None, is_hurried=True),
}
every_kind = pytest.mark.parametrize("kind", list(KINDS))
every_horizon = pytest.mark.parametrize("horizon", list(HORIZONS))


def literal_owned(values, mean, risk, horizon):
    """What one owns who bets draw by draw that the mean is above the one claimed."""
    log_term = log(2 / risk)
    shares = (1.0, 0.1, 0.01) if horizon.is_hurried else (1.0,)
    owned = [1.0] * len(shares)
    first, size = 0, 16.0  # of the block of draws with equal bets
    total, variance = 0.0, 0.25  # of the draws before the block
    for i, value in enumerate(values):
        if i >= int(first + size):
            first = int(first + size)
            size = max(size, 0.2 * first)
            total = sum(values[:first])
            squares = sum((x - total / first) ** 2 for x in values[:first])
            variance = (0.25 + squares) / (1 + first)
        for at, share in enumerate(shares):
            end = share * horizon.most
            if horizon.tolerance is not None:
                end = min(end, 2 * variance * log_term / horizon.tolerance**2)
            bet = sqrt(2 * log_term / (variance * end))
            bet = min(bet, 0.9 * (1 + first) / (0.5 + total), 0.9 / mean)
            owned[at] *= 1 + bet * (value - mean)
    return sum(owned) / len(owned)


@every_kind
@every_horizon
def test_the_limits_are_those_of_bets_made_draw_by_draw(kind, horizon):
    values = KINDS[kind][1](np.random.default_rng(1), 150)
    low, high = betting_limits(values, values, (0.0, 1.0), 0.1, HORIZONS[horizon])
    for limit, draws in ((low, values), (1 - high, 1 - values)):
        if limit > 0:
            assert literal_owned(draws, limit, 0.1, HORIZONS[horizon]) >= 20 * (1 - 1e-9)
        nearer = draws.mean() - (draws.mean() - limit) / 1.006
        assert literal_owned(draws, nearer, 0.1, HORIZONS[horizon]) < 20


def misses(kind, horizon, risk, n_sequences, stops):
    """Share of the sequences whose limits are wrong at some of the stops."""
    mean, draw = KINDS[kind]
    missed = 0
    for seed in range(n_sequences):
        values = draw(np.random.default_rng(seed), stops[-1])
        limits = (
            betting_limits(values[:stop], values[:stop], (0.0, 1.0), risk, HORIZONS[horizon])
            for stop in stops
        )
        missed += not all(low <= mean <= high for low, high in limits)
    return missed / n_sequences


@pytest.mark.slow
@every_kind
@every_horizon
def test_limits_hold_at_all_numbers_of_draws_at_once(kind, horizon):
    # True limits miss in at most 6 of 100 sequences. Limits that rule out a mean at a third of the
    # logarithm they should wait for miss in 22 of 100 (coin), 24 (uniform) and 30 (skew).
    stops = [5, 30, 200, 1000]
    assert misses(kind, horizon, 0.2, 50, stops) <= 0.2


def test_a_gambler_who_waits_for_a_miss_rarely_finds_one():
    stops = list(range(20, 400, 20))
    assert misses("coin", "planned", 0.2, 60, stops) <= 0.2
    # Hoeffding's interval for a number of draws that is fixed beforehand does not survive this.
    missed = 0
    for seed in range(400):
        values = KINDS["coin"][1](np.random.default_rng(seed), 20_000)
        sizes = np.arange(1, 20_001)
        errors = np.abs(np.cumsum(values) / sizes - 0.5)
        missed += bool((errors > np.sqrt(log(2 / 0.2) / (2 * sizes)))[10:].any())
    assert missed / 400 > 0.3


@every_kind
@pytest.mark.parametrize("n_draws", [100, 1000, 10_000])
def test_planned_limits_are_closer_than_the_empirical_bernstein_bound(kind, n_draws):
    values = KINDS[kind][1](np.random.default_rng(2), n_draws)
    low, high = betting_limits(values, values, (0.0, 1.0), 0.05, Horizon(n_draws))
    width = bernstein_half_width(n_draws, float(values.var(ddof=1)), 1.0, 0.95, 1)
    # In the limit of many draws sqrt(log(2 / 0.05) / log(4 / 0.05)) = 0.918 of it.
    assert max(values.mean() - low, high - values.mean()) < 0.918 * width


def test_limits_follow_units_and_mirror():
    values = np.random.default_rng(3).random(200)
    low, high = betting_limits(values, values, (0.0, 1.0), 0.05, Horizon(200, 0.1))
    scaled = betting_limits(5 - 2 * values, 5 - 2 * values, (3.0, 5.0), 0.05, Horizon(200, 0.2))
    assert scaled == pytest.approx((5 - 2 * high, 5 - 2 * low), rel=1e-9)


def test_nothing_is_known_of_values_without_bounds():
    values = np.zeros(10)
    assert betting_limits(values, values, (-np.inf, 1.0), 0.05, Horizon(10)) == (-np.inf, 1.0)
    assert betting_limits(values, values, (0.0, 0.0), 0.05, Horizon(10)) == (0.0, 0.0)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_values_at_the_edge_leave_one_limit_there(value):
    values = np.full(1000, value)
    low, high = betting_limits(values, values, (0.0, 1.0), 0.05, Horizon(1000))
    assert (low if value == 0.0 else high) == value
    assert high - low <= 1.3 * log(2 / 0.05) / 1000
