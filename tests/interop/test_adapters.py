"""Each adapter on what the real packages return."""

import json
import warnings
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import hdbscan
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
import skfuzzy
import soft_clustering
from sklearn.cluster import DBSCAN, HDBSCAN, AgglomerativeClustering, KMeans
from sklearn.datasets import load_iris, make_blobs
from sklearn.decomposition import NMF, PCA, LatentDirichletAllocation
from sklearn.linear_model import LogisticRegression
from sklearn.mixture import BayesianGaussianMixture, GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import sfumato as sf
from sfumato.interop import (
    from_credpart,
    from_evclust,
    from_hdbscan,
    from_skfuzzy,
    from_sklearn,
    from_soft_clustering,
    from_topics,
    from_votes,
    to_evclust,
)

IRIS = load_iris().data
TRUTH = load_iris().target
SMALL = IRIS[::5]
REFERENCE = Path(__file__).parents[1] / "reference"


# scikit-fuzzy


def test_scikit_fuzzy_has_objects_in_columns():
    result = skfuzzy.cmeans(IRIS.T, 3, 2, error=1e-6, maxiter=300, seed=0)
    found = from_skfuzzy(result)
    assert (found.n_objects, found.n_clusters) == (150, 3)
    assert found == from_skfuzzy(result[1]) == sf.FuzzyPartition(result[1].T)
    assert found.harden().equivalent(sf.HardPartition(result[1].argmax(axis=0)))
    predicted = skfuzzy.cmeans_predict(IRIS[:10].T, result[0], 2, error=1e-6, maxiter=300, seed=0)
    assert from_skfuzzy(predicted).memberships.shape == (10, 3)
    # Our own fuzzy c-means finds the same memberships.
    own = sf.cluster.FuzzyCMeans(3, random_state=0, tol=1e-9).fit(IRIS)
    assert sf.compare(found, own.partition_).mean == pytest.approx(
        sf.compare(own.partition_, own.partition_).mean, abs=1e-4
    )


# evclust

RECORD = json.loads((REFERENCE / "evclust_python.json").read_text())
CASES = {case["id"]: case["result"] for case in RECORD["cases"]}


@pytest.mark.parametrize("result", CASES.values(), ids=CASES.keys())
def test_evclust_dictionaries(result):
    found = from_evclust(result)
    assert found == sf.as_partition(result)
    assert found == from_evclust({key: np.array(result[key]) for key in ("mass", "F")})
    assert found.empty_mass == pytest.approx(np.array(result["mass"])[:, 0], abs=1e-12)
    assert found.plausibility() == pytest.approx(np.array(result["pl_n"]))
    assert found.belief() == pytest.approx(np.array(result["bel_n"]))
    assert found.pignistic().memberships == pytest.approx(np.array(result["betp_n"]))
    assert found.harden().equivalent(sf.HardPartition(result["y_pl"]))


@pytest.mark.parametrize("result", CASES.values(), ids=CASES.keys())
def test_the_way_back_to_evclust(result):
    back = to_evclust(from_evclust(result))
    own = {"method", "g", "S", "crit", "Kmat", "D", "W", "J"}  # of the method, not the partition
    assert set(result) - own == set(back) - own
    for key in sorted(set(back) - own):
        if "approx" in key:
            assert [objects.tolist() for objects in back[key]] == result[key], key
        else:
            assert np.asarray(back[key]) == pytest.approx(np.array(result[key]), abs=1e-12), key
    again = from_evclust(back)
    assert again.masses == pytest.approx(from_evclust(result).masses, abs=1e-14)


@pytest.mark.parametrize(
    "partition",
    [
        sf.HardPartition(["a", "b", "a"]),
        sf.RoughPartition([[1, 0], [1, 1], [0, 1]]),
        sf.FuzzyPartition([[0.25, 0.75], [1, 0], [0, 1]]),
        sf.PossibilisticPartition([[1, 0.5], [1, 0], [0.2, 1]]),
        sf.EvidentialPartition([[0.5, 0.5], [1, 0], [0, 1]], [[1, 0], [1, 1]], empty="yager"),
        sf.EvidentialPartition([[0.5, 0.5], [1, 0]], [[1, 1], [0, 0]], empty="yager"),
        sf.HardPartition([0, 0]),
    ],
    ids=lambda partition: partition.kind,
)
def test_every_kind_goes_to_evclust_and_back(partition):
    back = from_evclust(to_evclust(partition))
    assert back.plausibility() == pytest.approx(partition.to_evidential().plausibility())
    assert back.belief() == pytest.approx(partition.to_evidential().belief())


def test_mass_of_the_first_object_on_the_empty_set_stays_there():
    result = {"mass": [[1.0, 0.0, 0.0], [0.0, 0.5, 0.5]], "F": [[0, 0], [1, 0], [0, 1]]}
    with pytest.raises(sf.InputError, match=r'row 0 has all its mass on the empty set.*"yager"'):
        from_evclust(result)
    assert from_evclust(result, empty="yager").plausibility()[0].tolist() == [1, 1]


@pytest.fixture
def credpart():
    """A credal partition of evclust for R, from the recorded values."""
    cases = json.loads((REFERENCE / "evclust_credpart.json").read_text())["cases"]
    case = next(case for case in cases if "masses" in case["inputs"])
    return {"mass": case["inputs"]["masses"], "F": case["inputs"]["focal_sets"]}


def test_credal_partitions_of_r(credpart, tmp_path):
    whole = sf.EvidentialPartition(credpart["mass"], credpart["F"])
    path = tmp_path / "clus.json"
    path.write_text(json.dumps({**credpart, "y.pl": [1, 2], "method": ["ecm"]}))
    assert from_credpart(path) == whole
    for row_names in (False, True):  # as write.csv writes them, without row.names=FALSE or with
        pd.DataFrame(credpart["mass"]).to_csv(tmp_path / "mass.csv", index=row_names)
        pd.DataFrame(credpart["F"]).to_csv(tmp_path / "F.csv", index=row_names)
        assert from_credpart(tmp_path / "mass.csv", tmp_path / "F.csv") == whole
    # jsonlite keeps four digits unless told otherwise.
    rounded = np.round(credpart["mass"], 4).tolist()
    path.write_text(json.dumps({**credpart, "mass": rounded}))
    assert from_credpart(path).masses == pytest.approx(whole.masses, abs=1e-3)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("clus.json", b"{", "is not JSON"),
        ("clus.json", b"[1]", "no fields 'mass' and 'F'"),
        ("clus.json", b'{"mass": [[0.5]], "F": [[1]]}', "row 0 sums to 0.5"),
        ("clus.json", b"", "the file is empty"),
        ("clus.json", b"\xff\xfe\x00", "not text in UTF-8"),
        ("clus.json", None, "No such file"),
        ("mass.csv", b"a,b\n1\n", "pass the CSV file of F"),
        ("both.csv", b"a,b\n1,x\n", "line 2, column 'b': 'x' is not a number"),
        ("both.csv", b"a,b\n1\n", "line 2: 1 cells"),
    ],
)
def test_bad_files_of_r_are_refused(tmp_path, name, content, message):
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(sf.InputError, match=message) as refused:
        from_credpart(path, path if name == "both.csv" else None)
    assert name in str(refused.value)
    assert "\n" not in str(refused.value)


# HDBSCAN


@pytest.fixture(scope="module")
def blobs():
    return make_blobs(200, centers=3, cluster_std=1.0, random_state=1)


@pytest.fixture(scope="module")
def fitted(blobs):
    return hdbscan.HDBSCAN(min_cluster_size=5, prediction_data=True).fit(blobs[0])


@pytest.mark.parametrize("soft", [False, True])
def test_hdbscan_in_every_reading(fitted, blobs, soft):
    is_noise = fitted.labels_ == -1
    n_clusters = fitted.labels_.max() + 1
    assert 0 < is_noise.sum() < len(is_noise)
    kinds = {
        "singletons": ("hard", "fuzzy"),
        "cluster": ("hard", "fuzzy"),
        "unknown": ("rough", "evidential"),
        "drop": ("hard", "fuzzy"),
    }
    for noise, kind in kinds.items():
        found = from_hdbscan(fitted, noise=noise, soft=soft)
        assert found.kind == kind[soft]
        if noise != "drop" or soft:
            assert found.n_objects == len(is_noise)
        assert sf.compare(found, blobs[1], measure="ari", rng=0).upper > 0.1
    assert from_hdbscan(fitted, noise="drop").n_objects == (~is_noise).sum()
    if soft:
        vectors = hdbscan.all_points_membership_vectors(fitted)
        assert from_hdbscan(fitted, noise="cluster", soft=True).memberships == pytest.approx(
            np.column_stack([vectors, 1 - vectors.sum(axis=1)])
        )
    else:
        assert from_hdbscan(fitted).n_clusters == n_clusters + is_noise.sum()


def test_hdbscan_that_finds_only_noise():
    objects = np.random.default_rng(0).uniform(size=(30, 2))
    fitted = hdbscan.HDBSCAN(min_cluster_size=25, prediction_data=True).fit(objects)
    assert set(fitted.labels_) == {-1}
    assert from_hdbscan(fitted).n_clusters == 30
    assert from_hdbscan(fitted, soft=True).harden().n_clusters == 30
    with pytest.raises(sf.InputError, match="no class was seen"):
        from_hdbscan(fitted, noise="unknown")
    with pytest.raises(sf.InputError, match="nothing is left"):
        from_hdbscan(fitted, noise="drop")


def test_hdbscan_with_one_cluster():
    objects = np.random.default_rng(0).normal(size=(40, 2))
    options = {"min_cluster_size": 10, "allow_single_cluster": True, "prediction_data": True}
    fitted = hdbscan.HDBSCAN(**options).fit(objects)
    assert set(fitted.labels_) == {-1, 0}
    assert from_hdbscan(fitted, noise="unknown").simplest().n_clusters == 1


def test_vectors_of_hdbscan_with_missing_rows(monkeypatch, fitted):
    vectors = hdbscan.all_points_membership_vectors(fitted)
    vectors[3] = np.nan
    monkeypatch.setattr(hdbscan, "all_points_membership_vectors", lambda _: vectors)
    with pytest.raises(sf.InputError, match=r'row 3, column 0 is nan.*missing="unknown"'):
        from_hdbscan(fitted, soft=True)
    dropped = from_hdbscan(fitted, soft=True, missing="drop")
    assert dropped.n_objects == len(vectors) - 1
    unknown = from_hdbscan(fitted, soft=True, noise="cluster", missing="unknown")
    assert unknown.plausibility()[3].tolist() == [1] * unknown.n_clusters


def test_scikit_learns_hdbscan_marks_missing_features(blobs):
    objects = np.vstack([blobs[0], [[np.nan, 0.0], [np.inf, 0.0]]])
    fitted = HDBSCAN(min_cluster_size=5, copy=True).fit(objects)
    assert fitted.labels_[-2:].tolist() == [-3, -2]
    for read in (from_hdbscan, from_sklearn):
        with pytest.raises(sf.InputError, match=r'Label 200 is -3.*missing="unknown"'):
            read(fitted, noise="singletons")
        unknown = read(fitted, noise="singletons", missing="unknown")
        assert unknown.mask[-1].sum() == fitted.labels_.max() + 1
        dropped = read(fitted, noise="singletons", missing="drop")
        assert dropped.n_objects == 200
    with pytest.raises(sf.InputError, match="come with the package hdbscan"):
        from_hdbscan(fitted, soft=True)


# scikit-learn


@pytest.mark.parametrize("make", [GaussianMixture, BayesianGaussianMixture])
def test_mixtures_of_scikit_learn(make):
    model = make(n_components=2, random_state=0).fit(SMALL)
    assert from_sklearn(model, SMALL) == sf.FuzzyPartition(model.predict_proba(SMALL))
    with pytest.raises(sf.InputError, match="pass X"):
        from_sklearn(model)


def test_labels_of_scikit_learn():
    model = KMeans(3, n_init=2, random_state=0).fit(IRIS)
    assert from_sklearn(model) == sf.HardPartition(model.labels_)
    assert from_sklearn(model, IRIS[:7]).n_objects == 7  # not its transform, which is distances
    tree = AgglomerativeClustering(3).fit(IRIS)
    assert from_sklearn(tree, IRIS) == from_sklearn(tree) == sf.HardPartition(tree.labels_)
    with pytest.raises(sf.InputError, match="cannot label new objects: it was fitted to 150"):
        from_sklearn(tree, IRIS[:7])
    density = DBSCAN(eps=0.5).fit(IRIS)
    assert (density.labels_ == -1).any()
    assert from_sklearn(density, noise="unknown").kind == "rough"
    assert "-1" in from_sklearn(density).notes[0]


def test_classifiers_and_pipelines_keep_their_classes():
    names = np.array(["s", "v", "w"])[TRUTH]
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(IRIS, names)
    assert from_sklearn(model, IRIS).names == ("s", "v", "w")


def test_our_estimators():
    model = sf.cluster.FuzzyCMeans(3, random_state=0).fit(IRIS)
    assert from_sklearn(model) is model.partition_
    assert sf.as_partition(model) is model.partition_
    assert from_sklearn(model, IRIS) == model.partition_


def test_topic_models_of_scikit_learn():
    rng = np.random.default_rng(0)
    words = rng.poisson(rng.dirichlet(np.ones(3), 20) @ rng.dirichlet(np.ones(12), 3) * 60)
    topics = LatentDirichletAllocation(3, random_state=0, max_iter=5).fit(words)
    assert from_sklearn(topics, words).memberships == pytest.approx(topics.transform(words))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parts = NMF(3, random_state=0, max_iter=500).fit(words)
    weights = parts.transform(words)
    found = from_sklearn(parts, words)
    assert found.memberships == pytest.approx(weights / weights.sum(axis=1, keepdims=True))
    assert "divided by their sums" in found.notes[0]


# Topics


@pytest.mark.parametrize("make", [np.array, scipy.sparse.csr_matrix, pd.DataFrame])
def test_topics_of_which_only_the_largest_are_kept(make):
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.ones(6), 10)
    assert from_topics(make(weights)) == sf.FuzzyPartition(weights)
    kept = np.where(weights >= np.sort(weights, axis=1)[:, -2:-1], weights, 0)
    found = from_topics(make(kept))
    rest = 1 - kept.sum(axis=1)
    assert found.belief() == pytest.approx(kept)
    assert found.plausibility() == pytest.approx(kept + rest[:, None])
    # What was left out is enclosed.
    assert (found.belief() <= weights + 1e-12).all()
    assert (weights <= found.plausibility() + 1e-12).all()


def test_topics_as_pairs():
    pairs = [[(0, 0.5), (2, 0.5)], [(1, 1.0)], []]
    found = from_topics(pairs, n_topics=4)
    assert found.plausibility().tolist() == [[0.5, 0, 0.5, 0], [0, 1, 0, 0], [1, 1, 1, 1]]
    assert from_topics(pairs[:2], names=["a", "b", "c"]).names == ("a", "b", "c")


def test_a_large_sparse_matrix_of_topics_stays_sparse():
    rng = np.random.default_rng(0)
    rows = np.repeat(np.arange(2000), 3)
    columns = (rng.integers(0, 300, 2000)[:, None] * 3 + [0, 1, 2]).ravel()
    values = np.tile([0.5, 0.25, 0.125], 2000)
    found = from_topics(scipy.sparse.csr_matrix((values, (rows, columns)), shape=(2000, 900)))
    assert found.is_listed
    assert len(found.statements().weights) <= 4 * 2000


# soft-clustering


@pytest.fixture(scope="module")
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def test_models_of_soft_clustering(quiet):
    fuzzy = soft_clustering.FCM(random_state=0)
    fuzzy.fit(SMALL, 3)
    found = from_soft_clustering(fuzzy)
    assert found == sf.FuzzyPartition(fuzzy.memberships_)
    rough = soft_clustering.RoughKMeans(n_clusters=3, random_state=0)
    rough.fit(SMALL)
    assert from_soft_clustering(rough) == sf.RoughPartition(rough.upper_approx_)
    possible = soft_clustering.PCM(random_state=0)
    possible.fit(SMALL, 3)
    assert from_soft_clustering(possible) == sf.PossibilisticPartition(possible.typicalities_)


def test_masses_of_soft_clustering_have_their_last_set_last(quiet):
    np.random.seed(0)  # noqa: NPY002
    ecm = soft_clustering.ECM(n_clusters=3)
    ecm.fit(SMALL)
    found = from_soft_clustering(ecm)
    assert found.empty_mass == pytest.approx(ecm.mass[:, -1])
    evclus = soft_clustering.EVCLUS(n_clusters=3, random_state=0, n_init=1, max_iter=20)
    evclus.fit(SMALL)
    found = from_soft_clustering(evclus)
    assert found.belief() == pytest.approx(evclus.masses_[:, :-1], abs=1e-6)
    assert found.nonspecificity() == pytest.approx(evclus.masses_[:, -1] * np.log(3), abs=1e-6)


def test_one_cluster_of_soft_clustering_is_all_clusters():
    assert from_soft_clustering(SimpleNamespace(masses_=[[0.5, 0.5]])).n_clusters == 1


# Votes


def test_votes():
    counts = [[3, 0, 0], [1, 2, 0], [1, 1, 1]]
    assert from_votes(counts) == sf.FuzzyPartition([[1, 0, 0], [1 / 3, 2 / 3, 0], [1 / 3] * 3])
    rough = from_votes(counts, kind="rough", names=["a", "b", "c"])
    sets = [{"a"}, {"a", "b"}, {"a", "b", "c"}]
    assert rough == sf.RoughPartition.from_sets(sets, names=["a", "b", "c"])
    frame = from_votes(pd.DataFrame(counts, columns=["a", "b", "c"], index=list("xyz")))
    assert (frame.names, frame.index.tolist()) == (("a", "b", "c"), ["x", "y", "z"])


def test_objects_without_votes():
    counts = [[3, 0], [0, 0], [1, 1]]
    with pytest.raises(sf.InputError, match="row 1 has no votes"):
        from_votes(counts)
    assert from_votes(counts, missing="drop") == sf.FuzzyPartition([[1, 0], [0.5, 0.5]])
    assert from_votes(counts, missing="unknown").plausibility()[1].tolist() == [1, 1]
    rough = from_votes(counts, kind="rough", missing="unknown")
    assert rough == sf.RoughPartition([[1, 0], [1, 1], [1, 1]])
    assert from_votes(counts, kind="rough", missing="drop").n_objects == 2


# What is refused


@pytest.mark.parametrize(
    ("read", "given", "message"),
    [
        (from_skfuzzy, np.array([[0.9, 0.1], [0.8, 0.2]]), "Rows of u sum to 1"),
        (from_skfuzzy, (1, 2, 3), "a tuple of 3"),
        (from_skfuzzy, None, "got None"),
        (from_skfuzzy, np.zeros(3), r"got shape \(3,\)"),
        (from_skfuzzy, np.array([[0.5, 0.7], [0.2, 0.3]]), "row 0 sums to 0.7"),
        (from_evclust, {"mass_n": []}, "with 'mass' and 'F'; got one with 'mass_n'"),
        (from_evclust, 3, "got 3"),
        (from_hdbscan, hdbscan.HDBSCAN(), "has no labels_; fit an HDBSCAN first"),
        (
            partial(from_hdbscan, soft=True),
            hdbscan.HDBSCAN().fit(SMALL),
            "fit it with prediction_data=True",
        ),
        (from_sklearn, KMeans, r"KMeans is a class; pass a fitted KMeans\(\)"),
        (partial(from_sklearn, X=IRIS), GaussianMixture(2), r"GaussianMixture: .*not fitted"),
        (partial(from_sklearn, X=IRIS), PCA(2).fit(IRIS), "fit it first"),
        (from_sklearn, 3, "3 has no partition_"),
        (from_topics, [[2.0, 1.0]], "above 1; pass normalize=True|entries must lie"),
        (from_topics, [[(0, 0.5, 1)]], "pass pairs of a topic's number"),
        (from_topics, [[(-1, 0.5)]], "pass pairs of a topic's number"),
        (partial(from_topics, n_topics=2), [[(3, 0.5)]], "n_topics is 2, but topic 3 occurs"),
        (partial(from_topics, n_topics=2), [[1.0]], "n_topics is for lists"),
        (from_topics, [0, 1], "must be 2-D"),
        (from_soft_clustering, SimpleNamespace(memberships_=None), "a SimpleNamespace has no memb"),
        (from_soft_clustering, SimpleNamespace(mass=[[1.0]]), r"expected \(n, k \+ 1\)"),
        (from_votes, [[1, -1]], "negative"),
        (from_votes, [[1, np.nan]], "nan"),
        (from_votes, [1, 2], "must be 2-D"),
        (partial(from_votes, kind="hard"), [[1, 2]], "Unknown kind 'hard'"),
    ],
)
def test_what_an_adapter_cannot_read_is_refused(read, given, message):
    with pytest.raises(sf.InputError, match=message):
        read(given)


# as_partition


def test_as_partition_names_the_adapter(fitted):
    for result, adapter in (
        (fitted, r"from_hdbscan\(clusterer\)"),
        (HDBSCAN(copy=True), r"from_hdbscan\(clusterer\)"),
        (GaussianMixture(), r"from_sklearn\(estimator, X\)"),
        (KMeans(2, n_init=1).fit(SMALL), r"from_sklearn\(estimator, X\)"),
        (skfuzzy.cmeans(SMALL.T, 2, 2, 1e-3, 50, seed=0), r"from_skfuzzy\(result\)"),
        (soft_clustering.FCM(), r"from_soft_clustering\(model\)"),
        ({"mass": [[1.0]]}, "from_evclust"),
    ):
        with pytest.raises(sf.InputError, match=rf"use sfumato\.interop\.{adapter}"):
            sf.as_partition(result)
