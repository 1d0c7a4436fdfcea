"""Precise questions of which only a range is known: no value is made up, and the range is shown."""

import json
from math import inf, isfinite

import numpy as np
import pytest
from typer.testing import CliRunner

import sfumato as sf
from sfumato.cli import app
from sfumato.results.answers import answer_by_range, bracketed_mean, lossy_answer

RNG = np.random.default_rng(13)
LABELS = RNG.integers(0, 3, 60)
MEMBERSHIPS = RNG.dirichlet(np.full(4, 0.6), 60)
UNBOUNDED = sf.Measure.from_function(
    lambda table: float(table.max() - table.min()), name="excess", better="higher"
)


def bounded(measure="purity", **options):
    return sf.compare(MEMBERSHIPS, LABELS, measure=measure, engine="bounds", **options)


@pytest.mark.parametrize("measure", ["purity", sf.AdjustedMutualInformation("max")], ids=str)
def test_a_mean_of_which_only_a_range_is_known_is_none(measure):
    found = bounded(measure)
    drawn = sf.compare(MEMBERSHIPS, LABELS, measure=measure, engine="sampled", rng=0)
    assert (found.method, found.guarantee) == ("rough_ends", "certified")
    assert (found.mean, found.is_precise) == (None, True)
    assert found.lower < drawn.mean < found.upper
    assert found.lower_bracket == found.upper_bracket == (found.lower, found.upper)
    assert found.error == found.upper - found.lower


def test_the_printed_lines_show_the_range():
    found = bounded()
    assert (found.lower, found.upper) == (28 / 60, 1.0)
    shown = "[0.4666, 1.0000]"  # not 0.4667: a bound is rounded outwards
    assert f"hard: {shown} (certified; rough_ends" in repr(found)
    assert f"<td>{shown}</td>" in found._repr_html_()
    report = sf.evaluate({"fcm": MEMBERSHIPS}, LABELS, measures=["purity"], engine="bounds")
    assert shown in repr(report)
    assert f"<td>{shown}</td>" in report._repr_html_()
    assert report.rows[0]["mean"] is None
    assert (report.rows[0]["lower"], report.rows[0]["upper"]) == (found.lower, found.upper)
    matrix = sf.pairwise({"fcm": MEMBERSHIPS, "truth": LABELS}, measure="purity", engine="bounds")
    assert shown in repr(matrix)
    assert (matrix.lower[0, 1], matrix.upper[0, 1]) == (found.lower, found.upper)


def test_the_command_line_shows_the_range(tmp_path):
    truth, soft = tmp_path / "truth.csv", tmp_path / "soft.csv"
    truth.write_text("label\n" + "\n".join(map(str, LABELS)))
    rows = [",".join(map(repr, row)) for row in MEMBERSHIPS.tolist()]
    soft.write_text("a,b,c,d\n" + "\n".join(rows))
    asked = ["compare", str(truth), str(soft), "-m", "purity", "--engine", "bounds"]
    found = bounded()
    assert "[0.466, 1.000]" in CliRunner().invoke(app, asked).stdout
    row = json.loads(CliRunner().invoke(app, [*asked, "--json"]).stdout)["rows"][0]
    assert (row["mean"], row["lower"], row["upper"]) == (None, found.lower, found.upper)


def test_a_range_is_not_a_number():
    with pytest.raises(
        sf.UnsupportedError, match=r"known to lie in \[.*\] only: use .*engine=.auto"
    ):
        float(bounded())


def test_what_is_derived_of_a_range_makes_up_no_value():
    found = bounded()
    assert found.pignistic is None
    assert found.hurwicz(1.0) == found.lower
    assert found.hurwicz(0.0) == found.upper
    with pytest.raises(sf.CostError, match="standard deviation of this comparison is out of reach"):
        found.contributions()
    rough = sf.RoughPartition(MEMBERSHIPS > 0.2)
    assert sf.compare(rough, LABELS, measure="purity", engine="bounds").pignistic is None


def test_shares_that_need_means_which_are_only_ranges_are_out_of_reach():
    other = RNG.dirichlet(np.ones(4), 60)
    found = sf.compare(MEMBERSHIPS, other, measure="partition_distance", engine="bounds")
    assert found.mean is None
    assert isfinite(found.std)
    with pytest.raises(sf.CostError, match=r"only a range is known"):
        found.contributions()


def test_a_certified_estimate_is_printed_with_its_error():
    engine = sf.Auto(max_lost_mass=1e-3, max_tables=30_000)
    found = sf.compare(MEMBERSHIPS, LABELS, measure="adjusted_rand", engine=engine)
    assert found.guarantee == "certified"
    low, high = found.lower_bracket
    assert low < found.mean < high
    assert found.error == max(found.mean - low, high - found.mean)
    assert f"{found.mean:.4f} (certified to +-{found.error:.2g}; " in repr(found)


def test_what_was_left_out_does_not_move_the_mean_of_what_was_kept():
    ends = np.array([0.2, 0.4]), np.array([0.2, 0.4]), np.array([0.3, 0.3])
    found = lossy_answer("certified", ends, 0.4, (0.0, 1.0), is_precise=True, distribution=None)
    assert found.lower == found.upper == pytest.approx(0.3)
    assert found.lower_bracket == found.upper_bracket == pytest.approx((0.18, 0.58))


def test_a_bracket_is_an_estimate_only_with_a_mean():
    without = bracketed_mean("certified", None, (0.2, 0.6), std=0.1)
    assert (without.lower, without.upper) == (0.2, 0.6)
    having = bracketed_mean("certified", 0.3, (0.2, 0.6), std=0.1)
    assert (having.lower, having.upper) == (0.3, 0.3)
    assert having.lower_bracket == without.lower_bracket == (0.2, 0.6)
    support = answer_by_range((0.2, 0.6))
    assert (support.lower, support.upper) == (0.2, 0.6)


def test_a_range_of_one_value_is_a_mean():
    found = sf.compare([[0.5, 0.5]], [0], measure="jaccard", engine="bounds")
    assert found.mean == found.lower == found.upper == 1.0


def test_a_wide_bracket_of_a_matching_is_a_range_and_a_narrow_one_an_estimate():
    other = RNG.dirichlet(np.ones(4), 60)
    wide = sf.compare(MEMBERSHIPS, other, measure="partition_distance", engine="bounds")
    assert (wide.method, wide.guarantee) == ("matching_bracket", "certified")
    assert wide.mean is None
    drawn = sf.compare(
        MEMBERSHIPS, other, measure="partition_distance", engine=sf.Sampled(tolerance=0.01), rng=0
    )
    assert wide.lower - 0.01 <= drawn.mean <= wide.upper + 0.01
    sharp = 0.99 * np.eye(3)[LABELS] + 0.01 / 3
    narrow = sf.compare(sharp, LABELS, measure="partition_distance", engine="bounds")
    assert narrow.error <= 1e-3
    assert narrow.mean == pytest.approx(0.01 * 2 / 3 * 60 / 59, abs=1e-3)


def test_nothing_known_of_an_unbounded_measure_is_no_nan():
    found = sf.compare(MEMBERSHIPS, LABELS, measure=UNBOUNDED, engine="bounds")
    assert (found.lower, found.upper, found.error) == (-inf, inf, inf)
    assert found.mean is None
    assert (found.hurwicz(1.0), found.hurwicz(0.0)) == (-inf, inf)


@pytest.mark.parametrize("measure", ["rand", "adjusted_mutual_information", UNBOUNDED])
@pytest.mark.parametrize("engine", [sf.Bounds(), sf.Sampled(n_samples=20)], ids=["bounds", "draws"])
def test_dictionaries_are_json_without_infinities(measure, engine):
    report = sf.evaluate({"m": MEMBERSHIPS}, LABELS, measures=[measure], engine=engine, rng=0)
    for found in (*report.comparisons.values(), report):
        text = json.dumps(found.to_dict(), allow_nan=False)
        assert json.loads(text) == found.to_dict()


def test_frames_keep_numbers_that_json_has_not():
    found = sf.compare(MEMBERSHIPS, LABELS, measure=UNBOUNDED, engine="bounds")
    assert found.to_dict()["error"] is None
    assert found.to_frame().loc[0, "error"] == inf
    report = sf.evaluate({"m": MEMBERSHIPS}, LABELS, measures=[UNBOUNDED], engine="bounds")
    assert report.to_frame().loc[0, "upper"] == inf
    assert report.to_dict()["rows"][0]["upper"] is None
