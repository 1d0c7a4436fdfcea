"""Files that are broken, too large or made to harm: a clear answer, and no memory for them."""

import gzip
import json
import pickle
import zipfile
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import sfumato as sf
from bad_files import GOOD_FILES
from memory import peak_of
from sfumato.cli import app

RNG = np.random.default_rng(11)
PARTITIONS = {
    "hard": sf.HardPartition(["x", "y", "x", "z"]),
    "rough": sf.RoughPartition([[1, 1], [0, 1], [1, 0]]),
    "fuzzy": sf.FuzzyPartition(RNG.dirichlet(np.ones(3), 6), names=["a", "b", "c"]),
    "possibilistic": sf.PossibilisticPartition([[1, 0.5], [0.25, 1]], t_norm="min"),
    "evidential": sf.EvidentialPartition([[0.2, 0.3, 0.5]], [[0, 0], [1, 0], [1, 1]]),
}


def mutated(content, rng):
    """Some bytes changed, cut out, repeated, or replaced by what readers stumble over."""
    content = bytearray(content)
    odd = [bytes([sign]) for sign in b'\0"\n,;{}-\xff\r'] + [b"nan", b"1e999", b"[" * 50]
    for _ in range(rng.integers(1, 5)):
        at = int(rng.integers(len(content) + 1))
        match rng.integers(4):
            case 0:
                content[at : at + 1] = bytes([rng.integers(256)])
            case 1:
                del content[at : at + int(rng.integers(1, 20))]
            case 2:
                content[at:at] = content[: int(rng.integers(1, 40))]
            case _:
                content[at:at] = odd[rng.integers(len(odd))]
    return bytes(content)


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("originals")
    files = [(content, ".csv") for content, _ in GOOD_FILES.values()]
    files += [(gzip.compress(content), ".csv.gz") for content, _ in list(GOOD_FILES.values())[:3]]
    files.append((GOOD_FILES["tabs"][0], ".tsv"))
    frame = pa.table({"id": ["p", "q"], "a": [0.5, 1.0], "b": [0.5, 0.0]})
    for compression in ("lz4", "zstd"):
        feather.write_feather(frame, folder / "plain.feather", compression=compression)
        files.append(((folder / "plain.feather").read_bytes(), ".feather"))
    for name, partition in PARTITIONS.items():
        for suffix in (".json", ".json.gz", ".npz", ".parquet", ".feather"):
            path = folder / f"{name}{suffix}"
            sf.write_partition(partition, path)
            files.append((path.read_bytes(), suffix))
    return files


def test_two_thousand_damaged_files_give_a_partition_or_one_line(originals, tmp_path):
    rng = np.random.default_rng(0)
    n_read, said = 0, []

    def read_all():
        nonlocal n_read
        for at in range(2000):
            content, suffix = originals[at % len(originals)]
            path = tmp_path / f"damaged{suffix}"
            path.write_bytes(mutated(content, rng))
            try:
                sf.read_partition(path, kind=[None, "rough", "fuzzy"][at % 3])
                n_read += 1
            except sf.SfumatoError as error:
                said.append(str(error))

    pool = pa.default_memory_pool()
    before = pool.max_memory() or 0
    _, peak = peak_of(read_all)
    assert peak < 64 << 20
    assert (pool.max_memory() or 0) < before + (64 << 20)
    assert min(n_read, len(said)) > 100
    assert [line for line in said if len(line.splitlines()) != 1 or len(line) > 1000] == []


def test_damaged_files_at_the_command_line_give_an_answer_or_one_line(originals, tmp_path):
    rng = np.random.default_rng(1)
    truth = tmp_path / "truth.csv"
    truth.write_text("label\nx\ny\nx\n")
    for at in range(100):
        content, suffix = originals[at % len(originals)]
        path = tmp_path / f"damaged{suffix}"
        path.write_bytes(mutated(content, rng))
        command = (
            ["check", str(path)] if at % 2 else ["compare", str(truth), str(path), "-m", "rand"]
        )
        done = CliRunner().invoke(app, command)
        assert done.exception is None or isinstance(done.exception, SystemExit), command
        assert done.exit_code in (0, 3, 4)
        if done.exit_code:
            assert done.stdout == ""
            assert done.stderr.startswith("sfumato: ")


def npz_of(path, **entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(f"{name}.npy", content)


def npy_header(shape, descr="<f8"):
    text = repr({"descr": descr, "fortran_order": False, "shape": shape}).encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text


def gzip_bomb(path):
    path.write_bytes(gzip.compress(b"a,b\n" + b"0" * (50 << 20)))


def npz_bomb(path):
    npz_of(path, masses=npy_header((1 << 18,)) + bytes(1 << 21))


LONG = pa.array(["x" * (8 << 20)] * 2)
LONG_COLUMNS = [pa.repeat(1.0, 1 << 20), LONG.dictionary_encode()]


@pytest.mark.parametrize(
    ("name", "write", "said"),
    [
        ("bomb.csv.gz", gzip_bomb, "The bytes inside are more than the 1,048,576"),
        ("bomb.npz", npz_bomb, "2,097,280 bytes inside are more than the 1,048,576"),
        (
            "bomb.parquet",
            lambda path: pq.write_table(pa.table({"a": LONG}), path, compression="zstd"),
            "8,388,6.* bytes inside are more than the 1,048,576",
        ),
        *(
            (
                "bomb.feather",
                partial(feather.write_feather, pa.table({"a": column}), compression=compression),
                "8,388,6.* bytes inside are more than the 1,048,576",
            )
            for column in LONG_COLUMNS
            for compression in ("lz4", "zstd")
        ),
    ],
)
def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch, name, write, said):
    monkeypatch.setattr("sfumato.io.files.LARGEST", 1 << 20)
    path = tmp_path / name
    write(path)
    assert path.stat().st_size < 1 << 18
    with pytest.raises(sf.CostError, match=f"{name}: {said}"):
        sf.read_partition(path)


def test_a_false_shape_asks_for_no_memory(tmp_path):
    path = tmp_path / "false.npz"
    npz_of(path, header=npy_header((1 << 40,)) + bytes(64))

    def refused():
        with pytest.raises(sf.InputError, match="no archive that sfumato wrote"):
            sf.read_partition(path)

    assert peak_of(refused)[1] < 4 << 20


def test_a_pickle_in_an_archive_is_not_run(tmp_path):
    class Harm:
        def __reduce__(self):
            return (open, (str(tmp_path / "harm"), "w"))

    path = tmp_path / "pickle.npz"
    npz_of(path, header=npy_header((1,), "|O") + pickle.dumps(Harm()))
    with pytest.raises(sf.InputError, match=r"holds Python objects \(a pickle\)"):
        sf.read_partition(path)
    assert not (tmp_path / "harm").exists()


def test_a_table_of_endless_rows_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr("sfumato.io.arrow_file.LARGEST", 1 << 20)
    path = tmp_path / "many.parquet"
    column = pa.repeat(1.0, 1 << 20)
    pq.write_table(pa.table({"a": column}), path)
    with pytest.raises(sf.CostError, match="1,048,576 rows of 1 columns are more than"):
        sf.read_partition(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "no JSON|nested too deeply"),
        ("[]", "no partition that sfumato wrote"),
        ("{}", "no partition that sfumato wrote"),
        ('{"arrays": {}}', "no partition that sfumato has written"),
        ('{"a": ', r"file\.json, line 1: no JSON"),
        ('{"arrays": {"a": {"dtype": "U999999999", "values": ["x"]}}}', "no partition that"),
    ],
)
def test_other_json_is_refused(tmp_path, text, said):
    path = tmp_path / "file.json"
    path.write_text(text)
    with pytest.raises(sf.InputError, match=said):
        sf.read_partition(path)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("hard", {"codes": {"dtype": "int64", "values": [0, 1, 9, 2]}}),
        ("fuzzy", {"memberships": {"dtype": "float64", "values": [[0.5, 0.6, 0.0]]}}),
        ("rough", {"sets": {"dtype": "bool", "values": [[False, False], [False, False]]}}),
        ("evidential", {"empty_mass": {"dtype": "float64", "values": [3.0]}}),
        ("possibilistic", {"memberships": {"dtype": "float64", "values": [[0.0, 0.0]]}}),
    ],
)
def test_content_of_our_own_files_is_checked_too(tmp_path, kind, change):
    path = tmp_path / "file.json"
    sf.write_partition(PARTITIONS[kind], path)
    content = json.loads(path.read_text())
    content["arrays"] |= change
    path.write_text(json.dumps(content))
    with pytest.raises(sf.InputError, match=r"file\.json"):
        sf.read_partition(path)
