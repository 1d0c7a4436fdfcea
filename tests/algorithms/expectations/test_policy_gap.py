"""What is left to gain over a policy, for pairs and information: against all draws and tables."""

from functools import partial
from itertools import product
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
from sfumato.algorithms.expectations.pair_policies import (
    contrast_form,
    disagreement_form,
    expected_pairs,
)
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


def variation(cells, shape):
    """N times the variation of information: both conditional entropies, object by object."""
    cells = np.array(cells)
    rows, columns = np.divmod(cells, shape[1])

    def shares(own):
        return (own[:, None] == own).sum(axis=1)

    return float(np.log(shares(rows) * shares(columns) / shares(cells) ** 2.0).sum())


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


def gap_of_pairs(pairs, sent, end, **worth):
    return policy_gap(pairs, disagreement_form(pairs.shape), sent, end, **worth)


def gap_of_information(pairs, sent, end, **worth):
    assert end == "least"
    return information_gap(pairs, sent, **worth)


@pytest.mark.parametrize("most_groups", [1, 192])
@pytest.mark.parametrize(
    ("find", "count", "seed", "second", "largest"),
    [
        (gap_of_pairs, disagreement, 11, "hard", 20),
        (gap_of_pairs, disagreement, 11, "evidential", 20),
        (gap_of_information, variation, 12, "hard", 30),
    ],
)
def test_no_table_gains_more_than_the_bound_on_average(
    find, count, seed, second, largest, most_groups, monkeypatch
):
    monkeypatch.setattr(policy_moves, "MOST_GROUPS", most_groups)
    rng = np.random.default_rng(3)
    ratios = []
    for pairs in open_pairs(seed, second, 30):
        sent = any_policy(pairs, rng)
        for end, sign in (("least", -1), ("most", 1))[: 1 if count is variation else 2]:
            true = mean_gain(pairs, partial(count, shape=pairs.shape), sent, sign)
            bound = find(pairs, sent, end)
            assert true <= bound
            negligible = 1e-6 if count is variation else 0.0
            assert bound <= negligible or find(pairs, sent, end, worth=bound / 1e3) == inf
            if count is variation:  # not left out
                assert find(pairs, sent, end, worth=1.001 * bound) == bound
            ratios.append(bound / true if true > 1e-9 else 1.0)
    # No bound is empty: all are of the size of what they bound, or little above.
    assert np.median(ratios) < largest


def differences(how_many):
    rng = np.random.default_rng(7)
    for _ in range(how_many):
        kinds = rng.choice(["hard", "rough", "fuzzy", "evidential"], 3).tolist()
        sides = [build(random_side(rng, kind, 3, 2)) for kind in kinds]
        query = difference_query(*sides, as_measure("rand"), "expectation")
        if query.theory == "evidential":
            yield query.joint.set_pairs, query.objective.family


def test_brackets_of_differences_hold_the_mean_over_all_draws_and_tables():
    gaps = []
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
            gaps.append(high - low)
    assert np.median(gaps) < 4  # ordered pairs, of -6 to 6


@pytest.mark.parametrize(
    ("n", "k", "measure"),
    [
        (200, 3, "rand"),
        (1_000, 4, "rand"),
        (1_000, 4, "variation_of_information"),
        (1_000, 4, "normalized_variation_of_information"),
    ],
)
def test_where_a_policy_is_always_best_the_brackets_close(n, k, measure):
    candidate, truth = certain_but(n, k, 0.2, seed=n)
    for sides in ((candidate, truth), (truth, candidate)):
        found = sf.compare(*sides, measure=measure, engine="bounds")
        assert found.method == "expectation_bounds"
        assert np.diff(found.lower_bracket)[0] < (1e-6 if measure == "rand" else 1e-9)
        if measure == "rand":  # of information the near end alone
            assert np.diff(found.upper_bracket)[0] < 1e-6


def widths(measure, sizes):
    """Of the brackets of both ends, for more and more objects."""
    for n in sizes:
        candidate, truth = certain_but(n, 3, 0.9, seed=n)
        found = sf.compare(candidate, truth, measure=measure, engine="bounds")
        yield [np.diff(bracket)[0] for bracket in (found.lower_bracket, found.upper_bracket)]


def test_brackets_shrink_with_more_objects():
    first, second, third = (max(both) for both in widths("rand", (90, 360, 1_440)))
    assert first > second > third
    near, far = np.transpose([*widths("variation_of_information", (90, 360, 1_440, 5_760))])
    assert near[0] > near[1] > near[2]
    assert near[2:].max() < 1e-11
    assert (far[1:] < 0.4 * far[:-1]).all()  # about as 1 / n


@pytest.mark.parametrize("find", [gap_of_pairs, gap_of_information])
def test_where_time_is_short_nothing_is_claimed(find):
    pairs = question(*certain_but(200, 3, 0.2, seed=200)).joint.set_pairs
    sent = pairs.cells[pairs.cell_starts[:-1]]
    assert find(pairs, sent, "least") < inf
    with work_until(Deadline(1e-4, clock=lambda: 0.0)):
        assert find(pairs, sent, "least") == inf


def test_a_policy_that_is_far_from_best_on_average_is_left_at_once(monkeypatch):
    candidate, truth = certain_but(300, 3, 0.9, seed=2)
    pairs = question(candidate, truth).joint.set_pairs
    sent = pairs.cells[pairs.cell_starts[1:] - 1]  # the last cell, whatever the truth
    assert 60.0 < information_gap(pairs, sent) < inf
    monkeypatch.setattr(information_gaps, "mean_gain", None)  # not to be called
    assert information_gap(pairs, sent, worth=50.0) == inf


def ends(pairs, pick):
    """The least or most of each draw, on average over all draws."""
    return sum(
        probability * pick(variation(table, pairs.shape) for table in tables)
        for probability, _, tables in all_draws(pairs)
    )


def test_brackets_hold_the_means_of_the_ends_of_all_draws():
    for pairs in open_pairs(13, "hard", 60):
        for end, pick in (("least", min), ("most", max)):
            true = ends(pairs, pick)
            low, high = bracket_information(pairs, end)
            assert low - 1e-9 <= true <= high + 1e-9


def test_slopes_at_any_table_bound_the_most(monkeypatch):
    monkeypatch.setattr(information_policies, "MOST_STEPS", 1)
    for pairs in open_pairs(14, "hard", 30):
        assert ends(pairs, max) <= bracket_information(pairs, "most")[1] + 1e-9


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
