"""Pictures are tested by the data drawn, not by their pixels."""

import re
from dataclasses import replace
from itertools import combinations
from math import inf, nan
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from fresh import printed
from sfumato.display.known import Known
from sfumato.display.words import short_names

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")

from matplotlib import pyplot  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from sfumato.display.plot import (  # noqa: E402
    RAMP,
    FlowDisplay,
    ForestDisplay,
    LawDisplay,
    PairwiseDisplay,
    PBoxDisplay,
    PossibilityDisplay,
    SharesDisplay,
    TableDisplay,
    ValueDisplay,
)
from sfumato.display.plot.heatmap import similarity_order  # noqa: E402
from sfumato.display.plot.table import matched_rows  # noqa: E402

TRUTH = ["x", "x", "y", "y", "y"]
FUZZY = sf.FuzzyPartition([[1, 0], [0.5, 0.5], [0.25, 0.75], [0, 1], [0, 1]])
ROUGH = sf.RoughPartition([[1, 0], [1, 1], [0, 1], [1, 1], [0, 1]])
MASSES = sf.EvidentialPartition(
    [[1, 0, 0], [0.2, 0.3, 0.5], [0, 1, 0], [0, 0.5, 0.5], [0, 1, 0]], [[1, 0], [0, 1], [1, 1]]
)
POSSIBLE = sf.PossibilisticPartition(
    [[1, 0.25], [1, 0.5], [0.75, 1], [0, 1], [0.25, 1]], t_norm="min"
)


@pytest.fixture(autouse=True)
def close_figures():
    yield
    pyplot.close("all")


def axes():
    return Figure().add_subplot()


def known(lower=0.4, upper=0.4, name="a", **given):
    return Known(name, "fuzzy", "rand", "higher", lower, upper, **given)


def glyph(*ends, **given):
    """What is drawn of one value."""
    return ValueDisplay(known(*ends, **given)).plot(axes()).artists_


def unwrapped(text):
    return text.replace("\n", " ").replace("\N{NO-BREAK SPACE}", " ")


def xs(artist):
    return np.asarray(artist.get_xdata(), dtype=float).tolist()


def test_a_mean_has_a_band_for_its_spread_a_whisker_for_its_error_and_a_hollow_pin():
    error = {"brackets": ((0.35, 0.45),) * 2, "guarantee": "confidence", "confidence": 0.95}
    drawn = glyph(stds=(0.1, 0.1), hardened=0.8, **error)
    assert set(drawn) == {"band", "error", "dot", "hollow"}
    assert xs(drawn["band"][0]) == pytest.approx([0.3, 0.5])
    whisker, *caps = drawn["error"]
    assert xs(whisker) == [0.35, 0.45]
    assert [xs(cap) for cap in caps] == [[0.35], [0.45]]
    assert xs(drawn["dot"][0]) == [0.4]
    assert all(xs(part) == [0.8] for part in drawn["hollow"])
    assert drawn["hollow"][0].get_markerfacecolor() != drawn["dot"][0].get_color()


def test_what_is_zero_is_not_drawn():
    assert set(glyph()) == {"dot"}
    assert set(glyph(0.2, 0.6, is_precise=False, is_closed=True)) == {"bar", "closed"}


def test_attained_ends_are_not_closed():
    found = sf.compare(ROUGH, ROUGH, measure="jaccard", engine=sf.Sampled(n_samples=5), rng=0)
    assert found.guarantee == "inner"
    assert set(found.plot(axes()).artists_) == {"bar", "error"}


def test_the_range_of_a_precise_value_is_an_error_and_no_ambiguity():
    drawn = glyph(0.2, 0.6, brackets=((0.2, 0.6), (0.2, 0.6)), guarantee="certified")
    assert set(drawn) == {"error"}
    assert len(drawn["error"]) == 3  # one whisker with two caps, though both ends have a bracket


def test_each_guarantee_has_its_own_caps():
    rough = {"is_precise": False, "brackets": ((0.1, 0.3), (0.5, 0.7))}
    vertices = {}
    for guarantee in ("confidence", "certified", "inner"):
        drawn = glyph(0.2, 0.6, guarantee=guarantee, **rough)["error"]
        marks = [line for line in drawn if len(line.get_xdata()) == 1]
        vertices[guarantee] = marks[0].get_marker().vertices.tolist()
        places = [[0.2], [0.6]] if guarantee == "inner" else [[0.1], [0.3], [0.5], [0.7]]
        assert [xs(mark) for mark in marks] == places
    assert vertices["confidence"] != vertices["certified"] != vertices["inner"]
    assert "error" not in glyph(0.2, 0.6, **rough)


def test_bands_stop_at_the_range_of_the_measure_and_unknown_spread_has_none():
    drawn = glyph(0.9, 0.9, stds=(0.2, 0.2), bounds=(0.0, 1.0))
    assert xs(drawn["band"][0]) == pytest.approx([0.7, 1.0])
    assert "band" not in glyph(stds=(nan, nan))


def test_infinite_brackets_leave_the_axis_finite():
    row = known(brackets=((-inf, inf), (-inf, inf)), guarantee="confidence")
    assert np.isfinite(ValueDisplay(row).plot(axes()).ax_.get_xlim()).all()


def test_a_law_shows_all_its_probability_its_mean_and_its_quantiles():
    found = sf.compare(FUZZY, TRUTH, quantity="distribution", engine="exact")
    display = found.plot(axes())
    assert isinstance(display, LawDisplay)
    lines = display.artists_["law"][0].get_segments()
    assert [line[1][0] for line in lines] == found.distribution.values.tolist()
    assert sum(line[1][1] for line in lines) == pytest.approx(1)
    assert xs(display.artists_["dot"][0]) == [found.mean]
    places = [xs(line)[0] for line in display.artists_["quantiles"]]
    quantiles = [found.distribution.quantile(q) for q in (0.05, 0.5, 0.95)]
    assert places == list(dict.fromkeys(quantiles))


def test_the_law_of_many_values_is_a_histogram_of_nearly_all_mass():
    rng = np.random.default_rng(0)
    values = np.sort(rng.normal(size=5000))
    drawn = LawDisplay(values, np.full(5000, 1 / 5000), known(0.0, 0.0)).plot(axes()).artists_
    assert drawn["law"][0].get_data().values.sum() == pytest.approx(1, abs=2e-3)


def test_a_p_box_steps_from_0_to_1_and_belief_is_below_plausibility():
    found = sf.compare(MASSES, TRUTH, quantity="distribution", engine="exact")
    display = found.plot(axes())
    assert isinstance(display, PBoxDisplay)
    believed, plausible = (display.artists_[name][0] for name in ("belief", "plausibility"))
    law = found.distribution
    for curve, degree in ((believed, law.belief), (plausible, law.plausibility)):
        places, heights = np.asarray(curve.get_data())
        assert heights[0] == 0
        assert heights[-1] == pytest.approx(1)
        for t, height in zip(places[1:], heights[1:], strict=True):
            assert height == pytest.approx(degree(at_most=t))
    assert xs(display.artists_["bar"][0]) == [found.lower, found.upper]
    read = replace(display, at=0.5)
    texts = " ".join(each.get_text() for each in read.plot(axes()).artists_["reading"][1:])
    assert f"Bel(≤ 0.5) = {law.belief(at_most=0.5):.2f}" in texts
    assert f"Pl(≤ 0.5) = {law.plausibility(at_most=0.5):.2f}" in texts


def test_a_possibility_shows_its_level_cuts():
    found = sf.compare(POSSIBLE, TRUTH, quantity="distribution", engine="exact")
    display = found.plot(axes())
    assert isinstance(display, PossibilityDisplay)
    lines = display.artists_["cut lines"]
    assert [line.get_ydata()[0] for line in lines] == [0.25, 0.5, 0.75, 1.0]
    for line, level in zip(lines, (0.25, 0.5, 0.75, 1.0), strict=True):
        kept = found.distribution.cut(level).values
        assert xs(line) == [kept.min(), kept.max()]
    assert len(display.artists_["cuts"]) == 4  # the pyramid of the glyph
    stems = display.artists_["possibility"][0].get_segments()  # nothing between is possible
    law = found.distribution
    assert [tuple(stem[1]) for stem in stems] == [*zip(law.values, law.possibilities, strict=True)]
    hull = replace(display, is_complete=False).plot(axes()).artists_["hull"]
    assert len(hull) == 2
    many = PossibilityDisplay(np.arange(100.0), np.linspace(0.01, 1, 100), known()).plot(axes())
    assert xs(many.artists_["possibility"][0]) == np.arange(100.0).tolist()


@pytest.fixture
def report():
    candidates = {"rough <b>": ROUGH, "fcm": FUZZY, "ecm": MASSES, "perfect": TRUTH}
    return sf.evaluate(candidates, TRUTH, measures=["rand", "partition_distance"], engine="exact")


def test_a_forest_is_sorted_by_the_worse_end_and_says_which_way_is_better(report):
    display = report.plot()
    assert isinstance(display, ForestDisplay)
    worse = {name: report[name, "rand"].lower for name, _ in report}
    assert display.order == sorted(worse, key=worse.__getitem__, reverse=True)
    first, second = display.axes_
    assert first.get_title(loc="left") == "Rand index"
    assert first.get_xlabel() == "higher is better →"
    assert second.get_xlabel() == "← lower is better"
    shown = [label.get_text().partition(" (")[0] for label in first.get_yticklabels()]
    assert shown == display.order
    assert first.get_yticklabels()[0].get_fontweight() == "normal"  # the rough one may be as good
    bars = {line.get_ydata()[0]: xs(line) for line in display.artists_["bar"] if line.axes is first}
    at = display.order.index("rough <b>")
    assert bars[at] == [report["rough <b>", "rand"].lower, report["rough <b>", "rand"].upper]
    assert [xs(line)[0] for line in display.artists_["reach"]] == [1.0, 0.0]


def test_only_what_surely_is_best_is_bold():
    rows = [known(0.5, 0.9, is_precise=False), known(0.3, 0.45, "b"), known(0.1, 0.2, "c")]
    labels = ForestDisplay({"rand": rows}).plot(axes()).ax_.get_yticklabels()
    assert [label.get_fontweight() for label in labels] == ["bold", "normal", "normal"]
    rows[1] = replace(rows[1], guarantee="confidence", brackets=((0.3, 0.3), (0.4, 0.55)))
    labels = ForestDisplay({"rand": rows}).plot(axes()).ax_.get_yticklabels()
    assert {label.get_fontweight() for label in labels} == {"normal"}


def test_many_measures_stand_in_rows_of_panels():
    rows = [known(name=name) for name in "ab"]
    measures = ["rand", "jaccard", "dice", "purity", "v_measure"]
    for width, columns, n_values in (("one", 2, 0), ("two", 4, 0)):
        display = ForestDisplay(dict.fromkeys(measures, rows), width).plot()
        assert len(display.axes_) == len(display.figure_.axes) == 5
        assert display.axes_[0].get_subplotspec().get_gridspec().ncols == columns
        assert len(display.artists_.get("values", [])) == n_values
        names = [ax for ax in display.axes_ if ax.yaxis.get_tick_params()["labelleft"]]
        assert len(names) == -(-5 // columns)
    two = ForestDisplay(dict.fromkeys(measures[:2], rows), "two").plot()
    assert [text.get_text() for text in two.artists_["values"]] == ["0.400"] * 4


def test_a_long_forest_says_how_many_rows_it_leaves_out():
    rows = [known(at / 50, at / 50, f"a rather long name {at}") for at in range(50)]
    display = ForestDisplay({"rand": rows}).plot(axes())
    assert len(display.artists_["dot"]) == 30
    (note,) = display.artists_["left out"]
    assert "20 more" in note.get_text()
    assert max(display.artists_["reach"][0].get_ydata()) < note.xy[1]  # the line ends above it


def test_the_dashed_line_of_a_panel_is_that_of_the_best_by_its_measure():
    rows = [known(value, value, str(value)) for value in (0.2, 0.4, 0.9)]
    distances = [replace(row, better="lower", measure="distance") for row in rows]
    display = ForestDisplay({"rand": rows, "distance": distances}, most=2).plot()
    assert [xs(line) for line in display.artists_["reach"]] == [[0.9] * 2, [0.2] * 2]


def test_far_and_infinite_ends_run_off_the_axis_with_an_arrow():
    ends = {"a": (-inf, 0.7), "b": (-1e9, 0.5), "c": (0.3, 0.4)}
    unbounded = {"is_precise": False, "bounds": (-inf, 1.0)}
    rows = [known(*each, name, **unbounded) for name, each in ends.items()]
    display = ForestDisplay({"rand": rows}).plot()
    low, high = display.ax_.get_xlim()
    assert -3 < low < -1 < 0.7 < high < 1
    assert [xs(arrow) for arrow in display.artists_["beyond"]] == [[low], [low]]
    assert {line.get_ydata()[0]: xs(line) for line in display.artists_["bar"]}[2] == [low, 0.7]
    (legend,) = display.figure_.legends
    assert "runs off the axis" in [text.get_text() for text in legend.get_texts()]
    assert "beyond" not in glyph(0.2, 0.9, is_precise=False, bounds=(0.0, 1.0))


def test_no_tick_stands_where_no_value_can_be():
    display = ValueDisplay(known(1.0, 1.0, bounds=(0.0, 1.0))).plot(axes())
    assert display.ax_.get_xlim()[1] > 1
    assert max(display.ax_.get_xticks()) <= 1


def test_a_forest_of_differences_has_a_line_at_0():
    drawn = ForestDisplay({"rand": [known(-0.5, -0.4), known()]}, zero=True).plot(axes()).artists_
    assert xs(drawn["zero"][0]) == [0, 0]
    assert "reach" not in drawn


def test_a_heat_map_puts_like_by_like_and_width_into_holes():
    lower = np.array([[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]])
    upper = lower + np.array([[0, 0.2, 0], [0.2, 0, 0], [0, 0, 0]])
    display = PairwiseDisplay(lower, upper, ("a", "b", "c"), "rand", "higher").plot()
    assert abs(display.order.tolist().index(0) - display.order.tolist().index(2)) == 1
    assert len(display.axes_) == 2
    holes = display.artists_["holes"]
    squares = display.artists_["squares"]
    assert len(squares) + len(display.artists_["numbers"]) == 9
    assert len(holes) == 1  # of the two, one stands above the diagonal in numbers
    share = holes[0].get_width() ** 2 / squares[0].get_width() ** 2
    assert share == pytest.approx(0.2 / 0.9)


def test_dark_means_alike_for_indices_and_for_distances():
    near = np.array([[0, 0.1, 0.9], [0.1, 0, 0.8], [0.9, 0.8, 0]])
    names = ("a", "b", "c")
    drawn = [
        PairwiseDisplay(values, values, names, measure, better).plot()
        for values, measure, better in ((near, "vi", "lower"), (1 - near, "rand", "higher"))
    ]
    shades = [[square.get_facecolor() for square in each.artists_["squares"]] for each in drawn]
    assert shades[0] == shades[1]
    diagonal, *_ = drawn[0].artists_["squares"]
    assert diagonal.get_facecolor() == matplotlib.colors.to_rgba(RAMP[-1])
    for each in drawn:
        words = [text.get_text() for text in each.axes_[1].texts]
        assert words[0].endswith("; darker: more alike")
        assert len(words) == 4  # three numbers of the ramp; nothing of holes


def test_the_scale_of_a_heat_map_has_no_negative_zero():
    values = np.array([[1, -0.001], [-0.001, 1]])
    display = PairwiseDisplay(values, values, ("a", "b"), "adjusted_rand", "higher").plot()
    shown = [text.get_text() for ax in display.axes_ for text in ax.texts]
    assert "0" in shown
    assert "0.00" in shown
    assert not [text for text in shown if text.startswith("\N{MINUS SIGN}")]


def test_a_heat_map_of_equal_infinite_or_very_many_values_is_drawn():
    flat = PairwiseDisplay(np.ones((3, 3)), np.ones((3, 3)), ("a", "b", "c"), "rand", "higher")
    assert [text.get_text() for text in flat.plot().axes_[1].texts][1:] == ["1"]
    lower = np.ones((3, 3))
    lower[0, 1] = lower[1, 0] = -inf
    ends = PairwiseDisplay(lower, np.ones((3, 3)), ("a", "b", "c"), "ami", "higher").plot()
    assert len(ends.artists_["squares"]) == 6
    many = np.random.default_rng(0).random((60, 60))
    names = tuple(map(str, range(60)))
    image = PairwiseDisplay(many, many + 0.1, names, "rand", "higher").plot()
    assert image.artists_["image"][0].get_array().shape == (60, 60, 3)
    assert len(image.ax_.get_yticks()) < 60
    assert image.axes_[1].texts[-1].get_text() == "widths are not drawn"


def test_the_order_of_similarity_puts_the_outlier_last():
    far = np.array([[0, 9, 1, 9.0], [9, 0, 9, 9], [1, 9, 0, 2], [9, 9, 2, 0]])
    assert similarity_order(far, "lower")[-1] == 1
    assert similarity_order(-far, "higher")[-1] == 1


def test_objects_are_ranked_by_their_shares_and_shares_of_a_variance_add_up():
    shares = np.array([0.1, 0.0, 0.5, 0.2])
    display = SharesDisplay(shares, ("a", "b", "c", "d"), "variance").plot()
    assert [bar.get_width() for bar in display.artists_["bars"]] == [0.5, 0.2, 0.1]
    assert [each.get_text() for each in display.ax_.get_yticklabels()] == ["c", "d", "a"]
    assert display.artists_["sum"][0].get_ydata().tolist() == pytest.approx([0, 0.5, 0.7, 0.8, 0.8])
    assert len(SharesDisplay(shares, ("a", "b", "c", "d"), "width").plot().axes_) == 1


def test_shares_say_of_what_they_are_and_whose():
    fuzzy = sf.compare(FUZZY, TRUTH, measure="adjusted_rand").plot_contributions().ax_
    rough = sf.compare(ROUGH, TRUTH, measure="adjusted_rand").plot_contributions().ax_
    assert fuzzy.get_ylabel() == rough.get_ylabel() == "object"
    assert unwrapped(fuzzy.get_xlabel()) == "share of the variance of the adjusted Rand index"
    assert unwrapped(rough.get_xlabel()) == (
        "by how much the interval of the adjusted Rand index narrows, at least, once the object is "
        "known"
    )


def test_a_table_counts_what_it_leaves_out_and_says_so_inside_the_figure():
    expected = np.random.default_rng(0).random((12, 3)) * 1000
    names = tuple(f"a rather long name {at}" for at in range(12))
    zeros = np.zeros((12, 3))
    display = TableDisplay(expected, expected, zeros, expected, expected, names, ("x", "y", "z"))
    display.plot()
    display.figure_.canvas.draw()
    note = display.ax_.xaxis.label
    assert unwrapped(note.get_text()).endswith("not drawn: 4 of 12 rows")
    assert note.get_window_extent().x1 <= display.figure_.bbox.x1
    rows = [label.get_text() for label in display.ax_.get_yticklabels()]
    assert len(set(rows)) == 8


def test_texts_of_neighbouring_cells_do_not_touch():
    lower = np.array([[113_317.5, 20_000.0], [1.0, 98_000.0]])
    names = ("first", "second")
    display = TableDisplay(
        lower, lower + 5000.25, np.zeros((2, 2)), lower - 1, lower + 6000, names, names
    ).plot()
    display.figure_.canvas.draw()
    boxes = [text.get_window_extent() for text in display.artists_["texts"]]
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_cells_of_a_table_show_counts_and_their_ranges():
    found = sf.compare(ROUGH, TRUTH).expected_table()
    display = found.plot(axes(), row_title="rough")
    assert isinstance(display, TableDisplay)
    texts = [text.get_text() for text in display.artists_["texts"]]
    cells = np.ix_(*display.order)
    ends = zip(found.lower[cells].ravel(), found.upper[cells].ravel(), strict=True)
    assert texts == [f"{a:.0f}" if a == b else f"{a:.0f} to {b:.0f}" for a, b in ends]


def test_bands_of_a_flow_are_as_thick_as_the_expected_counts():
    found = sf.compare(FUZZY, TRUTH).expected_table()
    display = found.plot_flow()
    assert isinstance(display, FlowDisplay)
    bands = [*display.artists_["matched"], *display.artists_["unmatched"]]
    heights = [band.get_path().vertices[:, 1] for band in bands]
    assert sum(abs(each[-2] - each[0]) for each in heights) == pytest.approx(5)
    sizes = sorted(box.get_height() for box in display.artists_["clusters"])
    assert sizes == pytest.approx(sorted([1.75, 3.25, 2.0, 3.0]))


def test_many_clusters_flow_as_one_rest():
    rng = np.random.default_rng(0)
    expected = rng.random((20, 3))
    display = FlowDisplay(
        expected, np.ones((20, 3)), tuple(map(str, range(20))), ("a", "b", "c")
    ).plot()
    assert len(display.artists_["clusters"]) == 9 + 3
    assert "12 others" in [text.get_text() for text in display.artists_["texts"]]
    assert len(display.artists_["merged"]) == 3  # the rest matches nothing
    heights = sum(box.get_height() for box in display.artists_["clusters"][:9])
    assert heights == pytest.approx(expected.sum())


def test_the_key_of_a_flow_names_its_colours_and_overprints_nothing():
    rng = np.random.default_rng(0)
    expected = np.eye(12) * 30 + rng.random((12, 12)) * 0.5
    names = tuple(map(str, range(12)))
    display = FlowDisplay(expected, np.full((12, 12), 0.5), names, names).plot()
    display.figure_.canvas.draw()
    texts = display.axes_[1].texts
    words = [text.get_text() for text in texts]
    assert words[:3] == ["matched clusters", "other clusters", "drawn as one"]
    assert words[-1].startswith("not drawn: ")
    boxes = [text.get_window_extent() for text in texts]
    assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))
    assert all(box.x1 <= display.figure_.bbox.x1 for box in boxes)


def test_rows_are_matched_to_columns_by_most_weight():
    assert matched_rows(np.array([[0, 5.0], [6, 5], [1, 1]])).tolist() == [1, 0, 2]


def test_axes_of_the_user_are_used_and_counted(report):
    figure, pair = pyplot.subplots(1, 2)
    display = report.plot(list(pair))
    assert display.axes_ == tuple(pair)
    assert display.figure_ is figure
    assert report.plot(pair).axes_ == tuple(pair)  # the array of pyplot.subplots
    with pytest.raises(sf.InputError, match="needs 2 axes, got 1"):
        report.plot(pair[0])
    for wrong, seen in ((3, "int"), ("left", "str"), ([pair[0], None], "NoneType")):
        with pytest.raises(sf.InputError, match=f"one or several matplotlib Axes, got {seen}"):
            report.plot(wrong)


def test_drawing_leaves_the_users_style_alone(report):
    before = dict(matplotlib.rcParams)
    report.plot()
    assert dict(matplotlib.rcParams) == before


def test_an_svg_escapes_labels_follows_colours_and_carries_tips(report):
    text = report.display().to_svg(name="one")
    assert "<b>" not in text
    assert "rough &lt;b&gt;" in text
    assert "var(--sf-width,#4c8fc4)" in text
    assert "<title>fcm: " in text
    assert "<script" not in text
    assert set(re.findall(r'id="(\w+)-', text)) <= {"one"}
    assert re.findall(r"#[0-9a-f]{6}", re.sub(r"var\([^)]*\)", "", text)) == []
    assert 'role="img" aria-label="Rand index, higher is better: ' in text


def test_a_label_with_dollars_is_no_formula():
    display = ForestDisplay({"rand": [known(name="$x_{1")]}).plot()
    display.figure_.canvas.draw()
    assert "$x_{1" in display.ax_.get_yticklabels()[0].get_text()


UNKNOWN = ["\ue000", "\ue001"]  # letters that no font has
ODD = ["tab\tbell\x07\nline", *UNKNOWN, "\x1b[31m", "\ud800", "$x_{1$", "  "]


@pytest.mark.parametrize("name", ["plot", "to_svg"])
def test_odd_letters_neither_warn_nor_break_and_names_stay_apart(name):
    rows = [known(at / 9, at / 9, each) for at, each in enumerate(ODD)]
    square = np.eye(7)
    names = tuple(ODD)
    for display in (
        ForestDisplay({"rand": rows}),
        ValueDisplay(rows[0]),
        PairwiseDisplay(square, square, names, "rand", "higher"),
        SharesDisplay(np.full(7, 0.1), names, "variance"),
        TableDisplay(square, square, square, square, square, names, names, *ODD[:2]),
        FlowDisplay(square, square, names, names, *ODD[:2]),
    ):
        drawn = getattr(display, name)()
        if name == "to_svg":
            ElementTree.fromstring(drawn.encode())
            assert "\ue000" in drawn or isinstance(display, ValueDisplay)  # the page finds a font
            continue
        drawn.figure_.canvas.draw()
        labels = [label.get_text() for label in drawn.ax_.get_yticklabels()]
        assert len(set(labels)) == len(labels)
        assert "\ue000" not in "".join(labels)


def test_short_names_stay_different():
    long = [f"a grid search with a very long name, m = {m}, and a long end" for m in (1, 2, 3)]
    assert len(set(short_names(long, 20))) == 3
    assert all(len(name) <= 20 for name in short_names(long, 20))
    same = [f"{'a' * 40}{at}{'b' * 40}{at}{'c' * 40}" for at in range(12)]
    assert len(set(short_names([*same, same[0]], 20))) == 12


def test_a_law_and_a_p_box_have_a_key():
    for found, expected in (
        (sf.compare(FUZZY, TRUTH, quantity="distribution", engine="exact"), "quantiles"),
        (sf.compare(MASSES, TRUTH, quantity="distribution", engine="exact"), "after hardening"),
        (sf.compare(POSSIBLE, TRUTH, quantity="distribution"), "levels of possibility"),
    ):
        (legend,) = found.plot().figure_.legends
        assert expected in [text.get_text() for text in legend.get_texts()]


def test_level_cuts_are_written_beside_the_axes():
    display = sf.compare(POSSIBLE, TRUTH, quantity="distribution").plot()
    display.figure_.canvas.draw()
    box = display.ax_.get_window_extent()
    assert all(text.get_window_extent().x0 > box.x1 for text in display.artists_["texts"])


def test_names_of_curves_stay_inside_the_axes():
    display = PBoxDisplay(np.zeros(1), np.ones(1), np.ones(1), known(0.0, 1.0, is_precise=False))
    display.plot().figure_.canvas.draw()
    box = display.ax_.get_window_extent()
    for text in display.artists_["texts"]:
        extent = text.get_window_extent()
        assert box.x0 <= extent.x0 < extent.x1 <= box.x1


def test_without_matplotlib_the_missing_extra_is_named():
    said = printed(
        "import sys\n"
        "sys.modules['matplotlib'] = None\n"
        "import sfumato as sf\n"
        "try:\n"
        "    sf.compare([0, 1], [0, 0]).plot()\n"
        "except sf.MissingExtraError as error:\n"
        "    print(error)\n"
    )
    assert said == "Drawing needs matplotlib, which is not installed: pip install 'sfumato[plot]'."


def test_what_a_notebook_sets_when_it_loads_outlives_the_first_picture(tmp_path):
    backend = "from matplotlib.backends.backend_agg import *\nimport matplotlib\n"
    (tmp_path / "loud.py").write_text(f"{backend}matplotlib.interactive(True)\n")
    said = printed(
        f"import os, sys\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "os.environ['MPLBACKEND'] = 'module://loud'\n"
        "import sfumato as sf\n"
        "sf.compare([0, 1], [0, 0]).plot()\n"
        "import matplotlib\n"
        "print(matplotlib.is_interactive())\n"
    )
    assert said == "True"  # else only the first picture of a notebook would be shown


def test_shares_name_rows_or_ids_of_the_compared_objects():
    memberships = np.array([[0.5, 0.5], [0.4, 0.6], [0.3, 0.7], [0.9, 0.1]])
    truth = [0, None, 1, 0]
    found = sf.compare(memberships, truth, missing="drop")
    assert found.plot_contributions().labels == ("0", "2", "3")
    frame = pd.DataFrame(memberships, index=list("dcba"))
    series = pd.Series([0, 1, 1, 0], index=list("abcd"))
    assert sf.compare(frame, series).plot_contributions().labels == ("d", "c", "b", "a")
    assert sf.compare(memberships, series).plot_contributions().labels == ("a", "b", "c", "d")
    dropped = sf.compare(frame, truth, missing="drop")
    assert dropped.plot_contributions().labels == ("d", "b", "a")
    assert sf.compare(memberships, [0, 0, 1, 1]).objects is None


@pytest.mark.parametrize(
    ("call", "part"),
    [
        (lambda report: report.plot(width="three"), "width is 'one' or 'two' columns"),
        (lambda _: sf.pairwise({"a": FUZZY, "b": ROUGH}).plot(width=3), "width is 'one' or 'two'"),
        (lambda _: sf.rank({"a": FUZZY, "b": ROUGH}, TRUTH).plot(width=None), "width is 'one'"),
        (lambda _: sf.compare(FUZZY, TRUTH).plot(name=3), "name is 3; pass it as text"),
        (lambda _: sf.compare(FUZZY, TRUTH).sentence(3), "name is 3; pass it as text"),
        (lambda _: sf.compare(FUZZY, TRUTH).sentence(digits=-1), "digits is -1; pass a whole"),
        (lambda _: sf.compare(FUZZY, TRUTH).sentence(digits="a"), "digits is 'a'; pass a whole"),
        (
            lambda _: sf.compare(FUZZY, TRUTH).expected_table().plot(row_title=3),
            "row_title is 3; pass it as text",
        ),
        (
            lambda _: sf.compare(FUZZY, TRUTH).expected_table().plot_flow(column_title=None),
            "column_title is None; pass it as text",
        ),
        (lambda report: report.to_html("a.html", labels=3), "labels is 3; pass a list"),
        (lambda report: report.to_html("a.html", provenance=[1]), "provenance is a list; pass"),
    ],
)
def test_wrong_arguments_are_refused_in_one_line(report, call, part):
    with pytest.raises(sf.InputError, match=part):
        call(report)
