"""Draws that ArviZ keeps, by the real package."""

import warnings

import numpy as np
import pytest

import sfumato as sf

with warnings.catch_warnings():  # of a coming version
    warnings.simplefilter("ignore")
    arviz = pytest.importorskip("arviz")
    xarray = pytest.importorskip("xarray")

IS_TREE = int(arviz.__version__.split(".")[0]) >= 1  # no InferenceData any more
LABELS = np.random.default_rng(0).integers(0, 3, (2, 5, 4))  # chains, draws, objects
VARIABLES = {"z": LABELS, "mu": np.zeros((2, 5))}


def posterior():
    return arviz.from_dict({"posterior": VARIABLES} if IS_TREE else VARIABLES)


def prior(dataset):
    if IS_TREE:
        return xarray.DataTree.from_dict({"prior": dataset})
    return arviz.InferenceData(prior=dataset)


def test_draws_of_all_chains_are_read():
    data = posterior()
    drawn = sf.interop.from_arviz(data, "z")
    assert drawn == sf.DrawnPartition(LABELS.reshape(10, 4))
    assert drawn.index is None
    weighted = sf.interop.from_arviz(data, "z", weights=np.arange(10))
    assert weighted.weights == pytest.approx(np.arange(10) / 45)
    assert sf.interop.from_arviz(data.posterior, "z") == drawn


def test_coordinates_are_ids_and_dimensions_may_stand_in_any_order():
    array = xarray.DataArray(
        LABELS.transpose(2, 0, 1),
        dims=("flower", "chain", "draw"),
        coords={"flower": ["p", "q", "r", "s"]},
    )
    data = prior(xarray.Dataset({"z": array}))
    drawn = sf.interop.from_arviz(data, "z", group="prior")
    assert drawn.index.tolist() == ["p", "q", "r", "s"]
    assert drawn.codes.tolist() == sf.DrawnPartition(LABELS.reshape(10, 4)).codes.tolist()


@pytest.mark.parametrize(
    ("variable", "group", "message"),
    [
        ("y", "posterior", "no variable 'y' in posterior; there are z, mu"),
        ("mu", "posterior", "'mu' has the dimensions chain, draw; labels need"),
        ("z", "prior", "without a group 'prior'"),
        (3, "posterior", "variable is 3"),
        ("z", 3, "group is 3"),
    ],
)
def test_what_is_no_draw_is_refused(variable, group, message):
    with pytest.raises(sf.InputError, match=message):
        sf.interop.from_arviz(posterior(), variable, group=group)
    with pytest.raises(sf.InputError, match="without a group 'posterior'"):
        sf.interop.from_arviz([0, 1], "z")
