"""Wrong arguments end in one line that says what was wrong, never in a raw exception."""

import io
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.cluster import DBSCAN
from sklearn.mixture import GaussianMixture

import sfumato as sf
from by_method import question
from sfumato import interop, planner
from sfumato._arguments import generator_of
from sfumato.algorithms.deadline import Deadline
from sfumato.io import read_partition, write_text

MEMBERSHIPS = np.array([[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


MASSES = pd.DataFrame({"{a}": [0.5, 1.0], "{a,b}": [0.5, 0.0]})
FROM_SETS = (sf.RoughPartition.from_sets, partial(sf.EvidentialPartition.from_sets, [[1.0]]))
NAMED = [
    partial(sf.HardPartition, [0, 1]),
    partial(sf.RoughPartition, [[1, 1], [0, 1]]),
    partial(sf.RoughPartition.from_sets, [{0}, {1}]),
    partial(sf.FuzzyPartition, [[0.5, 0.5]]),
    partial(sf.PossibilisticPartition, [[0.5, 1]]),
    partial(sf.EvidentialPartition, [[1.0]], [[1, 0]]),
]
EVENTS = [
    getattr(sf.compare(side, [0, 0, 1], quantity="distribution").distribution, name)
    for side in (MEMBERSHIPS, sf.RoughPartition(MEMBERSHIPS > 0))
    for name in ("belief", "plausibility")
]
NO_NAMES, NO_PATHS = (3, 0.5, "ab", b"ab", object()), (None, b"", b"a.csv", 3, ["a.csv"])


@pytest.mark.parametrize(
    ("door", "argument", "wrong", "said"),
    [
        (FROM_SETS, "sets", (None, 3, "ab", b"ab"), "^sets is .*; pass a list with one set of na"),
        (NAMED, "names", NO_NAMES, r"^names is .*; pass a sequence with one name each\.$"),
        (EVENTS, "where", (3, "x", [True]), "^where must be a function of an array of values"),
        (
            [sf.relational],
            "partition",
            (3, None, "abc", MEMBERSHIPS),
            "^relational takes a partition, not .*as_partition",
        ),
        (
            [read_partition],
            "path",
            (*NO_PATHS, io.StringIO("a\n1\n")),
            "^Expected the path of a file, got .*; pass it as",
        ),
        ([sf.Sampled], "nested", ("no", 3, None), "nested must be True or False"),
        ([partial(sf.compare, b=[0, 1])], "a", [MASSES], 'pass kind="evidential"'),
        ([partial(sf.evaluate, truth=[0])], "candidates", [{1: [0], "1": [0]}], "called '1'"),
        ([partial(sf.indices.campello, [0, 1], [0, 1])], "index", [np.array([1, 2])], "index"),
        ([partial(sf.indices.zhou, [0], [0])], "normalized", ["yes"], "must be True or False"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.isidentifier() else "",
)
def test_a_wrong_argument_is_refused_in_words(door, argument, wrong, said):
    for use, value in product(door, wrong):
        with pytest.raises(sf.InputError, match=said) as caught:
            use(**{argument: value})
        assert "\n" not in str(caught.value)


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


OBJECTS = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
RAGGED = [[0.5, 0.5], [1.0]]
FRAME = pd.DataFrame({"a": [1, 2]})
NAN_INDEX = pd.Series([0, 1, 1], index=[1.0, np.nan, 3.0])

CALLS = {
    "to_evclust": lambda: interop.to_evclust(3),
    "topic that is text": lambda: interop.from_topics([[("a", 1.0)]]),
    "topic that is nan": lambda: interop.from_topics([[(np.nan, 1.0)]]),
    "topic that is infinite": lambda: interop.from_topics([[(np.inf, 1.0)]]),
    "weight that is text": lambda: interop.from_topics([[(0, "a")]]),
    "weight that is too large": lambda: interop.from_topics([[(0, 10**400)]]),
    "n_topics that is text": lambda: interop.from_topics([[(0, 1.0)]], n_topics="3"),
    "names of topics": lambda: interop.from_topics([[(0, 1.0)]], names=3),
    "names of votes": lambda: interop.from_votes([[1, 2]], names=3),
    "missing votes": lambda: interop.from_votes([[1, 2]], missing=FRAME),
    "kind of votes": lambda: interop.from_votes([[1, 2]], kind=np.array(["fuzzy", "rough"])),
    "X that is a number": lambda: interop.from_sklearn(DBSCAN().fit(OBJECTS), 3),
    "X that is sparse": lambda: interop.from_sklearn(
        GaussianMixture(2, random_state=0).fit(OBJECTS), sparse.csr_matrix(OBJECTS)
    ),
    "ragged memberships": lambda: interop.from_skfuzzy(RAGGED),
    "ragged order": lambda: sf.HardPartition([0, 1]).take([[0], [0, 1]]),
    "integer too large": lambda: sf.as_partition([[10**400, 0], [0, 1]]),
    "integer too large beside a float": lambda: sf.as_partition([[10**400, 0.5], [0, 1]]),
    "noise": lambda: sf.compare([0, 1], [0, 1], noise=np.array(["drop", "drop"])),
    "missing": lambda: sf.compare([0, 1], [0, 1], missing=FRAME),
    "kind": lambda: sf.as_partition([0, 1], np.array(["hard", "hard"])),
    "quantity": lambda: sf.compare([0, 1], [0, 1], quantity=np.array(["range", "range"])),
    "quantity in a frame": lambda: sf.compare([0, 1], [0, 1], quantity=FRAME),
    "labels that are a list": lambda: sf.HardPartition([0]).equivalent([0]),
    "clustering that is a list": lambda: sf.RoughPartition([[1, 1]]).is_compatible([0]),
    "clustering that is a number": lambda: sf.FuzzyPartition([[1.0]]).probability(5),
    "measures that are a number": lambda: sf.evaluate({"a": [0, 1]}, [0, 1], measures=5),
    "bounds that are a number": lambda: sf.Measure.from_function(
        len, name="own", better="higher", bounds=5
    ),
    "most that is text": lambda: soft().plot_contributions(most="a"),
    "most that is 0": lambda: soft().plot_contributions(most=0),
    "most that is negative": lambda: soft().plot_contributions(most=-1),
}

FILE_CALLS = {
    "title": lambda folder: report().to_html(folder / "a.html", title=3),
    "large label": lambda folder: sf.write_partition([10**30, 1, 2], folder / "a.parquet"),
    "mixed labels": lambda folder: sf.write_partition(["a", 1, 2], folder / "a.feather"),
    "nan as id": lambda folder: sf.write_partition(NAN_INDEX, folder / "a.json"),
    "separator written": lambda folder: sf.write_partition([0, 1], folder / "a.csv", separator=[]),
    "separator": lambda folder: sf.read_partition(table(folder), separator=[]),
    "kind": lambda folder: sf.read_partition(table(folder), np.array(["fuzzy", "rough"])),
    "id_column": lambda folder: sf.read_partition(table(folder), id_column=FRAME),
    "noise": lambda folder: sf.read_partition(table(folder), noise=FRAME),
}


def soft():
    return sf.compare([[0.5, 0.5], [0.2, 0.8]], [0, 1])


def report():
    return sf.evaluate({"a": [0, 1]}, [0, 1], measures=["rand"])


def table(folder):
    path = folder / "table.csv"
    path.write_text("a,b\n0.5,0.5\n0.2,0.8\n")
    return path


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_is_an_input_error(name):
    with pytest.raises(sf.InputError) as caught:
        CALLS[name]()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", FILE_CALLS)
def test_a_wrong_argument_about_a_file_is_an_input_error(name, tmp_path):
    if name in ("large label", "mixed labels"):
        pytest.importorskip("pyarrow")
    with pytest.raises(sf.InputError) as caught:
        FILE_CALLS[name](tmp_path)
    assert "\n" not in str(caught.value)
    assert {path.name for path in tmp_path.iterdir()} <= {"table.csv"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("clus.json", '{"mass": [[1%s]], "F": [[1]]}' % ("0" * 5000), "thousands of digits"),
        ("clus.json", '{"mass": [[1%s]], "F": [[1]]}' % ("0" * 400), "too large"),
        ("clus.json", "[" * 100_000, "nested too deeply"),
        ("mass.csv", "\n1,2\n", "line 1"),
        ("mass.csv", "\ufeff", "blank lines"),
        ("mass.csv", "a\n" + "1" * 200_000, "line 2: field"),
    ],
    ids=range(6),
)
def test_a_credal_partition_that_cannot_be_read(name, text, said, tmp_path):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    files = [path] if name.endswith(".json") else [path, path]
    with pytest.raises(sf.InputError, match=said):
        interop.from_credpart(*files)


@pytest.mark.parametrize(
    "call",
    [
        lambda: interop.from_topics([[(10**12, 1.0)]]),
        lambda: interop.from_topics([[(0, 1.0)]], n_topics=10**12),
    ],
)
def test_topics_without_number_are_too_many(call):
    with pytest.raises(sf.CostError, match="1,000,000"):
        call()


NO_SOURCES = [np.matrix([[1]]), np.array([[1, 2]]), np.array([0.5]), [[1, 2]], [0.5], FRAME]
NO_SOURCES += ["1", 1.0, True, -1, object(), np.random.RandomState(0)]


@pytest.mark.parametrize("rng", NO_SOURCES, ids=lambda rng: type(rng).__name__)
@pytest.mark.parametrize(
    "door",
    [
        lambda rng: sf.compare([0, 1], [0, 1], rng=rng),
        lambda rng: sf.evaluate({"a": [0, 1]}, [0, 1], rng=rng),
        lambda rng: sf.pairwise({"a": [0, 1]}, rng=rng),
    ],
    ids=["compare", "evaluate", "pairwise"],
)
def test_what_is_no_random_source_does_not_reach_numpy(door, rng):
    with pytest.raises(sf.InputError, match=r"^rng must be a Generator, .*seed or None") as caught:
        door(rng)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "rng",
    [7, np.int64(7), [1, 2], (1, 2), np.array([1, 2]), np.random.SeedSequence(7)],
    ids=lambda rng: type(rng).__name__,
)
def test_seeds_are_those_of_numpy(rng):
    assert generator_of(rng).random() == np.random.default_rng(rng).random()


def test_generators_are_taken():
    generator = np.random.default_rng(7)
    assert generator_of(generator) is generator
    assert generator_of(np.random.PCG64(7)).random() == np.random.default_rng(7).random()
    assert isinstance(generator_of(None), np.random.Generator)


def test_to_evclust_takes_labels():
    assert interop.to_evclust([0, 1])["y_pl"].tolist() == [0, 1]


def test_labels_of_sparse_objects_are_those_of_the_fit():
    fitted = DBSCAN(eps=1, min_samples=2).fit(OBJECTS)
    found = interop.from_sklearn(fitted, sparse.csr_matrix(OBJECTS))
    assert found == interop.from_sklearn(fitted)


def test_a_file_may_have_the_longest_name_that_there_is(tmp_path):
    path = tmp_path / ("a" * 250 + ".csv")
    sf.write_partition([0, 1], path)
    assert sf.read_partition(path).n_objects == 2


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder that refuses all files")
def test_a_folder_that_takes_no_files():
    with pytest.raises(sf.InputError, match=r"/proc/a\.csv"):
        sf.write_partition([0, 1], "/proc/a.csv")
