"""Draws from files: R's csv, NumPy's npz, and sfumato's own."""

import numpy as np
import pytest

import sfumato as sf

DRAWS = np.array([[1, 1, 2, 2], [2, 2, 1, 1], [1, 1, 1, 2]])
AS_DRAWN = sf.DrawnPartition(DRAWS)


def written(path, lines):
    path.write_text("\n".join(lines) + "\n")
    return path


def test_a_matrix_as_r_writes_it(tmp_path):
    # write.csv(draws) and write.csv(draws, row.names = FALSE) of R 4
    named = ['"","V1","V2","V3","V4"', '"1",1,1,2,2', '"2",2,2,1,1', '"3",1,1,1,2']
    plain = ['"V1","V2","V3","V4"', "1,1,2,2", "2,2,1,1", "1,1,1,2"]
    for lines in (named, plain):
        found = sf.read_partition(written(tmp_path / "draws.csv", lines), kind="drawn")
        assert found == AS_DRAWN
        assert found.index is None


def test_names_of_columns_are_ids(tmp_path):
    lines = ["oak,elm,ash,yew", "1,1,2,2", "2,2,1,1", "1,1,1,2"]
    found = sf.read_partition(written(tmp_path / "draws.csv", lines), kind="drawn")
    assert found == AS_DRAWN
    assert found.index.tolist() == ["oak", "elm", "ash", "yew"]


def test_a_matrix_of_numpy_with_and_without_weights(tmp_path):
    path = tmp_path / "draws.npz"
    np.savez(path, draws=DRAWS)
    assert sf.read_partition(path, kind="drawn") == AS_DRAWN
    np.savez_compressed(path, z=DRAWS, weights=[1, 2, 1])
    assert sf.read_partition(path, kind="drawn") == sf.DrawnPartition(DRAWS, [1, 2, 1])
    with pytest.raises(sf.InputError, match=r"no (archive|partition) that sfumato"):
        sf.read_partition(path)
    np.savez(path, a=DRAWS, b=DRAWS)
    with pytest.raises(sf.InputError, match="the arrays a, b; draws are one matrix"):
        sf.read_partition(path, kind="drawn")
    np.savez(path, a=DRAWS / 3)
    with pytest.raises(sf.InputError, match=r"draws.npz: Draw 0, object 0 is 0.33"):
        sf.read_partition(path, kind="drawn")


def test_a_missing_label_is_an_error_with_its_place(tmp_path):
    path = written(tmp_path / "draws.csv", ["a,b", "1,2", "1,NA"])
    with pytest.raises(sf.InputError, match=r"draws.csv.*line 3"):
        sf.read_partition(path, kind="drawn")
