r"""Sum over objects what variances and means of x log x need, chunk by chunk, in a second round.

What an object adds to a sum of psi depends on the expected counts of all objects. So the expected
table is found in a first round over the objects, and squares of what each object adds in a second.
They add up too, and so do, by convolution, laws of counts.

The generating function of a count is a product over the objects, :math:`G(s) = \prod_x (1 - p_x
(1 - s))`, so that its logarithm and :math:`G'/G` add up as well. Which nodes s are needed follows
from mean and variance of the count, which the first round finds. Where counts are large its power
sums suffice, and nothing is summed at nodes.
"""

from math import prod
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.moments.chance_information import has_cheap_laws, laws_of_sizes
from sfumato.algorithms.moments.count_lists import count_lists
from sfumato.algorithms.moments.counts import choose_fits, log_sums_of_lists, n_nodes
from sfumato.algorithms.moments.entropies import xlogx_from_powers
from sfumato.algorithms.moments.fuzzy_table import table_of_powers
from sfumato.algorithms.moments.object_forms import object_products
from sfumato.algorithms.moments.pair_means import feature_sums, n_features, object_sums
from sfumato.algorithms.moments.power_sums import LogSums, PowerSums, SpreadSums
from sfumato.algorithms.moments.sum_moments import object_functions
from sfumato.algorithms.tables.ragged import gather, starts_of
from sfumato.algorithms.tables.rows import Rows

__all__ = ["SpreadNeeds", "log_sums", "no_log_sums", "spread_needs", "spread_sums"]

_MOST_FEATURES = 100_000
_ENOUGH = 1e-10  # error of a mean, relative to the count, that needs no node
_MOST_NODES = 500_000  # that are kept: 8 MB
_MOST_PRODUCTS = 1e11  # of an event and a node: about two minutes


class SpreadNeeds(NamedTuple):
    """What a second round has to sum, once the first is known; a hard side is the columns."""

    first: PowerSums  # of all objects
    nodes: LogSums  # of no object
    has_laws: bool


def spread_needs(first: PowerSums) -> SpreadNeeds:
    """What to sum in a second round, decided once for all chunks.

    Logarithms of generating functions, and laws of cluster sizes against a hard side, are for
    entropies: where the first round ends with squares, nothing will be asked of these.
    """
    if first.are_hard[0] and not first.are_hard[1]:
        first = first.turned()
    has_laws = first.order > 2 and first.are_hard[1] and has_cheap_laws(table_of_powers(first))
    return SpreadNeeds(first, no_log_sums(first), has_laws)


def spread_sums(a: Rows, b: Rows, needs: SpreadNeeds) -> SpreadSums:
    """The second round over some objects.

    Notes
    -----
    O(n k1^2 k2^2 / 4), less against a hard side; O(n k1 k2) where that would be more than 1e5
    numbers, and variances of pair counts are bounded only. Beside it `log_sums`, and laws of
    cluster sizes where all of them take less than 1e8 steps.
    """
    if a.is_hard and not b.is_hard:
        return spread_sums(b, a, needs).turned()
    first = needs.first
    table = table_of_powers(first._replace(spread=None))
    functions = [object_functions(psi, table) for psi in ("square", "xlogx")]
    together: list[Floats] = [np.concatenate(parts) for parts in zip(*functions, strict=True)]
    sizes = n_features((a.width, b.width), first.are_hard)
    return SpreadSums(
        a.n_rows,
        object_sums(a, b, table.sums),
        object_products(table, (a, b), *together),
        feature_sums(a, b) if prod(sizes) <= _MOST_FEATURES else None,
        log_sums(a, b, needs.nodes, first),
        laws_of_sizes(a) if needs.has_laws else (),
    )


def no_log_sums(first: PowerSums) -> LogSums:
    """The sums of no object, for the counts whose means do not follow from power sums.

    ``first`` are the sums of all objects. If they end with squares, nothing will be asked of
    entropies. O(k1 k2). At most 5e5 nodes, and 1e11 products of an event and a node over all
    objects: where that does not suffice, the counts that are known worst are taken.
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
    """The counts for which power sums are not enough: rows and columns, as in `LogSums`.

    Then means and variances, errors of the means of N log N, and numbers of events.
    """
    table, n_columns = table_of_powers(first), first.cells.shape[2]
    powers, counts = first[1:4], table.counts
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
    """The sums at nodes over some objects; ``none`` says what is summed, ``first`` is of all.

    O(nodes) for each event of a count, and the time of `count_lists`.
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
