"""Csv files become partitions, or a complaint that names the place."""

import numpy as np
import pytest

import sfumato as sf
from bad_files import BAD_FILES, GOOD_FILES
from sfumato.io import read_partition
from sfumato.io.cells import as_index, read_cells
from sfumato.io.columns import begun
from sfumato.io.csv_table import open_csv
from sfumato.io.fast_csv import fast_cells
from sfumato.io.features import read_features


@pytest.fixture
def write(tmp_path):
    def write_file(content, name="file.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


@pytest.mark.parametrize(
    ("text", "kind", "wanted"),
    [
        ("label\nx\ny\nx\n", None, sf.HardPartition(["x", "y", "x"])),
        (
            "low,high\n0.25,0.75\n1,0\n",
            None,
            sf.FuzzyPartition([[0.25, 0.75], [1, 0]], names=["low", "high"]),
        ),
        ("a,b\n1,1\n0,1\n", "rough", sf.RoughPartition([[1, 1], [0, 1]], names=["a", "b"])),
        (
            "a,b\n1,0.5\n0.25,1\n",
            "possibilistic",
            sf.PossibilisticPartition([[1, 0.5], [0.25, 1]], names=["a", "b"]),
        ),
        # A byte order mark, Windows line ends and blank lines at the end do no harm.
        ("\ufefflabel\r\nx\r\ny\r\n\r\n\r\n", None, sf.HardPartition(["x", "y"])),
    ],
)
def test_what_columns_stand_for(write, text, kind, wanted):
    assert read_partition(write(text), kind=kind) == wanted


@pytest.mark.parametrize("header", ['{},{a},"{a,b}"', "{},{a},{a,b}", " {} , {a} , {a, b} "])
def test_columns_named_after_sets_are_evidential_with_or_without_quotes(write, header):
    found = read_partition(write(f"{header}\n0,0.5,0.5\n0.2,0.8,0\n"))
    assert found.kind == "evidential"
    np.testing.assert_allclose(found.masses, [[0.5, 0.5], [1, 0]])
    assert found.focal_sets.tolist() == [[True, False], [True, True]]
    np.testing.assert_allclose(found.empty_mass, [0, 0.2])


def test_mass_on_the_empty_set_goes_where_it_is_told(write):
    path = write("{},{a},{a,b}\n0,0.5,0.5\n0.2,0.8,0\n")
    found = read_partition(path, empty="yager")
    np.testing.assert_allclose(found.masses, [[0.5, 0.5], [0.8, 0.2]])
    with pytest.raises(sf.InputError, match=r"line 3 has mass 0\.2 on the empty set"):
        read_partition(path, empty="raise")
    with pytest.raises(sf.InputError, match="empty"):
        read_partition(path, empty="drop")


@pytest.mark.parametrize("kind", ["rough", "fuzzy", "possibilistic", "evidential"])
def test_labels_and_sets_speak_for_themselves_whatever_the_kind(write, kind):
    assert read_partition(write("label\nx\ny\n"), kind=kind).kind == "hard"
    assert read_partition(write("{a},{b}\n1,0\n0,1\n"), kind=kind).kind == "evidential"


def test_numbers_name_columns_where_they_cannot_be_data(write):
    assert read_partition(write("0,1,2\n1,0,0\n0,0.5,0.5\n")).names == (0, 1, 2)


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_is_refused_with_its_place(write, case):
    content, kind, message = BAD_FILES[case]
    with pytest.raises(sf.InputError, match=message) as caught:
        read_partition(write(content, "bad.csv"), kind=kind)
    assert "bad.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_file_is_refused(tmp_path, write):
    with pytest.raises(sf.InputError, match=r"does not say which format it is; use \.csv, \.tsv"):
        read_partition(write("a\nx\n", "file.xls"))
    with pytest.raises(sf.InputError, match=r"none\.csv: No such file"):
        read_partition(tmp_path / "none.csv")
    with pytest.raises(sf.InputError, match="not a regular file"):
        read_partition(tmp_path)


def test_a_file_that_is_too_large_is_refused_before_it_is_loaded(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a hole: takes no space
    with pytest.raises(sf.CostError, match=r"1,099,511,627,776 bytes are more than"):
        read_partition(path)


def test_semicolons_go_with_decimal_commas_and_tabs_are_found(write):
    wanted = sf.FuzzyPartition([[0.25, 0.75], [1, 0]], names=["low", "high"])
    assert read_partition(write("low;high\n0,25;0,75\n1;0\n")) == wanted
    for sign in ";\t|":
        assert read_partition(write(f"low{sign}high\n0.25{sign}0.75\n1{sign}0\n")) == wanted
    assert read_partition(write("lo,w;high\n0.25;0.75\n1;0\n"), separator=";").names[0] == "lo,w"
    with pytest.raises(sf.InputError, match="separator is 'x'"):
        read_partition(write("a\n1\n"), separator="x")


def test_the_first_column_of_text_or_called_id_holds_ids(write):
    found = read_partition(write("flower,a,b\nf2,0.5,0.5\nf1,1,0\n"))
    assert found.index.tolist() == ["f2", "f1"]
    assert found.names == ("a", "b")
    assert read_partition(write("id,label\n7,x\n3,y\n")).index.tolist() == [7, 3]
    found = read_partition(write("a,b,no\n0.5,0.5,7\n1,0,3\n"), id_column="no")
    assert found.index.tolist() == [7, 3]
    with pytest.raises(sf.InputError, match=r"no column 'flower' of ids; there are 'a', 'b'"):
        read_partition(write("a,b\n1,0\n"), id_column="flower")
    with pytest.raises(sf.InputError, match=r"'a' is the only column"):
        read_partition(write("a\nx\n"), id_column="a")


def test_ids_align_files_whatever_their_order(write):
    truth = read_partition(write("id,label\nf1,x\nf2,y\nf3,x\n", "truth.csv"))
    found = read_partition(write("id,label\nf3,x\nf1,x\nf2,y\n", "found.csv"))
    assert sf.compare(found, truth).mean == 1
    other = read_partition(write("id,label\nf3,x\nf9,x\nf2,y\n", "other.csv"))
    with pytest.raises(sf.InputError, match="'f9' only in the first and 'f1' only in the second"):
        sf.compare(other, truth)


@pytest.mark.parametrize("case", [*GOOD_FILES, *BAD_FILES])
def test_the_fast_reader_sees_what_the_plain_reader_sees_or_nothing(write, case):
    content = {**GOOD_FILES, **BAD_FILES}[case][0]
    try:
        plain = cells_by(read_cells, write(content))
    except sf.InputError:
        plain = None
    try:
        fast = cells_by(fast_cells, write(content))
    except sf.InputError:  # at the header, which both share
        assert plain is None
        return
    if fast is not None and plain is None:
        # What only the partition refuses, such as ids that occur twice.
        with pytest.raises(sf.InputError):
            as_index(fast, "")
    elif fast is not None:
        assert (fast.names, fast.ids, fast.labels) == (plain.names, plain.ids, plain.labels)
        assert list(fast.lines) == list(plain.lines)
        if plain.values is not None:
            np.testing.assert_array_equal(fast.values, plain.values)
            np.testing.assert_array_equal(np.signbit(fast.values), np.signbit(plain.values))


def cells_by(reader, path):
    with open_csv(path) as table:
        return reader(*begun(table, None))


FAST = {"labels", "whole numbers", "memberships", "no last line end", "windows", "masses", "tabs"}
FAST |= {"semicolons", "semicolons and points", "ids", "numbers as ids", "ids and labels"}


@pytest.mark.parametrize("case", sorted(FAST))
def test_the_fast_reader_takes_ordinary_files(write, case):
    assert cells_by(fast_cells, write(GOOD_FILES[case][0])) is not None


@pytest.mark.parametrize("has_ids", [False, True])
def test_large_files_are_read_alike_with_and_without_pyarrow(write, monkeypatch, has_ids):
    memberships = np.random.default_rng(1).dirichlet(np.ones(4), 15_000)
    lines = [",".join(map(repr, row)) for row in memberships.tolist()]
    if has_ids:
        lines = [f"o{at},{line}" for at, line in enumerate(lines)]
    path = write("\n".join(["id," * has_ids + "a,b,c,d", *lines]))
    assert path.stat().st_size > 1 << 20
    fast = read_partition(path)
    monkeypatch.setattr("sfumato.io.read.is_worth_it", lambda table: False)
    plain = read_partition(path)
    assert fast == plain
    assert np.array_equal(fast.index, plain.index) if has_ids else fast.index is None


def test_a_complaint_of_the_fast_reader_names_the_line(write):
    lines = ["0.25,0.75"] * 120_000
    lines[100_000] = "0.25,0.5"
    with pytest.raises(sf.InputError, match=r"line 100002 sums to 0\.75"):
        read_partition(write("\n".join(["a,b", *lines])), kind="fuzzy")


@pytest.mark.parametrize(
    ("labels", "note"),
    [
        (["1", "01", "2"], "The labels '01' and '1' are two clusters."),
        (["true", "False", "True"], "The labels 'True' and 'true' are two clusters."),
        (["02", "10", "True", "False", "setosa", "Setosa"], None),
    ],
)
def test_labels_that_may_be_one_are_told(write, labels, note):
    found = read_partition(write("\n".join(["label", *labels])))
    assert found.n_clusters == len(labels)
    assert found.notes == (() if note is None else (note,))


def test_a_plain_number_before_a_decimal_comma_is_read_once(write):
    found = read_features(write("height;weight\n5;3,5\n4,9;3,0\n6;3,1\n"))
    assert found.values.tolist() == [[5, 3.5], [4.9, 3], [6, 3.1]]


def test_memberships_with_decimal_commas_beside_whole_numbers(write):
    found = sf.read_partition(write("a;b\n0,5;0,5\n1;0,0\n0,2;0,8\n"))
    assert found.memberships.tolist() == [[0.5, 0.5], [1, 0], [0.2, 0.8]]


@pytest.mark.parametrize("missing", ["drop", "unknown"])
def test_an_empty_cell_after_plain_ones_is_one_missing_row(write, missing):
    path = write("a,b,c\n0.5,0.5,0\n0.2,,0.8\n0.1,0.9,0\n")
    found = sf.read_partition(path, missing=missing)
    assert found.n_objects == (2 if missing == "drop" else 3)
    assert any("1 of 3 rows" in note for note in found.notes)
    labels = sf.read_partition(write("label\nx\nNA\ny\n"), missing=missing)
    assert labels == sf.as_partition(["x", None, "y"], missing=missing)
