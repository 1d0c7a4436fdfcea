"""Laws of the largest matching against literal enumeration and against each other."""

from functools import partial

import numpy as np
import pytest

from literal import law_of_matchings, law_of_tables, mean_and_variance
from sfumato.algorithms.laws.hard_matching import bound_hard_matching, hard_matching_law
from sfumato.algorithms.laws.matching_totals import (
    LawOfTotals,
    agreement_law,
    bound_permutation_law,
    permutation_law,
)
from sfumato.algorithms.laws.step_sums import law_of_line_steps, law_of_steps, window_widths
from strategies import one_hot, random_memberships

TOLERANCE = 1e-12
LOST = 1e-13


def dense(found: LawOfTotals, n: int) -> np.ndarray:
    law = np.zeros(n + 1)
    law[found.totals] = found.probabilities
    return law


def check(found: LawOfTotals, literal: np.ndarray) -> None:
    law = dense(found, len(literal) - 1)
    np.testing.assert_allclose(law, literal, rtol=0, atol=TOLERANCE)
    np.testing.assert_allclose(
        mean_and_variance(law), mean_and_variance(literal), rtol=0, atol=TOLERANCE
    )
    assert 0 <= found.lost_mass <= LOST
    assert found.lost_mass + found.probabilities.sum() == pytest.approx(1, abs=1e-14)


by_agreements = partial(agreement_law, max_lost_mass=LOST)
by_permutations = partial(permutation_law, max_lost_mass=LOST)


def by_columns(a, b):
    return hard_matching_law(a, b.argmax(axis=1), b.shape[1], max_lost_mass=LOST)


@pytest.mark.parametrize(
    ("law", "clusters", "most_objects", "count"),
    [
        (by_agreements, (1, 2), 6, 400),
        (by_permutations, (1, 3), 5, 400),
        (by_columns, (1, 4), 6, 400),
        (by_columns, (3, 5), 5, 10),
    ],
)
def test_laws_equal_enumeration(law, clusters, most_objects, count):
    rng = np.random.default_rng(clusters)
    for _ in range(count):
        k1, k2 = rng.integers(clusters[0], clusters[1] + 1, size=2)
        n = int(rng.integers(1, most_objects + 1))
        a = random_memberships(rng, n, k1)
        b = one_hot(rng, n, k2) if law is by_columns else random_memberships(rng, n, k2)
        check(law(a, b), law_of_matchings(a, b))


def law_by_columns(a, codes):
    """Every triple of columns of 3 x 3 tables, with the best of the six matchings."""
    laws = [law_of_tables(a[codes == j], np.ones(((codes == j).sum(), 1))) for j in range(3)]
    (first, p), (second, q), (third, r) = ((tables[:, :, 0], masses) for tables, masses in laws)
    pairs = np.array(
        [[first[:, i, None] + second[:, j] for i, j in ((s, t), (t, s))] for s, t in LEFT_OVER]
    ).max(axis=1)
    totals = np.zeros(len(a) + 1)
    for own, mass in zip(third, r, strict=True):
        best = (pairs + own[:, None, None]).max(axis=0)
        totals += np.bincount(best.ravel(), np.outer(p, q).ravel() * mass, len(a) + 1)
    return totals


LEFT_OVER = ((1, 2), (0, 2), (0, 1))  # rows for two columns where the third takes 0, 1 or 2


@pytest.mark.parametrize("n", [9, 66])
def test_long_columns_of_a_hard_truth_equal_all_their_combinations(n):
    rng = np.random.default_rng(12)
    a, codes = rng.dirichlet(np.ones(3), n), np.arange(n) % 3
    found = hard_matching_law(a, codes, 3, max_lost_mass=LOST)
    np.testing.assert_allclose(dense(found, n), law_by_columns(a, codes), rtol=0, atol=LOST)
    assert 0 <= found.lost_mass <= LOST


def test_certain_objects_only_move_the_origin():
    rng = np.random.default_rng(4)
    open_a, open_b = random_memberships(rng, 4, 3), one_hot(rng, 4, 3)
    codes = np.concatenate([open_b.argmax(axis=1), np.repeat([0, 1, 2], 40)])
    a = np.concatenate([open_a, np.eye(3)[np.repeat([1, 2, 0], 40)]])
    found = hard_matching_law(a, codes, 3, max_lost_mass=0.0)
    again = permutation_law(a, np.eye(3)[codes], max_lost_mass=0.0)
    assert found.totals.min() >= 120
    np.testing.assert_array_equal(found.totals, again.totals)
    np.testing.assert_allclose(found.probabilities, again.probabilities, rtol=0, atol=1e-15)
    assert found.lost_mass == 0
    cost = bound_hard_matching(a, codes, 3, max_lost_mass=LOST)
    assert cost.is_feasible
    assert cost.states <= 15**3


def test_the_ways_to_find_a_law_agree_beyond_enumeration():
    rng = np.random.default_rng(5)
    a = random_memberships(rng, 40, 3, sparse=0.0)
    a[10:] = 0.9 * np.eye(3)[rng.integers(3, size=30)] + 0.1 * a[10:]
    b = np.eye(3)[np.arange(40) % 3]
    laws = [dense(law(a, b), 40) for law in (by_columns, by_permutations)]
    np.testing.assert_allclose(*laws, atol=TOLERANCE)
    a, b = random_memberships(rng, 200, 2, sparse=0.0), np.eye(2)[np.arange(200) % 2]
    laws = [dense(law(a, b), 200) for law in (by_columns, by_agreements)]
    np.testing.assert_allclose(*laws, atol=TOLERANCE)


def test_lost_mass_is_bounded_by_the_parameter_and_bounds_the_error():
    rng = np.random.default_rng(6)
    a, codes = rng.dirichlet(np.ones(3), 90), np.arange(90) % 3
    exact = dense(hard_matching_law(a, codes, 3, max_lost_mass=0.0), 90)
    for most in (1e-10, 1e-6, 1e-3):
        found = hard_matching_law(a, codes, 3, max_lost_mass=most)
        assert 0 < found.lost_mass <= most
        assert np.abs(dense(found, 90) - exact).sum() <= found.lost_mass + 1e-13


def test_the_predicted_cost_holds():
    rng = np.random.default_rng(7)
    for sharpness in (0.0, 0.5, 0.9):
        codes = np.arange(60) % 3
        a = (1 - sharpness) * rng.dirichlet(np.ones(3), 60) + sharpness * np.eye(3)[codes]
        law = law_of_steps(a[codes == 0], np.eye(3, 2, dtype=np.int64), max_lost_mass=LOST)
        p = a[codes == 0]
        widths = window_widths(
            p.sum(axis=0), (p * (1 - p)).sum(axis=0), np.full(3, len(p)), max_lost_mass=LOST
        )
        assert (np.array(law.law.shape) <= widths[:2]).all()
        assert bound_permutation_law(a, np.eye(3)[codes], max_lost_mass=LOST) < 31**4 * 81


def test_a_poisson_binomial_law_equals_the_binomial_one():
    from scipy.stats import binom

    found = law_of_line_steps(np.full((3000, 2), 0.5), max_lost_mass=LOST)
    values = found.origin[0] + np.arange(len(found.law))
    expected = binom.pmf(values, 3000, 0.5)
    np.testing.assert_allclose(found.law, expected, rtol=1e-9, atol=1e-17)
    assert found.lost_mass <= LOST
    assert len(values) < 600


def test_tiny_memberships_keep_their_share():
    a = np.array([[1.0, 1e-300], [0.5, 0.5], [1.0, 0.0]])
    found = agreement_law(a, np.array([[1.0, 0.0]] * 3), max_lost_mass=0.0)
    assert found.totals.tolist() == [2, 3]
    assert found.probabilities.tolist() == [0.5, 0.5]
