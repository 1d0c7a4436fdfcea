"""What the algorithms promise of their results: descent, limits, agreement with scikit-learn."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score

import sfumato as sf
from cluster.estimators import estimators
from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans, RoughKMeans

IRIS, SPECIES = load_iris(return_X_y=True)
SEPARATED, GROUPS = make_blobs(200, centers=4, n_features=3, cluster_std=0.5, random_state=3)


def fits(seed):
    """Random fits of the algorithms that descend: both halves of a step minimise the objective.

    Rough k-means is not among them: its assignment does not minimise (see its docstring).
    """
    rng = np.random.default_rng(seed)
    objects = rng.normal(size=(60, 2)) * rng.uniform(0.5, 5, size=2)
    k, fuzzifier = int(rng.integers(2, 6)), float(1 + rng.exponential())
    options = {"random_state": seed, "n_init": 2, "max_iter": 3000, "tol": 1e-5}
    yield FuzzyCMeans(k, fuzzifier=fuzzifier, **options).fit(objects)
    yield PossibilisticCMeans(k, fuzzifier=fuzzifier, **options).fit(objects)
    focal = rng.choice(["full", "pairs", "singletons"])
    alpha, delta = float(rng.uniform(0, 3)), float(rng.uniform(0.5, 20))
    yield EvidentialCMeans(k, alpha=alpha, beta=fuzzifier, delta=delta, focal=focal, **options).fit(
        objects
    )
    yield RoughKMeans(k, threshold=1.0, **options).fit(objects)  # k-means


@pytest.mark.filterwarnings("ignore:Clusters .* coincide:UserWarning")
@pytest.mark.parametrize("seed", range(12))
def test_the_objective_never_increases(seed):
    for fitted in fits(seed):
        history = fitted.objective_history_
        rounding = 60 * np.finfo(float).eps * history[0]
        assert (np.diff(history) <= rounding).all(), fitted


def test_rough_k_means_may_increase_its_objective():
    """The reason it is not in the list above, shown."""
    histories = [
        RoughKMeans(3, threshold=1.3, n_init=1, random_state=seed).fit(IRIS).objective_history_
        for seed in range(20)
    ]
    assert any((np.diff(history) > 1e-3).any() for history in histories)


def test_rough_k_means_may_go_round_in_a_cycle_and_says_so():
    start = [[5.8, 2.8, 5.1, 2.4], [6.0, 2.2, 4.0, 1.0], [5.5, 4.2, 1.4, 0.2], [7.3, 2.9, 6.3, 1.8]]
    with pytest.warns(ConvergenceWarning, match="RoughKMeans did not converge in 300 iterations"):
        history = RoughKMeans(4, variant="lingras", init=start).fit(IRIS).objective_history_
    values = np.unique(history[-100:].round(9))
    assert 1 < len(values) < 10


every = pytest.mark.parametrize("estimator", estimators(4, random_state=0), ids=repr)


@every
def test_separated_clusters_are_found_as_by_scikit_learn(estimator):
    labels = KMeans(4, n_init=10, random_state=0).fit_predict(SEPARATED)
    assert adjusted_rand_score(labels, GROUPS) == 1
    assert adjusted_rand_score(estimator.fit(SEPARATED).labels_, labels) == 1


@every
def test_moving_the_objects_moves_the_centres(estimator):
    model = clone(estimator).set_params(tol=1e-10)
    moved = clone(model).fit(SEPARATED + 1e4).cluster_centers_ - 1e4
    assert np.allclose(moved, model.fit(SEPARATED).cluster_centers_, rtol=0, atol=1e-8)


@pytest.mark.filterwarnings("ignore:Clusters .* coincide:UserWarning")
@pytest.mark.filterwarnings("ignore:RoughKMeans did not converge")  # a cycle, see below
@every
def test_labels_are_what_is_predicted_and_harden_the_partition(estimator):
    fitted = clone(estimator).set_params(n_init=2).fit(IRIS)
    assert fitted.predict(IRIS).tolist() == fitted.labels_.tolist()
    assert len(fitted.objective_history_) == fitted.n_iter_ + 1
    assert fitted.objective_history_[-1] == fitted.objective_
    assert type(fitted.objective_) is float
    hard = sf.HardPartition(fitted.labels_)
    if isinstance(fitted.partition_, sf.RoughPartition):
        assert fitted.partition_.is_compatible(hard)
        shown = sf.RoughPartition.from_approximations(fitted.lower_, fitted.upper_)
        assert shown == fitted.partition_
    else:
        assert fitted.partition_.harden().labels.tolist() == fitted.labels_.tolist()


@pytest.fixture(scope="module")
def hard():
    return KMeans(3, n_init=20, random_state=0, tol=0).fit(IRIS)


def same_centers(a, b, tolerance):
    return np.allclose(a[np.lexsort(a.T)], b[np.lexsort(b.T)], rtol=0, atol=tolerance)


@pytest.mark.parametrize("fuzzifier", [1.01, 1.0001, 1 + 1e-12])
def test_a_fuzzifier_near_1_gives_k_means(fuzzifier, hard):
    fitted = FuzzyCMeans(3, fuzzifier=fuzzifier, n_init=20, random_state=0).fit(IRIS)
    assert adjusted_rand_score(fitted.labels_, hard.labels_) == 1
    assert same_centers(fitted.cluster_centers_, hard.cluster_centers_, 3 * (fuzzifier - 1) + 1e-6)
    assert fitted.objective_ <= hard.inertia_ + 1e-9


def test_a_threshold_of_1_gives_k_means(hard):
    fitted = RoughKMeans(3, threshold=1.0, n_init=20, random_state=0).fit(IRIS)
    assert fitted.objective_ == pytest.approx(hard.inertia_, rel=1e-12)
    assert adjusted_rand_score(fitted.labels_, hard.labels_) == 1


def test_masses_on_singletons_alone_give_fuzzy_c_means():
    fuzzy = FuzzyCMeans(3, random_state=0, tol=1e-10).fit(IRIS)
    start = fuzzy.cluster_centers_
    fitted = EvidentialCMeans(
        3, delta=np.inf, focal="singletons", omega=False, init=start, tol=1e-10
    ).fit(IRIS)
    assert np.allclose(fitted.masses_[:, 1:], fuzzy.memberships_, rtol=0, atol=1e-8)
    assert fitted.objective_ == pytest.approx(fuzzy.objective_, rel=1e-12)


def test_a_growing_delta_removes_the_empty_set():
    empty = [
        EvidentialCMeans(3, delta=delta, random_state=0).fit(IRIS).masses_[:, 0].mean()
        for delta in (5, 50, 500, np.inf)
    ]
    assert empty[0] > 1e-3
    assert empty[1] < empty[0] / 50  # as 1 / delta^2
    assert empty[2] < empty[1] / 50
    assert empty[3] == 0


def test_an_outlier_gives_its_mass_to_the_empty_set_and_is_typical_of_nothing():
    objects = np.vstack([SEPARATED, [[1e3, 1e3, 1e3]]])
    start = KMeans(4, n_init=10, random_state=0).fit(SEPARATED).cluster_centers_
    evidential = EvidentialCMeans(4, delta=5, init=start).fit(objects)
    assert evidential.masses_[-1, 0] > 0.999
    assert evidential.partition_.empty_mass[-1] == evidential.masses_[-1, 0]
    typical = PossibilisticCMeans(4, eta=1.0, init=start).fit(objects)
    assert typical.memberships_[-1].max() < 1e-5
    assert typical.partition_.memberships[-1].max() == 1


def test_an_outlier_beyond_all_numbers_can_still_be_conditioned():
    objects = np.vstack([SEPARATED, [[1e6, 1e6, 1e6]]])
    start = KMeans(4, n_init=10, random_state=0).fit(SEPARATED).cluster_centers_
    fitted = EvidentialCMeans(4, delta=5, beta=1.01, init=start).fit(objects)
    assert fitted.masses_[-1, 0] == 1
    assert fitted.partition_.masses[-1].sum() == pytest.approx(1)


def test_more_starts_never_raise_the_objective():
    few = RoughKMeans(5, n_init=1, random_state=1).fit(IRIS).objective_
    assert RoughKMeans(5, n_init=20, random_state=1).fit(IRIS).objective_ <= few


def test_rough_k_means_on_iris_is_the_row_of_the_paper():
    """Peters 2014 with ratio 1.1: the rough k-means row of the paper's table."""
    fitted = RoughKMeans(3, threshold=1.1, n_init=100, random_state=0).fit(IRIS)
    assert fitted.objective_ == pytest.approx(78.975, abs=5e-4)
    rand = sf.compare(fitted.partition_, SPECIES)
    assert (rand.lower, rand.upper) == pytest.approx((0.87374, 0.88591), abs=5e-6)
    moved = sf.compare(fitted.partition_, SPECIES, measure=sf.PartitionDistance(normalizer="n"))
    assert (moved.lower, moved.upper) == pytest.approx((15 / 150, 17 / 150), abs=1e-12)


def test_random_starts_on_iris_reach_the_known_optima():
    objectives = [
        RoughKMeans(3, n_init=1, random_state=seed).fit(IRIS).objective_ for seed in range(30)
    ]
    known = np.array([78.975, 79.117, 142.9])
    assert all(np.abs(known - value).min() < 1 for value in objectives)
    assert min(objectives) == pytest.approx(78.975, abs=5e-4)
    assert any(value == pytest.approx(79.117, abs=5e-4) for value in objectives)


def test_textbook_fuzzy_and_evidential_c_means_on_iris():
    fuzzy = FuzzyCMeans(3, fuzzifier=5, random_state=0).fit(IRIS)
    assert sf.compare(fuzzy.partition_, SPECIES).mean == pytest.approx(0.5987, abs=1e-4)
    evidential = EvidentialCMeans(3, alpha=5, beta=5, delta=10, random_state=0).fit(IRIS)
    assert evidential.masses_[:, 0].mean() == pytest.approx(0.078, abs=5e-4)
