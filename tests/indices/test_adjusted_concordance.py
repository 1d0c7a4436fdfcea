"""Chance models: exact expectations, closed forms, fits and draws."""

from math import inf

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import integrate, stats
from scipy.special import digamma

import literal_indices as literal
import sfumato as sf
import sfumato.indices.formulas.pair_values as binning
from indices.variants import rows
from sfumato import indices
from sfumato.indices.formulas.chance import (
    RandomSide,
    fit_dirichlet,
    fit_symmetric_dirichlet,
    random_side,
)
from sfumato.indices.formulas.drawn_mean import draw_mean
from sfumato.indices.formulas.pair_values import mean_difference, pair_values
from sfumato.indices.huellermeier import half_distances
from strategies import fuzzy_sides, groups_of_sides, hard_sides

INDICES = ["concordance", "belief", "jousselme", "conflict"]
SMALL = {"n_objects": st.integers(2, 5), "n_clusters": st.integers(1, 3)}


def side(**sizes):
    return st.one_of(hard_sides(**sizes), fuzzy_sides(**sizes))


@pytest.mark.parametrize("index", INDICES)
@settings(max_examples=40)
@given(groups_of_sides(side, side, **SMALL))
def test_permutation_is_the_mean_over_all_orders_of_the_objects(index, both):
    first, second = map(rows, both)

    def value(one, other):
        return 1 - literal.discordance(index, one, other)

    expected = literal.shuffled(value, first, second)
    assume(1 - expected > 1e-6)
    wanted = (value(first, second) - expected) / (1 - expected)
    found = indices.adjusted_concordance(first, second, index=index)
    assert found == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@settings(max_examples=40)
@given(groups_of_sides(side, side, **SMALL))
def test_fari_is_corrected_by_the_mean_over_all_orders_of_the_objects(both):
    first, second = map(rows, both)
    expected = literal.shuffled(literal.frobenius_rand, first, second)
    assume(1 - expected > 1e-6)
    wanted = (literal.frobenius_rand(first, second) - expected) / (1 - expected)
    found = indices.fuzzy_adjusted_rand(first, second)
    assert found == pytest.approx(wanted, rel=1e-8, abs=1e-8)


def test_belief_and_jousselme_are_one_number_for_fuzzy_sides():
    rng = np.random.default_rng(1)
    first, second = rng.dirichlet([1.0, 1, 1], 20), rng.dirichlet([0.4, 0.4], 20)
    values = [indices.adjusted_concordance(first, second, index=i) for i in INDICES[1:3]]
    assert values[0] == values[1]


def test_values_in_bins_differ_from_all_values_by_less_than_stated(monkeypatch):
    rng = np.random.default_rng(2)
    first, second = (pair_values(rng.dirichlet([0.5] * 3, 200), half_distances) for _ in "ab")
    exact, error = mean_difference(first, second)
    assert error == 0.0
    monkeypatch.setattr(binning, "MOST_VALUES", 0)
    monkeypatch.setattr(binning, "N_BINS", 64)
    rng = np.random.default_rng(2)
    binned = [pair_values(rng.dirichlet([0.5] * 3, 200), half_distances) for _ in "ab"]
    value, error = mean_difference(*binned)
    assert 0 < exact - value <= error < 1 / 64
    assert len(binned[0].points) <= 65
    assert binned[0].mean == pytest.approx(first.mean, abs=1e-14)


def test_a_distance_to_values_in_bins_is_too_small_by_no_more_than_stated(monkeypatch):
    # Two pairs at 0 and four at 0.2: both in the first of four bins.
    memberships, values = np.array([[0.0, 1], [0, 1], [0.2, 0.8], [0.2, 0.8]]), [0.0, 0.2]
    monkeypatch.setattr(binning, "MOST_VALUES", 0)
    monkeypatch.setattr(binning, "N_BINS", 4)
    binned = pair_values(memberships, half_distances)
    places = np.linspace(0, 1, 61)
    exact = np.abs(places[:, None] - values) @ [1 / 3, 2 / 3]
    off = exact - binned.distance()(places)
    assert off.min() >= -1e-12
    assert binned.rounding / 3 < off.max() <= binned.rounding


def test_pairs_of_equal_rows_are_counted():
    values = pair_values(np.array([[1.0, 0], [1, 0], [1, 0], [0.5, 0.5]]), half_distances)
    assert values.points.tolist() == [0.0, 0.5]
    assert values.shares == pytest.approx([0.5, 0.5])
    assert values.mean == 0.25


@pytest.mark.parametrize("weights", [[1.0, 1], [0.3, 2.5], [1.0, 1, 1], [0.2, 0.9, 3]])
def test_mean_values_of_a_dirichlet_are_those_of_its_shares(weights):
    drawn = RandomSide(np.array(weights))
    total = sum(weights)
    shares = [stats.beta(w, total - w) for w in weights]
    # The mean difference of two draws is twice the integral of F (1 - F).
    differences = [
        2 * integrate.quad(lambda t, s=s: s.cdf(t) * s.sf(t), 0, 1, limit=200)[0] for s in shares
    ]
    assert drawn.mean("distance") == pytest.approx(sum(differences) / 2, abs=1e-7)
    assert drawn.mean("product") == pytest.approx(sum((w / total) ** 2 for w in weights))


def test_mean_values_of_hard_and_constant_sides():
    hard = RandomSide(np.array([3.0, 1.0]), is_hard=True)
    assert hard.mean("product") == pytest.approx(0.625)
    assert hard.mean("distance") == pytest.approx(0.375)
    constant = RandomSide(np.array([0.25, 0.75]), is_constant=True)
    assert constant.mean("distance") == 0.0
    assert constant.draw("product", 3, np.random.default_rng(0)).tolist() == [0.625] * 3
    single = random_side(sf.HardPartition([0, 0]), "flat")
    assert (single.is_hard, single.mean("distance"), single.mean("product")) == (True, 0.0, 1.0)


def test_a_fitted_dirichlet_solves_the_equations_of_the_likelihood():
    memberships = np.random.default_rng(3).dirichlet([0.4, 1.5, 3.0], 500)
    logs = np.log(memberships).mean(axis=0)
    found = fit_dirichlet(logs)
    assert digamma(found) - digamma(found.sum()) == pytest.approx(logs, abs=1e-10)
    assert found == pytest.approx([0.4, 1.5, 3.0], rel=0.15)
    alpha = fit_symmetric_dirichlet(logs)
    assert digamma(alpha) - digamma(3 * alpha) == pytest.approx(logs.mean(), abs=1e-10)


def test_equal_rows_are_a_dirichlet_without_spread():
    assert fit_symmetric_dirichlet(np.log([0.5, 0.5])) == inf
    assert fit_dirichlet(np.log([0.3, 0.7])).tolist() == [inf, inf]
    side = random_side(sf.FuzzyPartition([[0.3, 0.7]] * 4), "fitted")
    assert side.is_constant
    assert side.weights == pytest.approx([0.3, 0.7])


def test_a_hard_side_stays_hard_unless_chance_is_flat():
    hard = sf.HardPartition([0, 0, 0, 1])
    assert random_side(hard, "fitted").weights.tolist() == [3, 1]
    assert random_side(hard, "symmetric").weights.tolist() == [1, 1]
    assert random_side(hard, "fitted").is_hard
    assert not random_side(hard, "flat").is_hard


def test_chance_has_a_closed_form_where_a_side_is_hard():
    rng = np.random.default_rng(4)
    memberships, labels = rng.dirichlet([0.5] * 3, 30), rng.integers(0, 3, 30)
    for chance in ("permutation", "symmetric", "fitted"):
        found = indices.estimate_adjusted_concordance(memberships, labels, chance=chance)
        assert (found.error, found.confidence, found.n_draws) == (0.0, None, 0)
    against_hard = indices.estimate_adjusted_concordance(
        memberships, labels, chance="flat", random="candidate"
    )
    # A flat side of three clusters has mean distance 0.4; the labels are what they are.
    apart = np.mean([labels[i] != labels[j] for i, j in literal.pairs(30)])
    expected = 0.4 + apart - 2 * 0.4 * apart
    gap = 1 - indices.huellermeier(memberships, labels)
    assert against_hard.value == pytest.approx(1 - gap / expected, abs=1e-12)


def test_fitted_hard_sides_are_categorical():
    first, second = [0, 0, 0, 1, 1, 2], [0, 0, 1, 1, 1, 1]
    found = indices.adjusted_concordance(first, second, chance="fitted")
    one, other = 1 - (9 + 4 + 1) / 36, 1 - (4 + 16) / 36
    expected = one + other - 2 * one * other
    gap = 1 - sf.compare(first, second).mean
    assert found == pytest.approx(1 - gap / expected, abs=1e-14)


def test_constant_sides_need_no_draws():
    first, second = [[0.5, 0.5]] * 4, [[0.2, 0.8]] * 4
    found = indices.estimate_adjusted_concordance(first, second, index="belief", chance="fitted")
    assert found == indices.Estimate(pytest.approx(0.0, abs=1e-14))
    soft = [[0.5, 0.5], [0.4, 0.6], [0.2, 0.8], [0.3, 0.7]]
    values = [literal.together(soft)(i, j) for i, j in literal.pairs(4)]
    gap = literal.discordance("belief", first, soft)
    one_sided = indices.estimate_adjusted_concordance(
        first, soft, index="belief", chance="fitted", random="candidate"
    )
    assert one_sided.n_draws == 0
    assert one_sided.value == pytest.approx(1 - gap / np.mean(np.abs(0.5 - np.array(values))))


def test_two_flat_sides_of_two_clusters_differ_by_four_fifteenths():
    rng = np.random.default_rng(5)
    first, second = rng.dirichlet([1.0, 1], 40), rng.dirichlet([1.0, 1], 40)
    gap = 1 - indices.huellermeier(first, second)
    found = indices.estimate_adjusted_concordance(first, second, chance="flat", rng=6)
    assert found.error <= 0.01
    assert abs(found.value - (1 - gap / (4 / 15))) <= found.error


def test_a_flat_candidate_is_compared_with_all_pairs_of_the_reference():
    rng = np.random.default_rng(7)
    first, second = rng.dirichlet([1.0, 1], 30), rng.dirichlet([0.3, 0.3], 30)
    # Of two flat memberships the distance x has the law F(x) = 2x - x^2.
    values = [literal.half_distance(second, i, j) for i, j in literal.pairs(30)]
    expected = np.mean([y**2 - y**3 / 3 + (1 - y) ** 3 / 3 for y in values])
    gap = 1 - indices.huellermeier(first, second)
    found = indices.estimate_adjusted_concordance(
        first, second, chance="flat", random="candidate", rng=8, tolerance=0.005
    )
    assert found.error <= 0.005
    assert abs(found.value - (1 - gap / expected)) <= found.error


def test_conflict_has_a_closed_form_under_every_chance():
    rng = np.random.default_rng(9)
    first, second = rng.dirichlet([0.5] * 3, 25), rng.dirichlet([2.0] * 2, 25)
    gap = literal.discordance("conflict", first, second)
    found = indices.estimate_adjusted_concordance(first, second, index="conflict", chance="flat")
    expected = 1 / 3 + 1 / 2 - 1 / 3
    assert found == indices.Estimate(pytest.approx(1 - gap / expected, abs=1e-12))


def test_one_seed_gives_one_answer():
    rng = np.random.default_rng(10)
    first, second = rng.dirichlet([1.0] * 3, 12), rng.dirichlet([1.0] * 3, 12)
    values = {
        indices.adjusted_concordance(first, second, chance="fitted", rng=seed) for seed in (1, 1, 2)
    }
    assert len(values) == 2


def test_draws_keep_their_promise_whenever_they_end():
    truth, misses = 0.2, 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        found = draw_mean(
            lambda n, rng: (rng.random(n) < truth).astype(float),
            lambda mean: mean.half_width <= 0.02,
            rng,
        )
        assert found.half_width <= 0.02
        misses += abs(found.mean - truth) > found.half_width
    assert misses <= 10
