"""What a partition says of itself against the definitions."""

import numpy as np
import pytest

import oracle
from oracle import from_partition, masses, support
from strategies import READINGS, build, random_side

KINDS = pytest.mark.parametrize("kind", READINGS)
TOLERANCE = 1e-14  # a few roundings of numbers of size one


def random_sides(kind: str, how_many: int = 60):
    rng = np.random.default_rng(READINGS.index(kind))
    for _ in range(how_many):
        n, k = int(rng.integers(1, 7)), int(rng.integers(1, 5))
        yield random_side(rng, kind, n, k)


def same_masses(found, expected) -> None:
    assert len(found) == len(expected)
    for row, true_row in zip(found, expected, strict=True):
        assert row == pytest.approx(true_row, abs=TOLERANCE, rel=0)


@KINDS
def test_a_partition_holds_the_masses_it_was_given(kind):
    for side in random_sides(kind):
        found = masses(from_partition(build(side)))
        if kind == "hard":  # whose clusters are numbered anew
            codes = [next(iter(s)) for row in found for s in row]
            assert oracle.canonical(tuple(codes)) == oracle.canonical(side[1])
        else:
            same_masses(found, masses(side))


@pytest.mark.parametrize("kind", [kind for kind in READINGS if kind not in oracle.T_NORMS])
def test_the_evidential_form_has_the_same_masses(kind):
    for side in random_sides(kind):
        partition = build(side)
        found = masses(from_partition(partition.to_evidential()))
        same_masses(found, masses(from_partition(partition)))


@KINDS
def test_the_support_is_what_is_not_ruled_out(kind):
    for side in random_sides(kind):
        partition = build(side)
        assert from_partition(partition.support())[1] == support(from_partition(partition))


@KINDS
def test_the_pignistic_transform_shares_every_mass_equally(kind):
    for side in random_sides(kind):
        partition = build(side)
        shared = partition.pignistic().memberships
        for found, row in zip(shared, masses(from_partition(partition)), strict=True):
            expected = np.zeros(partition.n_clusters)
            for members, mass in row.items():
                expected[list(members)] += mass / len(members)
            assert found == pytest.approx(expected, abs=TOLERANCE, rel=0)


@KINDS
def test_the_simplest_form_says_the_same(kind):
    for side in random_sides(kind):
        simplest = build(side).simplest()
        if kind in oracle.T_NORMS and simplest.kind == "possibilistic":
            assert from_partition(simplest) == from_partition(build(side))
        elif simplest.kind != "hard":
            same_masses(masses(from_partition(simplest)), masses(from_partition(build(side))))
        else:
            assert all(len(s) == 1 for s in support(side))
