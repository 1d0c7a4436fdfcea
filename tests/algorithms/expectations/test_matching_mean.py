"""Brackets of the mean of the largest matching: never violated, and narrow where they can be."""

from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from literal import law_of_matchings, law_of_tables, matchings_of, mean_and_variance
from sfumato import _core
from sfumato.algorithms.expectations.matching_mean import (
    bracket_matching_mean,
    bracket_sparse_matching_mean,
)
from sfumato.algorithms.laws.hard_matching import hard_matching_law
from sfumato.algorithms.laws.matching_totals import agreement_law
from sfumato.algorithms.laws.step_sums import law_of_line_steps
from sfumato.algorithms.tables.rows import dense_rows, hard_rows, sparse_rows
from strategies import one_hot, random_memberships

ROUNDING = 1e-13


def instances(seed: int, count: int):
    """Fuzzy and hard, sharp and uninformative, any shape up to 4 x 4."""
    rng = np.random.default_rng(seed)
    for at in range(count):
        k1, k2 = rng.integers(1, 5, size=2)
        n = int(rng.integers(1, 6 if k1 * k2 <= 6 else 5 if k1 * k2 <= 9 else 4))
        a = random_memberships(rng, n, k1)
        b = one_hot(rng, n, k2) if at % 2 else random_memberships(rng, n, k2)
        if at % 5 == 0:
            a[:] = 1 / k1
        if at % 10 == 0:
            b[:] = 1 / k2
        if at % 7 == 0:
            a = 0.05 * a + 0.95 * np.eye(k1)[b.argmax(axis=1) % k1]
        yield a, b


def check_bracket(a, b, literal):
    """The bracket holds the mean of a literal law of the largest matching, and so on."""
    mean, variance = mean_and_variance(literal)
    found = bracket_matching_mean(a, b)
    rounding = ROUNDING * len(a)
    assert found.low - rounding <= mean <= found.high + rounding
    # A square root turns rounding of 1e-16 in a zero variance into 1e-8.
    assert abs(variance**0.5 - found.std) <= found.std_error + 1e-7
    weights = np.stack([found.unmatched, found.matched], axis=1)
    law = law_of_line_steps(weights, max_lost_mass=0.0)
    fixed = np.zeros(len(literal))
    fixed[law.origin[0] :][: len(law.law)] = law.law
    distance = np.abs(np.cumsum(fixed) - np.cumsum(literal)).max()
    assert distance <= found.another_wins + 1e-12


def test_brackets_are_never_violated():
    for a, b in instances(seed=4, count=800):
        check_bracket(a, b, law_of_matchings(a, b))


def test_brackets_with_hundreds_of_cycles_are_never_violated():
    # Seven clusters have 2,365 cycles of clusters that could change partners: bounded together.
    rng = np.random.default_rng(6)
    for _ in range(60):
        n = int(rng.integers(3, 6))
        a, b = (np.zeros((n, 7)) for _ in range(2))
        for rows in (a, b):
            for row in rows:
                row[rng.choice(7, size=2, replace=False)] = rng.dirichlet(np.ones(2))
        tables, masses = law_of_tables(a, b)
        totals = [table[linear_sum_assignment(table, maximize=True)].sum() for table in tables]
        check_bracket(a, b, np.bincount(totals, masses, n + 1))


def test_brackets_of_very_many_objects_are_never_violated():
    # Beyond 500,000 objects no cycle has its law summed. All but four objects are certain, and
    # leave the six matchings nearly level, so that few tables are possible and any may be best.
    rng = np.random.default_rng(7)
    cells = np.repeat(np.arange(9), 60_000)
    for _ in range(4):
        noise = rng.integers(0, 9, size=6)
        own = np.concatenate([cells, noise])
        a, b = np.eye(3)[own // 3], np.eye(3)[own % 3]
        open_a, open_b = (random_memberships(rng, 4, 3, sparse=0.0) for _ in range(2))
        tables, masses = law_of_tables(open_a, open_b)
        base = np.bincount(own, minlength=9).reshape(3, 3)
        totals = matchings_of(tables + base)
        literal = np.bincount(totals, masses, len(own) + 5)
        found = bracket_matching_mean(np.vstack([a, open_a]), np.vstack([b, open_b]))
        mean, variance = mean_and_variance(literal)
        assert found.low <= mean <= found.high
        assert abs(variance**0.5 - found.std) <= found.std_error


def test_two_clusters_have_one_cycle_and_so_an_exact_mean():
    rng = np.random.default_rng(1)
    for n in (3, 50, 3000):
        a, b = rng.dirichlet([1, 1], n), rng.dirichlet([1, 1], n)
        law = agreement_law(a, b, max_lost_mass=1e-16)
        found = bracket_matching_mean(a, b)
        assert found.high - found.low <= 1e-13 * n
        assert float(law.totals @ law.probabilities) == pytest.approx(
            (found.low + found.high) / 2, rel=1e-13
        )


@pytest.mark.parametrize("sharpness", [0.0, 0.3, 0.6, 0.9])
def test_brackets_hold_the_mean_of_the_exact_law_beyond_enumeration(sharpness):
    rng = np.random.default_rng(2)
    codes = np.arange(90) % 3
    a = (1 - sharpness) * rng.dirichlet(np.ones(3), 90) + sharpness * np.eye(3)[codes]
    law = hard_matching_law(a, codes, 3, max_lost_mass=1e-13)
    mean = float(law.totals @ law.probabilities / law.probabilities.sum())
    found = bracket_matching_mean(a, np.eye(3)[codes])
    assert found.low - 1e-11 <= mean <= found.high + 1e-11
    assert found.high - found.low < {0.0: 9.0, 0.3: 0.01, 0.6: 1e-8, 0.9: 1e-11}[sharpness]


@pytest.mark.parametrize(("n", "k1", "k2"), [(2000, 10, 10), (20_000, 3, 3), (3000, 4, 12)])
def test_informative_memberships_give_a_bracket_as_narrow_as_rounding(n, k1, k2):
    rng = np.random.default_rng(3)
    labels = np.arange(n) % min(k1, k2)
    a, b = (0.5 * rng.dirichlet(np.ones(k), n) + 0.5 * np.eye(k)[labels] for k in (k1, k2))
    found = bracket_matching_mean(a, b)
    assert (found.high - found.low) / (n - 1) < 1e-12
    assert found.std_error / (n - 1) < 1e-9
    assert found.another_wins < 1e-12


@pytest.mark.parametrize("k", [2, 3, 6, 8, 20])
def test_uninformative_memberships_widen_the_bracket_and_no_more(k):
    uniform = np.full((400, k), 1 / k)
    found = bracket_matching_mean(uniform, uniform)
    assert 400 / k - 1e-9 <= found.low <= found.high
    # All matchings have the same Binomial(n, 1/k) total: a maximum of k! of them.
    variance = 400 / k * (1 - 1 / k)
    n_matchings = sum(np.log(np.arange(1, k + 1)))
    assert found.high - 400 / k <= 3 * np.sqrt(2 * variance * max(1, n_matchings) * 2)


def test_swapping_sides_or_relabelling_changes_nothing():
    rng = np.random.default_rng(4)
    a, b = random_memberships(rng, 60, 3), random_memberships(rng, 60, 5)
    found = bracket_matching_mean(a, b)
    for again in (bracket_matching_mean(b, a), bracket_matching_mean(a[:, ::-1], b)):
        assert again.low == pytest.approx(found.low, abs=1e-11)
        assert again.high == pytest.approx(found.high, abs=1e-11)


def cycles(n_rows, n_columns):
    """Rows that give up their own column, and the columns that they take instead."""
    for size in range(1, n_rows + 1):
        for rows in permutations(range(n_rows), size):
            if size > 1 and rows[0] == min(rows):
                yield rows, (*rows[1:], rows[0])
            for free in range(n_rows, n_columns):
                yield rows, (*rows[1:], free)


def test_arc_weights_bound_the_exponential_moment_of_every_cycle():
    rng = np.random.default_rng(5)
    for is_hard in (False, True):
        a = random_memberships(rng, 30, 3, sparse=0.0)
        b = one_hot(rng, 30, 4) if is_hard else random_memberships(rng, 30, 4, sparse=0.0)
        for t in (0.05, 0.7, 3.0):
            weights = _core.arc_weights(a, b, t)
            for rows, columns in cycles(3, 4):
                up = (a[:, rows] * b[:, columns]).sum(axis=1)
                down = (a[:, rows] * b[:, rows]).sum(axis=1)
                moment = np.log1p(np.expm1(t) * up + np.expm1(-t) * down).sum()
                bound = weights[rows, columns].sum()
                if columns[-1] >= 3:  # a path to a free column gives up that of its first row
                    bound += weights[rows[0], rows[0]]
                assert moment <= bound + 1e-10
                if is_hard:
                    assert moment == pytest.approx(bound, abs=1e-10)


@pytest.mark.parametrize("k", [(3, 3), (2, 4), (4, 2)])
def test_blocks_of_objects_in_any_form_give_the_same_bracket(k, monkeypatch):
    module = "sfumato.algorithms.expectations.matching_mean._NUMBERS_AT_ONCE"
    rng = np.random.default_rng(44)
    a, b = (rng.dirichlet(np.full(size, 0.2), 300) for size in k)
    codes = rng.integers(k[1], size=300)
    sides = [
        (dense_rows(a), dense_rows(b), b),
        (sparse_rows(dense_rows(a)), dense_rows(b), b),
        (dense_rows(a), hard_rows(codes, k[1]), np.eye(k[1])[codes]),
    ]
    for first, second, laid_out in sides:
        whole = bracket_sparse_matching_mean(first, second)
        monkeypatch.setattr(module, 100)
        found = bracket_sparse_matching_mean(first, second)
        monkeypatch.undo()
        assert (found.low, found.high) == (whole.low, whole.high)
        expected = best_of(a, laid_out)
        np.testing.assert_allclose(found.matched.sum(), expected, rtol=1e-12)


def best_of(a, b):
    """The largest total of a matching of the expected table."""
    table = a.T @ b
    return table[linear_sum_assignment(table, maximize=True)].sum()
