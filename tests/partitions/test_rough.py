import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse

from memory import peak_of
from sfumato.errors import CostError, InputError
from sfumato.partitions import HardPartition, RoughPartition

MASK = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 1], [1, 1, 0]], dtype=bool)


@pytest.mark.parametrize(
    "mask",
    [
        MASK,
        MASK.astype(int),
        MASK.astype(np.float32),
        MASK.tolist(),
        np.asfortranarray(MASK),
        pd.DataFrame(MASK),
        scipy.sparse.csr_matrix(MASK),
        scipy.sparse.coo_array(MASK.astype(float)),
        scipy.sparse.csc_matrix(MASK.astype(int)),
        [{0}, {0, 1}, {1, 2}, {0, 1}],
    ],
    ids=lambda mask: type(mask).__name__,
)
def test_every_way_to_say_it_gives_the_same_partition(mask):
    is_sets = isinstance(mask, list) and isinstance(mask[0], set)
    partition = RoughPartition.from_sets(mask) if is_sets else RoughPartition(mask)
    assert partition == RoughPartition(MASK)
    assert partition.mask.tolist() == MASK.tolist()
    assert partition.codes.tolist() == [0, 1, 2, 1]


def test_column_names_become_cluster_names():
    frame = pl.DataFrame({"a": [True, True], "b": [False, True]})
    assert RoughPartition(frame).names == ("a", "b")
    assert RoughPartition(frame, names=("x", "y")).names == ("x", "y")


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        ([[1, 0], [0, 0]], "mask: row 1 is empty"),
        (scipy.sparse.csr_matrix([[1, 0], [0, 0]]), "mask: row 1 is empty"),
        ([[1, 0], [0, 0.5]], r"row 1, column 1 is 0\.5; entries must be 0 or 1"),
        (scipy.sparse.csr_matrix([[1, 0], [0, 3]]), "row 1, column 1 is 3; entries must be 0 or 1"),
        ([[1, float("nan")]], "row 0, column 1 is nan"),
        ([[1, 0], [1]], "mask is ragged: row 0 has 2 entries, row 1 has 1"),
        ([["a", "b"]], "mask holds <U1, not real numbers"),
        (np.zeros((0, 2)), r"mask has shape \(0, 2\)"),
        ([1, 0], "mask must be 2-D"),
    ],
)
def test_bad_masks_are_refused_with_their_place(mask, message):
    with pytest.raises(InputError, match=message):
        RoughPartition(mask)


def test_sets_take_their_names_sorted_or_as_they_come():
    assert RoughPartition.from_sets([{"b"}, {"a", "b"}]).names == ("a", "b")
    assert RoughPartition.from_sets([["b"], [1, "b"]]).names == ("b", 1)
    assert RoughPartition.from_sets([{"b"}], names=("c", "b")).mask.tolist() == [[False, True]]


@pytest.mark.parametrize(
    ("sets", "names", "message"),
    [
        ([], None, "sets is empty"),
        ([{1}, set()], None, "set 1 is empty"),
        (["ab"], None, "set 0 is 'ab'; pass a collection"),
        ([{1}, 3], None, "set 1 is 3; pass a collection"),
        ([[[1]]], None, "set 0 holds something unhashable"),
        ([[0], [0, None]], None, "set 1 holds None, which names no cluster; leave it out"),
        ([["a", ""]], None, "set 0 holds '', which names no cluster"),
        ([{"z"}], ("a", "b"), "Cluster 'z' is not one of names: 'a', 'b'"),
        ([{"z"}], ("a", "a"), "appears twice"),
    ],
)
def test_bad_sets_are_refused(sets, names, message):
    with pytest.raises(InputError, match=message):
        RoughPartition.from_sets(sets, names=names)


@pytest.mark.parametrize(
    ("lower", "upper", "message"),
    [
        ([[0, 1]], [[1, 0]], r"Row 0 has lower \{1\} and upper \{0\}, .* in that upper one"),
        ([[1, 0]], [[1, 1]], "in no other upper"),
        ([[0, 0]], [[1, 0]], "in no lower approximation is in two upper"),
        ([[0, 0]], [[0, 0]], "in no lower approximation is in two upper"),
        ([[0, 0]], [[1, 1, 0]], r"lower has shape \(1, 2\) but upper has \(1, 3\)"),
    ],
)
def test_approximations_must_obey_the_axioms(lower, upper, message):
    with pytest.raises(InputError, match=message):
        RoughPartition.from_approximations(lower, upper)


def test_too_many_compatible_partitions_are_refused_at_once():
    partition = RoughPartition(np.ones((400, 10)))
    assert partition.n_compatible == 10**400
    with pytest.raises(CostError, match=r"About 1e400 .* \(max_partitions=10000\)"):
        partition.compatible()
    with pytest.raises(CostError, match="max_partitions=7"):
        RoughPartition(MASK).compatible(7)


def test_clusters_are_matched_by_name():
    partition = RoughPartition([[1, 0], [1, 1]], names=("b", "a"))
    assert partition.is_compatible(HardPartition(["b", "a"]))
    assert not partition.is_compatible(HardPartition(["a", "b"]))


def test_the_simplest_form_is_hard_when_nothing_is_ambiguous():
    assert RoughPartition([[0, 1], [1, 0]]).simplest() == HardPartition([1, 0])
    ambiguous = RoughPartition(MASK)
    assert ambiguous.simplest() is ambiguous
    assert ambiguous.harden() == HardPartition([0, 0, 1, 0])


def test_a_sparse_mask_with_many_clusters_stays_small():
    n, k = 200_000, 1000
    rng = np.random.default_rng(0)
    first = rng.integers(0, k - 1, n)
    rows = np.concatenate([np.arange(n), np.arange(0, n, 2)])
    columns = np.concatenate([first, first[::2] + 1])
    mask = scipy.sparse.csr_array((np.ones(len(rows), bool), (rows, columns)), shape=(n, k))

    def use():
        partition = RoughPartition(mask)
        return partition, partition.n_compatible, partition.statements(), partition.sample(0)

    (partition, n_compatible, statements, hard), peak = peak_of(use)
    assert n_compatible == 2 ** (n // 2)
    assert len(statements.starts) - 1 <= 2 * k
    assert partition.is_compatible(hard)
    assert peak < 30 * n * 8  # the dense mask alone would be n k bytes, four times as much
