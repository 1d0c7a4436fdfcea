"""What fitted estimators say of new objects."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError

import sfumato as sf
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans

X = load_iris().data
NEW = X[::7] + 0.01
ESTIMATORS = [
    FuzzyCMeans(3, random_state=0, n_init=2),
    PossibilisticCMeans(2, random_state=0, n_init=2),
    EvidentialCMeans(3, random_state=0, n_init=2),
    RoughKMeans(3, random_state=0, n_init=2),
    RoughKMeans(3, variant="lingras", random_state=0, n_init=2),
]


@pytest.fixture(params=ESTIMATORS, ids=repr, scope="module")
def fitted(request):
    return request.param.fit(X)


def test_the_partition_of_the_objects_of_the_fit_is_that_of_the_fit(fitted):
    assert fitted.partition(X) == fitted.partition_


def test_new_objects_get_a_partition_one_by_one(fitted):
    together = fitted.partition(NEW)
    assert (together.kind, together.n_objects) == (fitted.partition_.kind, len(NEW))
    for at in (0, 5, 11):
        alone = fitted.partition(NEW[at : at + 1])
        assert alone.to_evidential().plausibility()[0] == pytest.approx(
            together.to_evidential().plausibility()[at], abs=1e-9
        )


def test_probabilities_are_the_pignistic_ones(fitted):
    found = fitted.predict_proba(NEW)
    assert found == pytest.approx(fitted.partition(NEW).pignistic().memberships)
    assert found.sum(axis=1) == pytest.approx(1)
    assert found.flags.writeable


def test_transform_gives_distances(fitted):
    literal = np.linalg.norm(NEW[:, None] - fitted.cluster_centers_, axis=2)
    assert fitted.transform(NEW) == pytest.approx(literal)
    assert len(fitted.get_feature_names_out()) == fitted.n_clusters


def test_the_score_is_minus_the_objective(fitted):
    assert fitted.score(X) == pytest.approx(-fitted.objective_)
    halves = fitted.score(X[::2]) + fitted.score(X[1::2])
    assert halves == pytest.approx(-fitted.objective_)  # objects add up


def test_the_score_of_crisp_k_means_is_that_of_scikit_learn():
    rough = RoughKMeans(3, threshold=1.0, random_state=0).fit(X)
    start = rough.cluster_centers_
    crisp = KMeans(3, init=start, n_init=1).fit(X)
    assert rough.score(NEW) == pytest.approx(crisp.score(NEW))


@pytest.mark.parametrize("method", ["partition", "predict_proba", "transform", "score"])
def test_what_is_not_fitted_says_so(method):
    with pytest.raises(NotFittedError):
        getattr(FuzzyCMeans(2), method)(X)


def test_a_fitted_estimator_is_a_partition_to_the_doors(fitted):
    truth = load_iris().target
    assert sf.as_partition(fitted) is fitted.partition_
    if fitted.partition_.kind in ("fuzzy", "rough"):
        first, second = (sf.compare(side, truth) for side in (fitted, fitted.partition_))
        assert (first.lower, first.upper) == (second.lower, second.upper)
