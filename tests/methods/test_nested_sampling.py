"""Nested sampling: biased inward, and honest about it."""

from math import log, sqrt

import numpy as np
import pytest

import sfumato as sf
from sfumato.query import Query

SETS = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 1, 1]]
TRUTH = [0, 0, 1, 1, 2, 2]
NESTED = sf.Sampled(n_samples=400, nested=True, n_inner=5)
POSSIBLE = np.array(
    [[1, 0.5, 0], [1, 0.2, 0.7], [0, 1, 0.4], [0.6, 1, 1], [0, 0.1, 1], [0.3, 0, 1]]
)
FUZZY = np.array([[1, 0, 0], [0.5, 0.5, 0], [0, 1, 0], [0.2, 0.3, 0.5], [0, 0, 1], [0, 0.1, 0.9]])


def evidential(seed):
    return sf.EvidentialPartition(
        np.random.default_rng(seed).dirichlet(np.ones(len(SETS)), size=len(TRUTH)), SETS
    )


def sides(seed):
    return {
        "evidential": (evidential(seed), TRUTH),
        "min": (sf.PossibilisticPartition(POSSIBLE, t_norm="min"), TRUTH),
        "levels against fuzzy": (
            sf.PossibilisticPartition(POSSIBLE, t_norm="min"),
            sf.FuzzyPartition(FUZZY),
        ),
        "levels against evidential": (
            evidential(seed),
            sf.PossibilisticPartition(POSSIBLE, t_norm="min"),
        ),
    }


every_side = pytest.mark.parametrize("name", sides(0))


@every_side
def test_estimates_lie_inside_the_exact_interval_up_to_their_half_width(name):
    half_width = sqrt(log(4 / 0.05) / 800)
    for seed in range(8):
        a, b = sides(seed)[name]
        exact = sf.compare(a, b, engine="exact")
        found = sf.compare(a, b, engine=NESTED, rng=seed)
        assert (found.method, found.guarantee) == ("nested_sampling", "inner")
        assert found.lower >= exact.lower - half_width
        assert found.upper <= exact.upper + half_width
        # An end can lie outward without limit, inward by the half-width only.
        assert found.lower_bracket == (0.0, min(1.0, found.lower + half_width))
        assert found.upper_bracket == (max(0.0, found.upper - half_width), 1.0)
        assert found.lower_bracket[0] <= exact.lower <= found.lower_bracket[1]
        assert found.upper_bracket[0] <= exact.upper <= found.upper_bracket[1]
        assert any("biased inward: the true interval is wider" in note for note in found.notes)


@every_side
def test_the_bias_is_inward_and_shrinks_with_the_inner_draws(name):
    a, b = sides(1)[name]
    exact = sf.compare(a, b, engine="exact")
    widths = [
        sf.compare(
            a, b, engine=sf.Sampled(n_samples=4000, nested=True, n_inner=n_inner), rng=0
        ).width
        for n_inner in (1, 2, 8, 64)
    ]
    assert widths[0] == 0.0  # one clustering has one value
    assert widths == sorted(widths)
    # 4,000 draws: the standard error of a width is below 5e-3.
    assert widths[-1] == pytest.approx(exact.width, abs=0.02)


def test_levels_are_drawn_in_proportion_to_their_masses():
    # Above level 1/4 nothing is open, so a quarter of the draws find both values.
    a = sf.PossibilisticPartition([[1, 0.25], [1, 0]], t_norm="min")
    found = sf.compare(
        a,
        [0, 0],
        quantity="distribution",
        engine=sf.Sampled(n_samples=20_000, nested=True, n_inner=50),
        rng=0,
    )
    # Standard error sqrt(3 / 16 / 20,000) = 0.003.
    assert found.lower == pytest.approx(0.75, abs=0.015)
    assert found.upper == 1.0
    assert found.distribution.belief(at_least=1.0) == pytest.approx(0.75, abs=0.015)


def test_stopping_early_leaves_a_fair_sample_of_levels():
    rng = np.random.default_rng(3)
    rows = rng.random((2000, 2))
    a = sf.PossibilisticPartition(rows, t_norm="min")
    measure = sf.Measure.from_function(
        lambda tables: tables.max(axis=(-2, -1)) / tables.sum(axis=(-2, -1)),
        name="share",
        better="higher",
        bounds=(0, 1),
        on="batch",
    )
    truth = np.zeros(2000, dtype=int)
    early = sf.compare(a, truth, measure=measure, engine=sf.Auto(max_seconds=1e-6), rng=0)
    full = sf.compare(a, truth, measure=measure, engine=sf.Sampled(n_samples=1000), rng=0)
    assert early.n_samples < 1000
    assert any("Stopped by max_seconds" in note for note in early.notes)
    # The share is close to 0.5 + a quarter of the level; 64 draws know its mean to 0.03.
    assert early.midpoint == pytest.approx(full.midpoint, abs=0.1)


def test_only_levels_that_are_drawn_are_cut(monkeypatch):
    cuts = []
    at_level = Query.at_level
    monkeypatch.setattr(
        Query, "at_level", lambda self, level: cuts.append(level) or at_level(self, level)
    )
    rows = np.random.default_rng(0).random((500, 3))
    a = sf.PossibilisticPartition(rows, t_norm="min")
    engine = sf.Sampled(n_samples=20, nested=True, n_inner=3)
    sf.compare(a, rows.argmax(axis=1), engine=engine, rng=0)
    assert len(cuts) <= 20 + 1  # and one to predict the cost of enumeration
