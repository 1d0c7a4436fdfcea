import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import sfumato as sf
from memory import peak_of
from sfumato.errors import InputError
from sfumato.partitions import HardPartition


@pytest.mark.parametrize(
    ("labels", "codes", "names"),
    [
        ([3, 1, 5, 1], [1, 0, 2, 0], (1, 3, 5)),
        ([-1, 0, -1], [0, 1, 0], (-1, 0)),
        (["b", "a", "b"], [1, 0, 1], ("a", "b")),
        ([True, False], [1, 0], (False, True)),
        (["a", 1, "a"], [0, 1, 0], ("a", 1)),
        ([2, "b", b"c"], [0, 1, 2], (2, "b", b"c")),
        (np.array([2.0, 1.0]), [1, 0], (1.0, 2.0)),
        ([10**30, 5], [1, 0], (5, 10**30)),
        (np.array([0, 2**64 - 1], dtype=np.uint64), [0, 1], (0, 2**64 - 1)),
        (np.array([-128, 127], dtype=np.int8), [0, 1], (-128, 127)),
        (np.array([0, 10**15]), [0, 1], (0, 10**15)),
        (np.array(["x", 2], dtype=object), [0, 1], ("x", 2)),
        (np.array([b"y", b"x"]), [1, 0], (b"x", b"y")),
        (range(3), [0, 1, 2], (0, 1, 2)),
        (pd.Categorical(["b", "a"], categories=["a", "b", "c"]), [1, 0], ("a", "b")),
        (pd.Index(["b", "a"]), [1, 0], ("a", "b")),
        (pd.Series(["b", "a"], dtype="category"), [1, 0], ("a", "b")),
        (pd.Series([7, 5], dtype="Int64"), [1, 0], (5, 7)),
        (pd.Series(["b", 1], dtype=object), [0, 1], ("b", 1)),
        (pl.Series([7, 5]), [1, 0], (5, 7)),
        (pl.Series(["b", "a"]), [1, 0], ("a", "b")),
        (pl.Series([True, False]), [1, 0], (False, True)),
        (pl.Series(["b", "a"], dtype=pl.Categorical), [1, 0], ("a", "b")),
        (pa.chunked_array([["b", "a"]]), [1, 0], ("a", "b")),
        (("b", 1), [0, 1], ("b", 1)),
    ],
)
def test_labels_of_any_type_become_codes_in_sorted_order(labels, codes, names):
    partition = HardPartition(labels)
    assert partition.codes.tolist() == codes
    assert partition.names == names
    assert [type(name) for name in partition.names] == [type(name) for name in names]
    assert partition.labels.tolist() == [names[code] for code in codes]
    assert sf.as_partition(labels) == partition


def test_names_are_python_scalars_but_dates_stay_dates():
    assert type(HardPartition(np.array([1, 2])).names[0]) is int
    assert type(HardPartition([np.int64(4), np.int64(2)]).names[0]) is int
    dates = np.array(["2020-01-02", "2020-01-01"], dtype="datetime64[ns]")
    assert HardPartition(dates).names == (dates[1], dates[0])


def test_names_rename_the_sorted_labels():
    partition = HardPartition([1, 0, 1], names=("zero", "one"))
    assert partition.names == ("zero", "one")
    assert partition.labels.tolist() == [1, 0, 1]
    assert partition == HardPartition(["one", "zero", "one"])


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0.0, float("nan")], r"Label 1 is missing \(nan\)"),
        (np.array([1.0, np.nan]), r"Label 1 is missing \(nan\)"),
        ([None, "a"], r"Label 0 is missing \(None\)"),
        (["a", "b", pd.NA], r"Label 2 is missing \(<NA>\)"),
        (["a", pd.NaT], r"Label 1 is missing \(NaT\)"),
        (np.array(["2020-01-01", "NaT"], dtype="datetime64[D]"), r"Label 1 is missing \(NaT\)"),
        ([1.0, 0.5], r"Label 1 is 0\.5: labels must not be fractions"),
        (np.array([1.0, np.inf]), r"Label 1 is inf"),
        (["a", 0.25], r"Label 1 is 0\.25"),
        ([], "labels is empty; at least one row is needed"),
        (np.zeros((2, 2)), r"labels must be 1-D; got shape \(2, 2\)"),
        ({1, 2}, "not a set"),
        ([{1}, {2}], "Label 0 is a set, which cannot be a label"),
        (np.ma.masked_array([1, 2], mask=[0, 1]), "not a MaskedArray"),
    ],
)
def test_bad_labels_are_refused_with_their_position(labels, message):
    with pytest.raises(InputError, match=message):
        HardPartition(labels)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("a",), "1 name for 2 clusters"),
        (("a", "a"), "Cluster name 'a' appears twice"),
        (([], "a"), r"Cluster name \[\] is not hashable"),
        ("ab", "names is the string 'ab'"),
        ((1, 0), "another cluster's label"),
    ],
)
def test_names_must_be_as_many_distinct_hashables(names, message):
    with pytest.raises(InputError, match=message):
        HardPartition([0, 1], names=names)


def test_equivalent_ignores_names_and_equality_does_not():
    a, b = HardPartition([0, 0, 1, 2]), HardPartition(["x", "x", "z", "y"])
    assert a.equivalent(b)
    assert b.equivalent(a)
    assert a != b
    assert a == HardPartition([0, 0, 1, 2])
    assert a == HardPartition([0.0, 0.0, 1.0, 2.0])
    assert not a.equivalent(HardPartition([0, 0, 1, 1]))
    assert not HardPartition([0, 1, 1]).equivalent(HardPartition([0, 0, 1]))
    assert a != "something else"


def test_take_drops_clusters_left_empty_and_keeps_the_index():
    series = pd.Series([5, 6, 7], index=["x", "y", "z"])
    taken = HardPartition(series).take(np.array([2, 0]))
    assert taken.labels.tolist() == [7, 5]
    assert taken.names == (5, 7)
    assert taken.index is not None
    assert taken.index.tolist() == ["z", "x"]


@pytest.mark.parametrize("order", [[3], [-4], [0.5], [], [[0]]])
def test_take_refuses_what_is_not_a_list_of_positions(order):
    with pytest.raises(InputError, match="order"):
        HardPartition([0, 1, 2]).take(order)


def test_a_million_integers_cost_a_small_multiple_of_their_memory():
    labels = np.random.default_rng(0).integers(0, 50, 1_000_000)
    partition, peak = peak_of(lambda: HardPartition(labels))
    assert partition.n_clusters == 50
    assert peak < 4 * labels.nbytes  # copy, offsets and codes


def test_the_representation_tells_the_sizes():
    assert repr(HardPartition([0])) == "HardPartition(1 object, 1 cluster, sizes 1 to 1)"


MANY = (1 << 20) + 3


@pytest.mark.parametrize(
    ("labels", "dtype"),
    [
        (np.arange(MANY) % 3 == 0, np.uint8),
        ((np.arange(MANY) % 20).astype(np.int32) - 7, np.uint8),
        (np.arange(MANY) % 257 * 2, np.uint16),
        (np.array([2**63, 2**63 + 1], dtype=np.uint64)[np.arange(MANY) % 2], np.uint8),
        (np.array(["x", "y", "z"])[np.arange(MANY) % 3], np.uint8),
    ],
)
def test_many_codes_are_kept_in_few_bytes_and_given_in_eight(labels, dtype):
    found = HardPartition(labels)
    assert found.short_codes.dtype == dtype
    assert found.codes.dtype == np.int64
    assert not found.short_codes.flags.writeable
    assert not found.codes.flags.writeable
    assert np.array_equal(found.labels, labels)
    assert np.array_equal(found.categories[found.codes], labels)
    few = found.take(np.arange(0, MANY, 1000))
    assert few.short_codes.dtype == np.int64
    assert np.array_equal(few.labels, labels[::1000])


def test_many_codes_give_the_answers_of_few(monkeypatch):
    n = (1 << 18) + 3  # more than one block
    monkeypatch.setattr("sfumato.partitions.reading.labels._MANY", n)
    monkeypatch.setattr("sfumato.partitions.reading.probabilities.MANY_NUMBERS", n // 2)
    rng = np.random.default_rng(0)
    a, b = rng.integers(300, size=n), rng.integers(16, size=n)
    p = np.full((n, 2), 0.25, dtype=np.float32)
    p[np.arange(n), b % 2] += 0.5
    half = n // 2  # few enough for codes of eight bytes
    assert HardPartition(a).short_codes.dtype == np.uint16
    assert HardPartition(a[:half]).short_codes.dtype == np.int64
    for first, measures in (
        (a, ["rand", "mutual_information", "purity"]),
        (p, ["rand", "adjusted_rand", "mutual_information", "normalized_mutual_information"]),
        (p.astype(np.float64), ["rand", "adjusted_rand", "mutual_information"]),
    ):
        chunks = [(first[:half], b[:half]), (first[half:], b[half:])]
        summary = sf.summarize(chunks, measures=measures)
        for measure in measures:
            found = sf.compare(first, b, measure=measure)
            expected = summary.compare(measure=measure)
            off = found.error + expected.error + 1e-13
            assert found.mean == pytest.approx(expected.mean, rel=1e-12, abs=off)
