"""Commands: what they print, where, and what they exit with."""

import json
import subprocess
import sys

import numpy as np
import pytest

import sfumato as sf
from bad_files import BAD_FILES

RNG = np.random.default_rng(5)
TRUTH = ["x"] * 6 + ["y"] * 6
MEMBERSHIPS = RNG.dirichlet([0.5, 0.5], 12)
MASK = np.array([[1, 0], [1, 1], [0, 1]] * 4)
DEGREES = np.array([[1, 0.5], [0.25, 1], [1, 0]] * 4)
MASSES = RNG.dirichlet([1, 1, 1, 1], 12)
SETS = [(), ("a",), ("b",), ("a", "b")]


def rows_of(header, rows):
    return "\n".join([header, *(",".join(map(repr, map(float, row))) for row in rows), ""])


FILES = {
    "truth": "\n".join(["species", *TRUTH, ""]),
    "fuzzy": rows_of("a,b", MEMBERSHIPS),
    "rough": rows_of("a,b", MASK),
    "possibilistic": rows_of("a,b", DEGREES),
    "evidential": rows_of("{},{a},{b},{a,b}", MASSES),
    "large_truth": "\n".join(["label", *map(str, np.arange(200) % 4), ""]),
    "large": rows_of("a,b,c,d", RNG.dirichlet(np.ones(4), 200)),
}
PARTITIONS = {
    "truth": sf.HardPartition(TRUTH),
    "fuzzy": sf.FuzzyPartition(MEMBERSHIPS),
    "rough": sf.RoughPartition(MASK),
    "possibilistic": sf.PossibilisticPartition(DEGREES),
    "evidential": sf.EvidentialPartition.from_sets(MASSES, SETS, names=["a", "b"]),
}


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        ("truth", []),
        ("fuzzy", []),
        ("rough", ["--kind", "rough"]),
        ("possibilistic", ["--kind", "possibilistic"]),
        ("evidential", []),
        ("evidential", ["--kind", "evidential"]),
    ],
)
def test_json_equals_the_python_api_for_every_kind_of_file(run, kind, options):
    chosen = ["-m", "rand", "-m", "homogeneity", *options]
    done = run("compare", "truth.csv", f"{kind}.csv", *chosen, "--json")
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert (found["truth"], found["seed"]) == ("truth.csv", 0)
    for row, measure in zip(found["rows"], ("rand", "homogeneity"), strict=True):
        wanted = sf.compare(PARTITIONS[kind], TRUTH, measure=measure, rng=0).to_dict()
        assert row.pop("name") == kind
        assert row.pop("hardened") == sf.compare(PARTITIONS[kind], TRUTH, measure=measure).hardened
        assert row.pop("seconds") >= 0
        wanted.pop("seconds")
        assert row == wanted


def test_seed_and_tolerance_reach_the_engine(run):
    def rand(*options):
        chosen = ["-m", "rand", "--engine", "sampled", "--tolerance", "0.1", *options]
        done = run("compare", "truth.csv", "fuzzy.csv", *chosen, "--json")
        return json.loads(done.stdout)["rows"][0]

    wanted = sf.compare(MEMBERSHIPS, TRUTH, engine=sf.Sampled(tolerance=0.1), rng=3)
    assert rand("--seed", "3")["mean"] == wanted.mean
    assert rand("--seed", "3")["n_samples"] == wanted.n_samples
    assert rand("--seed", "4")["mean"] != wanted.mean


def test_a_table_says_what_is_compared_what_is_better_and_what_the_columns_mean(run):
    done = run("compare", "truth.csv", "fuzzy.csv", "evidential.csv")
    lines = done.stdout.splitlines()
    assert done.exit_code == 0
    assert lines[0] == "reference: truth.csv, a hard partition of 12 objects into 2 clusters"
    headers = "candidate kind measure better value std error guarantee hardened"
    assert lines[1].split() == headers.split(" ")
    assert [line.split()[:4] for line in lines[2:6]] == [
        ["fuzzy", "fuzzy", "Rand", "index"],
        ["fuzzy", "fuzzy", "partition", "distance"],
        ["evidential", "evidential", "Rand", "index"],
        ["evidential", "evidential", "partition", "distance"],
    ]
    assert ["higher" in line for line in lines[2:6]] == [True, False, True, False]
    hardened = sf.compare(MEMBERSHIPS, TRUTH).hardened
    assert lines[2].endswith(f"{hardened:.3f}")
    assert lines[6].startswith("best by Rand index: ")
    assert lines[8].startswith("std: spread from partial assignment; [a, b]: ambiguity; error:")
    assert lines[10].startswith("note: evidential: mean mass")
    assert lines[-1].startswith("note: rows were taken as they stand: no ids in the files")


def test_the_best_candidate_is_sure_or_not(run):
    done = run("compare", "truth.csv", "truth.csv", "fuzzy.csv", "-m", "ari")
    assert "best by adjusted Rand index: truth (surely)" in done.stdout
    done = run(
        "compare", "truth.csv", "rough.csv", "evidential.csv", "-m", "rand", "--kind", "rough"
    )
    assert "(by its worse end; not surely)" in done.stdout


def test_files_of_one_name_are_told_apart_by_their_folders(run, folder):
    for place in ("one", "two"):
        (folder / place).mkdir()
        (folder / place / "found.csv").write_text((folder / "fuzzy.csv").read_text())
    done = run("compare", "truth.csv", "one/found.csv", "two/found.csv", "-m", "rand", "--json")
    names = [row["name"] for row in json.loads(done.stdout)["rows"]]
    assert names == ["one/found.csv", "two/found.csv"]


@pytest.mark.parametrize("quantity", ["expectation", "range"])
def test_explain_prints_the_plan(run, quantity):
    done = run("explain", "truth.csv", "fuzzy.csv", "-m", "rand", "--quantity", quantity)
    assert done.exit_code == 0
    assert done.stdout == f"fuzzy: {sf.explain(MEMBERSHIPS, TRUTH, quantity=quantity)!r}\n"


def test_measures_lists_the_registry(run):
    done = run("measures")
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.stdout.splitlines()[1:]] == list(sf.measures())


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_data_exits_with_3_and_one_line(run, folder, case):
    content, kind, _ = BAD_FILES[case]
    (folder / "bad.csv").write_bytes(content)
    options = [] if kind is None else ["--kind", kind]
    done = run("compare", "truth.csv", "bad.csv", *options)
    assert done.exit_code == 3
    assert done.stdout == ""
    assert done.stderr.startswith("sfumato: bad.csv")
    assert done.stderr.count("\n") == 1
    assert 'kind="' not in done.stderr


def test_a_refusal_by_budget_exits_with_4_and_says_what_to_type(run):
    chosen = ["-m", "jaccard", "--engine", "exact"]
    done = run("compare", "large_truth.csv", "large.csv", *chosen)
    assert done.exit_code == 4
    assert "--engine sampled" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("empty", ["dempster", "yager"])
def test_mass_on_the_empty_set_is_treated_as_asked_for(run, empty):
    done = run("compare", "truth.csv", "evidential.csv", "-m", "rand", "--json", "--empty", empty)
    given = sf.EvidentialPartition.from_sets(MASSES, SETS, names=["a", "b"], empty=empty)
    expected = sf.compare(given, TRUTH)
    row = json.loads(done.stdout)["rows"][0]
    assert (row["lower"], row["upper"]) == pytest.approx((expected.lower, expected.upper))


@pytest.mark.parametrize("command", ["reproduce --json", "compare truth.csv fuzzy.csv --json -o"])
@pytest.mark.parametrize(
    ("path", "said"),
    [("nowhere/found.json", "there is no folder nowhere"), (".", "this is a folder; name a file")],
)
def test_a_path_that_cannot_be_written_is_refused_before_the_work(run, command, path, said):
    done = run(*command.split(), path)
    assert done.exit_code == 3
    assert said in done.stderr


def in_a_process(*arguments):
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_real_process_puts_data_on_stdout_and_complaints_on_stderr(folder):
    truth = folder / "truth.csv"
    compare = "-m", "sfumato", "compare", truth
    good = in_a_process(*compare, folder / "fuzzy.csv", "-m", "rand", "--json")
    assert (good.returncode, good.stderr) == (0, "")
    assert json.loads(good.stdout)["rows"][0]["mean"] == sf.compare(MEMBERSHIPS, TRUTH).mean
    bad = in_a_process(*compare, folder / "nothing.csv")
    assert (bad.returncode, bad.stdout) == (3, "")
    assert bad.stderr == (
        f"sfumato: {folder / 'nothing.csv'}: No such file or directory; check the name of the "
        "file.\n"
    )


WITH_OWN_MEASURE = """
import sys
import sfumato as sf
from sfumato.cli import app
def interrupt(table):
    raise KeyboardInterrupt
sf.register_measure(sf.Measure.from_function(interrupt, name="interrupt", better="higher"))
app(sys.argv[1:])
"""


WHILE_MODULES_LOAD = """
import sys, sfumato.__main__
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == 'sfumato.cli':
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupting())
sfumato.__main__.main()
"""


@pytest.mark.parametrize("code", [WITH_OWN_MEASURE, WHILE_MODULES_LOAD])
def test_an_interrupt_exits_with_130_and_one_line(folder, code):
    done = in_a_process("-c", code, "compare", "truth.csv", "truth.csv", "-m", "interrupt")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "sfumato: Interrupted.\n")
