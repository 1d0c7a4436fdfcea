"""Consonant masses stay lists: nothing grows with objects times distinct sets."""

import numpy as np
import pytest

import sfumato as sf
from memory import peak_of
from sfumato.errors import CostError

N_OBJECTS, N_CLUSTERS = 3000, 20


def possibilities(n_objects=N_OBJECTS, n_clusters=N_CLUSTERS, seed=0):
    memberships = np.random.default_rng(seed).random((n_objects, n_clusters))
    return sf.PossibilisticPartition(memberships / memberships.max(axis=1, keepdims=True))


@pytest.fixture(scope="module")
def partition():
    return possibilities()


LISTED_BYTES = 8 * N_OBJECTS * N_CLUSTERS**2  # all members of all sets, about twice
DENSE_BYTES = 8 * N_OBJECTS * N_OBJECTS * N_CLUSTERS // 2  # objects times distinct sets, at least


USES = {
    "simplest": lambda masses: masses.simplest(),
    "distinct": lambda masses: masses.has_distinct_objects,
    "support": lambda masses: masses.support(),
    "plausibility": lambda masses: masses.plausibility(),
    "belief": lambda masses: masses.belief(),
    "pignistic": lambda masses: masses.pignistic(),
    "harden": lambda masses: masses.harden(),
    "sample": lambda masses: masses.sample(0),
    "take": lambda masses: masses.take(np.arange(0, N_OBJECTS, 2)).statements(),
    "mass": lambda masses: masses.mass(masses.support()),
    "eq": lambda masses: masses == masses.take(np.arange(N_OBJECTS)),
}


@pytest.mark.parametrize("use", USES)
def test_no_use_of_consonant_masses_lays_them_out(partition, use):
    masses = partition.to_evidential()
    _, peak = peak_of(lambda: USES[use](masses))
    assert peak < 8 * LISTED_BYTES < DENSE_BYTES / 4


@pytest.mark.parametrize("measure", ["adjusted_rand", "partition_distance"])
@pytest.mark.parametrize("is_against_hard", [True, False])
def test_plans_of_consonant_masses_stay_sparse(partition, measure, is_against_hard):
    other = np.arange(N_OBJECTS) % N_CLUSTERS if is_against_hard else possibilities(seed=1)
    plan, peak = peak_of(lambda: sf.explain(partition, other, measure=measure))
    assert plan.guarantee in ("confidence", "certified")
    assert peak < 16 * LISTED_BYTES < DENSE_BYTES


def test_listed_masses_say_the_same_as_those_laid_out():
    listed = possibilities(200, 5).to_evidential()
    dense = sf.EvidentialPartition(listed.masses, listed.focal_sets)
    assert listed == dense
    assert np.array_equal(listed.plausibility(), dense.plausibility())
    assert np.array_equal(listed.belief(), dense.belief())
    assert np.array_equal(listed.pignistic().memberships, dense.pignistic().memberships)
    assert listed.take(np.array([7, 3])) == dense.take(np.array([7, 3]))
    rough = listed.sample(0)
    assert listed.mass(rough) == pytest.approx(dense.mass(rough), rel=1e-12)
    assert listed.mass(rough) > 0.0
    wrong = sf.RoughPartition(np.ones((200, 5), dtype=bool))
    assert listed.mass(wrong) == pytest.approx(dense.mass(wrong), rel=1e-12)


def test_masses_too_large_to_lay_out_are_refused_in_one_line():
    masses = possibilities(10_000, 30).to_evidential()
    with pytest.raises(CostError, match=r"18\.\d GB.*statements\(\)") as refusal:
        _ = masses.masses
    assert "\n" not in str(refusal.value)


def test_consonant_sets_too_many_to_list_are_refused_in_one_line():
    wide = sf.PossibilisticPartition(np.linspace(0.5, 1.0, 6000)[None, :].repeat(40, axis=0))
    memberships = wide.memberships * np.linspace(1.0, 0.99, 40)[:, None] ** np.arange(6000)[::-1]
    with pytest.raises(CostError, match=r"t_norm='min'") as refusal:
        sf.PossibilisticPartition(memberships).to_evidential()
    assert "\n" not in str(refusal.value)
