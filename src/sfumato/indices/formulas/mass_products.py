r"""Sums over all pairs of objects of products of pair masses, without visiting the pairs.

The masses of a pair are bilinear in the masses of its two objects: with S and D the 0/1 matrices
of "one same single cluster" and "no common cluster" between focal sets, :math:`s_{xy} = m_x^T S
m_y` and :math:`d_{xy} = m_x^T D m_y`. So the sum of :math:`s_{xy} d'_{xy}` over all x and y is the
sum of the entries of :math:`G \circ (S G D')` with :math:`G = \sum_x m_x m'^T_x`.
"""

from math import prod
from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.moments.pair_means import table_sums
from sfumato.algorithms.tables.ragged import gather, owners_of
from sfumato.algorithms.tables.rows import Rows, dense_rows, hard_rows
from sfumato.partitions import Relational, Statements
from sfumato.partitions.setlist import SetList

__all__ = ["MOST_CELLS", "MassProducts", "has_few_sets", "is_bayesian", "is_hard", "mass_products"]

MOST_CELLS = 4_000_000  # 32 MB, and a few tables are needed at once
_SETS_AT_ONCE = 1024
_ENTRIES_AT_ONCE = 1 << 20


class MassProducts(NamedTuple):
    """Sums over pairs x < y of products of a mass of the first side and one of the second."""

    n_pairs: float
    normal: float  # neither side lost to the empty set
    same_same: float
    same_different: float
    different_same: float
    different_different: float


def mass_products(a: Relational, b: Relational) -> MassProducts:
    """The sums for two relational views of the same objects.

    O(n F F') for F and F' focal sets, and O(F F' (F + F')) for their relations; memory O(F F').
    """
    n = a.n_objects
    cells = table_sums(_rows(a), _rows(b)).cells
    of_a, of_b = (_same(a, cells), _different(a, cells)), (_same, _different)
    own_a, own_b = _own(a), _own(b)
    sums = [
        _over_pairs(np.vdot(cells, of(b, part.T).T), np.vdot(own_a[i], own_b[j]))
        for i, part in enumerate(of_a)
        for j, of in enumerate(of_b)
    ]
    kept = (1.0 - a.empty_mass) * (1.0 - b.empty_mass)
    normal = _over_pairs(kept.sum() ** 2, np.vdot(kept, kept))
    return MassProducts(n * (n - 1) / 2, normal, *sums)


def has_few_sets(a: Relational, b: Relational) -> bool:
    """Whether a table of the sets of both sides fits into memory."""
    n_sets = (len(view.statements.set_starts) - 1 for view in (a, b))
    return prod(n_sets) <= MOST_CELLS


def is_bayesian(view: Relational) -> bool:
    """Whether all mass is on single clusters, so that every pair is the same or different."""
    used = view.statements.family.sizes[view.statements.sets]
    return not view.empty_mass.any() and bool((used == 1).all())


def is_hard(view: Relational) -> bool:
    """Whether every object is in one cluster for sure."""
    statements = view.statements
    return is_bayesian(view) and len(statements.sets) == statements.n_statements


def _over_pairs(all_pairs: np.number, own: np.number) -> float:
    """From the sum over all x and y to that over x < y."""
    return (float(all_pairs) - float(own)) / 2


def _rows(view: Relational) -> Rows:
    """The masses of the objects, the empty set's left out, a column for each set."""
    statements, width = view.statements, len(view.statements.set_starts) - 1
    n, has_empty = statements.n_statements, bool(view.empty_mass.any())
    if not has_empty and len(statements.sets) == n:
        return hard_rows(statements.sets[statements.codes], width)
    if _is_full(statements.sets, n, width):
        masses = statements.weights.reshape(n, width)[statements.codes]
        return dense_rows(masses * (1.0 - view.empty_mass)[:, None])
    starts, entries = gather(statements.starts, statements.codes)
    values = statements.weights[entries]
    if has_empty:
        values = values * np.repeat(1.0 - view.empty_mass, np.diff(starts))
    return Rows(starts, statements.sets[entries], values, width)


def _same(view: Relational, columns: Floats) -> Floats:
    """S times a matrix with a row for each set."""
    is_single = view.statements.family.sizes == 1
    return np.where(is_single[:, None], columns, 0.0)


def _different(view: Relational, columns: Floats) -> Floats:
    """D times a matrix with a row for each set, of which some rows are built at a time."""
    family = view.statements.family
    if (family.sizes == 1).all():
        return columns.sum(axis=0) - columns
    mask = family.to_mask(view.statements.n_clusters)
    product = np.empty_like(columns)
    for at in range(0, len(mask), _SETS_AT_ONCE):
        some = slice(at, at + _SETS_AT_ONCE)
        product[some] = _are_disjoint(mask[some], mask) @ columns
    return product


def _are_disjoint(some: Bools, others: Bools) -> Floats:
    return (some.astype(np.float64) @ others.T.astype(np.float64) == 0).astype(np.float64)


def _own(view: Relational) -> tuple[Floats, Floats]:
    """Masses on same and different of each object with an independent copy of itself."""
    statements = view.statements
    n = statements.n_statements
    if (statements.family.sizes == 1).all():
        same, total = (
            np.bincount(statements.owners, each, minlength=n).astype(np.float64)
            for each in (statements.weights**2, statements.weights)
        )
        different = total**2 - same
    else:
        same, different = np.zeros(n), np.zeros(n)
        step = max(1, _ENTRIES_AT_ONCE // min(_SETS_AT_ONCE, len(statements.set_starts)))
        for some in (slice(at, min(at + step, n)) for at in range(0, n, step)):
            same[some], different[some] = _own_of(statements, some)
    kept = (1.0 - view.empty_mass) ** 2
    return same[statements.codes] * kept, different[statements.codes] * kept


def _own_of(statements: Statements, some: slice) -> tuple[Floats, Floats]:
    masses, family = _matrix(statements, some)
    mask = family.to_mask(statements.n_clusters)
    single = masses[:, family.sizes == 1]
    same = np.einsum("xa,xa->x", single, single)
    return same, np.einsum("xa,xa->x", masses @ _are_disjoint(mask, mask), masses)


def _matrix(statements: Statements, some: slice) -> tuple[Floats, SetList]:
    """Masses of some statements, a column for each set in use."""
    n, family = int(some.stop - some.start), statements.family
    starts = statements.starts[some.start : some.stop + 1]
    entries = slice(starts[0], starts[-1])
    sets, masses = statements.sets[entries], statements.weights[entries]
    if _is_full(sets, n, len(family.sizes)):
        return masses.reshape(n, -1), family
    if len(family.sizes) > _SETS_AT_ONCE:  # most of them are not in use here
        used, sets = np.unique(sets, return_inverse=True)
        family = family.take(used)
    matrix = np.zeros((n, len(family.sizes)))
    matrix[owners_of(starts), sets] = masses
    return matrix, family


def _is_full(sets: Ints, n_statements: int, n_sets: int) -> bool:
    """Whether every statement lists every set, in order."""
    if len(sets) != n_statements * n_sets:
        return False
    return bool((sets.reshape(n_statements, n_sets) == np.arange(n_sets)).all())
