"""Credal partitions as evclust holds them: masses, and focal sets as rows of 0 and 1."""

from collections.abc import Mapping
from typing import TypeGuard, cast

from sfumato.partitions.evidential import Empty, EvidentialPartition
from sfumato.partitions.reading.tabular import is_sparse

__all__ = ["is_credal", "read_credal"]


def is_credal(x: object) -> TypeGuard[Mapping[str, object]]:
    """Whether x is a mapping with the masses and focal sets of evclust."""
    if is_sparse(x) or not isinstance(x, Mapping):  # a matrix of the kind dok is a mapping too
        return False
    return {"mass", "F"} <= set(cast("Mapping[str, object]", x))


def read_credal(
    found: Mapping[str, object], *, empty: Empty = "dempster", normalize: bool = False
) -> EvidentialPartition:
    """The partition of the masses ``found["mass"]``, (n, f), on the sets ``found["F"]``, (f, c).

    Examples
    --------
    >>> read_credal({"mass": [[0.0, 0.5, 0.5]], "F": [[0, 0], [1, 0], [1, 1]]}).plausibility()
    array([[1. , 0.5]])
    """
    return EvidentialPartition(found["mass"], found["F"], empty=empty, normalize=normalize)
