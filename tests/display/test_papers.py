"""Tables, frames and sentences for papers, and what notebooks show."""

import dataclasses
import re
import shutil
import subprocess
from math import inf, nan

import numpy as np
import pandas
import polars
import pytest

import sfumato as sf
from fresh import printed
from sfumato.display.known import Known, surely_best
from sfumato.display.latex import latex_escape, latex_table
from sfumato.display.markdown import markdown_escape
from sfumato.display.sentence import sentence
from sfumato.results.pairwise import Pairwise
from sfumato.results.report import Report

HOSTILE = "</script><script>alert(1)</script> & 50% of c_1 \\input{x} |"
TRUTH = [0, 0, 1, 1]
FUZZY = sf.FuzzyPartition([[1, 0], [0.5, 0.5], [0, 1], [0, 1]])
ROUGH = sf.RoughPartition([[1, 0], [1, 1], [0, 1], [0, 1]])
AT_95 = {"guarantee": "confidence", "confidence": 0.95}


@pytest.fixture
def report():
    return sf.evaluate(
        {HOSTILE: FUZZY, "rough": ROUGH}, TRUTH, measures=["rand", "partition_distance"]
    )


def test_latex_prints_any_text_and_runs_none():
    special = "\\{}&%$#_^~<>|±"
    written = latex_escape(special)
    assert written.replace("\\textbackslash{}", "").count("\\") == len(special) - 1
    assert latex_escape("a\n\nb") == "a b"


LETTERS = ['<a> & "b" | c^2 ~ #1', "[opt]*", "−1 ± 2 ≤ 3 ≥ … – —", "αβλςω ΓΛΩ", "Ünï ß é €", "\\\\"]


def test_latex_tables_run_through_tex(tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("there is no TeX")
    names = [HOSTILE, *LETTERS, "a\n\nb", "tab\t\x07", "\ud800x", "-0.5"]
    report = sf.evaluate(dict.fromkeys(names, FUZZY) | {"[r]": ROUGH}, TRUTH, measures=["ari"])
    pairs = sf.pairwise({"a_1": FUZZY, "[b] & c": ROUGH})
    ranking = sf.rank({"a_1": FUZZY, "[b] & c": ROUGH}, TRUTH)
    tables = [each.to_latex() for each in (report, pairs, ranking, report["[r]", "ari"])]
    tables.append(report.to_latex(caption=HOSTILE, label="tab:a_1"))
    text = "\n\n".join(tables)
    assert "LuaLaTeX" not in text
    head = "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n"
    (tmp_path / "a.tex").write_text(f"{head}{text}\n\\end{{document}}\n", "utf-8")
    run = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=batchmode", "-no-shell-escape", "a.tex"],
        cwd=tmp_path,
        check=False,
        capture_output=True,
    )
    log = (tmp_path / "a.log").read_text("latin-1")
    assert run.returncode == 0, re.findall(r"^! .*", log, re.MULTILINE)
    assert (tmp_path / "a.pdf").stat().st_size > 1000


def test_letters_that_pdflatex_lacks_are_named_in_a_comment():
    text = latex_table(["a"], [["名前 é α"]])
    assert "% 名前 need LuaLaTeX or XeLaTeX, and a font that has them" in text


def test_no_cell_of_latex_begins_as_an_option_of_the_line_before():
    text = latex_table(["[a]", "[b]"], [["[1]", "[2]"], ["*", "*"], ["[3]", ""]], bold=[2])
    rows = [line.removesuffix(r" \\") for line in text.splitlines() if line.endswith(r" \\")]
    assert rows == ["{}[a] & [b]", "{}[1] & [2]", "{}* & *", r"\textbf{[3]} & "]


def test_latex_holds_no_control_characters():
    text = latex_table(["a\0b"], [["\x1b[31mred\x7f"], ["\ud800x"]], notes=["c\x00\x85d"])
    assert text.replace("\n", "").isprintable()
    assert "\n{}[31mred" in text
    assert "% c d" in text


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"caption": 3}, "caption is a string or None, got 3"),
        ({"label": b"tab:a"}, "label is a string or None, got b'tab:a'"),
        ({"label": "a}\\input{x"}, "label is a name for"),
        ({"label": "50%"}, "label is a name for"),
        ({"label": "a\nb"}, "label is a name for"),
        ({"label": ""}, "label is a name for"),
    ],
)
def test_captions_and_labels_of_latex_are_checked(report, options, part):
    with pytest.raises(sf.InputError, match=part):
        report.to_latex(**options)
    assert r"\label{tab:a_1.b-c}" in report.to_latex(label="tab:a_1.b-c")


def test_a_latex_table_has_booktabs_rules_and_one_row_for_each_comparison(report):
    text = report.to_latex(caption="100%", label="tab:a")
    assert text.count(r"\toprule") == text.count(r"\midrule") == text.count(r"\bottomrule") == 1
    rows = text.split(r"\midrule")[1].split(r"\bottomrule")[0].strip().splitlines()
    assert len(rows) == 4
    columns = re.search(r"tabular\}\{(l+)\}", text)[1]
    assert all(len(re.split(r"(?<!\\)&", row)) == len(columns) for row in rows)
    assert r"\caption{100\%}" in text
    assert r"\input" not in text
    assert "better" in text
    assert latex_table(["a"], [["k-1"], ["[-0.5, -1]"]]).count("$-$") == 2  # not that of a name


def test_markdown_cells_hold_no_pipes_and_no_html(report):
    text = report.to_markdown()
    rows = text.splitlines()
    assert len(rows) == 6  # no notes
    assert len({len(re.split(r"(?<!\\)\|", row)) for row in rows}) == 1
    assert "<script" not in text.replace(r"\<script", "")
    assert markdown_escape("*a* [b](c) `d`") == r"\*a\* \[b\](c) \`d\`"


def test_notes_stand_below_a_markdown_table_and_in_latex_as_comments():
    found = sf.compare(sf.PossibilisticPartition([[1, 0.5], [0.5, 1]]), [0, 1])
    (note,) = found.notes
    assert found.to_markdown().endswith(f"\n\n- {note}")
    assert f"\n% {note}\n" in found.to_latex()


def test_bold_rows_are_those_that_surely_are_best():
    report = sf.evaluate({"a": TRUTH, "b": [0, 1, 0, 1]}, TRUTH, measures=["rand"])
    assert report.to_markdown().count("**") == 2 * 7  # all cells of one row
    tied = sf.evaluate({"a": TRUTH, "b": ROUGH}, TRUTH, measures=["rand"])
    assert "**" not in tied.to_markdown()
    assert r"\textbf" not in tied.to_latex()


def test_the_better_end_of_a_distance_is_its_lower_one():
    rows = [Known("", "", "distance", "lower", *ends) for ends in ((0.1, 0.2), (0.3, 0.4))]
    assert surely_best(rows) is rows[0]
    assert surely_best(rows[:1]) is None


def test_frames_come_from_pandas_or_polars_and_say_what_is_better(report):
    pair = sf.pairwise({"a": FUZZY, "b": ROUGH})
    for result in (report, pair, report["rough", "rand"], sf.compare(FUZZY, TRUTH)):
        first, second = result.to_frame(), result.to_frame("polars")
        assert isinstance(first, pandas.DataFrame)
        assert isinstance(second, polars.DataFrame)
        assert list(first.columns) == second.columns
        assert set(first["better"]) == set(second["better"]) <= {"higher", "lower"}
        assert first["lower"].tolist() == second["lower"].to_list()
    with pytest.raises(sf.InputError, match="'pandas' or 'polars', got 'dask'"):
        report.to_frame("dask")


def test_a_report_holds_hardened_values(report):
    rows = {(row["name"], row["measure"]): row for row in report.rows}
    assert rows[HOSTILE, "rand"]["hardened"] is None  # an object is in both clusters by half
    sharp = sf.FuzzyPartition([[1, 0], [0.4, 0.6], [0, 1], [0, 1]])
    assert sf.evaluate({"a": sharp}, TRUTH)["a", "rand"].hardened == float(
        sf.compare([0, 1, 1, 1], TRUTH, measure="rand")
    )
    both = sf.compare(FUZZY, ROUGH, measure="jaccard")
    assert both.hardened is None  # objects of the rough side have several clusters
    assert sf.compare(TRUTH, TRUTH).hardened == 1.0


def known(lower, upper, kind="evidential", *, is_precise=False, **given):
    return Known("", kind, "rand", "higher", lower, upper, is_precise=is_precise, **given)


@pytest.mark.parametrize(
    ("row", "part"),
    [
        (known(0.5, 0.75), "lies between 0.500 and 0.750 (exact"),
        *(
            (known(*ends, guarantee="certified"), "lies between 0.500 and 0.750 (certified")
            for ends in ((0.5004, 0.7496), (0.5006, 0.7494))  # rounded outwards
        ),
        (
            known(0.5, 0.75, **AT_95, brackets=((0.4899, 0.5), (0.75, 0.75))),
            "each end to within 0.011 at 95% confidence",  # rounded up
        ),
        (known(0.5, 0.75, guarantee="inner"), "the true ends may lie further out"),
        (known(0.5, 0.75, stds=(nan, nan)), "standard deviation unknown"),
        (
            known(0.5, 0.75, "fuzzy", is_precise=True, brackets=((0.5, 0.75),) * 2),
            "surely lies between 0.500 and 0.750, but which value it has is not known",
        ),
        (
            known(0.5, 0.5, "fuzzy", is_precise=True, **AT_95, brackets=((-inf, inf),) * 2),
            "to within any distance at 95% confidence",
        ),
    ],
)
def test_a_sentence_states_value_guarantee_and_reading(row, part):
    said = sentence(row, reference="hard")
    assert part in said
    assert said.startswith("The expected Rand index of the ")
    assert said.endswith("; higher is better.")
    assert "±" not in said


@pytest.mark.parametrize("guarantee", ["certified", "confidence"])
def test_no_table_text_or_picture_rounds_a_bound_inwards(tmp_path, guarantee):
    found = dataclasses.replace(
        sf.compare(ROUGH, TRUTH), lower=0.50069, upper=0.74931, guarantee=guarantee
    )
    report = Report({("a", "rand"): found, ("b", "rand"): found})
    report.to_html(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    written = [found.to_latex(), report.to_latex(), page, report.display().to_svg(name="a")]
    assert all("[0.500, 0.750]" in text for text in written)
    assert r"\[0.500, 0.750\]" in report.to_markdown()
    assert all("[0.501" not in text and "0.749]" not in text for text in written)
    assert "between 0.500 and 0.750" in found.sentence()
    table = Pairwise(
        ("a", "b"),
        "rand",
        *np.full((2, 2, 2), [[[0.50069]], [[0.74931]]]),
        {(a, b): found for a in "ab" for b in "ab"},
    )
    svg = table.display().to_svg(name="b")
    assert "a and b: 0.500 to 0.750" in svg or "b and a: 0.500 to 0.750" in svg
    for text in (repr(found), repr(report), repr(table), found._repr_html_(), table.to_latex()):
        assert "[0.5006, 0.7494]" in text


def test_exact_ends_and_single_values_are_rounded_to_the_nearest():
    assert known(0.50069, 0.74931).value_text() == "[0.501, 0.749]"
    assert known(0.50069, 0.50069, guarantee="certified").value_text() == "0.501"
    for digits in (1, 2, 3):  # the error of a float is not rounded up
        for at in range(10**digits):
            low, high = at / 10**digits, at / 10**digits + 0.1 + 0.2
            shown = known(low, high, guarantee="certified").value_text(digits)
            assert shown == f"[{low:.{digits}f}, {high:.{digits}f}]"
    assert known(-0.0004, inf, guarantee="certified").value_text() == "[-0.001, inf]"
    assert known(-inf, -0.0004, guarantee="certified").value_text() == "[-inf, 0.000]"


def test_what_rounds_to_zero_has_no_minus_sign(tmp_path):
    truth = np.arange(8000) // 4000
    found = np.arange(8000) % 2  # the adjusted Rand index is -0.0001
    report = sf.evaluate({"found": found}, truth, measures=["adjusted_rand"])
    one = report["found", "adjusted_rand"]
    assert -0.0005 < one.mean < 0
    report.to_html(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    pairs = sf.pairwise({"found": found, "truth": truth}, measure="adjusted_rand")
    notebook = pairs._repr_html_()
    texts = (repr(one), one.sentence(), report.to_markdown(), report.to_latex(), page, notebook)
    for text in texts:
        shown = re.sub("<svg.*?</svg>|<style.*?</style>", "", text, flags=re.DOTALL)
        assert re.findall(r"(?<!\w)[-−]0(?:\.0+)?(?![\d.])", shown) == []
    assert "0.000" in one.sentence()


def test_sentences_of_comparisons_name_kind_and_direction():
    rough = sf.compare(ROUGH, TRUTH, measure="partition_distance").sentence("ours")
    assert rough.startswith(
        "The partition distance of ours against the hard reference lies between"
    )
    assert rough.endswith("lower is better.")
    hard = sf.compare(TRUTH, TRUTH).sentence()
    assert hard == (
        "The Rand index of the hard partition against the hard reference is 1.000 (exact); "
        "higher is better."
    )
    fuzzy = sf.compare(FUZZY, TRUTH).sentence(digits=2)
    assert "(exact; standard deviation 0.25 from partial assignment)" in fuzzy


def test_notebooks_show_tables_notes_and_pictures_with_labels_escaped(report):
    named = sf.HardPartition([HOSTILE, "b", "b", HOSTILE])
    pages = [
        report._repr_html_(),
        named._repr_html_(),
        sf.pairwise({HOSTILE: FUZZY, "b": ROUGH})._repr_html_(),
        sf.compare(FUZZY, named)._repr_html_(),
    ]
    for page in pages:
        assert "<script" not in page
        assert page.count("<svg") == 1
        assert "<table>" in page
        assert "better" in page or page is pages[1]
    noted = sf.evaluate({"p": sf.PossibilisticPartition([[1, 0.5], [0.5, 1]])}, [0, 1])
    assert noted.notes[0] in noted._repr_html_()


def test_a_notebook_computes_nothing_new_to_show_a_report():
    found = sf.compare(FUZZY, TRUTH)
    assert found.find_std is not None
    assert "0.750 ± ?" in found._repr_html_()  # an absent band would say that there is no spread
    assert "hardened" not in found.__dict__
    assert "_stds" not in found.__dict__
    assert found.std == pytest.approx(0.25)
    assert "0.750 ± 0.250" in found._repr_html_()


def test_a_large_partition_is_shown_in_a_line():
    partition = sf.HardPartition(np.arange(1001))
    assert partition._repr_html_() == f"<p>{partition!r}</p>"


def test_cluster_sizes_are_drawn_with_their_spread():
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib.figure import Figure

    display = FUZZY.describe().plot(Figure().add_subplot())
    assert [dot.get_xdata()[0] for dot in display.artists_["dot"]] == [1.5, 2.5]
    band = display.artists_["band"][0].get_xdata()
    assert list(band) == pytest.approx([1.0, 2.0])  # one object of probability one half


def test_importing_sfumato_and_comparing_loads_no_matplotlib():
    said = printed(
        "import sys, sfumato as sf\n"
        "report = sf.evaluate({'a': [0, 1]}, [0, 1])\n"
        "repr(report), report.to_latex(), report.to_markdown()\n"
        "print('matplotlib' in sys.modules, 'pandas' in sys.modules)"
    )
    assert said == "False False"


def test_without_matplotlib_notebooks_show_tables_only():
    said = printed(
        "import sys\n"
        "from importlib import util\n"
        "find = util.find_spec\n"
        "util.find_spec = lambda name: None if name == 'matplotlib' else find(name)\n"
        "import sfumato as sf\n"
        "page = sf.compare([0, 1], [0, 1])._repr_html_()\n"
        "print('<table>' in page, '<svg' in page)"
    )
    assert said == "True False"


def test_every_table_and_frame_says_what_is_better_and_has_the_notes():
    noisy, truth = [0, 0, 1, -1], [0, 0, 1, 1]
    sides = {"a": noisy, "b": [[0.9, 0.1], [0.8, 0.2], [0.3, 0.7], [0.5, 0.5]]}
    report = sf.evaluate(sides, truth, measures=["vi"])
    found = report["a", "vi"], report, sf.pairwise(sides, measure="vi"), report.rank("vi")
    for each in found:
        note = "1 of 4 labels"
        assert any(note in said for said in each.notes)
        assert note in str(each)
        for text in (each.to_latex(), each.to_markdown(), each._repr_html_()):
            assert note in text
            assert "better" in text
        for library in ("pandas", "polars"):
            assert list(each.to_frame(library)["better"]) == ["lower"] * len(each.to_frame())


@pytest.mark.parametrize("letters", ["aaabbb", "bbbaaa"])
def test_no_hardened_value_depends_on_the_names_of_clusters(letters):
    labels = [0, 0, 0, 1, 1, 1, 1, 1, 1, 1]
    truth = sf.as_partition([*letters, None, None, None, None], missing="unknown")
    assert sf.compare(labels, truth, measure="adjusted_rand").hardened is None
    assert sf.difference(labels, labels[::-1], truth).hardened is None
    assert np.isnan(sf.rank({"a": labels, "b": labels[::-1]}, truth).hardened).all()


@pytest.mark.parametrize(
    ("side", "has_ties"),
    [
        (sf.HardPartition([0, 0, 1]), False),
        (sf.RoughPartition([[1, 0], [0, 1]]), False),
        (sf.RoughPartition([[1, 0], [1, 1]]), True),
        (sf.FuzzyPartition([[0.6, 0.4], [0.1, 0.9]]), False),
        (sf.FuzzyPartition([[0.3, 0.4, 0.3], [0.4, 0.2, 0.4]]), True),
        (sf.FuzzyPartition([[1.0], [1.0]]), False),
        (sf.PossibilisticPartition([[1, 0.5], [0.2, 1]]), False),
        (sf.PossibilisticPartition([[1, 0.5], [1, 1]]), True),
        (sf.EvidentialPartition([[0.5, 0.1, 0.4]], [[1, 0], [0, 1], [1, 1]]), False),
        (sf.EvidentialPartition([[0.3, 0.3, 0.4]], [[1, 0], [0, 1], [1, 1]]), True),
    ],
    ids=str,
)
def test_ties_are_noticed(side, has_ties):
    assert side.has_ties() == has_ties


def test_text_tables_shorten_long_names_and_data_keeps_them():
    long = [f"fuzzy c-means of {'many ' * 30}features, m = {m}" for m in (1.5, 2.5)]
    sides = dict(zip(long, (FUZZY, ROUGH), strict=True))
    report, pairs = sf.evaluate(sides, TRUTH, measures=["rand"]), sf.pairwise(sides)
    labels = [long[0] if label == 0 else long[1] for label in TRUTH]
    tables = (
        repr(report),
        repr(pairs),
        repr(report.rank()),
        repr(sf.compare(FUZZY, labels).expected_table()),
    )
    for text in tables:
        lines = [line for line in text.splitlines() if not line.startswith(("note", "On these"))]
        assert max(map(len, lines)) < 140
        assert "…" in text
    assert pairs.names == tuple(long)
    for text in (report.to_markdown(), report.to_latex(), pairs.to_markdown()):
        assert all(name in text for name in long)
    assert [row["name"] for row in report.rows] == long
