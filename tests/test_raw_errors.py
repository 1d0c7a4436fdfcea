"""What is no partition, no name, no event and no path is refused in one line, not by Python."""

import io
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import sfumato as sf
from by_method import question
from sfumato import planner
from sfumato.algorithms.deadline import Deadline
from sfumato.io import read_partition, write_text

MEMBERSHIPS = np.array([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


@pytest.mark.parametrize("sets", [None, 3, "ab", b"ab"])
def test_sets_are_a_list_of_sets(sets):
    for make in (sf.RoughPartition.from_sets, partial(sf.EvidentialPartition.from_sets, [[1.0]])):
        with pytest.raises(sf.InputError, match=r"^sets is .*; pass a list with one set of names"):
            make(sets)


@pytest.mark.parametrize("names", [3, 0.5, "ab", b"ab", object()])
@pytest.mark.parametrize(
    "make",
    [
        lambda names: sf.HardPartition([0, 1], names=names),
        lambda names: sf.RoughPartition([[1, 1], [0, 1]], names=names),
        lambda names: sf.RoughPartition.from_sets([{0}, {1}], names=names),
        lambda names: sf.FuzzyPartition([[0.5, 0.5]], names=names),
        lambda names: sf.PossibilisticPartition([[0.5, 1]], names=names),
        lambda names: sf.EvidentialPartition([[1.0]], [[1, 0]], names=names),
    ],
)
def test_names_are_a_sequence_of_names(make, names):
    with pytest.raises(sf.InputError, match=r"^names is .*; pass a sequence with one name each\.$"):
        make(names)


@pytest.mark.parametrize("where", [3, "x", [True]])
@pytest.mark.parametrize("name", ["belief", "plausibility"])
@pytest.mark.parametrize("side", [MEMBERSHIPS, sf.RoughPartition(MEMBERSHIPS > 0)])
def test_events_are_functions(side, name, where):
    found = sf.compare(side, [0, 0, 1], quantity="distribution").distribution
    with pytest.raises(sf.InputError, match=r"^where must be a function of an array of values"):
        getattr(found, name)(where=where)


@pytest.mark.parametrize("side", [3, None, "abc", MEMBERSHIPS])
def test_the_relational_view_is_that_of_a_partition(side):
    with pytest.raises(sf.InputError, match=r"^relational takes a partition, not .*as_partition"):
        sf.relational(side)


@pytest.mark.parametrize("path", [None, b"", b"a.csv", 3, ["a.csv"], io.StringIO("a\n1\n")])
def test_a_partition_is_read_from_a_path(path):
    with pytest.raises(sf.InputError, match=r"^Expected the path of a file, got .*; pass it as"):
        read_partition(path)


def test_a_path_holds_no_nul():
    uses = read_partition, partial(write_text, text="")
    for path, use in product(("a\0b.csv", Path("a\0b.csv")), uses):
        with pytest.raises(sf.InputError, match=r"'a\\x00b.csv' is no path of a file"):
            use(path)


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c"])
def test_a_file_with_other_line_ends_is_not_echoed(tmp_path, odd):
    path = tmp_path / "odd.csv"
    path.write_text(odd.join(["a,b", *["0.5,0.5"] * 5000]), encoding="utf-8")
    with pytest.raises(sf.InputError, match="ends no line of a csv file") as caught:
        read_partition(path)
    message = str(caught.value)
    assert len(message.splitlines()) == 1
    assert len(message) < 200 + len(str(path))


@pytest.mark.parametrize(
    "text",
    [
        "{long}\n{long}\n",
        "{long},{long}\n1,0\n",
        "a,b\n0.5,{long}\n",
        "a\n0.5{zeros}\n",
        ",".join(f"c{i}" for i in range(5000)) + "\n",
        ",".join(["0"] * 5000) + "\n" + ",".join(["0"] * 5000) + "\n",
    ],
)
def test_long_cells_and_headers_are_shortened(tmp_path, text):
    path = tmp_path / "long.csv"
    path.write_text(text.format(long="x\u2028" * 5000, zeros="0" * 5000), encoding="utf-8")
    with pytest.raises(sf.InputError) as caught:
        read_partition(path)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 600 + len(str(path))


@pytest.mark.parametrize("make", [sparse.dok_array, sparse.dok_matrix, sparse.lil_array])
def test_every_kind_of_sparse_matrix_is_read(make):
    assert sf.FuzzyPartition(make(MEMBERSHIPS)) == sf.FuzzyPartition(MEMBERSHIPS)
    assert sf.as_partition(make(MEMBERSHIPS)) == sf.FuzzyPartition(MEMBERSHIPS)
    assert sf.RoughPartition(make(MEMBERSHIPS > 0)) == sf.RoughPartition(MEMBERSHIPS > 0)


def sparse_frame(values, fill):
    frame = pd.DataFrame(values, columns=list("abc"), index=[7, 8, 9])
    return frame.astype(pd.SparseDtype(values.dtype, fill))


def test_a_sparse_frame_is_read_as_a_dense_one():
    dense = pd.DataFrame(MEMBERSHIPS, columns=list("abc"), index=[7, 8, 9])
    expected = sf.FuzzyPartition(dense)
    for fill in (0.0, np.nan, 0.5):
        found = sf.FuzzyPartition(sparse_frame(MEMBERSHIPS, fill))
        assert found == expected
        assert found.names == ("a", "b", "c")
        assert found.index.tolist() == [7, 8, 9]
    mixed = dense.astype({"b": pd.SparseDtype(float, 0.0)})
    assert sf.as_partition(mixed) == expected
    mask = sparse_frame(MEMBERSHIPS > 0, False)
    assert sf.RoughPartition(mask) == sf.RoughPartition(dense > 0)


def test_a_missing_number_in_a_sparse_frame_is_named():
    values = MEMBERSHIPS.copy()
    values[1, 2] = np.nan
    for fill in (0.0, np.nan):
        with pytest.raises(sf.InputError, match="row 1"):
            sf.FuzzyPartition(sparse_frame(values, fill))


MASSES = pd.DataFrame({"{a}": [0.5, 1.0], "{a,b}": [0.5, 0.0]})


def test_a_frame_of_masses_is_read_by_its_kind():
    assert sf.as_partition(MASSES, kind="evidential").kind == "evidential"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: sf.compare(MASSES, [0, 1]), 'pass kind="evidential"'),
        (lambda: sf.evaluate({1: [0], "1": [0]}, [0]), "Two partitions are called '1'"),
        (lambda: sf.Sampled(nested="no"), "nested must be True or False"),
        (lambda: sf.Sampled(nested=3), "nested must be True or False"),
        (lambda: sf.Sampled(nested=None), "nested must be True or False"),
        (lambda: sf.indices.campello([0, 1], [0, 1], index=np.array([1, 2])), "index"),
        (lambda: sf.indices.zhou([0], [0], normalized="yes"), "normalized must be True or False"),
    ],
)
def test_other_wrong_arguments_are_refused_in_words(call, said):
    with pytest.raises(sf.InputError, match=said):
        call()


def test_endless_draws_are_refused_before_they_begin():
    with pytest.raises(sf.CostError, match="n_samples=1,000,000,000,000 is above"):
        sf.compare([[0.5, 0.5], [1, 0]], [0, 1], engine=sf.Sampled(n_samples=10**12))


def test_thousands_of_clusters_do_not_overflow_an_index():
    memberships = np.full((3, 2000), 1 / 2000)
    assert 0 <= sf.indices.campello(memberships, [0, 0, 1]) <= 1


def test_work_that_runs_out_of_memory_costs_too_much():
    def work(_):
        raise MemoryError("std::bad_alloc")

    asked, policy = question([0, 1, 1], [0, 0, 1]), sf.Auto().policy()
    plan = replace(planner.choose(asked, policy), work=work)
    with pytest.raises(sf.CostError, match=r"ran out of memory on rand .* engine=\"sampled\""):
        planner.run(plan, asked, policy, np.random.default_rng, Deadline())
