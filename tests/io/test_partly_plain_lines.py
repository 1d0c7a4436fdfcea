"""Lines of which only some cells are plain numbers, and files that must not be written over."""

import os

import pytest

import sfumato as sf
from sfumato._files import check_target
from sfumato.io.features import read_features


def written(folder, text):
    path = folder / "file.csv"
    path.write_text(text)
    return path


def test_a_plain_number_before_a_decimal_comma_is_read_once(tmp_path):
    found = read_features(written(tmp_path, "height;weight\n5;3,5\n4,9;3,0\n6;3,1\n"))
    assert found.values.tolist() == [[5, 3.5], [4.9, 3], [6, 3.1]]


def test_memberships_with_decimal_commas_beside_whole_numbers(tmp_path):
    found = sf.read_partition(written(tmp_path, "a;b\n0,5;0,5\n1;0,0\n0,2;0,8\n"))
    assert found.memberships.tolist() == [[0.5, 0.5], [1, 0], [0.2, 0.8]]


@pytest.mark.parametrize("missing", ["drop", "unknown"])
def test_an_empty_cell_after_plain_ones_is_one_missing_row(tmp_path, missing):
    path = written(tmp_path, "a,b,c\n0.5,0.5,0\n0.2,,0.8\n0.1,0.9,0\n")
    found = sf.read_partition(path, missing=missing)
    assert found.n_objects == (2 if missing == "drop" else 3)
    assert any("1 of 3 rows" in note for note in found.notes)


def test_devices_and_inputs_are_not_written_over(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(sf.InputError, match="a device or a pipe"):
        check_target(pipe)
    path = written(tmp_path, "label\nx\n")
    with pytest.raises(sf.InputError, match="one of the inputs"):
        check_target(path, [path])
    assert check_target(path, [tmp_path / "other.csv"]) == path.resolve()
