"""Every command end to end, on files in a folder of its own."""

import csv
import json
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

import sfumato as sf
from bad_files import GOOD_FILES
from fresh import printed

RNG = np.random.default_rng(7)
IDS = [f"o{at}" for at in range(9)]
LABELS = ["x"] * 3 + ["y"] * 3 + ["z"] * 3
MEMBERSHIPS = RNG.dirichlet([0.5] * 3, 9)
POINTS = np.vstack([RNG.normal(centre, 0.2, (3, 2)) for centre in (0, 3, 6)])


def table(header, ids, rows):
    lines = [",".join([name, *map(str, row)]) for name, row in zip(ids, rows, strict=True)]
    return "\n".join([header, *lines, ""])


NOISY, GAPS = [0, 0, 1, 1, -1, 1, 2, 2, -1], ["x", "x", None, "y", None, "y", "z", "z", "z"]
ORDER = RNG.permutation(9)
IN_ORDER = [IDS[at] for at in ORDER]
FILES = {
    "truth": table("id,label", IDS, [[label] for label in LABELS]),
    "fuzzy": table("id,a,b,c", IN_ORDER, MEMBERSHIPS[ORDER].tolist()),
    "hard": table("id,label", IN_ORDER, [[LABELS[at]] for at in ORDER]),
    "rough": table("id,a,b,c", IDS, (MEMBERSHIPS > 0.2).astype(int).tolist()),
    "points": table("id,u,v,name", IDS, [[*row, "p"] for row in POINTS.tolist()]),
    "others": table("id,label", [*IDS[:7], "p1", "p2"], [[label] for label in LABELS]),
    "noisy": "\n".join(["label", *map(str, NOISY), ""]),
    "gaps": "label\nx\nx\nnull\ny\nNA\ny\nz\nz\nz\n",
    "weights": table("id,a,b,c", IDS, (7 * MEMBERSHIPS).tolist()),
    "bad": "a,b\n1,0\nx,1\n0.5,\n0.5,0.5\n2,-1\n",
}


def rows_of(done):
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)["rows"]


def test_ids_align_files_whatever_their_order(run):
    fuzzy, hard = rows_of(
        run("compare", "truth.csv", "fuzzy.csv", "hard.csv", "-m", "ari", "--json")
    )
    wanted = sf.compare(MEMBERSHIPS, LABELS, measure="adjusted_rand").mean
    assert fuzzy["mean"] == pytest.approx(wanted, abs=1e-12)
    assert hard["mean"] == 1
    assert "as they stand" not in run("compare", "truth.csv", "fuzzy.csv").stdout


def test_ids_that_differ_are_named_with_their_files(run):
    done = run("compare", "truth.csv", "others.csv")
    assert done.exit_code == 3
    assert done.stderr == (
        "sfumato: The ids differ: others.csv lacks 'o7', 'o8'; truth.csv lacks 'p1', 'p2'.\n"
    )


def test_a_named_column_holds_the_ids(run, folder):
    (folder / "last.csv").write_text("label,key\nx,2\ny,1\n")
    (folder / "first.csv").write_text("key,label\n1,y\n2,x\n")
    (row,) = rows_of(run("compare", "last.csv", "first.csv", "--id", "key", "-m", "rand", "--json"))
    assert row["mean"] == 1
    done = run("compare", "last.csv", "first.csv", "--id", "no")
    assert done.exit_code == 3
    assert "there is no column 'no' of ids" in done.stderr


def test_a_kind_is_said_of_all_files_or_of_one(run):
    (one,) = rows_of(
        run("compare", "truth.csv", "rough.csv", "-m", "rand", "--kind", "rough=rough", "--json")
    )
    assert one["kinds"] == ["rough", "hard"]


@pytest.mark.parametrize(
    ("typed", "side", "quantity"),
    [
        *(
            (f"noisy.csv --noise {noise}", sf.as_partition(NOISY, noise=noise), "expectation")
            for noise in ("cluster", "singletons", "unknown", "drop")
        ),
        *(
            (f"gaps.csv --missing {missing}", sf.as_partition(GAPS, missing=missing), "expectation")
            for missing in ("unknown", "drop")
        ),
        ("weights.csv --normalize", MEMBERSHIPS, "expectation"),
        ("fuzzy.csv --quantity range", MEMBERSHIPS, "range"),
    ],
)
def test_files_are_read_and_compared_as_asked_for(run, typed, side, quantity):
    (row,) = rows_of(run("compare", "truth.csv", *typed.split(), "-m", "ari", "--json"))
    wanted = sf.compare(side, LABELS, measure="adjusted_rand", quantity=quantity)
    slack = 1e-12 if "--normalize" in typed else 0.0
    ends = wanted.lower, wanted.upper
    assert (row["lower"], row["upper"]) == pytest.approx(ends, rel=0, abs=slack)


def test_missing_labels_and_weights_are_refused_otherwise(run):
    assert run("compare", "truth.csv", "weights.csv").exit_code == 3
    refused = run("compare", "truth.csv", "gaps.csv")
    assert refused.exit_code == 3
    assert "line 4, column 'label': the label is missing ('null')" in refused.stderr


def test_indices_can_be_asked_for(run):
    (row,) = rows_of(run("compare", "truth.csv", "fuzzy.csv", "-m", "indices.campello", "--json"))
    assert row["mean"] == pytest.approx(sf.indices.campello(MEMBERSHIPS, LABELS))


def test_formats_hold_the_same_numbers(run):
    files = ["truth.csv", "fuzzy.csv", "rough.csv"]
    command = ["compare", *files, "--kind", "rough=rough", "-m", "ari"]
    rows = rows_of(run(*command, "--json"))
    read = list(csv.DictReader(run(*command, "--format", "csv").stdout.splitlines()))
    assert [float(row["lower"]) for row in read] == [row["lower"] for row in rows]
    latex, markdown = (run(*command, "--format", form).stdout for form in ("latex", "markdown"))
    assert latex.count(r"\\") == 3
    assert r"\toprule" in latex
    assert markdown.startswith("| candidate | kind | measure | better |")
    for row in rows:
        for text in (latex, markdown):
            assert f"{abs(row['lower']):.3f}" in text


@pytest.mark.parametrize(
    "options",
    [
        "fuzzy.csv rough.csv --kind rough=rough -m ari",
        "fuzzy.csv -m ari -m indices.campello --engine sampled",
    ],
)
def test_csv_holds_the_numbers_of_json(run, options):
    command = ["compare", "truth.csv", *options.split()]
    done = run(*command, "--format", "csv")
    assert done.stdout.splitlines()[0] == (
        "name,kind,measure,better,lower,upper,mean,std,guarantee,error,hardened,method,seconds,"
        "lower_std,upper_std,lower_bracket,upper_bracket,confidence,n_samples"
    )
    for cells, row in zip(
        csv.DictReader(done.stdout.splitlines()), rows_of(run(*command, "--json")), strict=True
    ):
        for name in set(cells) - {"seconds", "std", "kind"}:
            value = row.get(name)
            assert cells[name] == ("" if value is None else str(value))


@pytest.mark.parametrize("suffix", ["json", "csv", "tex", "md", "txt"])
def test_the_name_of_the_output_says_its_form(run, folder, suffix):
    done = run("compare", "truth.csv", "fuzzy.csv", "-m", "ari", "-o", f"found.{suffix}")
    assert (done.exit_code, done.output) == (0, "")
    text = (folder / f"found.{suffix}").read_text()
    starts = {"json": "{", "csv": "name,", "tex": "% needs", "md": "| cand", "txt": "reference:"}
    assert text.startswith(starts[suffix])


def test_stdin_is_read_once(run, folder):
    content = (folder / "fuzzy.csv").read_text()
    (row,) = rows_of(run("compare", "truth.csv", "-", "-m", "ari", "--json", input=content))
    assert row["name"] == "stdin"
    wanted = sf.compare(MEMBERSHIPS, LABELS, measure="adjusted_rand").mean
    assert row["mean"] == pytest.approx(wanted, abs=1e-12)
    bad = run("compare", "truth.csv", "-", input="a,b\n1,0\nx,1\n")
    assert bad.exit_code == 3
    assert bad.stderr == "sfumato: stdin, line 3, column 'a': 'x' is not a number.\n"


def test_pairwise_compares_all_with_all(run):
    files = ["truth.csv", "fuzzy.csv", "rough.csv"]
    options = ["--kind", "rough=rough", "-m", "ari"]
    done = run("pairwise", *files, *options)
    assert done.exit_code == 0
    assert done.stdout.splitlines()[0].startswith("adjusted Rand index (higher is better)  truth")
    rows = rows_of(run("pairwise", *files, *options, "--json"))
    assert [(row["a"], row["b"]) for row in rows][:4] == [
        ("truth", "truth"),
        ("truth", "fuzzy"),
        ("truth", "rough"),
        ("fuzzy", "truth"),
    ]
    assert rows[1]["mean"] == pytest.approx(
        sf.compare(LABELS, MEMBERSHIPS, measure="adjusted_rand").mean, abs=1e-12
    )
    for form in ("csv", "latex", "markdown"):
        assert run("pairwise", *files, *options, "--format", form).exit_code == 0


def test_check_describes_a_file(run):
    done = run("check", "fuzzy.csv")
    assert done.stdout.startswith("fuzzy.csv: FuzzyPartition(9 objects, 3 clusters, ")
    assert "clusters  a, b, c" in done.stdout
    assert "ids       o" in done.stdout


def test_check_names_all_bad_cells(run):
    done = run("check", "bad.csv")
    assert done.exit_code == 3
    assert done.stdout == ""
    assert done.stderr.splitlines() == [
        "sfumato: bad.csv, line 3, column 'a': 'x' is not a number.",
        "sfumato: bad.csv, line 4, column 'b': the value is missing (''); fill it in, or pass "
        "--missing unknown or drop.",
        "sfumato: bad.csv, line 6, column 'b': '-1' is negative; entries must not be.",
    ]


def test_check_gives_the_reason_where_all_cells_can_be_read(run):
    done = run("check", "rough.csv")
    assert done.exit_code == 3
    assert "sums to" in done.stderr
    assert "--kind rough" in done.stderr


@pytest.mark.parametrize("suffix", ["csv", "tsv", "json", "npz", "parquet", "feather", "csv.gz"])
def test_convert_keeps_the_partition(run, folder, suffix):
    done = run("convert", "fuzzy.csv", f"out.{suffix}")
    assert (done.exit_code, done.output) == (0, "")
    found, wanted = (sf.read_partition(folder / name) for name in (f"out.{suffix}", "fuzzy.csv"))
    assert found == wanted
    assert found.index.tolist() == wanted.index.tolist()


@pytest.mark.parametrize(
    ("algorithm", "kind"),
    [("fcm", "fuzzy"), ("pcm", "possibilistic"), ("ecm", "evidential"), ("rkm", "rough")],
)
def test_cluster_writes_what_the_estimators_find(run, folder, algorithm, kind):
    options = ["-k", "3", "--algorithm", algorithm, "--ignore", "name", "-o", "out.npz"]
    assert run("cluster", "points.csv", *options).exit_code == 0
    found = sf.read_partition(folder / "out.npz")
    assert found.kind == kind
    assert found.index.tolist() == IDS
    estimator = {
        "fcm": sf.cluster.FuzzyCMeans,
        "pcm": sf.cluster.PossibilisticCMeans,
        "ecm": sf.cluster.EvidentialCMeans,
        "rkm": sf.cluster.RoughKMeans,
    }[algorithm]
    assert found == estimator(3, random_state=0).fit(POINTS).partition_


def test_cluster_says_what_is_wrong_with_its_data(run):
    text = run("cluster", "points.csv", "-k", "2", "-o", "out.csv")
    assert text.exit_code == 3
    assert "points.csv, line 2, column 'name': 'p' is not a number" in text.stderr
    absent = run("cluster", "points.csv", "-k", "2", "-o", "out.csv", "--ignore", "w")
    assert absent.exit_code == 3
    assert "there is no column 'w' to leave out; there are id, u, v, name" in absent.stderr


def test_cluster_reads_stdin(run, folder):
    content = (folder / "points.csv").read_text()
    done = run("cluster", "-", "-k", "3", "--ignore", "name", "-o", "out.npz", input=content)
    assert done.exit_code == 0, done.stderr
    wanted = sf.cluster.FuzzyCMeans(3, random_state=0).fit(POINTS).partition_
    assert sf.read_partition(folder / "out.npz") == wanted
    bad = run("cluster", "-", "-k", "3", "-o", "out.npz", input=content)
    assert bad.exit_code == 3
    assert bad.stderr.startswith("sfumato: stdin, line 2, column 'name': 'p' is not a number")


def test_indices_lists_the_registry(run):
    done = run("indices")
    assert done.exit_code == 0
    assert done.stdout == repr(sf.indices.available()) + "\n"


def test_a_report_names_objects_by_their_ids_though_some_are_dropped(run, folder):
    gaps = [[""] if at < 2 else [label] for at, label in enumerate(LABELS)]
    (folder / "some.csv").write_text(table("id,label", IDS, gaps))
    options = ("-m", "rand", "--missing", "drop", "-o", "report.html")
    done = run("report", "some.csv", "fuzzy.csv", *options)
    assert done.exit_code == 0, done.output
    named = re.findall(r"object (\w+): ", (folder / "report.html").read_text("utf-8"))
    assert sorted(named) == IDS[2:]


def test_report_writes_a_page(run, folder):
    done = run("report", "truth.csv", "fuzzy.csv", "hard.csv", "-m", "ari", "-o", "report.html")
    assert (done.exit_code, done.output) == (0, "")
    page = (folder / "report.html").read_text()
    assert "hard comes first by the adjusted Rand index: 1.000 (exact)" in page
    assert "file truth.csv" in page


def test_version_and_help(run):
    assert run("--version").stdout == f"sfumato {sf.__version__}\n"
    listed = run("--help").stdout
    assert (run().exit_code, run().stderr) == (2, listed)
    for command in ("compare", "pairwise", "report", "explain", "check", "convert", "cluster"):
        assert f"  {command} " in listed
        assert run(command, "--help").exit_code == 0


def test_help_loads_nothing_heavy():
    heavy = "{'scipy', 'sklearn', 'rich', 'pandas', 'matplotlib', 'pyarrow', 'narwhals'}"
    code = (
        "import sys, typer; own = set(sys.modules); sys.argv = ['sfumato', 'compare', '--help']\n"
        "from sfumato.cli import app\n"
        "try: app()\n"
        f"except SystemExit: print(sorted({heavy} & (set(sys.modules) - own)))"
    )
    assert printed(code).endswith("[]")


SLOW = """
import sys, time
import sfumato as sf
from sfumato.cli import app
def wait(table):
    print("working", flush=True)
    time.sleep(60)
sf.register_measure(sf.Measure.from_function(wait, name="wait", better="higher"))
app(sys.argv[1:])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent there")
@pytest.mark.parametrize("command", [["compare", "-o", "found.json"], ["report", "-o", "r.html"]])
def test_control_c_leaves_no_half_written_file(folder, command):
    before = sorted(path.name for path in folder.iterdir())
    with subprocess.Popen(
        [sys.executable, "-c", SLOW, *command, "truth.csv", "hard.csv", "-m", "wait"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "working\n"
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=30)
    assert (process.returncode, complaint) == (130, "sfumato: Interrupted.\n")
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.parametrize("case", GOOD_FILES)
def test_every_good_file_passes_the_check(run, folder, case):
    content, kind = GOOD_FILES[case]
    (folder / "good.csv").write_bytes(content)
    done = run("check", "good.csv", *([] if kind is None else ["--kind", kind]))
    assert done.exit_code == 0
    assert "Partition(" in done.stdout
