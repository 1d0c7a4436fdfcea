"""Small promises that users lean on without thinking."""

import numpy as np
import pandas as pd
import pytest

import sfumato as sf

MEMBERSHIPS = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0, 1], [0.3, 0.7]])


def test_shuffled_rows_are_aligned_even_if_the_other_index_just_counts():
    truth = pd.Series(list("xxyyy"))
    shuffled = truth.sample(frac=1, random_state=1)
    straight = sf.compare(pd.DataFrame(MEMBERSHIPS), truth)
    aligned = sf.compare(pd.DataFrame(MEMBERSHIPS), shuffled)
    assert aligned.mean == pytest.approx(straight.mean, abs=1e-15)
    assert any("reordered" in note for note in aligned.notes)
    with pytest.raises(sf.InputError, match="index"):
        sf.compare(pd.DataFrame(MEMBERSHIPS), truth.set_axis([7, 2, 9, 4, 5]))


def test_mirrored_comparisons_have_mirrored_witnesses():
    rough = sf.RoughPartition([[1, 0], [1, 1], [0, 1]], names=["p", "q"])
    found = sf.pairwise({"rough": rough, "truth": ["x", "y", "y"]})
    one, other = found["truth", "rough"].lower_witness
    assert set(one.labels) <= {"x", "y"}
    assert rough.is_compatible(other)


def test_names_may_not_call_a_cluster_by_the_label_of_another():
    with pytest.raises(sf.InputError, match="another cluster's label"):
        sf.HardPartition(["a", "b", "a"], names=["b", "a"])
    renamed = sf.HardPartition([0, 1, 0], names=["low", "high"])
    assert renamed.names == ("low", "high")


@pytest.mark.parametrize("measure", ["adjusted_rand", "variation_of_information", "purity"])
def test_bounds_hold_for_every_kind(measure):
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 5)
    sets = np.array([[1, 0], [0, 1], [1, 1]], dtype=bool)
    candidates = [
        sf.FuzzyPartition(MEMBERSHIPS),
        sf.PossibilisticPartition(MEMBERSHIPS, t_norm="product"),
        sf.PossibilisticPartition(MEMBERSHIPS, t_norm="min"),
        sf.EvidentialPartition(rng.dirichlet(np.ones(3), 5), sets),
    ]
    for candidate in candidates:
        exact = sf.compare(candidate, truth, measure=measure, engine="exact")
        found = sf.compare(candidate, truth, measure=measure, engine="bounds")
        assert found.guarantee in ("exact", "certified")
        assert found.lower_bracket[0] <= exact.lower + 1e-12
        assert found.lower_bracket[1] >= exact.lower - 1e-12
        assert found.upper_bracket[1] >= exact.upper - 1e-12


def test_a_limit_of_time_limits_a_search_and_says_so():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 6, 300)
    a, b = (
        sf.RoughPartition((rng.random((300, 6)) < 0.5) | np.eye(6, dtype=bool)[labels])
        for _ in range(2)
    )
    found = sf.compare(a, b, engine=sf.Auto(max_seconds=0.2))
    assert found.guarantee == "certified"
    assert any("max_seconds" in note for note in found.notes)


def test_a_tolerance_out_of_reach_is_refused_with_its_cost():
    truth = [0, 0, 1, 1, 1]
    with pytest.raises(sf.CostError, match="draws"):
        sf.compare(MEMBERSHIPS, truth, measure="purity", engine=sf.Sampled(tolerance=1e-9))


@pytest.mark.parametrize(
    "call",
    [
        lambda: sf.RoughPartition([[1, 1]]).is_compatible([0]),
        lambda: sf.HardPartition([0]).equivalent([0]),
        lambda: sf.FuzzyPartition([[1.0]]).probability(5),
        lambda: sf.evaluate({"a": [0, 1]}, [0, 1], measures=5),
        lambda: sf.Measure.from_function(len, name="own", better="higher", bounds=5),
    ],
)
def test_wrong_arguments_get_an_error_of_ours(call):
    with pytest.raises(sf.InputError):
        call()


def test_a_hard_partition_is_a_special_rough_one():
    sets = np.array([[1, 0], [0, 1], [1, 1]], dtype=bool)
    evidential = sf.EvidentialPartition([[0.5, 0.25, 0.25], [0, 1, 0]], sets)
    assert evidential.mass(sf.HardPartition([0, 1])) == 0.5
