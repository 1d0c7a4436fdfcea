"""Files beside each other: whose rows are matched by ids, as they stand, or not at all."""

import json

import pytest


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


IN_ORDER, TURNED = "id,label w,a x,a y,b z,c", "id,label z,c y,b x,a w,a"


@pytest.mark.parametrize("command", ["pairwise", "compare", "rank", "report -o page.html"])
@pytest.mark.parametrize(
    "files", ["one two bare", "two one bare", "bare one two", "one bare two", "two bare one"]
)
def test_ids_in_two_orders_beside_a_file_without_ids_are_refused(run, tmp_path, command, files):
    write(tmp_path, one=IN_ORDER, two=TURNED, bare="label a a b c")
    done = run(*command.split(), *(f"{name}.csv" for name in files.split()), "-m", "rand")
    first, second = (f"{name}.csv" for name in files.split() if name != "bare")
    assert (done.exit_code, done.stdout) == (3, "")
    assert done.stderr == (
        f"sfumato: {first} and {second} have their ids in different orders, and bare.csv has "
        "none, so it is not known which rows go with it; give it ids, or write all files in "
        "one order.\n"
    )


@pytest.mark.parametrize("files", ["one same bare", "bare same one", "same bare one"])
def test_ids_in_one_order_go_with_a_file_without_ids(run, tmp_path, files):
    write(tmp_path, one=IN_ORDER, same=IN_ORDER, bare="label a b b c")
    done = run("pairwise", *(f"{name}.csv" for name in files.split()), "-m", "rand", "--json")
    found = json.loads(done.stdout)
    values = {frozenset((row["a"], row["b"])): row["mean"] for row in found["rows"]}
    assert values[frozenset(("one", "same"))] == 1
    assert values[frozenset(("one", "bare"))] == values[frozenset(("same", "bare"))] == 4 / 6
    assert found["notes"][-1].startswith("rows were taken as they stand: no ids in bare, so")


def test_the_ids_of_candidates_agree_though_the_truth_has_none(run, tmp_path):
    write(tmp_path, one=IN_ORDER, other=IN_ORDER.replace("w", "v"), bare="label a a b c")
    done = run("compare", "bare.csv", "one.csv", "other.csv")
    assert done.exit_code == 3
    assert done.stderr == "sfumato: The ids differ: other.csv lacks 'w'; one.csv lacks 'v'.\n"
