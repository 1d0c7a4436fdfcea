"""Drawing clusterings with their possibilities, for the t-norms product and Lukasiewicz."""

import numpy as np
import pytest

import sfumato as sf
from strategies import random_degrees

TRUTH = [0, 0, 1, 1, 2]
every_norm = pytest.mark.parametrize("t_norm", ["product", "lukasiewicz"])


def possibilistic(seed, t_norm):
    rows = random_degrees(np.random.default_rng(seed), 5, 3, zeros=0.4)
    return sf.PossibilisticPartition(rows, t_norm=t_norm)


def drawn(a, b, n_samples, seed, quantity="distribution"):
    return sf.compare(a, b, quantity=quantity, engine=sf.Sampled(n_samples=n_samples), rng=seed)


@every_norm
def test_no_drawn_possibility_exceeds_the_exact_one(t_norm):
    for seed in range(15):
        a = possibilistic(seed, t_norm)
        exact = sf.compare(a, TRUTH, quantity="distribution", engine="exact").distribution
        found = drawn(a, TRUTH, 20, seed)
        assert (found.method, found.guarantee) == ("sample", "inner")
        pairs = zip(found.distribution.values, found.distribution.possibilities, strict=True)
        for value, possibility in pairs:
            true = exact.possibilities[np.argmin(np.abs(exact.values - value))]
            assert np.abs(exact.values - value).min() <= 1e-12
            assert 0 < possibility <= true + 1e-14  # a sum of logarithms instead of a product


@every_norm
def test_the_drawn_interval_lies_within_the_exact_one(t_norm):
    for seed in range(15):
        a = possibilistic(seed, t_norm)
        exact = sf.compare(a, TRUTH, engine="exact")
        found = drawn(a, TRUTH, 20, seed, "expectation")
        assert exact.lower - 1e-14 <= found.lower <= found.upper <= exact.upper + 1e-14
        assert found.lower_bracket == (0.0, found.lower)
        assert found.upper_bracket == (found.upper, 1.0)
        assert any("the true interval may be wider" in note for note in found.notes)


@every_norm
def test_the_most_possible_clustering_is_always_among_the_draws(t_norm):
    for seed in range(10):
        found = drawn(possibilistic(seed, t_norm), TRUTH, 1, seed)
        assert found.distribution.possibilities.max() == 1.0
        assert found.n_samples == 1


@every_norm
def test_many_draws_of_few_objects_find_the_whole_profile(t_norm):
    a = possibilistic(2, t_norm)
    exact = sf.compare(a, TRUTH, quantity="distribution", engine="exact").distribution
    found = drawn(a, TRUTH, 20_000, 0).distribution
    assert found.values == pytest.approx(exact.values, abs=1e-12)
    assert found.possibilities == pytest.approx(exact.possibilities, abs=1e-14)


@every_norm
def test_two_possibilistic_sides_are_drawn_together(t_norm):
    a, b = possibilistic(5, t_norm), possibilistic(6, t_norm)
    exact = sf.compare(a, b, engine="exact")
    found = drawn(a, b, 5000, 0, "expectation")
    assert exact.lower - 1e-14 <= found.lower <= found.upper <= exact.upper + 1e-14
