"""Steps and fixed points of fuzzy, possibilistic and evidential c-means, against R packages."""

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from sfumato.cluster import EvidentialCMeans, FuzzyCMeans, PossibilisticCMeans
from sfumato.cluster.distances import distances_to
from sfumato.cluster.possibilistic_c_means import log_typicalities
from sfumato.cluster.shares import split

REFERENCE = Path(__file__).parents[1] / "reference"
FOCAL = {"full": "full", "pairs": "pairs", "simple": "singletons"}
# Tolerances that the reference values were verified to, as their files state.
STEP, FUZZY_END, END = 1e-10, 1e-8, 1e-9


def cases(family):
    loaded = json.loads((REFERENCE / f"{family}_fixed_point.json").read_text())
    return [
        pytest.param(
            np.array(loaded["datasets"][case["inputs"]["dataset"]]),
            case["inputs"],
            case["expected"] | {"focal_sets": case.get("focal_sets")},
            id=case["id"],
        )
        for case in loaded["cases"]
    ]


def near(value, expected, tolerance):
    return np.allclose(value, expected, rtol=0, atol=tolerance)


def one_step(estimator, objects):
    with pytest.warns(ConvergenceWarning, match="did not converge in 1 iterations"):
        return estimator.set_params(max_iter=1).fit(objects)


def fuzzy(inputs, **options):
    return FuzzyCMeans(
        inputs["c"], fuzzifier=inputs["m"], init=inputs["initial_prototypes"], **options
    )


@pytest.mark.parametrize(("objects", "inputs", "expected"), cases("fcm"))
def test_fuzzy_c_means_agrees_with_ppclust(objects, inputs, expected):
    step, end = expected["one_step"], expected["fixed_point"]
    start = np.array(inputs["initial_prototypes"])
    shares = split(distances_to(objects, start), inputs["m"]).shares
    assert near(shares.T, step["memberships"], STEP)
    moved = one_step(fuzzy(inputs), objects)
    assert near(moved.cluster_centers_, step["prototypes"], STEP)
    assert near(moved.objective_history_[0], step["objective"], STEP)

    fitted = fuzzy(inputs, tol=1e-12, max_iter=5000).fit(objects)
    assert near(fitted.cluster_centers_, end["prototypes"], FUZZY_END)
    assert near(fitted.memberships_, end["memberships"], FUZZY_END)
    assert near(fitted.objective_, end["objective"], FUZZY_END)


def possibilistic(inputs, **options):
    return PossibilisticCMeans(
        inputs["c"],
        fuzzifier=inputs["eta"],
        eta=inputs["omega"],
        init=inputs["initial_prototypes"],
        **options,
    )


@pytest.mark.filterwarnings("ignore:Clusters .* coincide:UserWarning")
@pytest.mark.parametrize(("objects", "inputs", "expected"), cases("pcm"))
def test_possibilistic_c_means_agrees_with_ppclust(objects, inputs, expected):
    step, end = expected["one_step"], expected["fixed_point"]
    squares = distances_to(objects, np.array(inputs["initial_prototypes"]))
    typicalities = np.exp(log_typicalities(squares, np.array(inputs["omega"]), inputs["eta"]))
    assert near(typicalities.T, step["typicalities"], STEP)
    moved = one_step(possibilistic(inputs), objects)
    assert near(moved.cluster_centers_, step["prototypes"], STEP)
    assert near(moved.objective_history_[0], step["objective"], STEP)

    fitted = possibilistic(inputs, tol=1e-12, max_iter=5000).fit(objects)
    assert near(fitted.cluster_centers_, end["prototypes"], END)
    assert near(fitted.memberships_, end["typicalities"], END)
    assert near(fitted.objective_, end["objective"], END)
    largest = np.max(end["typicalities"], axis=1, keepdims=True)
    assert near(fitted.partition_.memberships, end["typicalities"] / largest, 1e-8)


def test_eta_of_a_fuzzy_run_agrees_with_ppclust():
    objects, inputs, _ = next(case.values for case in cases("pcm") if case.id == "pcm-000")
    with pytest.warns(UserWarning, match="coincide"):
        fitted = PossibilisticCMeans(3, tol=1e-9, random_state=0).fit(objects)
    assert near(np.sort(fitted.eta_), np.sort(inputs["omega"]), 1e-8)


def evidential(inputs, **options):
    return EvidentialCMeans(
        inputs["c"],
        alpha=inputs["alpha"],
        beta=inputs["beta"],
        delta=inputs["delta"],
        focal=FOCAL[inputs["focal_type"]],
        init=inputs["initial_prototypes"],
        **options,
    )


def by_set(masses, focal_sets):
    columns = {tuple(np.flatnonzero(row)): i for i, row in enumerate(np.asarray(focal_sets))}
    return {members: np.asarray(masses)[:, i] for members, i in columns.items()}


@pytest.mark.parametrize(("objects", "inputs", "expected"), cases("ecm"))
def test_evidential_c_means_agrees_with_evclust(objects, inputs, expected):
    step, end = expected["one_step"], expected["fixed_point"]
    moved = one_step(evidential(inputs), objects)
    assert near(moved.cluster_centers_, step["prototypes"], STEP)
    assert near(moved.objective_history_[0], step["objective"], STEP)

    fitted = evidential(inputs, tol=1e-12, max_iter=5000).fit(objects)
    assert near(fitted.cluster_centers_, end["prototypes"], END)
    assert near(fitted.objective_, end["objective"], END)
    ours = by_set(fitted.masses_, fitted.focal_sets_)
    theirs = by_set(end["masses"], expected["focal_sets"])
    assert ours.keys() == theirs.keys()
    assert all(near(ours[members], theirs[members], END) for members in ours)
