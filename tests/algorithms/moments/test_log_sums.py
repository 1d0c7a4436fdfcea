"""Sums at nodes over chunks: means of x log x against laws, enumeration and all objects at once."""

from functools import reduce
from itertools import pairwise
from operator import add

import numpy as np
import pytest
from scipy import sparse

from literal import law_of_count, law_of_tables, three_sums, xlogx
from sfumato import FuzzyPartition
from sfumato.algorithms.moments import counts
from sfumato.algorithms.moments.entropies import expected_sums, expected_sums_of_powers
from sfumato.algorithms.moments.power_sums import PowerSums, power_sums
from sfumato.algorithms.moments.spread_sums import (
    log_sums,
    no_log_sums,
    spread_needs,
    spread_sums,
)
from sfumato.algorithms.tables.rows import dense_rows, hard_rows, slice_rows
from strategies import random_memberships


def some_events(rng, n):
    """Probabilities of every size: sure, impossible, and near both."""
    tiny = rng.choice([1e-300, 1e-12, 1e-5], size=n)
    kinds = np.stack([rng.random(n), np.zeros(n), np.ones(n), tiny, 1.0 - np.maximum(tiny, 2e-16)])
    shares = rng.dirichlet([2.0, 0.5, 0.5, 0.5, 0.5])
    return kinds[rng.choice(5, p=shares, size=n), np.arange(n)]


@pytest.mark.parametrize("n", [1, 5, 70, 400])
def test_chunks_of_events_give_the_mean_of_their_law(n):
    rng = np.random.default_rng(n)
    for _ in range(20):
        events = some_events(rng, n)
        mean = np.array([events.sum()])
        fit = counts.choose_fits(mean, np.array([(events * (1 - events)).sum() + 1e-12]), n)
        cuts = np.sort(rng.integers(0, n + 1, size=3)).tolist()
        parts = [
            counts.log_sums_of_lists(events[i:j], np.array([0, j - i]), mean, *fit)
            for i, j in pairwise([0, *cuts, n])
        ]
        totals, logs, slopes = (np.sum(part, axis=0) for part in zip(*parts, strict=True))
        assert totals[1] == np.count_nonzero(events == 1.0)
        value, error = counts.xlogx_from_log_sums(totals, logs, slopes, *fit, n)
        expected = law_of_count(events) @ xlogx(np.arange(n + 1.0))
        assert abs(value[0] - expected) <= error[0] + 1e-14 * n
        assert error[0] <= 1e-11 * n


def test_laws_of_chunks_add_up_to_the_law_of_all():
    rng = np.random.default_rng(2)
    for n in (2, 40, 800):
        events = some_events(rng, n)
        cut = int(rng.integers(n + 1))
        one, two = (counts.law_of_count(part, 1e-32) for part in (events[:cut], events[cut:]))
        found, expected = counts.add_counts(one, two), law_of_count(events)
        places = found.first + np.arange(len(found.probabilities))
        assert found.probabilities == pytest.approx(expected[places], rel=1e-10, abs=1e-30)
        assert 1 - expected[places].sum() <= found.lost + 1e-13
        assert found.lost < 1e-28


def rows_of(rng, n, k, form):
    if form == "hard":
        return hard_rows(rng.integers(k, size=n), k)
    memberships = random_memberships(rng, n, k)
    if form == "single":
        return dense_rows(memberships.astype(np.float32))
    if form == "sparse":
        return FuzzyPartition(sparse.csr_array(memberships)).rows
    return dense_rows(memberships)


def in_two_rounds(a, b, cuts):
    """The means as a summary has them."""
    chunks = [
        tuple(slice_rows(side, i, j) for side in (a, b)) for i, j in pairwise([0, *cuts, a.n_rows])
    ]
    first = reduce(add, (power_sums(*chunk, 6) for chunk in chunks))
    needs = spread_needs(first)
    return first._replace(spread=reduce(add, (spread_sums(*chunk, needs) for chunk in chunks)))


@pytest.mark.parametrize("forms", [("dense", "hard"), ("hard", "dense"), ("dense", "dense")])
def test_two_rounds_equal_enumeration(forms):
    rng = np.random.default_rng(3)
    for _ in range(60):
        n, k1, k2 = (int(v) for v in rng.integers([2, 1, 1], [6, 4, 4]))
        a, b = rows_of(rng, n, k1, forms[0]), rows_of(rng, n, k2, forms[1])
        full = [
            side.values.reshape(n, -1) if len(side.values) else np.eye(side.width)[side.columns]
            for side in (a, b)
        ]
        tables, weights = law_of_tables(*full)
        means = three_sums(tables, "xlogx") @ weights
        found, errors = expected_sums_of_powers(in_two_rounds(a, b, [n // 2]), 1e-12)
        assert (np.abs(found - means) <= errors + 1e-13).all()
        assert errors.max() <= 1e-9  # where power sums suffice; else less


@pytest.mark.parametrize("n", [30, 300, 5000])
@pytest.mark.parametrize(
    "forms",
    [
        *(("dense", "hard"), ("single", "hard"), ("sparse", "hard"), ("hard", "sparse")),
        *(("dense", "dense"), ("sparse", "sparse"), ("sparse", "dense"), ("single", "dense")),
    ],
)
def test_two_rounds_over_chunks_give_the_means_of_all_objects(forms, n):
    rng = np.random.default_rng(n)
    a, b = rows_of(rng, n, 5, forms[0]), rows_of(rng, n, 4, forms[1])
    cuts = np.unique(rng.integers(1, n, size=4)).tolist()
    kept = in_two_rounds(a, b, cuts)
    found, errors = expected_sums_of_powers(kept, 1e-12)
    assert (np.abs(found - expected_sums(a, b)[0]) <= errors + 1e-13 * n).all()
    assert errors.max() <= 2e-10 * n
    turned, _ = expected_sums_of_powers(kept.turned(), 1e-12)
    assert turned[[1, 0]].tolist() == found[:2].tolist()
    assert turned[2] == pytest.approx(found[2], rel=1e-15)


def test_one_chunk_has_the_sums_of_memory():
    rng = np.random.default_rng(5)
    p = rng.dirichlet([0.3, 1.0, 2.0], 500)
    kept = in_two_rounds(dense_rows(p), hard_rows(np.zeros(500, int), 1), [])
    values, _ = kept.spread.nodes.expected_xlogx(500)
    expected, _ = counts.expected_xlogx_of_lists(p.T.ravel(), np.arange(4) * 500)
    assert values[:3].tolist() == expected.tolist()  # to the last bit


def test_nothing_is_kept_where_power_sums_suffice():
    p = np.random.default_rng(6).dirichlet(np.ones(3), 60_000)
    first = power_sums(dense_rows(p), hard_rows(np.arange(60_000) % 2, 2), 6)
    assert len(no_log_sums(first).rows) == 0
    assert len(spread_needs(power_sums(dense_rows(p[:90]), dense_rows(p[:90]), 2)).nodes.logs) == 0


def test_what_is_kept_is_bounded_and_the_worst_counts_come_first():
    means = np.ones((200, 200))
    means[:100] /= 2.0  # means of small counts are known better
    cells = means * 0.25 ** np.arange(6)[:, None, None]  # of events that all have the chance 0.25
    first = PowerSums(30_000, cells.sum(axis=2), cells.sum(axis=1), cells, (False, False))
    found = no_log_sums(first)
    assert 499_900 < len(found.logs) <= 500_000
    worst = (found.columns >= 0) & (found.rows >= 100)
    assert np.count_nonzero(worst) == 20_000
    assert np.count_nonzero(~worst) > 1000


def test_counts_that_a_chunk_lacks_add_nothing():
    rng = np.random.default_rng(7)
    p, codes = rng.dirichlet(np.ones(2), 60), np.repeat([0, 1, 3], 20)
    first = power_sums(dense_rows(p), hard_rows(codes, 5), 6)  # classes 2 and 4 are unused
    none = no_log_sums(first)
    found = log_sums(dense_rows(p[:20]), hard_rows(codes[:20], 5), none, first)
    elsewhere = found.columns > 0
    assert elsewhere.any()
    assert not found.totals[:, elsewhere].any()
    assert set(found.columns.tolist()) == {-1, 0, 1, 3}
