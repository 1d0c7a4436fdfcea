"""How a ranking looks: text, frames, LaTeX, pictures, the command line and reports."""

import dataclasses
import json

import matplotlib as mpl
import numpy as np
import pytest
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli import app

mpl.use("Agg")

TRUTH = sf.RoughPartition.from_sets([{0, 1}, {0}, {0}, {1}, {1}, {0, 1}])
NAMED = {"a": [0, 0, 0, 1, 1, 0], "b<": [0, 0, 1, 1, 0, 1], "c": [[0.5, 0.5]] * 6}


@pytest.fixture(scope="module")
def ranking():
    return sf.rank(NAMED, TRUTH)


def test_the_text_begins_with_the_verdict_and_says_d_first(ranking):
    assert repr(ranking).startswith(ranking.verdict)
    assert ranking.verdict.startswith(
        "On these 6 objects, memberships as stated, objects independent: "
    )
    assert ranking.verdict.index("D =") < ranking.verdict.index("belief")
    assert "significant" not in repr(ranking)
    assert any("sharpness" in note for note in ranking.notes)


def test_frames_hold_a_row_for_each_ordered_pair(ranking):
    frame = ranking.to_frame("polars")
    assert frame.height == 6
    row = ranking["a", "b<"]
    assert row["lower"] == ranking.lower[0, 1]
    assert row["standing"] == "better"
    assert ranking["b<", "a"]["standing"] == "worse"
    assert row["belief_at_least"] == 1.0 - ranking.plausibility[1, 0]


def test_json_can_hold_it(ranking):
    found = json.loads(json.dumps(ranking.to_dict(), allow_nan=False))
    assert found["maximal"] == list(ranking.maximal)
    assert len(found["pairs"]) == 6


def test_names_of_users_are_escaped(ranking):
    assert "<td>b&lt;</td>" in ranking._repr_html_()
    assert r"b\textless{}" in ranking.to_latex(caption="Leads")
    assert "| b\\< |" in ranking.to_markdown()


@pytest.mark.parametrize("width", ["one", "two"])
def test_the_picture_has_three_panels(ranking, width):
    drawn = ranking.plot(width=width)
    assert len(drawn.axes_) == 3
    assert len(drawn.artists_["frames"]) == 6
    assert len(drawn.artists_["arrows"]) == len(ranking.order)
    assert [label.get_text() for label in drawn.ax_.get_yticklabels()] == list(drawn.names[1:])
    assert "Differences by Rand index to a" in drawn.to_svg()


def test_the_first_panel_can_stand_alone(ranking):
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    drawn = ranking.plot(ax)
    assert drawn.axes_ == (ax,)
    assert drawn.artists_["zero"][0].get_xdata() == [0, 0]


def test_one_candidate_and_ties_can_be_drawn():
    assert sf.rank({"a": [0, 1]}, [0, 1]).plot().artists_["arrows"] == []
    tied = sf.rank({"a": [0, 1, 1], "b": [0, 1, 1]}, [0, 1, 1])
    assert tied.plot().artists_["arrows"] == []
    assert "cannot be told apart" in tied._repr_html_()


def test_edges_that_follow_from_others_are_left_out():
    truth = [0, 0, 0, 1, 1, 1]
    named = {"best": truth, "good": [0, 0, 0, 1, 1, 0], "bad": [0, 1, 0, 1, 0, 1]}
    found = sf.rank(named, truth)
    assert found.dominates[0, 2]
    assert found.order == (("best", "good"), ("good", "bad"))


def test_a_report_ranks_its_candidates(ranking):
    found = sf.evaluate(NAMED, TRUTH, measures=["partition_distance", "rand"], rng=3).rank("rand")
    assert np.array_equal(found.lower, ranking.lower)
    report = sf.evaluate({"c": NAMED["c"]}, NAMED["a"], measures=["indices.campello", "rand"])
    assert report.rank().measure == "rand"
    with pytest.raises(sf.InputError, match="its measures are 'rand'"):
        report.rank("indices.campello")


def test_the_command_line_ranks_files(tmp_path):
    for name, labels in (("truth", "xxyy"), ("good", "xxyy"), ("bad", "xyxy")):
        (tmp_path / f"{name}.csv").write_text("\n".join(["label", *labels]))
    files = [str(tmp_path / f"{name}.csv") for name in ("truth", "good", "bad")]
    shown = CliRunner().invoke(app, ["rank", *files])
    assert shown.exit_code == 0, shown.output
    assert "good is best in expectation by the Rand index: D = 0.667 over bad" in shown.output
    written = json.loads(CliRunner().invoke(app, ["rank", *files, "--json"]).output)
    assert written["format"] == "sfumato ranking"
    assert written["order"] == [["good", "bad"]]
    for form in ("csv", "latex", "markdown"):
        assert CliRunner().invoke(app, ["rank", *files, "--format", form]).exit_code == 0
    refused = CliRunner().invoke(app, ["rank", *files, "-m", "indices.campello"])
    assert refused.exit_code == 2


@pytest.mark.parametrize(
    ("belief", "in_words", "in_table"),
    [(0.9997, "0.99", "0.999"), (0.0002, "0.01", "0.001"), (1.0, "1.00", "1.000")],
)
def test_a_belief_that_is_not_sure_does_not_look_sure(ranking, belief, in_words, in_table):
    found = dataclasses.replace(ranking, belief=np.full_like(ranking.belief, belief))
    assert f"ahead with belief {in_words} " in found.verdict
    assert f" {in_table} " in repr(found)
    assert f"belief {in_words}," in found.plot().to_svg(name="a")
