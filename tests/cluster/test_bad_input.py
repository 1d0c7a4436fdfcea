"""Bad parameters, bad data and degenerate data."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from cluster.estimators import estimators
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans
from sfumato.errors import CostError, InputError

OBJECTS = np.random.default_rng(0).normal(size=(20, 2)) + 6 * (np.arange(20) % 2)[:, None]
every = pytest.mark.parametrize("estimator", estimators(2, random_state=0)[:6], ids=repr)


@every
@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_clusters": 0}, "n_clusters must be a positive integer; got 0"),
        ({"n_clusters": 2.0}, "n_clusters must be a positive integer; got 2.0"),
        ({"n_clusters": 21}, "n_samples=20 is less than n_clusters=21"),
        ({"n_init": 0}, "n_init must be a positive integer"),
        ({"max_iter": -1}, "max_iter must be a positive integer"),
        ({"tol": -1e-3}, "tol must be a number of at least 0"),
        ({"tol": np.nan}, "tol must be a number of at least 0"),
        ({"init": "k-means"}, "init must be 'random' or an array of centres; got 'k-means'"),
        ({"init": [[0.0, 1.0]]}, r"init has shape \(1, 2\), not \(2, 2\)"),
        ({"init": [[0.0, 1.0], [np.inf, 0.0]]}, "init holds values that are not finite"),
        ({"init": [["a", "b"], ["c", "d"]]}, "init must be numbers"),
    ],
)
def test_bad_shared_parameters_are_refused(estimator, parameters, message):
    with pytest.raises(InputError, match=message):
        clone(estimator).set_params(**parameters).fit(OBJECTS)


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (RoughKMeans(threshold=-1.0), "threshold must be a number of at least 1"),
        (RoughKMeans(threshold=0.9), "threshold must be a number of at least 1"),
        (RoughKMeans(threshold=np.inf), "threshold must be a number of at least 1"),
        (RoughKMeans(weight_lower=1.5), "weight_lower must be .* at most 1; got 1.5"),
        (RoughKMeans(variant="petres"), "Unknown variant 'petres': did you mean 'peters'"),
        (FuzzyCMeans(fuzzifier=1), "fuzzifier must be a number above 1"),
        (FuzzyCMeans(fuzzifier=0.5), "fuzzifier must be a number above 1"),
        (FuzzyCMeans(fuzzifier=np.nan), "fuzzifier must be a number above 1"),
        (FuzzyCMeans(fuzzifier="2"), "fuzzifier must be a number above 1 .*; got '2'"),
        (PossibilisticCMeans(fuzzifier=1.0), "fuzzifier must be a number above 1"),
        (PossibilisticCMeans(eta="fmc"), "eta must be 'fcm' or positive numbers; got 'fmc'"),
        (PossibilisticCMeans(eta=0.0), "eta must be positive and finite"),
        (PossibilisticCMeans(eta=[1.0, np.nan]), "eta must be positive and finite"),
        (PossibilisticCMeans(eta=[1.0, 1.0, 1.0]), "eta must be 'fcm', a number or 2 numbers"),
        (EvidentialCMeans(alpha=-1), "alpha must be a number of at least 0"),
        (EvidentialCMeans(alpha=400), "alpha must be .* at most 332.2; got 400"),
        (EvidentialCMeans(10, alpha=200), "alpha must be .* at most 100; got 200"),
        (EvidentialCMeans(beta=1), "beta must be a number above 1"),
        (EvidentialCMeans(delta=0), "delta must be a number above 0"),
        (EvidentialCMeans(omega="no"), "omega must be True or False; got 'no'"),
        (EvidentialCMeans(focal="pair"), "Unknown focal 'pair': did you mean 'pairs'"),
    ],
    ids=repr,
)
def test_bad_parameters_are_refused(estimator, message):
    with pytest.raises(InputError, match=message):
        estimator.fit(OBJECTS)


@every
@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_missing_and_infinite_values_are_refused(estimator, bad):
    objects = OBJECTS.copy()
    objects[3, 1] = bad
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        clone(estimator).fit(objects)
    with pytest.raises(ValueError, match=r"NaN|infinity"):
        clone(estimator).fit(OBJECTS).predict(objects)


@every
def test_values_whose_squares_overflow_are_refused(estimator):
    with pytest.raises(InputError, match="X holds 1e\\+200, whose square overflows"):
        clone(estimator).fit(np.vstack([OBJECTS, [[1e200, 0]]]))


@every
def test_values_whose_squares_underflow_are_refused(estimator):
    with pytest.raises(InputError, match=r"X spans only .*e-120, whose square underflows"):
        clone(estimator).fit(1e-120 * OBJECTS)


@every
def test_small_values_are_clustered_as_large_ones(estimator):
    if isinstance(estimator, EvidentialCMeans):  # delta is a distance
        estimator = clone(estimator).set_params(delta=np.inf)
    small, large = (clone(estimator).fit(scale * OBJECTS).labels_ for scale in (1e-90, 1e90))
    assert small.tolist() == large.tolist() == clone(estimator).fit(OBJECTS).labels_.tolist()


@pytest.mark.filterwarnings("ignore:Clusters .* coincide:UserWarning")
@pytest.mark.parametrize("n_clusters", [2, 5])
def test_the_largest_alpha_leaves_no_mass_to_large_sets(n_clusters):
    fitted = EvidentialCMeans(n_clusters, alpha=100, random_state=0).fit(OBJECTS)
    assert np.isfinite(fitted.cluster_centers_).all()
    assert fitted.masses_[:, fitted.focal_sets_.sum(axis=1) > 1].max() < 1e-6


def test_too_many_focal_sets_are_refused_before_any_work():
    objects = np.random.default_rng(0).normal(size=(100, 2))
    with pytest.raises(CostError, match=r"focal sets for 100 objects .* use focal='pairs'"):
        EvidentialCMeans(60).fit(objects)


@pytest.mark.filterwarnings("ignore:Clusters .* coincide:UserWarning")
@every
def test_too_few_iterations_warn_with_their_number(estimator):
    with pytest.warns(ConvergenceWarning, match="did not converge in 2 iterations") as caught:
        fitted = clone(estimator).set_params(max_iter=2, tol=0, n_init=1, n_clusters=4).fit(OBJECTS)
    assert fitted.n_iter_ == 2
    assert all(warning.filename == __file__ for warning in caught[-1:])


@every
def test_one_cluster_holds_everything(estimator):
    fitted = clone(estimator).set_params(n_clusters=1).fit(OBJECTS)
    assert (fitted.labels_ == 0).all()
    assert fitted.partition_.n_clusters == 1
    assert fitted.cluster_centers_.shape == (1, 2)


@every
def test_as_many_clusters_as_objects(estimator):
    objects = np.array([[0.0, 0.0], [10.0, 0.0], [0.0, 10.0]])
    fitted = clone(estimator).set_params(n_clusters=3, n_init=1).fit(objects)
    assert sorted(fitted.labels_) == [0, 1, 2]


@every
def test_constant_features_change_nothing(estimator):
    constant = np.column_stack([OBJECTS, np.full(20, 7.0)])
    model = clone(estimator).set_params(tol=1e-10)  # a share of a variance that differs
    alone, fitted = clone(model).fit(OBJECTS), clone(model).fit(constant)
    assert np.allclose(fitted.cluster_centers_[:, 2], 7, rtol=0, atol=1e-12)
    assert np.allclose(fitted.cluster_centers_[:, :2], alone.cluster_centers_, rtol=0, atol=1e-8)
    assert fitted.labels_.tolist() == alone.labels_.tolist()


@every
def test_duplicate_objects_are_told_apart_only_by_their_values(estimator):
    objects = np.repeat([[0.0, 0.0], [4.0, 1.0]], 10, axis=0)
    fitted = clone(estimator).fit(objects)
    assert len(set(fitted.labels_[:10])) == 1
    assert fitted.labels_[0] != fitted.labels_[10]
    assert fitted.objective_ == pytest.approx(0, abs=1e-9)


@pytest.mark.filterwarnings("ignore:Clusters .* coincide:UserWarning")
@every
def test_fewer_distinct_objects_than_clusters_warn(estimator):
    objects = np.repeat([[0.0, 0.0], [4.0, 1.0]], 10, axis=0)
    with pytest.warns(ConvergenceWarning, match="2 distinct objects for n_clusters=3"):
        fitted = clone(estimator).set_params(n_clusters=3).fit(objects)
    assert np.isfinite(fitted.cluster_centers_).all()
    assert fitted.partition_.n_objects == 20


@pytest.mark.filterwarnings("ignore:Clusters .* coincide:UserWarning")
@pytest.mark.filterwarnings("ignore:.*distinct objects:sklearn.exceptions.ConvergenceWarning")
@every
def test_equal_objects_are_no_trouble(estimator):
    fitted = clone(estimator).fit(np.full((6, 2), 3.0))
    assert np.allclose(fitted.cluster_centers_, 3)
    assert np.isfinite(fitted.objective_history_).all()


def test_coincident_clusters_are_reported():
    start = [[0.0, 0.0], [0.5, 0.5]]  # both in the first group
    with pytest.warns(UserWarning, match="Clusters 0 and 1 coincide"):
        PossibilisticCMeans(2, eta=2.0, init=start).fit(OBJECTS)
