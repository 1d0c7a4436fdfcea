"""Bracket the lower expectation of the matching of two evidential partitions.

Within the sets that objects draw, the table is chosen so that its best matching is smallest.
"""

# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from functools import partial
from typing import Any

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.deadline import interruptible, seconds_left
from sfumato.algorithms.expectations.matching_mean import best_matching, bracket_matching_mean
from sfumato.algorithms.expectations.most_matching import bracket_most_matching
from sfumato.algorithms.expectations.set_pairs import (
    SetPairs,
    blocks_of_types,
    open_cells,
    sums_by,
    table_by,
)
from sfumato.algorithms.programs import quiet_solver
from sfumato.algorithms.tables.ragged import gather, owners_of, starts_of

__all__ = ["bracket_least_matching"]

_FEW_CLUSTERS = 4
_MOST_TERMS = 10_000  # cells of open pairs of sets in the linear program


def bracket_least_matching(pairs: SetPairs) -> tuple[float, float]:
    r"""Bracket :math:`E \min_N \max_\pi \sum_i N_{i\pi(i)}` over the tables N that the sets allow.

    For the lower side take a mixture Y of matchings (a doubly substochastic matrix):

    .. math:: \max_\pi \sum_i N_{i\pi(i)} \ge \sum_{ij} Y_{ij} N_{ij}
              \ge \sum_s n_s \min_{c \in s} Y_c

    for any sets s with counts n_s. So the same holds for the means. A linear program gives the best
    Y. Its multipliers say which cells each set is sent to. Under this policy objects draw single
    cells. An upper bound of their mean matching is the upper side.

    The bracket holds even if the linear program is solved inaccurately. The program has one
    constraint for each cell of an open pair of sets: at most 10,000, from the pairs with most
    objects. Its Y is then used for all pairs.

    Examples
    --------
    >>> one, both = np.array([[True]]), np.array([[True, True]])
    >>> lists = [[2], [0, 1], [0], [1.0], [0, 2], [0, 1]]
    >>> free = SetPairs(*map(np.array, lists), one, both, np.array([0]), np.array([0]))
    >>> low, high = bracket_least_matching(free)
    >>> round(low, 9), round(high, 9)
    (1.0, 1.5)
    """
    weights, shares = _program(pairs)
    sure = np.zeros(pairs.shape)  # the best single matching for the objects whose cell is certain
    sure[best_matching(_sure_table(pairs))] = 1.0
    starts = pairs.cell_starts[:-1]
    low = max(
        float(pairs.weights @ np.minimum.reduceat(own[pairs.cells], starts))
        for own in (_even_mixture(pairs), sure.ravel(), weights)
    )
    highs = [
        bracket_matching_mean(*_policy_rows(pairs, chosen)).high
        for chosen in (pairs.equal_shares, shares)
    ]
    if max(pairs.shape) <= _FEW_CLUSTERS:  # this bracket allows a joint choice of row and column
        highs.append(bracket_most_matching(_drawn_cells(pairs, shares))[1])
    return low, max(low, min(highs))


def _even_mixture(pairs: SetPairs) -> Floats:
    return np.full(pairs.n_cells, 1.0 / max(pairs.shape))


def _sure_table(pairs: SetPairs) -> Floats:
    """Expected objects whose cell is certain."""
    return pairs.table(np.where(pairs.sizes == 1, pairs.weights, 0.0)[pairs.cell_owners])


def _program(pairs: SetPairs) -> tuple[Floats, Floats]:
    """Maximise sum_s n_s z_s, where z_s <= Y_c for all cells c of s, and margins of Y are <= 1.

    Gives the weights Y of the cells, and the shares with which pairs are sent to their cells.
    Only the sets with most objects get a variable z. For a set of one cell c, z is Y_c itself.
    """
    from scipy import optimize, sparse

    solver: Any = optimize
    n_rows, n_columns = pairs.shape
    cells = np.arange(pairs.n_cells)
    is_open = np.flatnonzero((pairs.sizes > 1) & (pairs.weights > 0))
    order = is_open[np.argsort(-pairs.weights[is_open], kind="stable")]
    heavy = np.sort(order[np.cumsum(pairs.sizes[order]) <= _MOST_TERMS])
    starts, places = gather(pairs.cell_starts, heavy)
    owners = owners_of(starts)
    terms = np.arange(len(places))
    rows = [terms, terms, len(terms) + cells // n_columns, len(terms) + n_rows + cells % n_columns]
    columns = [len(cells) + owners, pairs.cells[places], cells, cells]
    signs = np.ones(2 * len(terms) + 2 * len(cells))
    signs[len(terms) : 2 * len(terms)] = -1.0
    solve = partial(
        solver.linprog,
        -np.concatenate([_sure_table(pairs).ravel(), pairs.weights[heavy]]),
        A_ub=sparse.csr_matrix((signs, (np.concatenate(rows), np.concatenate(columns)))),
        b_ub=np.concatenate([np.zeros(len(terms)), np.ones(n_rows + n_columns)]),
        bounds=(0, 1),
        method="highs",
        options={"time_limit": max(0.0, seconds_left())},
    )
    with quiet_solver():
        found: Any = interruptible(solve)
    if found.status != 0:
        return _even_mixture(pairs), pairs.equal_shares
    weights = np.maximum(found.x[: len(cells)], 0.0).reshape(pairs.shape)
    # The solver may break constraints by a small tolerance. The bound needs them to hold exactly.
    weights /= max(1.0, float(weights.sum(axis=0).max()), float(weights.sum(axis=1).max()))
    shares = _shares_of_least(pairs, weights.ravel())
    flows = np.maximum(-np.asarray(found.ineqlin.marginals)[: len(terms)], 0.0)
    totals = sums_by(owners, flows, len(heavy))[owners]
    flowing = totals > 0
    shares[places[flowing]] = flows[flowing] / totals[flowing]
    return weights.ravel(), shares


def _shares_of_least(pairs: SetPairs, weights: Floats) -> Floats:
    """Share each pair of sets evenly among its cells of smallest weight."""
    own, starts, owners = weights[pairs.cells], pairs.cell_starts[:-1], pairs.cell_owners
    least = np.minimum.reduceat(own, starts)[owners]
    is_least = (own <= least + 1e-9).astype(np.float64)
    return is_least / np.add.reduceat(is_least, starts)[owners]


def _policy_rows(pairs: SetPairs, shares: Floats) -> tuple[Floats, Floats]:
    """Turn a policy into two fuzzy partitions of the objects that are independent of each other."""
    if not (pairs.has_hard_rows or pairs.has_hard_columns):
        shares = _separate(pairs, shares)
    sides = [np.empty((len(pairs.counts), width)) for width in pairs.shape]
    for block in blocks_of_types(pairs, sum(pairs.shape)):
        found = open_cells(pairs, block)
        masses = pairs.masses[found.entries] * shares[found.places]
        for side, lines in zip(sides, pairs.lines, strict=True):
            shape = len(pairs.counts[block]), side.shape[1]
            side[block] = table_by(found.types, lines[found.places], masses, shape)
    p, q = (
        np.repeat(side / side.sum(axis=1, keepdims=True), pairs.counts, axis=0) for side in sides
    )
    return p, q


def _drawn_cells(pairs: SetPairs, shares: Floats) -> SetPairs:
    """Turn a policy into objects that each draw a single cell."""
    n_rows, n_columns = pairs.shape
    n_cells, n_types = n_rows * n_columns, len(pairs.counts)
    found = open_cells(pairs, slice(0, n_types))
    masses = pairs.masses[found.entries] * shares[found.places]
    laws = table_by(found.types, pairs.cells[found.places], masses, (n_types, n_cells))
    types, cells = np.nonzero(laws)
    return SetPairs(
        counts=pairs.counts,
        starts=starts_of(np.bincount(types, minlength=n_types)),
        pairs=cells,
        masses=laws[types, cells],
        cell_starts=np.arange(n_cells + 1),
        cells=np.arange(n_cells),
        a_sets=np.eye(n_rows, dtype=bool),
        b_sets=np.eye(n_columns, dtype=bool),
        a_set=np.arange(n_cells) // n_columns,
        b_set=np.arange(n_cells) % n_columns,
    )


def _separate(pairs: SetPairs, shares: Floats) -> Floats:
    """Change the shares so that row and column are chosen independently, each by its own set.

    The shares of each side are averaged over the sets of the other side, then multiplied.
    """
    owners = pairs.cell_owners
    flows = pairs.weights[owners] * shares
    product = np.ones(len(shares))
    for own, line, sets in (
        (pairs.a_set[owners], pairs.lines[0], pairs.a_sets),
        (pairs.b_set[owners], pairs.lines[1], pairs.b_sets),
    ):
        table = table_by(own, line, flows, sets.shape)
        product *= table[own, line] / sums_by(own, flows, len(sets))[own]
    return product
