"""Draws of a Bayesian model, as ArviZ keeps them."""

from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.partitions import DrawnPartition
from sfumato.partitions.reading.checks import shown
from sfumato.partitions.reading.tabular import Table

__all__ = ["from_arviz"]


def from_arviz(
    data: object, variable: str, *, group: str = "posterior", weights: object = None
) -> DrawnPartition:
    """The draws of a variable that holds the cluster of each object.

    Parameters
    ----------
    data : InferenceData, DataTree or Dataset
        Of ArviZ or xarray.
    variable : str
        With the dimensions "chain" and "draw", and one for the objects. Its coordinate, if it has
        one other than 0, 1, 2, ..., holds the ids.
    group : str
        Where to look in `InferenceData`; "prior", for instance.
    weights : array-like, optional
        One for each draw, chain after chain, as in `DrawnPartition`.

    Returns
    -------
    DrawnPartition
        The draws of the first chain, then those of the second, and so on.

    Raises
    ------
    InputError
        If there is no such variable, or its dimensions are others.

    Notes
    -----
    O(s n). ArviZ is not imported: nothing of it is needed but what ``data`` offers itself.

    Examples
    --------
    >>> import xarray
    >>> labels = xarray.DataArray(np.zeros((2, 50, 7), int), dims=("chain", "draw", "object"))
    >>> from_arviz(xarray.Dataset({"z": labels}), "z")
    DrawnPartition(7 objects, 1 cluster, 100 draws, 1 distinct)
    """
    found = _variable(data, variable, group)
    dims = [str(dim) for dim in found.dims]
    others = [dim for dim in dims if dim not in ("chain", "draw")]
    if sorted(dims) != sorted([*others, "chain", "draw"]) or len(others) != 1:
        raise InputError(
            f"{variable!r} has the dimensions {', '.join(dims) or 'none'}; labels need chain, draw "
            "and one for the objects."
        )
    values = np.asarray(found.transpose("chain", "draw", others[0]).values)
    labels, ids = values.reshape(-1, values.shape[2]), None
    if others[0] in found.coords:
        ids = tuple(np.asarray(found.coords[others[0]].values).tolist())
    return DrawnPartition(Table(labels, ids), weights)


def _variable(data: Any, variable: Any, group: Any) -> Any:
    """The array of a variable, in a group or in a plain dataset."""
    for name, value in (("variable", variable), ("group", group)):
        if not isinstance(value, str):
            raise InputError(f"{name} is {shown(value)}; pass its name.")
    dataset: Any = getattr(data, group, data)
    is_tree_without = dataset is data and getattr(data, "children", None)
    if is_tree_without or not hasattr(dataset, "data_vars"):
        raise InputError(
            f"data is {shown(data)} without a group {group!r}; pass InferenceData or a Dataset."
        )
    names = [str(name) for name in dataset.data_vars]
    if variable not in names:
        raise InputError(
            f"There is no variable {variable!r} in {group}; there are {', '.join(names) or 'none'}."
        )
    return dataset[variable]
