"""soft-clustering (PyPI): memberships, typicalities, approximations and masses."""

from functools import partial
from typing import Any

import numpy as np

from sfumato.errors import InputError
from sfumato.partitions import (
    EvidentialPartition,
    FuzzyPartition,
    Partition,
    PossibilisticPartition,
    RoughPartition,
)
from sfumato.partitions.reading.checks import shown

__all__ = ["from_soft_clustering"]


def from_soft_clustering(model: object) -> Partition:
    """The partition that a model of the package soft-clustering found.

    Parameters
    ----------
    model : fitted model
        Its attributes say what it is, the most telling first: ``lower_approx_`` and
        ``upper_approx_`` (rough k-means), ``masses_`` (EVCLUS: clusters, then all clusters
        together), ``mass`` (ECM: clusters, then the empty set), ``typicalities_`` (possibilistic),
        ``memberships_`` (fuzzy, and all others).

    Returns
    -------
    Partition
        Rough, evidential, possibilistic or fuzzy.

    Raises
    ------
    InputError
        If the model is not fitted or has none of these.

    Notes
    -----
    ``memberships_`` of rough k-means, ECM and EVCLUS are shares that the package makes of what the
    models found, so they are not used here.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> from_soft_clustering(SimpleNamespace(typicalities_=[[1.0, 0.5], [0.2, 0.8]])).kind
    'possibilistic'
    """
    found: Any = model
    lower, upper = (getattr(found, f"{side}_approx_", None) for side in ("lower", "upper"))
    if lower is not None and upper is not None:
        return RoughPartition.from_approximations(lower, upper)
    for name, read in (
        ("masses_", partial(_with_last_set, is_all=True)),
        ("mass", partial(_with_last_set, is_all=False)),
        ("typicalities_", PossibilisticPartition),
        ("memberships_", FuzzyPartition),
    ):
        if (values := getattr(found, name, None)) is not None:
            return read(values)
    raise InputError(
        f"{shown(model)} has no memberships_, typicalities_, masses or approximations; fit a model "
        "of soft-clustering first."
    )


def _with_last_set(given: object, *, is_all: bool) -> EvidentialPartition:
    """Masses on single clusters, and in the last column on all of them or on none."""
    masses = np.asarray(given, dtype=np.float64)
    if masses.ndim != 2 or masses.shape[1] < 2:
        raise InputError(f"masses have shape {masses.shape}; expected (n, k + 1).")
    n_clusters = masses.shape[1] - 1
    if is_all and n_clusters == 1:  # all clusters together are the one
        return EvidentialPartition(masses.sum(axis=1)[:, None], [[1]])
    last = np.full((1, n_clusters), is_all)
    return EvidentialPartition(masses, np.vstack([np.eye(n_clusters, dtype=bool), last]))
