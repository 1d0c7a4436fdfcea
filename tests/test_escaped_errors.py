"""Wrong arguments end in one line that says what was wrong, never in a raw exception."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.cluster import DBSCAN
from sklearn.mixture import GaussianMixture

import sfumato as sf
from sfumato import interop
from sfumato._arguments import generator_of

OBJECTS = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
RAGGED = [[0.5, 0.5], [1.0]]
FRAME = pd.DataFrame({"a": [1, 2]})
NAN_INDEX = pd.Series([0, 1, 1], index=[1.0, np.nan, 3.0])

CALLS: dict[str, Callable[[], object]] = {
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
        GaussianMixture(2, random_state=0).fit(OBJECTS), scipy.sparse.csr_matrix(OBJECTS)
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
    "most that is text": lambda: _soft().plot_contributions(most="a"),
    "most that is 0": lambda: _soft().plot_contributions(most=0),
    "most that is negative": lambda: _soft().plot_contributions(most=-1),
}

FILE_CALLS: dict[str, Callable[[Path], object]] = {
    "title": lambda folder: _report().to_html(folder / "a.html", title=3),
    "large label": lambda folder: sf.write_partition([10**30, 1, 2], folder / "a.parquet"),
    "mixed labels": lambda folder: sf.write_partition(["a", 1, 2], folder / "a.feather"),
    "nan as id": lambda folder: sf.write_partition(NAN_INDEX, folder / "a.json"),
    "separator written": lambda folder: sf.write_partition([0, 1], folder / "a.csv", separator=[]),
    "separator": lambda folder: sf.read_partition(_table(folder), separator=[]),
    "kind": lambda folder: sf.read_partition(_table(folder), np.array(["fuzzy", "rough"])),
    "id_column": lambda folder: sf.read_partition(_table(folder), id_column=FRAME),
    "noise": lambda folder: sf.read_partition(_table(folder), noise=FRAME),
}


def _soft() -> sf.Comparison:
    return sf.compare([[0.5, 0.5], [0.2, 0.8]], [0, 1])


def _report() -> sf.Report:
    return sf.evaluate({"a": [0, 1]}, [0, 1], measures=["rand"])


def _table(folder: Path) -> Path:
    path = folder / "table.csv"
    path.write_text("a,b\n0.5,0.5\n0.2,0.8\n")
    return path


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_is_an_input_error(name: str) -> None:
    with pytest.raises(sf.InputError) as caught:
        CALLS[name]()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", FILE_CALLS)
def test_a_wrong_argument_about_a_file_is_an_input_error(name: str, tmp_path: Path) -> None:
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
def test_a_credal_partition_that_cannot_be_read(
    name: str, text: str, said: str, tmp_path: Path
) -> None:
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
def test_topics_without_number_are_too_many(call: Callable[[], object]) -> None:
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
def test_what_is_no_random_source_does_not_reach_numpy(door, rng: object) -> None:
    with pytest.raises(sf.InputError, match=r"^rng must be a Generator, .*seed or None") as caught:
        door(rng)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "rng",
    [7, np.int64(7), [1, 2], (1, 2), np.array([1, 2]), np.random.SeedSequence(7)],
    ids=lambda rng: type(rng).__name__,
)
def test_seeds_are_those_of_numpy(rng: object) -> None:
    assert generator_of(rng).random() == np.random.default_rng(rng).random()


def test_generators_are_taken() -> None:
    generator = np.random.default_rng(7)
    assert generator_of(generator) is generator
    assert generator_of(np.random.PCG64(7)).random() == np.random.default_rng(7).random()
    assert isinstance(generator_of(None), np.random.Generator)


def test_to_evclust_takes_labels() -> None:
    assert interop.to_evclust([0, 1])["y_pl"].tolist() == [0, 1]


def test_labels_of_sparse_objects_are_those_of_the_fit() -> None:
    fitted = DBSCAN(eps=1, min_samples=2).fit(OBJECTS)
    found = interop.from_sklearn(fitted, scipy.sparse.csr_matrix(OBJECTS))
    assert found == interop.from_sklearn(fitted)


def test_a_file_may_have_the_longest_name_that_there_is(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 250 + ".csv")
    sf.write_partition([0, 1], path)
    assert sf.read_partition(path).n_objects == 2


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder that refuses all files")
def test_a_folder_that_takes_no_files() -> None:
    with pytest.raises(sf.InputError, match=r"/proc/a\.csv"):
        sf.write_partition([0, 1], "/proc/a.csv")
