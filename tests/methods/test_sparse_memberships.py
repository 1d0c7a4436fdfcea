"""Closed forms take sparse memberships as they are: the same numbers, in little memory."""

import numpy as np
import pytest
from scipy import sparse

import sfumato as sf
from memory import peak_of
from sfumato.algorithms.expectations.matching_mean import (
    bracket_matching_mean,
    bracket_sparse_matching_mean,
)
from sfumato.algorithms.moments.entropies import expected_sums
from sfumato.algorithms.tables.rows import dense_rows, hard_rows
from sfumato.partitions import FuzzyPartition

INFORMATION = (
    "mutual_information",
    "variation_of_information",
    "normalized_variation_of_information",
)
CLOSED = ("rand", *INFORMATION)


def thin(rng, n: int, k: int, labels, *, share: float = 0.9, n_entries: int = 3):
    """Memberships around the labels, with a few entries a row."""
    columns = (labels[:, None] + np.arange(n_entries) * rng.integers(1, 3, size=(n, 1))) % k
    values = (1 - share) * rng.dirichlet(np.ones(n_entries), n)
    values[:, 0] += share
    at = np.repeat(np.arange(n), n_entries), columns.ravel()
    return sparse.csr_array((values.ravel(), at), shape=(n, k))


@pytest.mark.parametrize("measure", [*CLOSED, "partition_distance"])
@pytest.mark.parametrize("n", [1, 2, 50])
def test_sparse_and_dense_memberships_give_the_same_mean(measure, n):
    rng = np.random.default_rng(n)
    labels = np.arange(n) % 7
    a, b = thin(rng, n, 12, labels), thin(rng, n, 9, labels)
    # Without sampling: a bracket too wide for `Auto` is compared as it is.
    engine = "bounds" if measure == "partition_distance" else "auto"
    for first, second in [(a, b), (a, labels), (labels, b)]:
        thin_sides = [FuzzyPartition(x) if sparse.issparse(x) else x for x in (first, second)]
        full_sides = [x.toarray() if sparse.issparse(x) else x for x in (first, second)]
        found = sf.compare(*thin_sides, measure=measure, engine=engine)
        expected = sf.compare(*full_sides, measure=measure, engine=engine)
        assert found.method == expected.method
        mixed = sf.compare(thin_sides[0], full_sides[1], measure=measure, engine=engine)
        for other in (found, mixed):  # both ends of a wide bracket, which has no mean
            assert other.lower == pytest.approx(expected.lower, rel=0, abs=1e-12)
            assert other.upper == pytest.approx(expected.upper, rel=0, abs=1e-12)


def test_blocks_of_rows_do_not_change_the_sums():
    # Nine pairs of clusters an object: a million pairs and more are summed in several blocks.
    rng = np.random.default_rng(3)
    for n in (40, 300_000):
        labels = rng.integers(8, size=n)
        a, b = (thin(rng, n, 8, labels).toarray() for _ in range(2))
        expected, _ = expected_sums(dense_rows(a), dense_rows(b))
        rows = FuzzyPartition(sparse.csr_array(a)).rows, FuzzyPartition(sparse.csr_array(b)).rows
        assert expected_sums(*rows)[0] == pytest.approx(expected, rel=1e-12)


def test_the_sparse_bracket_holds_the_dense_one():
    rng = np.random.default_rng(4)
    widths = []
    for share in (0.0, 0.3, 0.6, 0.9):
        for k1, k2 in ((6, 6), (5, 8), (9, 4)):
            labels = np.arange(300) % min(k1, k2)
            a, b = (thin(rng, 300, k, labels, share=share) for k in (k1, k2))
            dense = bracket_matching_mean(a.toarray(), b.toarray())
            found = bracket_sparse_matching_mean(FuzzyPartition(a).rows, FuzzyPartition(b).rows)
            assert found.low <= dense.low + 1e-9
            assert dense.high <= found.high + 1e-9
            assert found.matched == pytest.approx(dense.matched, abs=1e-12)
            assert found.another_wins >= dense.another_wins - 1e-12
            widths.append(found.high - found.low)
        hard = bracket_sparse_matching_mean(FuzzyPartition(a).rows, hard_rows(labels, k2))
        dense = bracket_matching_mean(a.toarray(), np.eye(k2)[labels])
        assert hard.low <= dense.low + 1e-9
        assert dense.high <= hard.high + 1e-9
    assert min(widths) < 1e-9


@pytest.mark.parametrize("measure", [*CLOSED, "partition_distance"])
@pytest.mark.parametrize("is_hard", [False, True])
def test_twenty_thousand_objects_in_three_hundred_clusters_need_little_memory(measure, is_hard):
    rng = np.random.default_rng(5)
    n, k = 20_000, 300
    labels = np.arange(n) % k
    a = FuzzyPartition(thin(rng, n, k, labels))
    b = sf.HardPartition(labels) if is_hard else FuzzyPartition(thin(rng, n, k, labels))
    sf.compare([0, 0, 1], [0, 1, 1], measure=measure)
    found, peak = peak_of(lambda: sf.compare(a, b, measure=measure))
    assert found.guarantee == "exact"
    assert peak < 8 * n * k / 2  # half of one dense side


def test_equal_sparse_rows_are_found_without_laying_them_out():
    rng = np.random.default_rng(6)
    labels = rng.integers(40, size=200)
    rows = thin(rng, 200, 40, labels)[rng.integers(5, size=200)]
    thin_side, full_side = FuzzyPartition(rows), FuzzyPartition(rows.toarray())
    found, expected = thin_side.statements(), full_side.statements()
    for name in ("codes", "starts", "sets", "weights", "set_starts", "set_members"):
        assert np.array_equal(getattr(found, name), getattr(expected, name))
    assert repr(thin_side) == repr(full_side)
