"""Brackets of means of ratios: every bound that goes in, against all tables."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import sfumato as sf
from literal import law_of_count, law_of_tables, three_sums
from objectives import objective_of
from sfumato.algorithms.moments import chance_information as chance
from sfumato.algorithms.moments.bracketed_ratios import bracket_ratio_mean
from sfumato.algorithms.moments.fuzzy_table import fuzzy_table, table_of_powers
from sfumato.algorithms.moments.object_forms import object_forms
from sfumato.algorithms.moments.poisson_bounds import (
    curved_norm,
    eighth_moment,
    step_means,
    step_squares,
)
from sfumato.algorithms.moments.power_sums import power_sums
from sfumato.algorithms.moments.sum_moments import sum_moments
from sfumato.algorithms.tables.expected_information import expected_mutual_information
from sfumato.algorithms.tables.rows import dense_rows, hard_rows, sparse_rows
from sfumato.families import xlogx
from variants import RATIOS_OF_INFORMATION, RATIOS_OF_PAIRS

ROUNDING = 1e-10
INFORMATION = (
    *RATIOS_OF_INFORMATION,
    sf.NormalizedVariationOfInformation("joint_entropy"),
    "adjusted_mutual_information",
)
COMBINATIONS = np.vstack([np.eye(3), [[1, 1, -1], [-0.3, 0.4, 1.0], [0.0, 1.0, -2.0]]])


def memberships(rng, n, k):
    """Memberships of many kinds: even, steep, nearly one cluster, partly sure, nearly hard."""
    style = rng.integers(6)
    found = rng.dirichlet(np.full(k, rng.choice([0.05, 0.3, 1.0, 5.0])), n)
    codes = rng.integers(k, size=n)
    if style == 0:
        share = 10.0 ** -rng.integers(1, 9)
        found = (1 - share) * np.eye(k)[np.zeros(n, int)] + share * found
    elif style == 1:
        found[rng.random(n) < 0.5] = np.eye(k)[rng.integers(k)]
    elif style == 2:
        found = (1 - 1e-3) * np.eye(k)[codes] + 1e-3 * found
    elif style == 3 and k > 1:
        found[np.arange(n), codes] = 0.0
        found[found.sum(axis=1) == 0.0] = 1.0
    return found / found.sum(axis=1, keepdims=True)


def without_objects(a, b):
    return table_of_powers(power_sums(a, b, 6))


TABLES = pytest.mark.parametrize("table_of", [fuzzy_table, without_objects])


@cache
def instances(seed, count):
    """Both sides as rows, and all tables with their probabilities."""
    rng, found = np.random.default_rng(seed), []
    for _ in range(count):
        is_hard = rng.random() < 0.6
        n = int(rng.integers(2, 8 if is_hard else 6))
        a = memberships(rng, n, int(rng.integers(1, 4)))
        if is_hard:
            codes = np.unique(rng.integers(rng.integers(1, 5), size=n), return_inverse=True)[1]
            b, columns = np.eye(codes.max() + 1)[codes], hard_rows(codes, int(codes.max()) + 1)
        else:
            b = memberships(rng, n, int(rng.integers(1, 3)))
            columns = dense_rows(b)
        rows = dense_rows(a)
        if rng.random() < 0.3:
            rows, columns = sparse_rows(rows), columns if is_hard else sparse_rows(columns)
        found.append((rows, columns, *law_of_tables(a, b)))
    return found


def instances_in_two_ways(seed, monkeypatch):
    """80 of them; every second one with bounds in place of exact covariances."""
    for at, instance in enumerate(instances(seed, 80)):
        if at % 2:
            monkeypatch.setattr("sfumato.algorithms.moments.sum_moments._MOST_PRODUCTS", 0.0)
        yield instance
        monkeypatch.undo()


@TABLES
@pytest.mark.parametrize("measure", [*RATIOS_OF_PAIRS, *INFORMATION], ids=str)
def test_the_bracket_holds_the_mean_over_all_tables(measure, table_of, monkeypatch):
    narrow = 0
    for a, b, tables, masses in instances_in_two_ways(5, monkeypatch):
        objective = objective_of(measure, a.n_rows, tables.shape[1:])
        values = objective.of_tables(tables)
        if measure == "adjusted_mutual_information":
            if len(b.values):
                continue
            objective = replace(objective, bounds=(min(-1.0, float(values.min())), 1.0))
        found = bracket_ratio_mean(objective, table_of(a, b))
        mean = float(masses @ values) / masses.sum()
        std = float(masses @ (values - mean) ** 2) ** 0.5
        assert found.low - ROUNDING <= mean <= found.high + ROUNDING
        assert found.low <= found.mean <= found.high
        assert abs(found.std - std) <= found.std_error + 1e-7
        narrow += found.high - found.low < 0.2
    # The brackets say something even here; from sums alone only about nearly hard memberships.
    assert narrow > (10 if table_of is fuzzy_table else 0)


@TABLES
@pytest.mark.parametrize("psi", ["square", "xlogx"])
def test_moments_of_sums_are_bounded(psi, table_of, monkeypatch):
    for a, b, tables, masses in instances_in_two_ways(6, monkeypatch):
        found = sum_moments(psi, table_of(a, b))
        sums = three_sums(tables, psi).T
        masses = masses / masses.sum()
        means = masses @ sums
        assert (np.abs(found.means - means) <= found.errors + 1e-11 * (1 + means)).all()
        if table_of is fuzzy_table or psi == "square":
            np.testing.assert_allclose(found.means, means, rtol=1e-11, atol=1e-11)
        for c in COMBINATIONS:
            apart = (sums - means) @ c
            variance = float(masses @ apart**2)
            slack = 1e-9 * (1 + variance)
            assert found.least_variance(c) - slack <= variance <= found.variance(c) + slack
            fourth = float(masses @ apart**4) ** 0.25
            assert fourth <= found.fourth_norm(c) * (1 + 1e-9) + 1e-5
            for d in COMBINATIONS:
                centre, radius = found.covariance(c, d)
                covariance = float(masses @ (apart * ((sums - means) @ d)))
                assert abs(covariance - centre) <= radius + 1e-9 * (1 + abs(covariance))


@pytest.mark.parametrize("psi", ["square", "xlogx"])
def test_larger_parts_have_covariances_above_zero_and_below_their_bounds(psi, monkeypatch):
    monkeypatch.setattr("sfumato.algorithms.moments.sum_moments._MOST_PRODUCTS", 0.0)
    rng, tight = np.random.default_rng(12), 0.0
    for _ in range(40):
        n = int(rng.integers(2, 5))
        a, b = (memberships(rng, n, int(rng.integers(1, 4))) for _ in range(2))
        if is_hard := rng.random() < 0.5:
            b = np.eye(b.shape[1])[b.argmax(axis=1)]
        columns = hard_rows(b.argmax(axis=1), b.shape[1]) if is_hard else dense_rows(b)
        most = sum_moments(psi, fuzzy_table(dense_rows(a), columns)).rest_most
        larger = covariances_of(*law_of_tables(a, b), psi)[1]
        for x in range(n):  # less the parts of single objects
            given = list[tuple[float, np.ndarray]]()
            for i, j in np.ndindex(a.shape[1], b.shape[1]):
                if chance := a[x, i] * b[x, j]:
                    sure = a.copy(), b.copy()
                    sure[0][x], sure[1][x] = np.eye(a.shape[1])[i], np.eye(b.shape[1])[j]
                    given.append((chance, covariances_of(*law_of_tables(*sure), psi)[0]))
            chances, means = (np.array(part) for part in zip(*given, strict=True))
            larger -= np.cov(means.T, aweights=chances, ddof=0)
        assert (larger >= -1e-8).all()
        assert (larger <= most + 1e-8).all()
        if most[0, 2] > 1e-3:
            tight = max(tight, float(larger[0, 2] / most[0, 2]))
    assert tight > 0.1


def covariances_of(tables, masses, psi):
    """Means and covariances of the three sums."""
    sums = three_sums(tables, psi)
    return np.average(sums, axis=1, weights=masses), np.cov(sums, aweights=masses, ddof=0)


def test_counts_are_those_of_all_tables():
    for a, b, tables, masses in instances(7, 60):
        table = fuzzy_table(a, b)
        margins = tables.sum(axis=2), tables.sum(axis=1)
        for counts, values in zip(table.counts, (*margins, tables), strict=True):
            means = np.tensordot(masses, values, axes=1)
            np.testing.assert_allclose(counts.means, means, atol=1e-12)
            variances = np.tensordot(masses, (values - means) ** 2, axes=1)
            np.testing.assert_allclose(counts.variances, variances, atol=1e-10)
        for limits, values in zip((table.sure_rows, table.sure_columns), margins, strict=True):
            assert (limits.least <= values.min(axis=0)).all()
            assert (values.max(axis=0) <= limits.most).all()


def test_sparse_and_dense_memberships_have_the_same_forms():
    rng = np.random.default_rng(8)
    a, b = memberships(rng, 40, 4), memberships(rng, 40, 3)
    functions = rng.normal(size=(2, 4)), rng.normal(size=(2, 3)), rng.normal(size=(2, 4, 3))
    dense = fuzzy_table(dense_rows(a), dense_rows(b))
    listed = fuzzy_table(sparse_rows(dense_rows(a)), sparse_rows(dense_rows(b)))
    expected, found = (object_forms(table, *functions, slice(2))[0] for table in (dense, listed))
    np.testing.assert_allclose(found, expected, atol=1e-12)
    # The definition: covariances under the probabilities of the cells of each object.
    of_cells = np.broadcast_arrays(functions[0][:, :, None], functions[1][:, None], functions[2])
    values = np.stack(of_cells, axis=1).reshape(2, 3, 12)
    literal = np.zeros((2, 3, 3))
    for p, q in zip(a, b, strict=True):
        weights = np.outer(p, q).ravel()
        apart = values - (values @ weights)[:, :, None]
        literal += np.einsum("fsc,ftc,c->fst", apart, apart, weights)
    np.testing.assert_allclose(expected, literal, atol=1e-12)


def laws_of_counts(seed, count):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        events = rng.beta(rng.choice([0.1, 1.0, 3.0]), rng.choice([0.3, 2.0]), rng.integers(3, 60))
        yield events, law_of_count(events)


def test_poisson_numbers_bound_counts():
    for events, law in laws_of_counts(9, 80):
        m = np.arange(len(law), dtype=float)
        mean, variance = np.array([events.sum()]), np.array([(events * (1 - events)).sum()])
        largest = np.array([events.max()])
        assert law @ (m - mean) ** 8 <= eighth_moment(variance) * (1 + 1e-9)
        at = np.maximum(mean, 0.5)
        curved = xlogx(m) - m * np.log(at) - m + at
        assert (law @ curved**4) ** 0.25 <= curved_norm(mean, variance) * (1 + 1e-9)
        low, high = step_means(mean, largest)
        spread = variance * step_squares(mean, largest)
        for left_out in (events.argmax(), events.argmin()):
            others = law_of_count(np.delete(events, left_out))
            steps = np.diff(xlogx(np.append(m, len(m)).astype(float)))[: len(others)]
            assert low <= others @ steps <= high
            assert others @ (steps - others @ steps) ** 2 <= spread * (1 + 1e-9) + 1e-12


def test_closed_bounds_hold_where_series_end():
    means = np.array([290.0, 299.0, 301.0, 320.0])
    low, high = step_means(means, np.full(4, 1e-3))
    assert (np.diff(high - low) < 0.005).all()
    assert (low < high).all()
    spread = step_squares(means, np.full(4, 1e-3)) * means**2
    np.testing.assert_allclose(spread, 1.0, rtol=0.05)
    # Second differences of x log x, as far as they matter: above 1e5 the bound is 1 / m^2 and more.
    m = np.arange(100_000.0)
    second = np.diff(xlogx(np.arange(100_002.0)), 2)
    limit = 1 / ((m + 1) * (m + 2)) + 8.6 / ((m + 1) * (m + 2) * (m + 3))
    assert (second[:1000] ** 2 <= limit[:1000]).all()
    np.testing.assert_array_less(np.diff(second[:1000]), 0.0)


@TABLES
@pytest.mark.parametrize("laws", [True, False])
@pytest.mark.parametrize("sizes", [10**6, 3])
def test_chance_information_holds_its_moments(laws, sizes, table_of, monkeypatch):
    monkeypatch.setattr(chance, "_MOST_PRODUCTS", 1e9 if laws else 0.0)
    monkeypatch.setattr(chance, "_MOST_SIZES", sizes)
    monkeypatch.setattr(chance, "_GRID", 5)
    for a, b, tables, masses in instances(10, 80):
        if len(b.values):
            continue
        found = chance.chance_information(table_of(a, b))
        values = a.n_rows * expected_mutual_information(tables.sum(axis=2), tables.sum(axis=1))
        assert abs(found.mean - masses @ values) <= found.error + 1e-11
        apart = np.abs(values - found.mean)
        assert (masses @ apart**2) ** 0.5 <= found.std + found.error + 1e-9
        assert (masses @ apart**4) ** 0.25 <= found.fourth_norm + found.error + 1e-9
        assert values.max() <= found.highest + 1e-9
