"""Fuzzy input that is wrong, extreme or degenerate, for every measure by name."""

from math import inf, isfinite

import numpy as np
import pytest

import sfumato as sf

MEASURES = list(sf.measures())
SINGLE = {"mutual_information": 0.0, "fowlkes_mallows": 0.0}  # scikit-learn's values for n = 1


def memberships(n: int, k: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).dirichlet(np.ones(k), n)


def value_at_equality(name: str) -> float:
    return 1.0 if sf.measures()[name].better == "higher" else 0.0


# --- Refused, with the way out ---------------------------------------------------------------


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("swap", [False, True])
def test_rows_that_do_not_sum_to_one_are_refused(name, swap):
    bad = memberships(6, 3)
    bad[4] *= 1 + 3e-6
    with pytest.raises(sf.InputError, match=r"row 4 sums to 1\.000003; .*normalize=True"):
        sf.FuzzyPartition(bad)
    # A bare array may be meant as another kind, so the hint is about kinds.
    with pytest.raises(sf.InputError):
        sf.compare(*((np.arange(6), bad) if swap else (bad, np.arange(6))), measure=name)


def test_rows_off_by_less_are_rescaled_and_the_result_says_so():
    close = memberships(6, 3)
    close[4] *= 1 + 5e-7
    for name in MEASURES:
        found = sf.compare(
            sf.FuzzyPartition(close), np.arange(6) % 3, measure=name, engine=sf.Auto(tolerance=0.1)
        )
        assert any("rescaled to sum to 1" in note for note in found.notes)


@pytest.mark.parametrize("value", [np.nan, inf, -inf])
def test_entries_that_are_no_numbers_are_refused_with_their_place(value):
    bad = memberships(5, 3)
    bad[2, 1] = value
    with pytest.raises(sf.InputError, match="row 2, column 1"):
        sf.FuzzyPartition(bad)
    with pytest.raises(sf.InputError):
        sf.compare(bad, np.arange(5))


def test_a_transposed_matrix_is_recognised():
    upright = memberships(12, 3)
    with pytest.raises(sf.InputError, match=r"pass the transpose \(\.T\)"):
        sf.FuzzyPartition(upright.T)
    assert sf.FuzzyPartition(upright.T.T).n_objects == 12


@pytest.mark.parametrize("engine", [sf.Auto, sf.Sampled])
def test_a_tolerance_of_zero_is_explained(engine):
    with pytest.raises(sf.InputError, match=r"no number of draws makes the error 0; use.*exact"):
        engine(tolerance=0)


# --- Extreme or degenerate, and answered -----------------------------------------------------


@pytest.mark.parametrize("name", MEASURES)
def test_memberships_of_1e_300_are_as_good_as_none(name):
    labels, codes = np.arange(12) % 3, np.arange(12) % 4
    tiny = np.where(np.eye(4)[codes] > 0, 1.0, 1e-300)
    for sides, hard in (((tiny, labels), (codes, labels)), ((labels, tiny), (labels, codes))):
        sides = [sf.FuzzyPartition(side) if side.ndim == 2 else side for side in sides]
        expected = sf.compare(*hard, measure=name).mean
        found = sf.compare(*sides, measure=name, engine=sf.Auto(tolerance=0.05), rng=0)
        assert found.mean == pytest.approx(expected, rel=0, abs=1e-12)
        assert isfinite(found.std)
        assert found.std < 1e-7


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("is_hard", [False, True])
def test_clusters_that_nobody_may_be_in_change_nothing(name, is_hard):
    a, b = memberships(5, 2), np.arange(5) % 2 if is_hard else memberships(5, 2, seed=1)
    padded = np.column_stack([np.zeros(5), a, np.zeros((5, 2))])
    found, expected = (sf.compare(side, b, measure=name) for side in (padded, a))
    assert found.guarantee == expected.guarantee == "exact"
    assert found.mean == pytest.approx(expected.mean, rel=0, abs=1e-12)
    assert found.std == pytest.approx(expected.std, abs=1e-7)


@pytest.mark.parametrize("name", MEASURES)
def test_a_single_object_has_the_value_of_a_single_object(name):
    expected = SINGLE.get(name, value_at_equality(name))
    for second in ([0], [[0.25, 0.75]], [[1.0]]):
        found = sf.compare(sf.FuzzyPartition([[0.5, 0.5]]), np.array(second), measure=name)
        assert (found.mean, found.std, found.guarantee) == (expected, 0.0, "exact")


@pytest.mark.parametrize("name", MEASURES)
def test_a_single_cluster_equals_the_mean_over_clusterings(name):
    one, b = np.ones((4, 1)), memberships(4, 2)
    mean = sum(
        float(np.prod(b[np.arange(4), labels])) * sf.compare([0] * 4, labels, measure=name).mean
        for labels in map(list, np.ndindex(2, 2, 2, 2))
    )
    found = sf.compare(sf.FuzzyPartition(one), sf.FuzzyPartition(b), measure=name)
    assert found.guarantee == "exact"
    assert found.mean == pytest.approx(mean, rel=0, abs=1e-12)
    both = sf.compare(sf.FuzzyPartition(one), sf.FuzzyPartition(one), measure=name)
    expected = 0.0 if name == "mutual_information" else value_at_equality(name)
    assert (both.mean, both.guarantee) == (expected, "exact")


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("is_hard", [False, True])
def test_time_that_runs_out_leaves_the_best_answer_and_says_so(name, is_hard):
    n, k = 400, 8
    a = sf.FuzzyPartition(memberships(n, k))
    b = np.arange(n) % k if is_hard else sf.FuzzyPartition(memberships(n, k, seed=1))
    found = sf.compare(a, b, measure=name, rng=0, engine=sf.Auto(max_seconds=1e-4))
    low, high = found.lower_bracket
    assert low <= found.mean <= high
    if found.guarantee == "exact":
        assert found.error == 0.0
        return
    assert found.n_samples >= 1
    assert any("Stopped by max_seconds=0.0001" in note for note in found.notes)
    # An error is stated, and it is that of the draws made.
    assert found.guarantee == "confidence"
    assert isfinite(found.error)
    assert any("above the tolerance" in n for n in found.notes)
