import json
from math import fsum, log
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

import sfumato as sf
from literal_pairs import conditioned, object_masses
from strategies import build, sides

CASES = json.loads((Path(__file__).parents[1] / "reference" / "evclust_credpart.json").read_text())[
    "cases"
]
EVIDENTIAL = [case for case in CASES if case["inputs"]["kind"] == "evidential"]


@pytest.mark.parametrize("case", EVIDENTIAL, ids=lambda case: case["id"])
def test_nonspecificity_is_that_of_evclust(case):
    inputs = case["inputs"]
    partition = sf.EvidentialPartition(inputs["masses"], inputs["focal_sets"])
    empty = partition.empty_mass
    # evclust counts the empty set as the set of all clusters, and divides by log k.
    found = empty + (1 - empty) * partition.nonspecificity() / log(inputs["k"])
    assert found.mean() == pytest.approx(case["expected"]["N"], rel=0, abs=1e-12)


def pignistic(masses, n_clusters):
    return [
        fsum(mass / len(members) for members, mass in masses.items() if i in members)
        for i in range(n_clusters)
    ]


@settings(max_examples=150, deadline=None)
@given(sides())
def test_numbers_are_those_of_the_definitions(side):
    partition = build(side)
    masses = [conditioned(one) for one in object_masses(side)]
    ambiguity = [fsum(m * log(len(members)) for members, m in one.items()) for one in masses]
    assert np.allclose(partition.nonspecificity(), ambiguity, rtol=0, atol=1e-12)
    shares = [pignistic(one, 4) for one in masses]
    entropies = [-fsum(p * log(p) for p in row if p > 0) for row in shares]
    assert np.allclose(partition.pignistic_entropy(), entropies, rtol=0, atol=1e-12)
    found = partition.describe()
    assert found.largest == log(partition.n_clusters)
    assert found.nonspecificity == pytest.approx(np.mean(ambiguity), rel=0, abs=1e-12)
    assert found.pignistic_entropy == pytest.approx(np.mean(entropies), rel=0, abs=1e-12)
    assert found.n_certain == sum(len(one) == 1 and len(next(iter(one))) == 1 for one in masses)
    names = list(partition.names)
    for name, (low, high) in zip(names, found.sizes, strict=True):
        sure = fsum(m for one in masses for members, m in one.items() if members == {name})
        maybe = fsum(m for one in masses for members, m in one.items() if name in members)
        assert (low, high) == pytest.approx((sure, maybe), rel=0, abs=1e-12)


def test_a_t_norm_is_put_aside_with_a_note():
    memberships = [[1.0, 0.5], [0.25, 1.0]]
    joint = sf.PossibilisticPartition(memberships, t_norm="min")
    plain = sf.PossibilisticPartition(memberships)
    assert np.array_equal(joint.nonspecificity(), plain.nonspecificity())
    assert joint.describe().notes == ("read object by object, not with t_norm='min'",)
    assert plain.describe().notes == ()


def test_many_clusters_are_no_table():
    partition = sf.HardPartition(np.arange(100_000))
    assert not partition.pignistic_entropy().any()
    assert partition.describe().n_certain == 100_000


def test_it_prints_well():
    masses = [[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5]]
    partition = sf.EvidentialPartition(masses, [[0, 0], [1, 0], [1, 1]], names=["cat", "dog"])
    assert repr(partition.describe()).splitlines() == [
        "evidential partition of 3 objects into 2 clusters",
        "certain objects    1 (33%)",
        "nonspecificity     0.3466 of at most 0.6931 nats",
        "pignistic entropy  0.4185 of at most 0.6931 nats",
        "note: mean mass 0.333 of the empty set conditioned away",
        "cluster  objects",
        "cat      [1.5, 3.0]",
        "dog      [0.0, 1.5]",
    ]
    assert "<td>[1.5, 3.0]</td>" in partition.describe()._repr_html_()


def test_long_lists_of_clusters_are_cut():
    lines = repr(sf.HardPartition(np.arange(30)).describe()).splitlines()
    assert lines[-1] == "(10 more clusters)"
    assert len(lines) == 5 + 20 + 1


def test_it_becomes_plain_data():
    found = sf.HardPartition(["a", "b", "a"]).describe().to_dict()
    assert json.loads(json.dumps(found))["sizes"] == [[2.0, 2.0], [1.0, 1.0]]
    assert found["kind"] == "hard"
    assert found["n_certain"] == 3
