"""What is written is read back to the last bit, and files are written whole or not at all."""

import json
import math
import os

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import sfumato as sf
from sfumato._files import check_target
from sfumato.io import json_text, write_text
from strategies import partitions

TYPED = [".json", ".json.gz", ".npz", ".parquet", ".feather"]
TEXT = [".csv", ".tsv", ".csv.gz", ".txt"]


def round_trip(partition, folder, suffix, **options):
    path = folder / f"file{suffix}"
    sf.write_partition(partition, path)
    return sf.read_partition(path, **options)


def assert_same(found, wanted):
    assert type(found) is type(wanted)
    assert found == wanted
    assert found.names == wanted.names
    assert [type(name) for name in found.names] == [type(name) for name in wanted.names]
    assert (found.index is None) == (wanted.index is None)
    if wanted.index is not None:
        assert found.index.tolist() == wanted.index.tolist()
    assert getattr(found, "t_norm", None) == getattr(wanted, "t_norm", None)


@pytest.mark.parametrize("suffix", TYPED)
@settings(max_examples=25)
@given(partition=partitions())
def test_files_that_keep_types_give_the_same_partition(tmp_path_factory, suffix, partition):
    is_table = suffix in (".parquet", ".feather")
    if is_table and partition.kind == "evidential" and partition.empty_mass.any():
        return  # not kept there
    found = round_trip(partition, tmp_path_factory.getbasetemp(), suffix)
    assert_same(found, partition)
    assert found.notes == partition.notes


@pytest.mark.parametrize("suffix", TEXT)
@settings(max_examples=25)
@given(partition=partitions(n_clusters=st.integers(2, 4)))
def test_text_gives_the_same_partition_if_its_kind_is_said(tmp_path_factory, suffix, partition):
    if partition.kind == "evidential" and partition.empty_mass.any():
        return  # not kept there
    if partition.kind == "rough" and partition.n_clusters == 1:
        return  # a single column would be labels
    found = round_trip(partition, tmp_path_factory.getbasetemp(), suffix, kind=partition.kind)
    if partition.kind == "possibilistic":
        found = found.with_t_norm(partition.t_norm)
    assert_same(found, partition)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_every_separator_is_read_back(tmp_path, separator):
    path = tmp_path / "file.csv"
    wanted = sf.FuzzyPartition([[0.1, 0.9], [1 / 3, 2 / 3]], names=["a,b", "c;d"])
    sf.write_partition(wanted, path, separator=separator)
    assert_same(sf.read_partition(path), wanted)


@pytest.mark.parametrize("suffix", [*TYPED, *TEXT])
@pytest.mark.parametrize(
    "index", [["f2", "f1", "f3"], [7, 3, -5], ["2", "x", "03"]], ids=["text", "numbers", "mixed"]
)
def test_ids_are_kept(tmp_path, suffix, index):
    frame = pd.DataFrame({"a": [0.25, 1, 0], "b": [0.75, 0, 1]}, index=index)
    wanted = sf.as_partition(frame)
    assert_same(round_trip(wanted, tmp_path, suffix), wanted)
    labels = sf.as_partition(pd.Series(["x", "y", "x"], index=index))
    assert_same(round_trip(labels, tmp_path, suffix), labels)


@pytest.mark.parametrize("suffix", [".json", ".npz"])
def test_what_tables_cannot_hold_is_kept(tmp_path, suffix):
    dates = sf.HardPartition(np.array(["2020-01-01", "2021-05-05"], dtype="datetime64[D]"))
    mixed = sf.HardPartition([1, "a", 1, 2.0])
    renamed = sf.HardPartition([0, 1, 0], names=["low", "high"])
    sparse = sf.FuzzyPartition(csr_array([[1.0, 0, 0], [0, 0.5, 0.5]]))
    empty = sf.EvidentialPartition([[0.25, 0.5, 0.25]], [[0, 0], [1, 0], [1, 1]], empty="yager")
    consonant = sf.PossibilisticPartition([[1, 0.5], [0.2, 1]]).to_evidential()
    index = pd.date_range("2020-01-01", periods=2)
    dated = sf.as_partition(pd.DataFrame({"a": [0.5, 1], "b": [0.5, 0]}, index=index))
    for wanted in (dates, mixed, renamed, sparse, empty, consonant, dated, LIKE_SETS, DRAWN):
        found = round_trip(wanted, tmp_path, suffix)
        assert_same(found, wanted)
        assert found.notes == wanted.notes
    assert round_trip(sparse, tmp_path, suffix).rows.is_sparse


@pytest.mark.parametrize("suffix", [".json", ".npz"])
@pytest.mark.parametrize("index", [None, ["a", "b", "c", "d"]])
def test_objects_that_were_dropped_are_remembered(tmp_path, suffix, index):
    labels = pd.Series([0, 1, -1, 1], index=index) if index else [0, 1, -1, 1]
    dropped = sf.as_partition(labels, noise="drop")
    found = round_trip(dropped, tmp_path, suffix)
    assert_same(found, dropped)
    assert found.given.is_kept.tolist() == [True, True, False, True]
    truth = pd.Series([0, 1, 0, 1], index=index) if index else [0, 1, 0, 1]
    first, second = (sf.compare(side, truth) for side in (dropped, found))
    assert (first.mean, first.notes) == (second.mean, second.notes)


@pytest.mark.parametrize("noise", ["cluster", "singletons", "unknown", "drop"])
@pytest.mark.parametrize("suffix", [".csv", *TYPED])
def test_noise_is_as_asked_for_in_every_format(tmp_path, suffix, noise):
    labels = [-1, 0, 0, 1, 1, -1]
    found = round_trip(sf.as_partition(labels), tmp_path, suffix, noise=noise)
    wanted = sf.as_partition(labels, noise=noise)
    assert found == wanted
    assert found.notes == wanted.notes
    truth = ["a", "a", "a", "b", "b", "b"]
    answers = [sf.compare(each, truth, measure="adjusted_rand") for each in (found, wanted)]
    assert answers[0].upper == answers[1].upper


def test_files_carry_a_version_of_their_format(tmp_path):
    path = tmp_path / "file.json"
    sf.write_partition([0, 1], path)
    content = json.loads(path.read_text())
    assert (content["format"], content["version"]) == ("sfumato partition", 1)
    path.write_text(json.dumps(content | {"version": 2}))
    with pytest.raises(sf.InputError, match="written in version 2 of the format; this sfumato"):
        sf.read_partition(path)


def test_an_index_of_pandas_is_found_in_its_parquet_files(tmp_path):
    path = tmp_path / "file.parquet"
    frame = pd.DataFrame({"a": [0.25, 1], "b": [0.75, 0]}, index=["f1", "f2"])
    frame.to_parquet(path)
    assert_same(sf.read_partition(path), sf.as_partition(frame))


WEIGHTS = np.random.default_rng(0).dirichlet(np.ones(3))
DRAWN = sf.DrawnPartition([[1, 1, 2, 2], [2, 2, 1, 1], [1, 1, 1, 2]], WEIGHTS).noted("of a chain")
LIKE_SETS = sf.FuzzyPartition([[0.5, 0.5], [0.2, 0.8]], names=["{a}", "{b}"])


@pytest.mark.parametrize(
    ("name", "partition", "said"),
    [
        ("a.csv", sf.HardPartition([" a", "b"]), "The label ' a' would not be read back"),
        ("a.csv", sf.HardPartition(["NA", "b"]), "The label 'NA' would not be read back"),
        ("a.csv", sf.HardPartition(["0.5", "b"]), "The label '0.5' would not be read back"),
        ("a.csv", sf.HardPartition(["1", "1.0"]), "The label 1 with and without decimals"),
        ("a.csv", sf.HardPartition(["1", 1]), "Two labels are the same text"),
        ("a.csv", sf.FuzzyPartition([[1, 0]], names=["a", "x\ny"]), "would not be read back"),
        ("a.csv", sf.FuzzyPartition([[1.0]]), "would be read as labels"),
        (
            "a.csv",
            sf.EvidentialPartition([[1.0]], [[1, 1]], names=["a,b", "c"]),
            "'a,b' cannot be in a set",
        ),
        ("a.csv", DRAWN, "write json or npz"),
        ("a.csv", LIKE_SETS, r"called \{a\} would be read as sets"),
        ("a.parquet", LIKE_SETS, r"called \{a\} would be read as sets"),
        ("a.feather", LIKE_SETS, r"called \{a\} would be read as sets"),
        ("a.parquet", ["x\ud800", "y"], "cannot hold these labels or ids"),
        ("a.feather", ["x\ud800", "y"], "cannot hold these labels or ids"),
        (
            "a.json",
            sf.FuzzyPartition([[1, 0]], names=[(1, 2), 3]),
            r"cannot keep cluster names like \(1, 2\)",
        ),
        ("file", [0, 1], "does not say which format"),
        ("nowhere/file.csv", [0, 1], "there is no folder"),
        (".", [0, 1], "this is a folder"),
    ],
)
def test_what_a_file_cannot_hold_is_refused(tmp_path, name, partition, said):
    with pytest.raises(sf.InputError, match=said):
        sf.write_partition(partition, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    path = tmp_path / "file.csv"
    path.write_text("old")

    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sf.write_partition([0, 1], path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_is_kept(tmp_path):
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.write_text("old")
    link.symlink_to(target)
    sf.write_partition(["x", "y"], link)
    assert link.is_symlink()
    assert sf.read_partition(target) == sf.HardPartition(["x", "y"])


def test_writing_replaces_the_file_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "found.json"
    path.write_text("old")
    write_text(path, "größe")
    assert path.read_text(encoding="utf-8") == "größe"
    assert list(tmp_path.iterdir()) == [path]


def test_infinite_and_undefined_numbers_become_null():
    text = json_text({"a": [math.inf, (math.nan, 1.5)], 2: None, "b": True})
    assert json.loads(text) == {"a": [None, [None, 1.5]], "2": None, "b": True}


def test_devices_and_inputs_are_not_written_over(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(sf.InputError, match="a device or a pipe"):
        check_target(pipe)
    path = tmp_path / "file.csv"
    path.write_text("label\nx\n")
    with pytest.raises(sf.InputError, match="one of the inputs"):
        check_target(path, [path])
    assert check_target(path, [tmp_path / "other.csv"]) == path.resolve()
