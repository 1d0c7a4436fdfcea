"""Two candidates as one partition into pairs of clusters."""

from itertools import product

import numpy as np
import pytest

import sfumato as sf
from sfumato.question.composite import composite
from strategies import build, random_side

KINDS = ("hard", "rough", "fuzzy", "consonant", "evidential")


@pytest.mark.parametrize("kinds", list(product(KINDS, repeat=2)), ids="-".join)
def test_memberships_of_a_pair_are_products(kinds):
    rng = np.random.default_rng(3)
    a, b = (build(random_side(rng, kind, 7, 3)) for kind in kinds)
    both = composite(a, b)
    shared = both.partition.pignistic().memberships
    for side, rows in ((a, both.first_rows), (b, both.second_rows)):
        own = side.pignistic().memberships
        own = own[:, own.any(axis=0)]
        merged = np.stack([shared[:, rows == i].sum(axis=1) for i in range(rows.max() + 1)], axis=1)
        assert np.allclose(merged, own)
    expected = np.einsum("xi,xj->xij", *(side.pignistic().memberships for side in (a, b)))
    assert np.allclose(np.sort(shared.ravel())[-7:], np.sort(expected.ravel())[-7:])


def test_rows_are_the_pairs_that_some_object_can_be_in():
    both = composite(sf.HardPartition(["x", "x", "y"]), sf.HardPartition([0, 0, 1]))
    assert both.partition.names == (("x", 0), ("y", 1))
    assert both.partition.kind == "hard"
    assert both.first_rows.tolist() == both.second_rows.tolist() == [0, 1]


def test_notes_of_both_are_kept_once():
    soft = sf.EvidentialPartition([[0.5, 0.5]], [[0, 0], [1, 0]])
    assert composite(soft, soft).partition.notes == soft.notes != ()


@pytest.mark.parametrize("t_norm", ["min", "product", "lukasiewicz"])
def test_a_t_norm_joins_the_possibilities(t_norm):
    a = sf.PossibilisticPartition([[1, 0.5], [0.25, 1]], t_norm=t_norm)
    both = composite(a, sf.RoughPartition([[1, 1], [1, 0]])).partition
    assert both.t_norm == t_norm
    assert both.memberships.tolist() == [[1, 1, 0.5, 0.5], [0.25, 0, 1, 0]]
