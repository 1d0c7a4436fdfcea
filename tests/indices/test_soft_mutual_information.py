from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

import sfumato as sf
from indices.variants import recorded
from sfumato.errors import CostError
from sfumato.indices import soft_mutual_information
from sfumato.indices.formulas.logical_entropy import entropies
from strategies import N_CLUSTERS, build, groups_of_sides, hard_sides, rough_sides

KINDS = ("slmi", "sami")


def entropies_of(partition):
    return entropies(partition.sets, np.bincount(partition.codes), partition.n_clusters)


@pytest.mark.parametrize(("inputs", "expected"), recorded("orthopartition_smi"))
def test_values_are_those_recorded(inputs, expected):
    first, second = (sf.RoughPartition(inputs[side]) for side in ("first", "second"))
    found = soft_mutual_information(first, second)
    assert found == pytest.approx(expected["n_slmi"], rel=0, abs=1e-12)
    if "n_sami" not in expected:
        return  # the published code is wrong there; the enumeration below is the judge
    found = soft_mutual_information(first, second, kind="sami")
    assert found == pytest.approx(expected["n_sami"], rel=0, abs=1e-12)
    for side, partition in (("first", first), ("second", second)):
        lower, upper = entropies_of(partition)
        assert lower == pytest.approx(expected[f"lower_entropy_{side}"], rel=0, abs=1e-12)
        assert upper == pytest.approx(expected[f"upper_entropy_{side}"], rel=0, abs=1e-12)


def logical_entropy(labels):
    """Chance that two objects drawn with replacement are in different clusters."""
    n = len(labels)
    return sum(x != y for x in labels for y in labels) / n**2


def all_entropies(choices):
    return [logical_entropy(labels) for labels in product(*choices)]


def literal(first, second, kind):
    meet = [list(product(a, b)) for a, b in zip(first, second, strict=True)]
    values = [all_entropies(choices) for choices in (first, second, meet)]
    if kind == "sami":
        return [(min(one) + max(one)) / 2 for one in values]
    return [float(np.mean(one)) for one in values]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=60, deadline=None)
@given(groups_of_sides(rough_sides, rough_sides))
def test_values_are_those_of_all_compatible_partitions(kind, pair):
    of_a, of_b, of_meet = literal(pair[0][1], pair[1][1], kind)
    shared = of_a + of_b - of_meet
    a, b = map(build, pair)
    found = soft_mutual_information(a, b, kind=kind, normalized=False)
    assert found == pytest.approx(shared, rel=0, abs=1e-12)
    found = soft_mutual_information(a, b, kind=kind)
    if min(of_a, of_b) > 1e-12:
        assert found == pytest.approx(shared / min(of_a, of_b), rel=0, abs=1e-11)
    else:
        assert found == float(max(of_a, of_b) <= 1e-12)
    assert soft_mutual_information(b, a, kind=kind) == pytest.approx(found, rel=0, abs=1e-11)


@settings(max_examples=150, deadline=None)
@given(rough_sides(n_clusters=N_CLUSTERS.map(lambda k: k + 1)))
def test_both_ends_of_the_entropy_are_attained(side):
    lower, upper = entropies_of(build(side))
    values = all_entropies(side[1])
    assert lower == pytest.approx(min(values), rel=0, abs=1e-12)
    assert upper == pytest.approx(max(values), rel=0, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(groups_of_sides(hard_sides, hard_sides))
def test_both_kinds_agree_on_hard_partitions(pair):
    a, b = map(build, pair)
    slmi, sami = (soft_mutual_information(a, b, kind=kind) for kind in KINDS)
    assert slmi == pytest.approx(sami, rel=0, abs=1e-12)
    assert soft_mutual_information(a, a) == 1.0


@pytest.mark.parametrize("kind", KINDS)
def test_degenerate_partitions_follow_scikit_learn(kind):
    one, two = [0, 0, 0], [0, 0, 1]
    assert soft_mutual_information(one, one, kind=kind) == 1.0
    assert soft_mutual_information(one, two, kind=kind) == 0.0
    assert soft_mutual_information(["a"], ["b"], kind=kind) == 1.0


def test_names_of_clusters_do_not_matter():
    mask = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 0], [0, 0, 1], [1, 0, 1]])
    truth = ["a", "a", "b", "b", "b"]
    for kind in KINDS:
        values = [
            soft_mutual_information(sf.RoughPartition(mask[:, order]), truth, kind=kind)
            for order in ([0, 1, 2], [2, 0, 1], [1, 0, 2])
        ]
        assert np.ptp(values) < 1e-12


def test_clusters_that_nothing_connects_are_solved_apart():
    pairs = np.repeat(np.kron(np.eye(30), np.ones((1, 2))), 3, axis=0)  # 60 clusters, in twos
    lower, upper = entropies_of(sf.RoughPartition(pairs))
    assert lower == pytest.approx(1 - 30 * 9 / 90**2, rel=0, abs=1e-15)
    assert upper == pytest.approx(1 - 30 * (4 + 1) / 90**2, rel=0, abs=1e-15)


def test_too_many_connected_clusters_are_refused():
    vague = sf.RoughPartition(np.ones((5, 21)))
    with pytest.raises(CostError, match=r"connect 21 clusters, so that 2\^21 sets .* kind='slmi'"):
        soft_mutual_information(vague, [0, 0, 0, 1, 1], kind="sami")
    assert soft_mutual_information(vague, [0, 0, 0, 1, 1]) == pytest.approx(20 / 21, abs=1e-12)
