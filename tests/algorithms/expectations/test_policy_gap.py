"""What is left to gain over a policy, against all draws and all tables."""

from itertools import product
from math import inf

import numpy as np
import pytest

import sfumato as sf
from by_method import question
from policies import all_draws, any_policy, open_pairs
from sfumato.algorithms.deadline import Deadline, work_until
from sfumato.algorithms.expectations import policy_moves
from sfumato.algorithms.expectations.pair_forms import contrast_form, disagreement_form
from sfumato.algorithms.expectations.pair_policies import expected_pairs
from sfumato.algorithms.expectations.policy_gap import (
    bracket_contrast,
    bracket_disagreements,
    policy_gap,
)
from sfumato.algorithms.expectations.sure_pairs import sure_pairs
from sfumato.measures import as_measure
from sfumato.question.query import difference_query
from strategies import build, certain_but, random_side


def disagreement(cells, shape):
    """Ordered pairs of objects that are together on one side only, pair by pair."""
    rows, columns = np.divmod(np.array(cells), shape[1])
    return int(((rows[:, None] == rows) != (columns[:, None] == columns)).sum())


def disagreement_of(pairs):
    return lambda cells: disagreement(cells, pairs.shape)


def contrast_of(family, n_columns):
    """Ordered pairs that only the first candidate has wrong, less those of the second."""

    def count(cells):
        rows, columns = np.divmod(np.array(cells), n_columns)
        return sum(
            sign * disagreement(own[rows] * n_columns + columns, (0, n_columns))
            for own, sign in ((family.first_rows, 1), (family.second_rows, -1))
        )

    return count


def mean_gain(pairs, count, sent, sign):
    """The mean over all draws of the largest gain over the policy, by all tables of each draw."""
    return sum(
        probability * max(sign * (count(table) - count(sent[own])) for table in tables)
        for probability, own, tables in all_draws(pairs)
    )


@pytest.mark.parametrize("most_groups", [1, 192])
@pytest.mark.parametrize("second", ["hard", "evidential"])
def test_no_table_gains_more_than_the_bound_on_average(second, most_groups, monkeypatch):
    monkeypatch.setattr(policy_moves, "MOST_GROUPS", most_groups)
    rng = np.random.default_rng(3)
    ratios = []
    for pairs in open_pairs(11, second, 25):
        form, sent = disagreement_form(pairs.shape), any_policy(pairs, rng)
        for end, sign in (("least", -1), ("most", 1)):
            true = mean_gain(pairs, disagreement_of(pairs), sent, sign)
            bound = policy_gap(pairs, form, sent, end)
            assert true <= bound
            assert policy_gap(pairs, form, sent, end, worth=bound / 1e3) == inf or bound == 0
            ratios.append(bound / true if true else 1.0)
    # No bound is empty: all are of the size of what they bound, or little above.
    assert np.median(ratios) < 20


def differences(how_many):
    rng = np.random.default_rng(7)
    for _ in range(how_many):
        kinds = rng.choice(["hard", "rough", "fuzzy", "evidential"], 3).tolist()
        sides = [build(random_side(rng, kind, 3, 2)) for kind in kinds]
        query = difference_query(*sides, as_measure("rand"), "expectation")
        if query.theory == "evidential":
            yield query.joint.set_pairs, query.objective.family


def test_brackets_of_differences_hold_the_mean_over_all_draws_and_tables():
    widths = []
    for pairs, family in differences(60):
        n_columns = pairs.shape[1]
        form = contrast_form(family.first_rows, family.second_rows, n_columns)
        count, origin = contrast_of(family, n_columns), pairs.cells[pairs.cell_starts[:-1]]
        shares = np.zeros(len(pairs.cells))
        shares[pairs.cell_starts[:-1]] = 1.0
        start = expected_pairs(pairs, form, shares)
        for end, sign in (("least", -1), ("most", 1)):
            true = start + sign * mean_gain(pairs, count, origin, sign)
            low, high = bracket_contrast(pairs, form, end, worth=inf)
            assert low - 1e-9 <= true <= high + 1e-9
            widths.append(high - low)
    assert np.median(widths) < 4  # ordered pairs, of -6 to 6


@pytest.mark.parametrize(("n", "k"), [(200, 3), (1_000, 4)])
def test_where_a_policy_is_always_best_the_brackets_close(n, k):
    candidate, truth = certain_but(n, k, 0.2, seed=n)
    for sides in ((candidate, truth), (truth, candidate)):
        found = sf.compare(*sides, measure="rand", engine="bounds")
        assert np.diff(found.lower_bracket)[0] < 1e-6
        assert np.diff(found.upper_bracket)[0] < 1e-6


def test_brackets_shrink_with_more_objects():
    widths = []
    for n in (90, 360, 1_440):
        candidate, truth = certain_but(n, 3, 0.9, seed=n)
        found = sf.compare(candidate, truth, measure="rand", engine="bounds")
        widths.append(max(np.diff(found.lower_bracket)[0], np.diff(found.upper_bracket)[0]))
    assert widths[0] > widths[1] > widths[2]


def test_where_time_is_short_nothing_is_claimed():
    pairs = question(*certain_but(200, 3, 0.2, seed=200)).joint.set_pairs
    form, sent = disagreement_form(pairs.shape), pairs.cells[pairs.cell_starts[:-1]]
    assert policy_gap(pairs, form, sent, "least") < inf
    with work_until(Deadline(1e-4, clock=lambda: 0.0)):
        assert policy_gap(pairs, form, sent, "least") == inf


def test_an_outer_side_that_is_sharper_is_kept():
    pairs = question(*certain_but(30, 3, 0.9, seed=2)).joint.set_pairs
    (low, least), (most, high) = bracket_disagreements(pairs, (0.0, 900.0))
    assert 0.0 < low < least < most < high < 900.0
    assert bracket_disagreements(pairs, (least, most)) == ((least, least), (most, most))


def test_where_time_is_over_sure_pairs_still_bracket_both_ends():
    pairs = question(*certain_but(200, 3, 0.2, seed=200)).joint.set_pairs
    whole = sure_pairs(pairs)
    with work_until(Deadline(0.0)):
        sure = sure_pairs(pairs)
        ends = bracket_disagreements(pairs, (sure.disagree, 200 * 199 - sure.agree))
    assert 0.0 < whole.disagree - 200 <= sure.disagree < whole.disagree
    assert 0.0 < whole.agree - 200 <= sure.agree < whole.agree
    assert ends[0] == ends[1] == (sure.disagree, 200 * 199 - sure.agree)


def test_sure_pairs_are_sums_over_pairs_of_objects():
    """With few sets for each object, and with many."""
    rng = np.random.default_rng(0)
    possible = rng.random((2, 12, 4))
    possible[:, np.arange(12), np.arange(12) % 4] = 1.0
    few = [sf.PossibilisticPartition(side) for side in possible]
    sets = np.array(list(product([False, True], repeat=4))[1:])
    many = [sf.EvidentialPartition(side, sets) for side in rng.dirichlet(np.ones(15), (2, 12))]
    ordered = np.nonzero(~np.eye(12, dtype=bool))
    for sides in (few, many):
        first, second = (sf.relational(side).pairs(*ordered) for side in sides)
        agree = first.same @ second.same + first.different @ second.different
        disagree = first.same @ second.different + first.different @ second.same
        assert sure_pairs(question(*sides).joint.set_pairs) == pytest.approx((agree, disagree))
