"""Means and covariances of entropy sums against enumeration and against extended precision."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from literal import law_of_count, law_of_tables, three_sums, xlogx
from sfumato import _core
from sfumato.algorithms.moments.counts import FITS, expected_xlogx_of_lists, transform_count
from sfumato.algorithms.moments.entropies import expected_sums
from sfumato.algorithms.moments.entropy_covariances import covariance_of_sums
from sfumato.algorithms.tables.rows import dense_rows, hard_rows
from strategies import random_memberships

INSTANCES = 400
needs_80_bits = pytest.mark.skipif(
    np.finfo(np.longdouble).eps > 2e-19, reason="longdouble is no wider than double here"
)


def test_means_and_covariances_equal_enumeration():
    rng = np.random.default_rng(1)
    for turn in range(INSTANCES):
        n, k1, k2 = (int(v) for v in rng.integers(1, [6, 4, 4]))
        p, q = (np.ascontiguousarray(random_memberships(rng, n, k).T) for k in (k1, k2))
        if turn % 2:
            q = np.eye(k2)[:, rng.integers(k2, size=n)]
        tables, weights = law_of_tables(p.T, q.T)
        sums = three_sums(tables, "xlogx")
        means = sums @ weights
        centred = sums - means[:, None]
        found, _ = expected_sums(_rows(p), _rows(q))
        assert found == pytest.approx(means, abs=1e-12, rel=0)
        if turn % 2:
            found, _ = expected_sums(_rows(p), hard_rows(q.argmax(axis=0), k2))
            assert found == pytest.approx(means, abs=1e-12, rel=0)
        covariances = covariance_of_sums(p, q)
        # Of sums up to n log n: 1e-12 here is far less for the measures, which divide by n^2.
        assert covariances == pytest.approx((centred * weights) @ centred.T, abs=1e-12, rel=0)


def expected_xlogx(events):
    """Of one count."""
    return expected_xlogx_of_lists(events, np.array([0, len(events)]))


def _rows(memberships):
    """Of an array of shape (k, n)."""
    return dense_rows(np.ascontiguousarray(memberships.T))


@needs_80_bits
@pytest.mark.parametrize("n", [65, 150, 400, 1_000, 3_000])
@pytest.mark.parametrize("shape", [(0.1, 0.1), (0.5, 1.0), (3.0, 3.0), (0.05, 2.0), (1.0, 30.0)])
def test_means_equal_an_80_bit_law(n, shape):
    events = np.random.default_rng(n).beta(*shape, n)
    law = np.zeros(n + 1, dtype=np.longdouble)
    law[0] = 1
    for p in events.astype(np.longdouble):
        law[1:] = law[1:] * (1 - p) + law[:-1] * p
        law[0] *= 1 - p
    expected = (law * xlogx(np.arange(n + 1, dtype=np.longdouble))).sum()
    values, errors = expected_xlogx(events)
    assert abs(values[0] - expected) <= min(errors[0], 1e-14 * n)
    assert errors[0] / n <= 1e-11


def test_a_mean_equals_50_digits():
    events = np.random.default_rng(5).random(200)
    with localcontext() as context:
        context.prec = 50
        law = [Decimal(1)]
        for p in map(Decimal, events.tolist()):
            law = [
                (law[m] * (1 - p) if m < len(law) else 0) + (law[m - 1] * p if m else 0)
                for m in range(len(law) + 1)
            ]
        expected = sum(f * m * Decimal(m).ln() for m, f in enumerate(law) if m)
        values, _ = expected_xlogx(events)
        assert abs(Decimal(float(values[0])) - expected) / len(events) <= Decimal("1e-14")


@needs_80_bits
@pytest.mark.parametrize(
    ("n", "p"), [(10**6, 0.3), (10**6, 1e-4), (10**5, 0.999), (3 * 10**5, 0.5)]
)
def test_large_counts_equal_the_binomial_law(n, p):
    mode, spread = int(n * p), int(12 * np.sqrt(n * p * (1 - p))) + 60
    m = np.arange(max(mode - spread, 0), min(mode + spread, n), dtype=np.longdouble)
    odds = np.longdouble(p) / (1 - np.longdouble(p))
    logs = np.concatenate([[0], np.cumsum(np.log((n - m) / (m + 1) * odds))])
    weights = np.exp(logs - logs.max())
    m = np.append(m, m[-1] + 1)
    expected = (weights * xlogx(m)).sum() / weights.sum()
    values, errors = expected_xlogx(np.full(n, p))
    assert abs(values[0] - expected) <= min(errors[0], 1e-13 * n)
    assert errors[0] / n <= 1e-12


@pytest.mark.parametrize("tiny", [1e-300, 1e-12, 5e-324])
def test_rare_events_count_for_what_they_are_worth(tiny):
    events = np.full(1_000, tiny)
    values, errors = expected_xlogx(events)
    assert abs(values[0]) <= 1e-14 * events.sum() + 1_000**2 * tiny**2 * 2 + 1e-300
    assert errors[0] <= 1e-12 * events.sum() + 1e-15
    mixed = np.concatenate([events, np.full(100, 0.5)])
    without, _ = expected_xlogx(mixed[1_000:])
    values, _ = expected_xlogx(mixed)
    assert values[0] == pytest.approx(without[0] + 1_000 * tiny * 5, rel=0, abs=1e-8)
    assert np.isfinite(covariance_of_sums(np.stack([mixed, 1 - mixed]), np.ones((1, 1_100)))).all()


def test_sure_events_are_exact():
    values, errors = expected_xlogx(np.repeat([1.0, 0.0], 70))
    assert values[0] == 70 * np.log(70)
    assert errors[0] < 1e-11
    values, _ = expected_xlogx(np.concatenate([np.ones(10**5), np.full(100, 0.5)]))
    expected = law_of_count(np.full(100, 0.5)) @ xlogx(10.0**5 + np.arange(101))
    assert values[0] == pytest.approx(expected, rel=1e-14)


def test_the_fits_keep_their_certified_errors():
    rng = np.random.default_rng(0)
    with localcontext() as context:
        context.prec = 40
        for fit in FITS:
            if fit.is_discrete:
                points = np.arange(1.0, fit.largest + 1)
            else:
                points = np.append(rng.uniform(1, fit.largest, 300), [1.0, fit.largest])
            for x in map(Decimal, points.tolist()):
                terms = zip(map(Decimal, fit.weights), map(Decimal, fit.rates), strict=True)
                value = Decimal(fit.constant) + sum(w * (-t * x).exp() for w, t in terms)
                assert abs(x.ln() - value) <= Decimal(fit.error)
    assert max(fit.error for fit in FITS) < 2e-14


def test_some_fit_reaches_over_every_window():
    # Small probabilities make the widest windows; the narrow place is where the integers end.
    for mean in [*range(1, 400), 10**3, 10**4, 10**5]:
        n = max(10_000, 20 * mean)
        found = transform_count(np.full(n, mean / n))
        assert found.error < 2e-14


def test_the_law_serves_where_no_fit_reaches():
    events = np.random.default_rng(3).random(300)
    fit = FITS[0]
    narrow = [np.array([v]) for v in (1.0 + 1e-9, 0.0, fit.error, fit.constant)]
    parts = (np.array([0, len(fit.rates)]), np.array(fit.rates), np.array(fit.weights))
    values, errors = _core.count_entropies(events, np.array([0, 300]), *narrow, *parts)
    assert values == pytest.approx(expected_xlogx(events)[0], rel=1e-14)
    assert errors[0] < 1e-9


@pytest.mark.parametrize(
    ("n", "n_classes"), [(70, 1), (300, 1), (3_000, 1), (50_000, 1), (90, 2), (600, 2), (3_000, 2)]
)
def test_covariances_against_a_hard_partition_follow_from_two_laws(n, n_classes):
    rng = np.random.default_rng(n)
    p, codes = rng.beta(0.7, 0.4, n), rng.integers(n_classes, size=n)
    weights = np.multiply.outer(*(law_of_count(p[codes == j]) for j in (0, 1)))
    first, second = map(np.arange, weights.shape)
    m, (n0, n1) = first[:, None] + second[None, :], np.bincount(codes, minlength=2)
    rows = xlogx(m) + xlogx(n - m)
    one, other = xlogx(first) + xlogx(n0 - first), xlogx(second) + xlogx(n1 - second)
    cells = one[:, None] + other[None, :]
    centred = [sums - (sums * weights).sum() for sums in (rows, cells)]
    found = covariance_of_sums(np.stack([p, 1 - p]), np.eye(2)[:, codes])
    for at, i in ((0, 0), (1, 2)):
        for to, j in ((0, 0), (1, 2)):
            expected = (centred[at] * centred[to] * weights).sum()
            assert found[i, j] == pytest.approx(expected, rel=1e-9)
    assert (found[1] == 0).all()
