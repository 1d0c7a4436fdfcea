"""Exact expectations of the partition distance and of Rand with few clusters."""

from itertools import islice

import numpy as np
import pytest

import oracle
import sfumato as sf
from oracle import compare_literally
from sfumato.algorithms.laws.set_matching import most_matching_of_three
from sfumato.algorithms.laws.two_clusters import (
    two_cluster_disagreement_stds,
    two_cluster_disagreements,
    two_cluster_ends,
    two_cluster_stds,
)
from sfumato.measures import PartitionDistance
from strategies import build, random_pairs

TOLERANCE = 1e-12
KINDS = [
    ("evidential", "hard"),
    ("hard", "evidential"),
    ("evidential", "evidential"),
    ("evidential", "fuzzy"),
    ("rough", "evidential"),
    ("rough", "fuzzy"),
]


def instances(first: str, second: str, seed: int, most_clusters: int):
    sizes = range(1, most_clusters + 1)
    return random_pairs(seed, first, second, n_clusters=sizes, most_pairs=2_000)


def close(expected):
    return pytest.approx(expected, abs=TOLERANCE, rel=0)


@pytest.mark.parametrize("measure", ["partition_distance", "rand"])
@pytest.mark.parametrize(("first", "second"), KINDS)
def test_two_clusters_are_exact_for_every_pair_of_kinds(first, second, measure):
    n_answered = 0
    for a, b in instances(first, second, 11, 2):
        if n_answered == 25:
            break
        found = sf.compare(build(a), build(b), measure=measure, engine="exact")
        if found.method != "expectation_bounds":  # the sides are secretly simpler
            continue
        n_answered += 1
        expected = compare_literally(a, b, measure)
        assert found.guarantee == "exact"
        assert (found.lower, found.upper) == close((expected.lower, expected.upper))
        # A standard deviation is a square root: rounding in a zero variance shows as 1e-8.
        assert found.lower_std**2 == close(expected.lower_std**2)
        assert found.upper_std**2 == close(expected.upper_std**2)


def test_a_law_that_is_cut_keeps_its_means():
    rng = np.random.default_rng(12)
    agree, differ, stay = rng.dirichlet([1.0, 1.0, 1.0], size=400).T
    whole = two_cluster_ends(agree, differ, stay, max_lost_mass=0.0)
    cut = two_cluster_ends(agree, differ, stay, max_lost_mass=1e-13)
    assert cut == pytest.approx(whole, rel=1e-12)
    least, most = two_cluster_stds(agree, differ, stay, max_lost_mass=1e-13)
    whole_least, whole_most = two_cluster_stds(agree, differ, stay, max_lost_mass=0.0)
    # No object majority ever decides here: the smaller deviation is 0 but for its square root.
    assert least**2 == close(whole_least**2)
    assert most == pytest.approx(whole_most, rel=1e-9)


def literal_disagreements(agree, differ, stay):
    """Means and deviations of both ends, from the joint law of who surely agrees and differs."""
    n = len(agree)
    law = np.zeros((n + 1, n + 1))
    law[0, 0] = 1.0
    for a, d, s in zip(agree, differ, stay, strict=True):
        new = s * law
        new[1:] += a * law[:-1]
        new[:, 1:] += d * law[:, :-1]
        law = new
    means, stds = [], []
    for best in (min, max):
        values = np.array(
            [
                [best(t * (n - t) for t in range(i, max(n - j, i) + 1)) for j in range(n + 1)]
                for i in range(n + 1)
            ]
        )
        means.append((values * law).sum())
        stds.append(max((values**2 * law).sum() - means[-1] ** 2, 0.0) ** 0.5)
    return means, stds


@pytest.mark.parametrize("n", [1, 2, 7, 30, 45])
def test_pairs_that_disagree_are_those_of_the_joint_law(n, monkeypatch):
    monkeypatch.setattr("sfumato.algorithms.laws.two_clusters._LEAF", 8)  # blocks that are joined
    for shape in ([1.0, 1.0, 1.0], [8.0, 0.3, 0.5], [0.2, 5.0, 0.1]):
        events = np.random.default_rng(n).dirichlet(shape, size=n).T
        events[:, : n // 3] = np.array([[1.0], [0.0], [0.0]])
        means, stds = literal_disagreements(*events)
        found = two_cluster_disagreements(*events, max_lost_mass=1e-14)
        assert found[:2] == pytest.approx(means, rel=1e-11, abs=1e-11)
        assert found[2] <= 1e-12 * n**2
        found_stds = two_cluster_disagreement_stds(*events, max_lost_mass=1e-14)
        assert found_stds == pytest.approx(stds, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("measure", ["rand", "partition_distance"])
@pytest.mark.parametrize("is_hard", [True, False])
def test_ten_thousand_objects_in_two_clusters_agree_with_draws(measure, is_hard):
    rng = np.random.default_rng(14)
    sets = [[1, 0], [0, 1], [1, 1]]
    a, b = (sf.EvidentialPartition(rng.dirichlet([3.0, 0.7, 0.5], 10_000), sets) for _ in range(2))
    b = b.harden() if is_hard else b
    found = sf.compare(a, b, measure=measure)
    assert (found.method, found.guarantee, found.error) == ("expectation_bounds", "exact", 0.0)
    drawn = sf.compare(a, b, measure=measure, engine=sf.Sampled(n_samples=100), rng=0)
    assert found.lower == pytest.approx(drawn.lower, abs=5 * drawn.lower_std / 10)
    assert found.upper == pytest.approx(drawn.upper, abs=5 * drawn.upper_std / 10)
    assert np.isnan(found.lower_std) == any("spread" in note for note in found.notes)


def best_of_three_by_definition(a, b) -> tuple[float, int]:
    """Mean of the largest matching that the sets reach, from the lower end of the distance."""
    n = len(a[1])
    expected = compare_literally(a, b, ("partition_distance", "n"))
    return n * (1 - expected.lower), n


def test_three_clusters_against_a_hard_truth_have_an_exact_lower_end():
    for a, b in islice(instances("evidential", "hard", 14, 3), 150):
        rows, codes = oracle.masses(a), np.unique(b[1], return_inverse=True)[1]
        every = sorted({s for row in rows for s in row}, key=sorted)
        sets = np.array([[int(i in s) for i in range(3)] for s in every])
        masses = np.array([[row.get(s, 0.0) for s in every] for row in rows])
        found = most_matching_of_three(
            [masses[codes == j] for j in range(3)], sets, max_lost_mass=1e-13
        )
        assert found is not None
        mean, lost = found
        assert mean == close(best_of_three_by_definition(a, b)[0])
        assert lost <= 1e-13


def test_laws_that_would_be_too_large_are_left_alone():
    sets = np.array([[1, 0, 0], [1, 1, 0], [1, 1, 1]])
    masses = np.random.default_rng(15).dirichlet(np.ones(3), size=400)
    for n, is_small in ((20, True), (400, False)):
        found = most_matching_of_three([masses[:n]] * 3, sets, max_lost_mass=1e-13)
        assert (found is not None) == is_small


def test_the_normalizer_is_that_of_the_measure():
    candidate = sf.EvidentialPartition([[0.5, 0.5, 0.0]] * 3, [[1, 0], [1, 1], [0, 1]])
    by_n, by_pairs = (
        sf.compare(candidate, [0, 0, 1], measure=PartitionDistance(normalizer=normalizer))
        for normalizer in ("n", "n-1")
    )
    assert by_n.method == "expectation_bounds"
    assert (by_n.lower, by_n.upper) == close((2 / 3 * by_pairs.lower, 2 / 3 * by_pairs.upper))
