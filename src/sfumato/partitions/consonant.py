"""Possibility distributions as nested mass functions."""

import numpy as np

from sfumato._typing import Codes, Floats
from sfumato.partitions.setlist import group_mask
from sfumato.partitions.statements import Statements

__all__ = ["consonant_pignistic", "consonant_statements"]


def _steps(memberships: Floats) -> tuple[Floats, Floats]:
    """Memberships of each row in decreasing order, and the drop from each to the next."""
    ordered = -np.sort(-memberships, axis=1)
    return ordered, ordered - np.column_stack([ordered[:, 1:], np.zeros(len(ordered))])


def consonant_statements(codes: Codes, memberships: Floats) -> Statements:
    r"""The nested mass functions whose plausibilities are given.

    .. math:: m(\{\mu \ge \mu_{(i)}\}) = \mu_{(i)} - \mu_{(i+1)}

    Parameters
    ----------
    codes : ndarray of shape (n,)
    memberships : ndarray of shape (d, k)
        Each row has a 1.

    Notes
    -----
    O(d k^2); at most k sets per statement. See :cite:`dubois1988possibility`.

    Examples
    --------
    >>> consonant_statements(np.array([0]), np.array([[0.25, 1.0]])).weights
    array([0.75, 0.25])
    """
    ordered, drops = _steps(memberships)
    rows, ranks = np.nonzero(drops)
    set_codes, sets = group_mask(memberships[rows] >= ordered[rows, ranks][:, None])
    sizes = np.bincount(rows, minlength=len(memberships))
    return Statements(
        codes=codes,
        starts=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        sets=set_codes,
        weights=drops[rows, ranks],
        set_starts=sets.starts,
        set_members=sets.members,
        n_clusters=memberships.shape[1],
    )


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
