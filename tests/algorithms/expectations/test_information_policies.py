"""Brackets of the mean ends of the variation of information, against all draws and all tables."""

from math import inf

import numpy as np
import pytest

import sfumato as sf
from by_method import question
from policies import all_draws, any_policy, open_pairs
from sfumato.algorithms.deadline import Deadline, work_until
from sfumato.algorithms.expectations import information_gap as information_gaps
from sfumato.algorithms.expectations import information_policies, policy_moves
from sfumato.algorithms.expectations.information_gap import information_gap
from sfumato.algorithms.expectations.information_policies import bracket_information
from strategies import certain_but


def variation(cells, shape):
    """N times the variation of information: both conditional entropies, object by object."""
    cells = np.array(cells)
    rows, columns = np.divmod(cells, shape[1])

    def shares(own):
        return (own[:, None] == own).sum(axis=1)

    return float(np.log(shares(rows) * shares(columns) / shares(cells) ** 2.0).sum())


def ends(pairs, pick):
    """The least or most of each draw, on average over all draws."""
    return sum(
        probability * pick(variation(table, pairs.shape) for table in tables)
        for probability, _, tables in all_draws(pairs)
    )


@pytest.mark.parametrize("most_groups", [1, 192])
def test_no_table_gains_more_over_a_policy_than_the_bound_on_average(most_groups, monkeypatch):
    monkeypatch.setattr(policy_moves, "MOST_GROUPS", most_groups)
    rng = np.random.default_rng(5)
    ratios = []
    for pairs in open_pairs(12, "hard", 30):
        sent = any_policy(pairs, rng)
        kept = sum(
            probability * variation(sent[own], pairs.shape)
            for probability, own, _ in all_draws(pairs)
        )
        true = kept - ends(pairs, min)
        bound = information_gap(pairs, sent)
        assert true <= bound
        assert bound < 1e-6 or information_gap(pairs, sent, worth=bound / 1e3) == inf
        assert information_gap(pairs, sent, worth=1.001 * bound) == bound  # not left out
        ratios.append(bound / true if true > 1e-9 else 1.0)
    assert np.median(ratios) < 30


def test_a_policy_that_is_far_from_best_on_average_is_left_at_once(monkeypatch):
    candidate, truth = certain_but(300, 3, 0.9, seed=2)
    pairs = question(candidate, truth).joint.set_pairs
    sent = pairs.cells[pairs.cell_starts[1:] - 1]  # the last cell, whatever the truth
    assert 60.0 < information_gap(pairs, sent) < inf
    monkeypatch.setattr(information_gaps, "mean_gain", None)  # not to be called
    assert information_gap(pairs, sent, worth=50.0) == inf


def test_brackets_hold_the_means_of_the_ends_of_all_draws():
    for pairs in open_pairs(13, "hard", 60):
        for end, pick in (("least", min), ("most", max)):
            true = ends(pairs, pick)
            low, high = bracket_information(pairs, end)
            assert low - 1e-9 <= true <= high + 1e-9


@pytest.mark.parametrize(
    "measure", ["variation_of_information", "normalized_variation_of_information"]
)
def test_where_a_policy_is_always_best_the_near_end_closes(measure):
    candidate, truth = certain_but(1_000, 4, 0.2, seed=1)
    for sides in ((candidate, truth), (truth, candidate)):
        found = sf.compare(*sides, measure=measure, engine="bounds")
        assert found.method == "expectation_bounds"
        assert np.diff(found.lower_bracket)[0] < 1e-9


def test_brackets_shrink_with_more_objects():
    widths = []
    for n in (90, 360, 1_440, 5_760):
        candidate, truth = certain_but(n, 3, 0.9, seed=n)
        found = sf.compare(candidate, truth, measure="variation_of_information", engine="bounds")
        widths.append(
            [np.diff(bracket)[0] for bracket in (found.lower_bracket, found.upper_bracket)]
        )
    near, far = np.transpose(widths)
    assert near[0] > near[1] > near[2]
    assert near[2:].max() < 1e-11
    assert (far[1:] < 0.4 * far[:-1]).all()  # about as 1 / n


def test_where_time_is_short_nothing_is_claimed():
    pairs = question(*certain_but(200, 3, 0.2, seed=200)).joint.set_pairs
    sent = pairs.cells[pairs.cell_starts[:-1]]
    assert information_gap(pairs, sent) < inf
    with work_until(Deadline(1e-4, clock=lambda: 0.0)):
        assert information_gap(pairs, sent) == inf


def test_slopes_at_any_table_bound_the_most(monkeypatch):
    monkeypatch.setattr(information_policies, "MOST_STEPS", 1)
    for pairs in open_pairs(14, "hard", 30):
        assert ends(pairs, max) <= bracket_information(pairs, "most")[1] + 1e-9
