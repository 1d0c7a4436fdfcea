"""Limits of cluster sizes, and what they say of adjusted mutual information."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from by_method import question
from oracle import adjusted_mutual_information
from sfumato.algorithms.tables.likely_sizes import SizeLimits, likely_sizes
from sfumato.measures import as_measure

AVERAGES = ("arithmetic", "geometric", "min", "max")


@pytest.mark.parametrize("risk", [0.2, 1e-3, 1e-9])
def test_sizes_leave_their_limits_no_more_often_than_the_risk(risk):
    rng = np.random.default_rng(0)
    for alpha in (0.05, 1.0):
        memberships = rng.dirichlet(np.full(3, alpha), size=200)
        limits = likely_sizes(sf.FuzzyPartition(memberships).statements().memberships(), risk)
        outside = 0.0
        for cluster in range(3):
            law = np.ones(1)
            for chance in memberships[:, cluster]:
                law = np.convolve(law, [1.0 - chance, chance])
            count = np.arange(201)
            is_out = (count < limits.least[cluster]) | (count > limits.most[cluster])
            outside += float(law[is_out].sum())
        assert outside <= risk
        assert (limits.most - limits.least < 200).all()  # and the limits say something


def test_a_hard_clustering_has_the_sizes_it_has():
    labels = np.repeat([0, 1, 2], [5, 1, 9])
    limits = likely_sizes(sf.HardPartition(labels).statements().memberships(), 1e-12)
    assert limits.least.tolist() == limits.most.tolist() == [5.0, 1.0, 9.0]


def test_an_evidential_cluster_holds_between_what_must_and_what_may_be_in_it():
    sets = np.array([[True, False], [True, True]])
    masses = np.array([[1.0, 0.0], [0.0, 1.0], [0.25, 0.75]])
    statements = sf.EvidentialPartition(masses, sets).statements()
    limits = likely_sizes(statements.memberships(), 1e-12)
    assert limits.least.tolist() == [1.0, 0.0]
    assert limits.most.tolist() == [3.0, 2.0]


def sizes(labels, k):
    return SizeLimits(*(np.bincount(labels, minlength=k).astype(float),) * 2)


@given(
    st.integers(2, 8).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
    ),
    st.sampled_from(AVERAGES),
)
def test_no_value_is_below_the_bound_for_its_own_sizes(labels, average):
    a, b = (np.array(side) for side in labels)
    lowest, highest = sf.AdjustedMutualInformation(average).bounds_for_sizes(
        len(a), sizes(a, 4), sizes(b, 4)
    )
    value = adjusted_mutual_information(tuple(a.tolist()), tuple(b.tolist()), average)
    assert lowest - 1e-12 <= value <= highest + 1e-12


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("n", [3, 4, 5])
def test_no_value_at_all_is_below_the_bound_for_any_sizes(n, average):
    anything = SizeLimits(np.zeros(3), np.full(3, float(n)))
    measure = sf.AdjustedMutualInformation(average)
    lowest, _ = measure.bounds_for_sizes(n, anything, anything)
    clusterings = list(product(range(3), repeat=n))
    values = [
        adjusted_mutual_information(a, b, average) for a in clusterings for b in clusterings[::7]
    ]
    assert lowest <= min(values) < 0.0


def test_wider_limits_never_raise_the_bound():
    measure = sf.AdjustedMutualInformation()
    even = np.full(3, 50.0)
    floors = [
        measure.bounds_for_sizes(150, SizeLimits(even - d, even + d), SizeLimits(even, even))[0]
        for d in (0.0, 5.0, 20.0, 50.0)
    ]
    assert floors == sorted(floors, reverse=True)
    assert floors[0] == pytest.approx(-np.log1p(4 / 149) / (2 / 3 * 147 / 149), rel=1e-9)


def test_a_joint_possibility_speaks_through_its_support_alone():
    memberships = np.array([[1.0, 0.3], [1.0, 0.0], [0.2, 1.0], [0.0, 1.0]])
    by_min = sf.PossibilisticPartition(memberships, t_norm="min")
    fuzzy = sf.FuzzyPartition([[0.5, 0.5], [1.0, 0.0], [0.1, 0.9], [0.2, 0.8]])
    measure = as_measure("adjusted_mutual_information")
    found = question(by_min, fuzzy, measure).likely_range
    limits = [
        SizeLimits(np.array([1.0, 1.0]), np.array([3.0, 3.0])),
        SizeLimits(np.array([1.0, 0.0]), np.array([4.0, 3.0])),
    ]
    assert found[:2] == pytest.approx(measure.bounds_for_sizes(4, *limits), rel=1e-12)
