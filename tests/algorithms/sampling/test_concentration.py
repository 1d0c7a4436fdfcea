"""Concentration inequalities: the numbers, and that they turn into each other."""

from math import inf, log, sqrt

import pytest

from sfumato.algorithms.sampling.concentration import (
    dkw_band,
    freedman_half_width,
    hoeffding_draws,
    hoeffding_half_width,
    line_half_width,
)


def test_hoeffding_in_numbers():
    # sqrt(log(2 / 0.05) / 200) = sqrt(3.688879 / 200)
    assert hoeffding_half_width(100, 1.0, 0.95, 1) == pytest.approx(0.13581015, rel=1e-7)
    assert hoeffding_half_width(100, 2.0, 0.95, 1) == pytest.approx(0.27162030, rel=1e-7)
    # Two means share the doubt: log(80) instead of log(40).
    assert hoeffding_half_width(100, 1.0, 0.95, 2) == pytest.approx(sqrt(log(80) / 200), rel=1e-14)


def test_dkw_in_numbers():
    assert dkw_band(100, 0.95, 1) == pytest.approx(sqrt(log(40) / 200), rel=1e-14)
    assert dkw_band(100, 0.95, 2) == pytest.approx(sqrt(log(80) / 200), rel=1e-14)


@pytest.mark.parametrize("tolerance", [0.3, 0.01, 1e-3])
@pytest.mark.parametrize(("spread", "confidence", "n_means"), [(1.0, 0.95, 1), (2.5, 0.99, 2)])
def test_the_draws_are_the_fewest_that_reach_the_tolerance(tolerance, spread, confidence, n_means):
    draws = hoeffding_draws(tolerance, spread, confidence, n_means)
    assert hoeffding_half_width(draws, spread, confidence, n_means) <= tolerance
    assert hoeffding_half_width(draws - 1, spread, confidence, n_means) > tolerance


def test_an_infinite_range_has_no_half_width_and_one_draw_is_the_least():
    assert hoeffding_half_width(10**9, inf, 0.95, 1) == inf
    assert hoeffding_draws(100.0, 1.0, 0.95, 1) == 1


@pytest.mark.parametrize("n_draws", [10, 250, 1000])
@pytest.mark.parametrize("bound", ["hoeffding", "freedman"])
def test_the_line_is_that_of_the_supermartingale_from_which_the_bound_comes(bound, n_draws):
    planned, step, unsureness = 1000, 0.3, 0.02
    if bound == "hoeffding":
        half_width, variance, scale = hoeffding_half_width(planned, 1.0, 0.95, 1), 1 / 4, 0.0
    else:
        half_width = freedman_half_width(planned, step, unsureness, 0.95, 1)
        variance, scale = step**2 * unsureness, step / 3
    # Bernstein's choice; exp(rate S - s log_moment) is a supermartingale.
    rate = half_width / (variance + scale * half_width)
    log_moment = variance * rate**2 / (2 * (1 - scale * rate))

    def line(size):
        return (log(2 / 0.05) + size * log_moment) / (rate * size)

    assert half_width == pytest.approx(line(planned), rel=1e-12)
    assert line_half_width(half_width, planned, n_draws) == pytest.approx(line(n_draws), rel=1e-12)
