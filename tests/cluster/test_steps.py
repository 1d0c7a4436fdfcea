"""The parts of a step, against their definitions written out object by object."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from sklearn.exceptions import ConvergenceWarning

from sfumato.cluster import RoughKMeans
from sfumato.cluster.base import draw_objects
from sfumato.cluster.distances import distances_to
from sfumato.cluster.rough_k_means import upper_approximations
from sfumato.cluster.shares import split

COSTS = arrays.arrays(
    np.float64,
    st.tuples(st.integers(1, 5), st.integers(1, 6)),
    elements=st.sampled_from([0.0, 1e-12, 0.5, 1.0, 3.0, 1e9]),
)


def blobs(seed, n=40, d=3, k=3):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)) + 4 * rng.normal(size=(k, d))[rng.integers(0, k, n)]


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6])
def test_distances_are_accurate_far_from_zero(offset):
    objects = blobs(0) + offset
    prototypes = np.vstack([objects[:4], objects[:3] + 1e-4])
    literal = ((objects[None] - prototypes[:, None]) ** 2).sum(axis=2)
    # 1e-11: where the square is expanded it keeps at least 11 digits.
    assert np.allclose(distances_to(objects, prototypes), literal, rtol=1e-11, atol=0)


def test_an_object_on_a_prototype_is_at_distance_0():
    objects = blobs(1, n=200) * 1e3 + 1e5
    assert (np.diag(distances_to(objects, objects)) == 0).all()


@given(COSTS, st.sampled_from([1.01, 1.5, 2.0, 3.0, 20.0]))
def test_shares_are_the_formula_and_their_cost_is_what_they_cost(costs, fuzzifier):
    found = split(costs, fuzzifier)
    for i, column in enumerate(costs.T):
        if (column == 0).any():
            expected = (column == 0) / (column == 0).sum()
        else:
            powers = (column / column.min()) ** (-1 / (fuzzifier - 1))
            expected = powers / powers.sum()
        assert np.allclose(found.shares[:, i], expected, rtol=1e-9, atol=1e-300)
        assert np.allclose(found.weights[:, i], expected**fuzzifier, rtol=1e-9, atol=1e-300)
        total = (expected**fuzzifier * column).sum()
        assert np.isclose(found.costs[i], total, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("fuzzifier", [1 + 1e-15, 1 + 1e-9, 1.001, 1e3])
def test_no_fuzzifier_overflows(fuzzifier):
    costs = np.array([[1e-200, 1.0, 1e150, 0.0], [1e200, 1.0 + 1e-6, 1e-150, 1e-300]])
    found = split(costs, fuzzifier)
    assert np.isfinite(found.shares).all()
    assert np.allclose(found.shares.sum(axis=0), 1, rtol=0, atol=1e-12)
    assert np.isfinite(found.costs).all()


def literal_upper(squares, threshold):
    """Peters' sets, object by object, before any lower approximation is filled."""
    distances = np.sqrt(squares)
    return np.array([column <= threshold * column.min() for column in distances.T]).T


def literal_move(objects, upper, variant, weight):
    centers = []
    for cluster in range(len(upper)):
        sizes = upper.sum(axis=0)
        inside = upper[cluster] & (sizes == 1)
        boundary = upper[cluster] & (sizes > 1)
        if variant == "pi":
            members = np.flatnonzero(upper[cluster])
            centers.append(np.average(objects[members], axis=0, weights=1 / sizes[members]))
        elif variant == "peters":
            lower, all_ = objects[inside].mean(axis=0), objects[upper[cluster]].mean(axis=0)
            centers.append(weight * lower + (1 - weight) * all_)
        elif boundary.any():
            lower, rest = objects[inside].mean(axis=0), objects[boundary].mean(axis=0)
            centers.append(weight * lower + (1 - weight) * rest)
        else:
            centers.append(objects[inside].mean(axis=0))
    return np.array(centers)


@pytest.mark.parametrize("variant", ["pi", "lingras", "peters"])
@pytest.mark.parametrize("seed", range(5))
def test_a_rough_step_is_the_definition_object_by_object(variant, seed):
    objects, start = blobs(seed), blobs(seed)[:3]
    squares = ((objects[None] - start[:, None]) ** 2).sum(axis=2)
    upper = literal_upper(squares, 1.3)
    assert (upper & (upper.sum(axis=0) == 1)).any(axis=1).all()  # nothing to fill here
    model = RoughKMeans(3, variant=variant, threshold=1.3, weight_lower=0.6, init=start, max_iter=1)
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 iterations"):
        moved = model.fit(objects)
    expected = literal_move(objects, upper, variant, 0.6)
    assert np.allclose(moved.cluster_centers_, expected, rtol=0, atol=1e-12)
    share = (upper * squares).sum(axis=0) / upper.sum(axis=0)
    assert np.isclose(moved.objective_history_[0], share.sum(), rtol=1e-12)


@given(
    arrays.arrays(
        np.float64,
        st.tuples(st.integers(1, 5), st.integers(5, 9)),
        elements=st.sampled_from([0.0, 1.0, 1.1, 2.0, 5.0]),
    ),
    st.sampled_from([1.0, 1.1, 3.0, 1e6]),
)
def test_no_lower_approximation_is_empty(squares, threshold):
    upper = upper_approximations(squares, threshold)
    sizes = upper.sum(axis=0)
    assert (sizes >= 1).all()
    assert (upper & (sizes == 1)).any(axis=1).all()


@given(st.integers(1, 6), st.integers(0, 99))
def test_starts_are_different_objects_while_there_are_enough(n_clusters, seed):
    objects = np.array([[0.0, 1.0], [0.0, 1.0], [-0.0, 1.0], [2.0, 1.0], [2.0, 3.0], [4.0, 1.0]])
    start = draw_objects(objects, n_clusters, np.random.RandomState(seed))
    assert start.shape == (n_clusters, 2)
    assert len(np.unique(start, axis=0)) == min(n_clusters, 4)
