"""What commands say to whom: options as they are typed, in one line, with the right exit code."""

import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys

import pandas as pd
import pytest

import sfumato as sf

FILES = {
    "truth": "id,label\no1,x\no2,x\no3,y\no4,y\n",
    "hard": "id,label\no4,b\no3,b\no2,a\no1,a\n",
    "noisy": "label\n0\n-1\n1\n1\n",
    "both": "label\n-1\n0\n1\n-1\n",
    "gaps": "label\nx\nNA\ny\n\n".replace("\n\n", "\nnull\n"),
    "unseen": "label\nNA\nNA\nNA\nNA\n",
    "mask": "a,b\n1,1\n0,1\n1,0\n1,0\n",
    "degrees": "a,b\n1,0.5\n0,1\n1,0\n,\n",
    "half": "a,b\n0.5,0.5\n0,1\n1,0\n1,0\n",
    "low": "a,b\n0.5,0.4\n0,1\n1,0\n1,0\n",
    "masses": "{},{a},{a,b}\n0.5,0.5,0\n0,1,0\n0,1,0\n0,0,1\n",
    "mixed": "a,b;c\n1,0;0\n",
    "one": "label\nx\n",
}
PYTHON = re.compile(r"\w=[\"'\w]|as_partition|sfumato\.\w+\(|True\b")  # what nobody can type


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("compare truth.csv", "Missing argument"),
        ("comprae truth.csv", "Did you mean 'compare'?"),
        ("compare truth.csv hard.csv --nois drop", "--noise"),
        ("compare truth.csv hard.csv --engine fast", "'fast' is not one of"),
        ("compare truth.csv hard.csv -m rnd", "Did you mean 'rand'?"),
        ("compare truth.csv hard.csv -m zzz", "`sfumato measures` lists the names"),
        ("compare truth.csv hard.csv -m indices.campelo", "Did you mean 'campello'?"),
        ("compare truth.csv hard.csv --kind soft", "'soft' is none of rough, fuzzy"),
        ("compare truth.csv hard.csv --noise hard=keep", "'keep' is none of cluster, singletons"),
        ("compare truth.csv hard.csv --noise soft=drop", "no file is called 'soft'"),
        ("compare truth.csv hard.csv --missing skip", "'skip' is none of raise, unknown, drop"),
        ("compare truth.csv hard.csv --new-class", "pass --missing unknown with it"),
        ("compare truth.csv hard.csv --separator :", "none of comma, semicolon, tab, bar"),
        ("compare truth.csv hard.csv --tolerance 0", "use --engine exact for an exact answer"),
        ("compare truth.csv hard.csv --tolerance 1e-3 --engine exact", "makes no estimates"),
        ("compare truth.csv hard.csv --seed -1", "--seed"),
        ("compare truth.csv hard.csv -o page.html", "html is written by `sfumato report`"),
        ("compare truth.csv hard.csv -o table.xls", "name it .txt, .json, .csv, .tex, .md, or"),
        ("report truth.csv hard.csv -o table.csv", "table.csv is a page; name it .html"),
        ("report truth.csv hard.csv", "Missing option"),
        ("pairwise truth.csv", "truth.csv is one file"),
        ("rank truth.csv hard.csv -m indices.campello", "is an index; give a measure"),
        ("rank truth.csv hard.csv --confidence 2", "--confidence"),
        ("rank truth.csv hard.csv --confidence 1", "--confidence"),
        ("cluster truth.csv -o out.csv -k 0", "-k"),
        ("cluster truth.csv -o out.csv", "Missing option"),
        ("compare truth.csv hard.csv --json --format csv", "--json is --format json"),
        ("compare truth.csv hard.csv hard.csv", "hard.csv is given twice"),
        ("pairwise hard.csv hard.csv", "hard.csv is given twice"),
        ("check noisy.csv --kind rough", "no file follows rough: noisy.csv is hard, as its"),
        ("compare truth.csv noisy.csv --kind rough", "truth.csv, noisy.csv are hard, as their"),
        ("compare truth.csv noisy.csv --kind noisy=fuzzy", "no file follows fuzzy: noisy.csv is"),
        ("convert noisy.csv out.npz --kind fuzzy", "no file follows fuzzy: noisy.csv is hard"),
        ("compare - -", "- stands for stdin, which can be read only once"),
        ("convert hard.csv hard.xlsx", "hard.xlsx: the name does not say which format it is"),
        ("cluster truth.csv -k 2 -o hard.xlsx", "hard.xlsx: the name does not say which format"),
    ],
)
def test_wrong_usage_is_one_line_and_exits_with_2(run, arguments, said):
    done = run(*arguments.split())
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("sfumato: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
    assert re.search(r"See `.* --help`\.$", done.stderr)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("mask.csv", "pass --normalize for equal shares, or --kind rough if ones"),
        ("mask.csv --missing unknown", "or --kind rough if ones"),
        ("mask.csv --noise unknown", "or --kind rough if ones"),
        (
            "degrees.csv --missing drop",
            "line 2 sums to 1.5); pass --normalize for weights, or --kind",
        ),
        (
            "degrees.csv",
            "the value is missing (''); fill it in, or pass --missing unknown or drop.",
        ),
        ("low.csv", "pass --noise unknown, cluster or singletons if the rest is noise, or --norm"),
        (
            "gaps.csv",
            "line 3, column 'label': the label is missing ('NA'); fill it in, or pass --mi",
        ),
        ("unseen.csv --missing unknown", "pass --new-class, or labels for some objects"),
        ("masses.csv --empty raise", "pass --empty dempster to condition on the rest or --empty y"),
        ("mask.csv --kind evidential", "name columns like {}, {a} and {a,b}"),
        (
            "mixed.csv",
            "commas and semicolons; say which separates the cells, by --separator comma or",
        ),
    ],
)
def test_bad_data_is_one_line_that_offers_what_can_be_typed(run, arguments, said):
    for command in (["compare", "one.csv"], ["check"], ["convert"]):
        more = ["out.json"] if command == ["convert"] else []
        name, *options = arguments.split()
        done = run(*command, name, *more, *options)
        assert (done.exit_code, done.stdout) == (3, "")
        first = done.stderr.splitlines()[0]
        assert first.startswith(f"sfumato: {name}")
        assert said in first
        assert not PYTHON.search(first)


def test_python_is_offered_keyword_arguments(folder):
    with pytest.raises(sf.InputError, match=r'pass normalize=True to as_partition .* kind="rough"'):
        sf.read_partition("mask.csv")
    with pytest.raises(sf.InputError, match=r"by separator=',' or ';'"):
        sf.read_partition("mixed.csv")
    with pytest.raises(sf.InputError, match=r"separator is ':'; pass one of ',', ';', '\\t', '\|'"):
        sf.read_partition("mask.csv", separator=":")


@pytest.mark.parametrize("form", ["table", "json", "latex", "markdown"])
def test_notes_offer_what_can_be_typed_in_every_form(run, form):
    done = run("compare", "truth.csv", "noisy.csv", "-m", "ari", "--format", form)
    assert done.exit_code == 0
    text = done.stdout.replace(r"{-}", "-").replace("\\", "")
    assert "pass --noise singletons, unknown, drop or cluster" in text
    assert not PYTHON.search(text.replace('"', ""))


def test_notes_of_the_truth_are_said_once(run):
    done = run("compare", "noisy.csv", "half.csv", "hard.csv", "-m", "ari", "-m", "rand")
    (note,) = [line for line in done.stdout.splitlines() if "labels (25%)" in line]
    assert note.startswith("note: truth: 1 of 4 labels (25%) are -1, taken for a cluster")


def test_noise_and_missing_labels_are_said_of_all_files_or_of_one(run):
    def labels(*options):
        done = run("compare", "noisy.csv", "both.csv", "-m", "rand", "--json", *options)
        assert done.exit_code == 0, done.stderr
        return json.loads(done.stdout)["rows"][0]["kinds"]

    assert labels() == ["hard", "hard"]
    assert labels("--noise", "unknown") == ["rough", "rough"]
    assert labels("--noise", "noisy=unknown") == ["hard", "rough"]
    assert labels("--noise", "both.csv=unknown", "--noise", "singletons") == ["rough", "hard"]


def test_unknown_labels_may_be_of_a_class_not_seen(run, folder):
    done = run("convert", "gaps.csv", "out.json", "--missing", "unknown", "--new-class")
    assert done.exit_code == 0, done.stderr
    labels = ["x", None, "y", None]
    wanted = sf.as_partition(labels, missing="unknown", new_class=True)
    assert sf.read_partition("out.json").n_clusters == wanted.n_clusters == 3
    assert sf.read_partition("gaps.csv", missing="unknown", new_class=True) == wanted


def test_check_lists_all_missing_labels_unless_they_may_miss(run):
    done = run("check", "gaps.csv")
    assert [line.partition(":")[2].partition(";")[0] for line in done.stderr.splitlines()] == [
        " gaps.csv, line 3, column 'label': the label is missing ('NA')",
        " gaps.csv, line 5, column 'label': the label is missing ('null')",
    ]
    assert run("check", "gaps.csv", "--missing", "drop").exit_code == 0
    piped = run("check", "-", input=FILES["gaps"])
    assert piped.exit_code == 3
    assert piped.stderr == done.stderr.replace("gaps.csv", "stdin")


def test_check_lists_the_cells_that_are_wrong_though_others_may_miss(run, folder):
    (folder / "bad.csv").write_text("a,b,c\n,,\n1,x,0\n1,-1,1\n")
    done = run("check", "bad.csv", "--missing", "unknown")
    assert done.stderr.splitlines() == [
        "sfumato: bad.csv, line 3, column 'b': 'x' is not a number.",
        "sfumato: bad.csv, line 4, column 'b': '-1' is negative; entries must not be.",
    ]


def test_check_lists_at_most_twenty_problems(run, folder):
    (folder / "bad.csv").write_text("a,b\n" + "x,1\n1,0\n" * 23)
    done = run("check", "bad.csv", "--kind", "fuzzy", "--id", "b")
    assert done.exit_code == 3
    (folder / "bad.csv").write_text("a,b,c\n" + "1,x,0\n" * 23)
    lines = run("check", "bad.csv").stderr.splitlines()
    assert len(lines) == 21
    assert lines[-1] == "sfumato: bad.csv: and 3 more cells like these."


@pytest.mark.parametrize(
    ("typed", "between"), [("tab", "\t"), (r"\t", "\t"), (";", ";"), ("bar", "|"), ("comma", ",")]
)
def test_separators_are_typed_as_words_or_as_they_are(run, folder, typed, between):
    content = between.join(["a|b;c".replace(between, "-"), "d\n"]) + between.join(["1", "0\n"])
    (folder / "odd.csv").write_text(content)
    done = run("check", "odd.csv", "--separator", typed)
    assert done.exit_code == 0, done.stderr
    assert "FuzzyPartition(1 object, 2 clusters" in done.stdout


def test_a_compressed_file_is_called_by_its_name_alone(run, folder):
    (folder / "zipped.csv.gz").write_bytes(gzip.compress(FILES["hard"].encode()))
    done = run("compare", "truth.csv", "zipped.csv.gz", "-m", "ari", "--json")
    assert json.loads(done.stdout)["rows"][0]["name"] == "zipped"


def test_one_object_is_no_objects(run):
    done = run("compare", "one.csv", "one.csv", "-m", "rand")
    assert done.stdout.startswith("reference: one.csv, a hard partition of 1 object into 1 cluster")
    assert (
        "one.csv has 1 object but noisy.csv has 4" in run("compare", "noisy.csv", "one.csv").stderr
    )


def test_rows_numbered_by_pandas_are_ids(run, folder):
    (folder / "left.csv").write_text(",label\n0,x\n1,x\n2,y\n")
    (folder / "right.csv").write_text(",a,b\n2,0,1\n1,1,0\n0,1,0\n")
    done = run("compare", "left.csv", "right.csv", "-m", "ari", "--json")
    found = json.loads(done.stdout)
    assert (found["rows"][0]["mean"], found["notes"]) == (1, [])


def test_a_name_that_is_too_long_is_one_line(run):
    for command in (["compare", "truth.csv", "hard.csv", "-o"], ["convert", "hard.csv"]):
        done = run(*command, "x" * 300 + ".json")
        assert done.exit_code == 3
        assert done.stderr.endswith(": File name too long; name another file.\n")
    done = run("check", "x" * 300)
    assert done.exit_code == 3
    assert done.stderr.count("\n") == 1


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (16, 16))
from sfumato.cli import app
app(sys.argv[1:])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@pytest.mark.parametrize(
    "command",
    ["compare truth.csv hard.csv -o out.json", "convert hard.csv out.npz"],
)
def test_a_file_that_cannot_be_written_whole_is_one_line_and_leaves_nothing(folder, command):
    before = sorted(path.name for path in folder.iterdir())
    done = subprocess.run(
        [sys.executable, "-c", FULL, *command.split()], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert re.fullmatch(
        r"sfumato: .*the file cannot be written \(File too large\).*\n", done.stderr
    )
    assert sorted(path.name for path in folder.iterdir()) == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="there are no such devices")
def test_a_device_as_the_output_is_one_line(folder):
    command = ["-m", "sfumato", "compare", "truth.csv", "hard.csv", "-o", "/dev/stdout"]
    done = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert "/dev/stdout: this is a device or a pipe, not a file" in done.stderr


@pytest.mark.parametrize("encoding", ["cp1252", "utf-8:strict"])
def test_names_that_the_output_cannot_encode_are_shown_by_their_codes(folder, encoding):
    (folder / "named.json").write_text(
        json.dumps(
            {
                **{"format": "sfumato partition", "version": 1, "kind": "fuzzy", "notes": []},
                **{"names": ["\u4e2d\ud800", "b"], "mixed": {}},
                "arrays": {"memberships": {"dtype": "float64", "values": [[0.5, 0.5]]}},
            }
        )
    )
    done = subprocess.run(
        [sys.executable, "-m", "sfumato", "check", "named.json"],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\ud800, b" in done.stdout


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="names of files are text")
@pytest.mark.parametrize("suffix", ["txt", "json", "csv", "tex", "md"])
def test_a_file_whose_name_is_not_utf8_can_be_compared(run, folder, suffix):
    name = os.fsdecode(b"h\xff.csv")
    (folder / name).write_text(FILES["hard"])
    done = run("compare", "truth.csv", name, "-o", f"out.{suffix}")
    assert done.exit_code == 0, done.stderr
    text = (folder / f"out.{suffix}").read_text(encoding="utf-8")
    assert ("h &" if suffix == "tex" else r"h\udcff") in text
    if suffix == "json":
        assert json.loads(text)["rows"][0]["name"] == "h\udcff"


TABLE = "length,species,width\n1,x,2\n1,x,3\n4,y,5\n4,y,6\n"


@pytest.mark.parametrize("suffix", ["csv", "parquet", "feather"])
def test_labels_may_stand_in_a_table_of_other_things(run, folder, suffix):
    frame = pd.read_csv(io.StringIO(TABLE)).set_index(pd.Index(["o1", "o2", "o3", "o4"]))
    frame.sample(frac=1, random_state=3).to_csv("table.csv")
    if suffix != "csv":
        frame.sample(frac=1, random_state=3).to_parquet("table.parquet")
        frame.reset_index(names="flower").to_feather("table.feather")
    chosen = ["--label", "table=species", "-m", "ari", "--json"]
    done = run("compare", f"table.{suffix}", "hard.csv", *chosen)
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["rows"][0]["mean"], found["notes"]) == (1, [])
    done = run("check", f"table.{suffix}", "--label", "colour")
    assert done.exit_code == 3
    assert "there is no column 'colour' of labels; there are" in done.stderr
    assert sf.read_partition(f"table.{suffix}", label_column="species").names == ("x", "y")


def test_text_among_numbers_is_said_to_be_labels_perhaps(run, folder):
    (folder / "table.csv").write_text(TABLE)
    done = run("check", "table.csv")
    lines = done.stderr.splitlines()
    assert len(lines) == 4
    assert lines[0].endswith(
        "'x' is not a number. If the column holds labels, pass --label species."
    )
    assert lines[1].endswith("'x' is not a number.")
    with pytest.raises(sf.InputError, match=r"pass label_column='species'"):
        sf.read_partition("table.csv")


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
@pytest.mark.parametrize("start", [0, 1])
def test_counted_rows_are_no_cluster_though_rows_are_divided_by_their_sums(run, suffix, start):
    frame = pd.DataFrame({"no": range(start, start + 3), "a": [1, 3, 0], "b": [1, 1, 2]})
    frame.to_csv("counted.csv", index=False)
    frame.to_parquet("counted.parquet", index=False)
    done = run("check", f"counted.{suffix}", "--normalize")
    assert done.exit_code == 3
    assert "column 'no' counts the rows" in done.stderr
    assert "pass --id no" in done.stderr
    done = run("check", f"counted.{suffix}", "--normalize", "--id", "no")
    assert done.exit_code == 0, done.stderr
    assert "FuzzyPartition(3 objects, 2 clusters" in done.stdout


def test_ids_are_named_for_all_files_or_for_one(run, folder):
    (folder / "numbered.csv").write_text("no,label\n7,x\n8,y\n")
    (folder / "other.csv").write_text("key,label\n8,y\n7,x\n")
    chosen = ["--id", "numbered=no", "--id", "other=key", "-m", "ari", "--json"]
    done = run("compare", "numbered.csv", "other.csv", *chosen)
    assert json.loads(done.stdout)["rows"][0]["mean"] == 1
    assert "pass --id no" in run("compare", "numbered.csv", "other.csv").stderr


@pytest.mark.parametrize("first", [0, 1])
def test_numbers_of_rows_are_no_ids_beside_words(run, folder, first):
    rows = "".join(f"{at + first},{label}\n" for at, label in enumerate("aabb"))
    (folder / "counted.csv").write_text(",label\n" + rows)
    done = run("compare", "truth.csv", "counted.csv", "-m", "ari", "--json")
    found = json.loads(done.stdout)
    assert found["rows"][0]["mean"] == 1
    assert found["notes"][0].startswith("rows were taken as they stand: no ids in counted")
    (folder / "counted.csv").write_text(",label\n" + rows.replace("3,", "9,"))
    done = run("compare", "truth.csv", "counted.csv")
    assert done.exit_code == 3
    assert "The ids differ: counted.csv lacks 'o1'" in done.stderr


@pytest.mark.parametrize("name", ["two\nlines.csv", "two  spaces.csv", "a\u2028b.csv"])
def test_odd_names_of_files_stay_on_one_line(run, folder, name):
    for command in (["check"], ["compare", "truth.csv"]):
        done = run(*command, name)
        assert done.exit_code == 3
        assert done.stderr.splitlines() == [
            f"sfumato: {' '.join(name.splitlines())}: No such file or directory; check the name of "
            "the file."
        ]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("two\nlines", r"two\nlines"),
        ("red\x1b[31m", r"red\x1b[31m"),
        ("日本\u3000語", "日本\u3000語"),
    ],
)
def test_odd_letters_in_names_of_files_are_shown_by_their_codes(run, folder, name, shown):
    (folder / f"{name}.csv").write_text(FILES["hard"])
    table = run("compare", f"{name}.csv", "truth.csv", f"./{name}.csv", "-m", "rand").stdout
    assert table.startswith(f"reference: {shown}.csv, a hard")
    assert f"\n{shown} " in table
    assert "\x1b" not in table
    assert run("check", f"{name}.csv").stdout.startswith(f"{shown}.csv: HardPartition")
    assert "\x1b" not in run("check", f"none{name}.csv").stderr


def test_lists_in_csv_are_json(run):
    done = run("pairwise", "truth.csv", "hard.csv", "-m", "ari", "--format", "csv")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [json.loads(row["kinds"]) for row in rows] == [["hard", "hard"]] * 4
    assert json.loads(rows[0]["lower_bracket"]) == [1, 1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("masses.csv -m indices.campello", "use a measure, which takes every kind.\n"),
        ("half.csv -m purity --engine closed_form", "use --engine exact, sampled or auto.\n"),
    ],
)
def test_what_is_not_supported_offers_what_is(run, arguments, said):
    done = run("compare", "truth.csv", *arguments.split())
    assert done.exit_code == 2
    assert done.stderr.endswith(said)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("option", ["--id", "--label"])
def test_a_column_is_asked_of_tables_only(run, folder, option):
    sf.write_partition(sf.read_partition(folder / "truth.csv"), folder / "kept.json")
    column = {"--id": "id", "--label": "label"}[option]
    assert run("compare", "kept.json", "hard.csv", option, column).exit_code == 0
    none = run("compare", "kept.json", "kept.json", option, column)
    assert none.exit_code == 2
    assert "none of the files is a table" in none.stderr
    named = run("compare", "kept.json", "hard.csv", option, f"kept={column}")
    assert named.exit_code == 3
    assert "kept.json: --id and --label name columns of a table" in named.stderr


def test_notes_of_rows_in_csv_go_to_stderr(run):
    done = run("compare", "noisy.csv", "both.csv", "--format", "csv")
    assert len(list(csv.DictReader(io.StringIO(done.stdout)))) == 2
    assert "note: rows were taken as they stand" in done.stderr
