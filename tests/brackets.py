"""What an answer promises: true ends inside its brackets, and a law that is the true one."""

import pytest


def brackets_of(found):
    return found.lower_bracket, found.upper_bracket


def assert_held(found, exact, slack=1e-12):
    """Both ends of an exact answer lie in the brackets of another."""
    for (low, high), end in zip(brackets_of(found), (exact.lower, exact.upper), strict=True):
        assert low - slack <= end <= high + slack


def assert_same_law(found, expected, tolerance=1e-12):
    """The distributions have the same values, as probable or as possible."""
    assert found.distribution.values == pytest.approx(expected.distribution.values, abs=tolerance)
    weights = (
        "possibilities" if hasattr(expected.distribution, "possibilities") else "probabilities"
    )
    of_found, of_expected = (getattr(one.distribution, weights) for one in (found, expected))
    assert of_found == pytest.approx(of_expected, abs=tolerance)


def assert_overlap(one, other, slack=1e-12):
    """Both answers can be right: the brackets of each end have a point in common."""
    for first, second in zip(brackets_of(one), brackets_of(other), strict=True):
        assert max(first[0], second[0]) <= min(first[1], second[1]) + slack


def assert_within(sharp, wide, slack=1e-12):
    """The brackets of one answer lie inside those of another."""
    for inner, outer in zip(brackets_of(sharp), brackets_of(wide), strict=True):
        assert outer[0] - slack <= inner[0]
        assert inner[1] <= outer[1] + slack
