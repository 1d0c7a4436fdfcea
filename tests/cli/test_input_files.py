"""Files beside each other: whose rows are matched by ids, as they stand, or not at all."""

import json

import pytest
from typer.testing import CliRunner

from sfumato.cli import app


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: CliRunner().invoke(app, list(arguments))


def write(folder, **files):
    for name, content in files.items():
        (folder / f"{name}.csv").write_text(content.replace(" ", "\n") + "\n")


COUNTED = "1,a 2,a 3,b 4,c"


@pytest.mark.parametrize("written", ["4.0,c 3.0,b 2.0,a 1.0,a", "04,c 03,b 02,a 01,a"])
@pytest.mark.parametrize(
    ("header", "options"), [("id", ["--id", "id"]), ("id", []), ("no", ["--id", "truth=no"])]
)
def test_ids_that_count_the_rows_are_ids(run, tmp_path, written, header, options):
    write(tmp_path, truth=f"{header},label {COUNTED}", other=f"id,label {written}")
    done = run("compare", "truth.csv", "other.csv", "-m", "rand", *options)
    assert done.exit_code == 3
    assert done.stderr.startswith("sfumato: The ids differ: other.csv lacks 1, 2, 3")


@pytest.mark.parametrize("written", ["4.0,c 3.0,b 2.0,a 1.0,a", "4,c 3,b 2,a x,a"])
def test_numbers_of_rows_are_kept_beside_ids_that_are_numbers_too(run, tmp_path, written):
    write(tmp_path, truth=f",label {COUNTED}", other=f"id,label {written}")
    done = run("compare", "truth.csv", "other.csv", "-m", "rand")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "The ids differ" in done.stderr


def test_numbers_of_rows_are_no_ids_beside_files_without_ids(run, tmp_path):
    write(tmp_path, truth="label a a b c", r=f",label {COUNTED}", python=",label 0,a 1,a 2,b 3,c")
    done = run("compare", "truth.csv", "r.csv", "python.csv", "-m", "rand", "--json")
    found = json.loads(done.stdout)
    assert [row["mean"] for row in found["rows"]] == [1, 1]
    assert found["notes"][-1].startswith("rows were taken as they stand: no ids in the files")
