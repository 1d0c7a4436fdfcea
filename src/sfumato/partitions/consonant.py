"""Possibility distributions as nested mass functions."""

import numpy as np

from sfumato._typing import Bools, Codes, Floats, Ints
from sfumato.algorithms.tables.ragged import starts_of
from sfumato.errors import CostError
from sfumato.partitions.setlist import group_mask
from sfumato.partitions.statements import Statements

__all__ = ["consonant_pignistic", "consonant_statements"]

_MOST_MEMBERS = 1 << 28
_BLOCK = 1 << 18


def _steps(memberships: Floats) -> tuple[Floats, Floats]:
    """Memberships of each row in decreasing order, and the drop from each to the next."""
    ordered = -np.sort(-memberships, axis=1)
    return ordered, ordered - np.column_stack([ordered[:, 1:], np.zeros(len(ordered))])


def consonant_statements(codes: Codes, memberships: Floats) -> Statements:
    r"""The nested mass functions whose plausibilities, of shape (d, k), are given.

    .. math:: m(\{\mu \ge \mu_{(i)}\}) = \mu_{(i)} - \mu_{(i+1)}

    Each row has a 1. O(d k^2); at most k sets per statement. See :cite:`dubois1988possibility`.

    Examples
    --------
    >>> consonant_statements(np.array([0]), np.array([[0.25, 1.0]])).weights
    array([0.75, 0.25])
    """
    ordered, drops = _steps(memberships)
    rows, ranks = np.nonzero(drops)
    set_codes, sets = group_mask(_cuts(memberships, rows, ordered[rows, ranks]))
    return Statements(
        codes=codes,
        starts=starts_of(np.bincount(rows, minlength=len(memberships))),
        sets=set_codes,
        weights=drops[rows, ranks],
        set_starts=sets.starts,
        set_members=sets.members,
        n_clusters=memberships.shape[1],
    )


def _cuts(memberships: Floats, rows: Ints, levels: Floats) -> Bools:
    """Which clusters are in the cut of each row at its level; a block of floats at a time."""
    n_clusters = int(memberships.shape[1])
    if len(rows) * n_clusters > _MOST_MEMBERS:
        raise CostError(
            f"The nested sets of {len(memberships):,} objects would list up to "
            f"{len(rows) * n_clusters:.2g} clusters (limit {_MOST_MEMBERS:.2g}): set small "
            "possibilities to 0, round them, or read them jointly with t_norm='min'."
        )
    cuts = np.empty((len(rows), n_clusters), dtype=bool)
    block = max(1, _BLOCK // n_clusters)
    for at in range(0, len(rows), block):
        part = slice(at, at + block)
        np.greater_equal(memberships[rows[part]], levels[part, None], out=cuts[part])
    return cuts


def consonant_pignistic(memberships: Floats) -> Floats:
    """Equal shares of the nested masses for the clusters of each set, of shape (n, k).

    Examples
    --------
    >>> consonant_pignistic(np.array([[0.25, 1.0]]))
    array([[0.125, 0.875]])
    """
    order = np.argsort(-memberships, axis=1, kind="stable")
    drops = _steps(memberships)[1]
    # The cluster of rank r is in the sets of all ranks from r on; add the smallest shares first.
    shares: Floats = drops / np.arange(1.0, memberships.shape[1] + 1)
    summed = np.cumsum(shares[:, ::-1], axis=1)[:, ::-1]
    pignistic = np.empty_like(memberships)
    np.put_along_axis(pignistic, order, summed, axis=1)
    return pignistic
