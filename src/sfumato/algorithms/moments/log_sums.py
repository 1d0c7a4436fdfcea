r"""Sum logarithms of generating functions over objects, chunk by chunk, for means of x log x.

The generating function of a count is a product over the objects, :math:`G(s) = \prod_x (1 - p_x
(1 - s))`, so that its logarithm and :math:`G'/G` add up over chunks of objects. Which nodes s are
needed follows from mean and variance of the count: a first round finds these, a second one sums at
the nodes. Where counts are large the power sums of the first round suffice, and nothing is summed.
"""

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.moments.count_lists import count_lists
from sfumato.algorithms.moments.counts import choose_fits, log_sums_of_lists, n_nodes
from sfumato.algorithms.moments.fuzzy_table import table_of_powers
from sfumato.algorithms.moments.power_sums import LogSums, PowerSums
from sfumato.algorithms.moments.taylor_entropies import xlogx_from_powers
from sfumato.algorithms.tables.ragged import gather, starts_of
from sfumato.algorithms.tables.rows import Rows

__all__ = ["log_sums", "no_log_sums"]

_ENOUGH = 1e-10  # error of a mean, relative to the count, that needs no node
_MOST_NODES = 500_000  # that are kept: 8 MB
_MOST_PRODUCTS = 1e11  # of an event and a node: about two minutes


def no_log_sums(first: PowerSums) -> LogSums:
    """The sums of no object, for the counts whose means do not follow from power sums.

    Parameters
    ----------
    first : PowerSums
        Those of all objects. If they end with squares, nothing will be asked of entropies.

    Notes
    -----
    O(k1 k2). At most 5e5 nodes, and 1e11 products of an event and a node over all objects: where
    that does not suffice, the counts that are known worst are taken.

    Examples
    --------
    >>> from sfumato.algorithms.moments.power_sums import power_sums
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> fuzzy, hard = dense_rows(np.full((8000, 2), 0.5)), hard_rows(np.arange(8000) % 8, 8)
    >>> none = no_log_sums(power_sums(fuzzy, hard, 6))
    >>> len(none.rows), bool((none.columns >= 0).all()), len(none.logs)  # of cells, not of rows
    (16, True, 208)
    """
    (rows, columns), (means, variances, errors, n_events) = _unknown_counts(first)
    fits, scales = choose_fits(means, variances, first.n_objects)
    sizes = n_nodes(fits)
    worst_first = np.argsort(-errors, kind="stable")
    is_in = np.cumsum(sizes[worst_first]) <= _MOST_NODES
    is_in &= np.cumsum((sizes * n_events)[worst_first]) <= _MOST_PRODUCTS
    kept = np.sort(worst_first[is_in])
    sums = np.zeros((3, len(kept))), *np.zeros((2, int(sizes[kept].sum())))
    return LogSums(rows[kept], columns[kept], fits[kept], scales[kept], *sums)


def _unknown_counts(first: PowerSums) -> tuple[Ints, Floats]:
    """The counts for which power sums are not enough.

    Returns
    -------
    places : ndarray of shape (2, c)
        Rows and columns, as in `LogSums`.
    known : ndarray of shape (4, c)
        Means and variances, errors of the means of N log N, and numbers of events.
    """
    table, n_columns = table_of_powers(first), first.cells.shape[2]
    powers, counts = first[1:4], (table.rows, table.columns, table.cells)
    places, known = [np.empty((2, 0), dtype=np.int64)], [np.empty((4, 0))]
    for at in range(3):
        if first.order == 2 or (*first.are_hard, False)[at]:
            continue
        n_events = np.full(counts[at].means.shape, float(first.n_objects))
        if at == 2 and first.are_hard[1]:
            n_events[:] = first.columns[0]  # the objects of its class
        means, variances = counts[at].means.ravel(), counts[at].variances.ravel()
        errors = xlogx_from_powers(powers[at].reshape(first.order, -1), 0.0)[1]
        own = np.flatnonzero(errors > _ENOUGH * means)
        margin = np.full(len(own), -1)
        cell = own // n_columns, own % n_columns
        places.append(np.stack(((own, margin), (margin, own), cell)[at]))
        known.append(np.stack([means, variances, errors, n_events.ravel()])[:, own])
    return np.concatenate(places, axis=1), np.concatenate(known, axis=1)


def log_sums(a: Rows, b: Rows, none: LogSums, first: PowerSums) -> LogSums:
    """The same sums over some objects.

    Parameters
    ----------
    a, b : Rows
        Memberships of these objects.
    none : LogSums
        The sums of no object, which say what is summed.
    first : PowerSums
        Those of all objects.

    Notes
    -----
    O(nodes) for each event of a count, and the time of `count_lists`.

    Examples
    --------
    >>> from sfumato.algorithms.moments.power_sums import power_sums
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> sides = dense_rows(np.full((80, 2), 0.5)), hard_rows(np.zeros(80, int), 1)
    >>> first = power_sums(*sides, 6)
    >>> values, errors = log_sums(*sides, no_log_sums(first), first).expected_xlogx(80)
    >>> values.round(6).tolist(), bool(errors.max() < 1e-10)  # two rows and two cells
    ([147.806768, 147.806768, 147.806768, 147.806768], True)
    """
    if not len(none.rows):
        return none
    place = np.full((a.width + 1, b.width + 1), -1)  # a row or column of -1 is the last one
    place[none.rows, none.columns] = np.arange(len(none.rows))
    starts = starts_of(n_nodes(none.fits))
    totals, logs, slopes = (part.copy() for part in none[4:])
    for lists in count_lists(a, b):
        own = place[lists.rows, lists.columns]
        chosen = np.flatnonzero(own >= 0)
        if not len(chosen):
            continue
        own = own[chosen]
        offsets, entries = gather(lists.starts, chosen)
        events = lists.events if len(chosen) == len(lists.rows) else lists.events[entries]
        means = first.means_of(none.rows[own], none.columns[own])
        found = log_sums_of_lists(events, offsets, means, none.fits[own], none.scales[own])
        nodes = gather(starts, own)[1]
        totals[:, own], logs[nodes], slopes[nodes] = found
    return none._replace(totals=totals, logs=logs, slopes=slopes)
