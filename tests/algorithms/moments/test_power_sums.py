"""Power sums against their definition, in blocks and whole, and means of N log N from them."""

import numpy as np
import pytest

from literal import law_of_count
from sfumato.algorithms.moments.entropies import xlogx_from_powers
from sfumato.algorithms.moments.power_sums import power_sums, power_sums_of_columns
from sfumato.algorithms.tables.rows import dense_rows, hard_rows, sparse_rows
from sfumato.families import xlogx

ORDER = 6


def literal(p, q):
    cells = np.einsum("xi,xj->xij", p, q)
    powers = range(1, ORDER + 1)
    return [np.stack([(side**r).sum(axis=0) for r in powers]) for side in (p, q, cells)]


@pytest.mark.parametrize("form", [dense_rows, lambda p: sparse_rows(dense_rows(p))])
@pytest.mark.parametrize("n", [1, 5, 1500])
def test_power_sums_are_sums_of_powers(form, n):
    rng = np.random.default_rng(n)
    p, q = rng.dirichlet(np.full(7, 0.3), n), rng.dirichlet(np.ones(3), n)
    codes = rng.integers(4, size=n)
    hard = np.eye(4)[codes]
    for rows, columns, sides in (
        (form(p), form(q), (p, q)),
        (form(p), hard_rows(codes, 4), (p, hard)),
        (hard_rows(codes, 4), form(p), (hard, p)),
    ):
        found = power_sums(rows, columns, ORDER)
        for part, expected in zip(found[1:4], literal(*sides), strict=True):
            np.testing.assert_allclose(part, expected, rtol=1e-12, atol=1e-300)
        assert found.n_objects == n


@pytest.mark.parametrize("width", [1, 3, 20, 70])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_columns_are_checked_and_rescaled_without_a_copy(width, dtype):
    rng = np.random.default_rng(width)
    p = rng.dirichlet(np.ones(width), 333).astype(dtype)
    codes = rng.integers(3, size=len(p))
    found = power_sums_of_columns(list(p.T), codes, 3, 2, largest=1.00001)
    apart = power_sums_of_columns([np.ascontiguousarray(c) for c in p.T], codes, 3, 2)
    assert np.array_equal(found.sums.cells, apart.sums.cells)
    exact = p.astype(np.float64)
    sums = exact.sum(axis=1)
    assert found.worst == pytest.approx(np.abs(sums - 1).max(), abs=1e-15)
    exact /= sums[:, None]
    expected = np.stack([exact[codes == j].sum(axis=0) for j in range(3)], axis=1)
    np.testing.assert_allclose(found.sums.cells[0], expected, rtol=1e-13)
    assert not found.has_bad_entry


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -0.1, 1.2])
def test_a_bad_entry_is_seen(wrong):
    p = np.full((100, 2), 0.5)
    p[57] = wrong, 1 - wrong
    assert power_sums_of_columns(list(p.T), np.zeros(100, int), 1, 2).has_bad_entry


@pytest.mark.parametrize("rounding", [1e-15, 1e-3])
@pytest.mark.parametrize("order", [2, 3, 4, 5, 6])
def test_means_of_xlogx_lie_within_their_errors(order, rounding):
    rng = np.random.default_rng(order)
    errors = []
    for _ in range(60):
        events = rng.random(rng.integers(1, 40)) ** rng.choice([0.2, 1.0, 4.0])
        law = law_of_count(events)
        expected = float(law @ xlogx(np.arange(len(law), dtype=float)))
        powers = np.array([[(events**r).sum()] for r in range(1, order + 1)])
        powers *= 1 + rounding * rng.choice([-1, 1], size=powers.shape)
        value, error = xlogx_from_powers(powers, rounding)
        assert abs(value[0] - expected) <= error[0] + 1e-12
        errors.append(error[0])
    assert min(errors) < (0.1 if rounding < 1e-9 else 0.2)


def test_the_error_falls_with_the_order_and_the_mean():
    def error(n, order):
        powers = np.array([[n * 0.3**r] for r in range(1, order + 1)])
        return xlogx_from_powers(powers, 0.0)[1][0]

    assert error(10**4, 6) < 1e-2 * error(10**4, 4) < 1e-4 * error(10**4, 2)
    assert error(10**6, 6) < 2e-4 * error(10**4, 6)


def test_a_count_of_no_events_has_no_error():
    value, error = xlogx_from_powers(np.zeros((6, 1)), 1e-12)
    assert value[0] == error[0] == 0.0
