"""Soft scores in scikit-learn's searches, and what they reward."""

import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.datasets import load_iris
from sklearn.mixture import GaussianMixture
from sklearn.model_selection import GridSearchCV, KFold, cross_validate

import sfumato as sf
from sfumato.interop import make_soft_scorer

X, Y = load_iris(return_X_y=True)
FOLDS = KFold(3, shuffle=True, random_state=0)


@pytest.mark.parametrize(
    "estimator",
    [
        GaussianMixture(3, random_state=0),
        sf.cluster.FuzzyCMeans(3, random_state=0, n_init=1),
        sf.cluster.RoughKMeans(3, random_state=0, n_init=1),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_scores_in_cross_validation_are_those_of_compare(estimator):
    scoring = {bound: make_soft_scorer("rand", bound) for bound in ("lower", "mean", "upper")}
    scoring["hardened"] = make_soft_scorer("rand", hardened=True)
    scoring["distance"] = make_soft_scorer("pd", "upper")
    found = cross_validate(
        estimator, X, Y, scoring=scoring, cv=FOLDS, return_estimator=True, error_score="raise"
    )
    splits = enumerate(FOLDS.split(X))
    for fold, (_, test) in splits:
        partition = sf.interop.from_sklearn(found["estimator"][fold], X[test])
        alone = sf.compare(partition, Y[test], rng=0)
        assert found["test_lower"][fold] == pytest.approx(alone.lower)
        assert found["test_upper"][fold] == pytest.approx(alone.upper)
        mean = sf.compare(partition.pignistic(), Y[test]).mean
        assert found["test_mean"][fold] == pytest.approx(mean)
        hard = sf.compare(partition.harden(), Y[test]).mean
        assert found["test_hardened"][fold] == pytest.approx(hard)
        distance = sf.compare(partition, Y[test], measure="partition_distance", rng=0).upper
        assert found["test_distance"][fold] == pytest.approx(-distance, abs=1e-6)


@pytest.mark.parametrize(
    ("estimator", "grid"),
    [
        (GaussianMixture(random_state=0), {"n_components": [1, 2, 3]}),
        (sf.cluster.FuzzyCMeans(random_state=0, n_init=1), {"n_clusters": [2, 3, 6]}),
    ],
    ids=["mixture", "ours"],
)
def test_a_search_finds_the_number_of_classes(estimator, grid):
    search = GridSearchCV(estimator, grid, scoring=make_soft_scorer("ari"), cv=FOLDS)
    search.fit(X, Y)
    assert set(search.best_params_.values()) == {3}


def test_a_search_over_evidential_fits_by_their_lower_expectation():
    grid = {"n_clusters": [2, 3]}
    estimator = sf.cluster.EvidentialCMeans(random_state=0, n_init=1, focal="singletons")
    scorer = make_soft_scorer("rand", "lower", engine=sf.Bounds())
    search = GridSearchCV(estimator, grid, scoring=scorer, cv=FOLDS, error_score="raise").fit(X, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


class Fixed(BaseEstimator):
    """An estimator that says the same memberships whatever it is asked."""

    def __init__(self, memberships=None):
        self.memberships = memberships

    def fit(self, X, y=None):
        return self

    def predict_proba(self, X):
        return self.memberships


def test_the_mean_rewards_sharpness_and_the_proper_score_does_not():
    rng = np.random.default_rng(0)
    first = rng.uniform(size=4000)
    stated = np.column_stack([first, 1 - first])
    truth = sf.FuzzyPartition(stated).sample(1).labels
    squares = stated**2 / (stated**2).sum(axis=1, keepdims=True)
    engine = sf.Sampled(n_samples=20)
    values = [
        make_soft_scorer("ari", engine=engine)(Fixed(memberships), X, truth)
        for memberships in (stated, squares)
    ]
    values.append(make_soft_scorer("ari", hardened=True)(Fixed(stated), X, truth))
    # As the docstring says; the truth of 4000 objects is one draw.
    assert values == pytest.approx([1 / 9, (2 - np.pi / 2) ** 2, 1 / 4], abs=0.02)
    proper = make_soft_scorer("indices.pair_brier")
    scores = [proper(Fixed(m), X, truth) for m in (stated, squares, stated.round())]
    assert scores[0] > scores[1] > scores[2]


def test_a_scorer_can_be_pickled_and_takes_indices_as_functions():
    scorer = pickle.loads(pickle.dumps(make_soft_scorer("ari", "lower")))
    model = GaussianMixture(3, random_state=0).fit(X)
    assert scorer(model, X, Y) == make_soft_scorer("ari", "lower")(model, X, Y)
    by_function = make_soft_scorer(sf.indices.pair_brier)
    assert by_function(model, X, Y) == -sf.indices.pair_brier(model.predict_proba(X), Y)


def test_wrong_scorers_are_refused():
    with pytest.raises(sf.InputError, match="Unknown bound 'lowest': did you mean 'lower'"):
        make_soft_scorer("ari", "lowest")
    with pytest.raises(sf.InputError, match="No measure is called 'arri'"):
        make_soft_scorer("arri")
    with pytest.raises(sf.InputError, match="pass y"):
        make_soft_scorer("ari")(GaussianMixture(3).fit(X), X)


def test_objects_without_a_label_are_refused_unknown_or_left_out():
    model = GaussianMixture(3, random_state=0).fit(X)
    gaps = [None if at % 10 == 0 else label for at, label in enumerate(Y.tolist())]
    with pytest.raises(sf.InputError, match='missing="unknown" or "drop" to make_soft_scorer'):
        make_soft_scorer("ari")(model, X, gaps)
    kept = [label is not None for label in gaps]
    dropped = make_soft_scorer("ari", missing="drop")(model, X, gaps)
    assert dropped == pytest.approx(make_soft_scorer("ari")(model, X[kept], Y[kept]))
    low, high = (make_soft_scorer("ari", end, missing="unknown") for end in ("lower", "upper"))
    mean = make_soft_scorer("ari", missing="unknown")(model, X, gaps)
    assert low(model, X, gaps) < mean < high(model, X, gaps)
    with pytest.raises(sf.InputError, match="Unknown missing 'skip'"):
        make_soft_scorer("ari", missing="skip")
