"""Csv files become partitions, or a complaint that names the place."""

import numpy as np
import pytest

import sfumato as sf
from bad_files import BAD_FILES
from sfumato.io import read_partition


@pytest.fixture
def write(tmp_path):
    def write_file(content, name="file.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_file


def test_one_column_is_hard(write):
    found = read_partition(write("label\nx\ny\nx\n"))
    assert found == sf.HardPartition(["x", "y", "x"])


def test_rows_that_sum_to_one_are_fuzzy_and_clusters_are_called_as_columns(write):
    found = read_partition(write("low,high\n0.25,0.75\n1,0\n"))
    assert found == sf.FuzzyPartition([[0.25, 0.75], [1, 0]], names=["low", "high"])


def test_a_mask_is_rough_if_so_called(write):
    found = read_partition(write("a,b\n1,1\n0,1\n"), kind="rough")
    assert found == sf.RoughPartition([[1, 1], [0, 1]], names=["a", "b"])


def test_degrees_are_possibilistic_if_so_called(write):
    found = read_partition(write("a,b\n1,0.5\n0.25,1\n"), kind="possibilistic")
    assert found == sf.PossibilisticPartition([[1, 0.5], [0.25, 1]], names=["a", "b"])


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


def test_a_byte_order_mark_crlf_and_blank_lines_at_the_end_do_no_harm(write):
    found = read_partition(write(b"\xef\xbb\xbflabel\r\nx\r\ny\r\n\r\n\r\n"))
    assert found == sf.HardPartition(["x", "y"])


def test_numbers_name_columns_where_they_cannot_be_data(write):
    assert read_partition(write("0,1,2\n1,0,0\n0,0.5,0.5\n")).names == ("0", "1", "2")


def test_numbers_are_read_to_the_last_digit(write):
    memberships = np.random.default_rng(0).dirichlet(np.ones(3), 50)
    lines = ["a,b,c", *(",".join(map(repr, map(float, row))) for row in memberships)]
    found = read_partition(write("\n".join(lines)))
    np.testing.assert_array_equal(found.memberships, sf.FuzzyPartition(memberships).memberships)


@pytest.mark.parametrize("case", BAD_FILES)
def test_a_bad_file_is_refused_with_its_place(write, case):
    content, kind, message = BAD_FILES[case]
    with pytest.raises(sf.InputError, match=message) as caught:
        read_partition(write(content, "bad.csv"), kind=kind)
    assert "bad.csv" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_no_file_is_refused(tmp_path):
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
