"""What a partition says of pairs of objects: together, apart, either, or in conflict."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, cast, final

import numpy as np

from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.tables.ragged import gather, owners_of
from sfumato.errors import InputError
from sfumato.partitions.base import Partition, independent
from sfumato.partitions.evidential import EvidentialPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.reading.checks import check_order, shown
from sfumato.partitions.setlist import SetList
from sfumato.partitions.statements import Statements

__all__ = ["PairMasses", "Relational", "relational"]

_PAIRS_AT_ONCE = 4096


@final
@dataclass(frozen=True, slots=True, eq=False)
class PairMasses:
    """Masses of pairs of objects; the four add up to 1.

    Parameters
    ----------
    same, different : ndarray
        Mass that says the two objects share a cluster, or that they do not.
    either : ndarray
        Mass that says neither.
    conflict : ndarray
        Mass lost to the empty set of one object or the other.

    Examples
    --------
    >>> from sfumato.partitions import HardPartition
    >>> relational(HardPartition([0, 0, 1])).pairs([0, 0], [1, 2]).different
    array([0., 1.])
    """

    same: Floats
    different: Floats
    either: Floats
    conflict: Floats


class _Side(NamedTuple):
    """The statements of some objects: which each gets, and their weights on the sets they use."""

    codes: Codes  # (b,): into rows of weights
    weights: Floats  # (u, g)
    sets: Ints  # (g,)
    normal: Floats  # (b,): mass off the empty set
    empty: Floats  # (b,)


@final
@dataclass(frozen=True, slots=True, eq=False)
class Relational:
    r"""The relational representation of a partition, computed pair by pair on demand.

    Dempster's rule combines the mass functions of two objects, and the result is restricted to
    the question whether they share a cluster:

    .. math:: m(s) = \sum_i m_x(\{\omega_i\}) m_y(\{\omega_i\}), \qquad
              m(\neg s) = \sum_{A \cap B = \emptyset} m_x(A) m_y(B)

    The masses are those before conditioning on the empty set. Pairs are meant to be of two
    different objects: for x = y the formula speaks of two independent copies.

    Parameters
    ----------
    statements : Statements
    empty_mass : ndarray of shape (n,)
    notes : tuple of str

    Notes
    -----
    Memory O(block); nothing of size n x n is built. Defined in :cite:`denoeux2017evaluating`.

    Examples
    --------
    >>> from sfumato.partitions import FuzzyPartition
    >>> pairs = relational(FuzzyPartition([[0.5, 0.5], [1.0, 0.0]]))
    >>> pairs.pairs([0], [1]).same
    array([0.5])
    """

    statements: Statements
    empty_mass: Floats
    notes: tuple[str, ...]

    @property
    def n_objects(self) -> int:
        """Number of objects."""
        return len(self.empty_mass)

    def block(self, rows: Ints | slice, columns: Ints | slice) -> PairMasses:
        """Masses of every object of ``rows`` with every one of ``columns``, as matrices."""
        left, right = self._side(rows), self._side(columns)
        ends = (right.weights[right.codes] * right.normal[:, None]).T
        same, different, either = (
            ((left.weights @ relation)[left.codes] * left.normal[:, None]) @ ends
            for relation in self._relations(left.sets, right.sets)
        )
        conflict = left.empty[:, None] + left.normal[:, None] * right.empty[None, :]
        return PairMasses(same, different, either, conflict)

    def pairs(self, first: Ints, second: Ints) -> PairMasses:
        """Masses of the pairs (first[0], second[0]), (first[1], second[1]), ..., as vectors."""
        a, b = check_order(first, self.n_objects), check_order(second, self.n_objects)
        if len(a) != len(b):
            raise InputError(f"first has {len(a)} objects and second {len(b)}; pairs need as many.")
        parts = [
            self._pairs(a[start : start + _PAIRS_AT_ONCE], b[start : start + _PAIRS_AT_ONCE])
            for start in range(0, len(a), _PAIRS_AT_ONCE)
        ]
        return PairMasses(*map(np.concatenate, zip(*parts, strict=True)))

    def _pairs(self, first: Ints, second: Ints) -> tuple[Floats, Floats, Floats, Floats]:
        left, right = self._side(first), self._side(second)
        ends = right.weights[right.codes]
        same, different, either = (
            np.einsum("pg,pg->p", (left.weights @ relation)[left.codes], ends)
            * left.normal
            * right.normal
            for relation in self._relations(left.sets, right.sets)
        )
        return same, different, either, left.empty + left.normal * right.empty

    def blocks(self, size: int = 512) -> Iterator[tuple[slice, slice, PairMasses]]:
        """Iterate over all pairs in blocks of at most ``size`` by ``size``.

        The masses are symmetric, so only blocks on and above the diagonal come: every pair of two
        objects is in one of them, in both orders if the block is on the diagonal (where the two
        slices are equal, and the diagonal itself is to be left out).
        """
        cuts = [slice(at, min(at + size, self.n_objects)) for at in range(0, self.n_objects, size)]
        for i, rows in enumerate(cuts):
            for columns in cuts[i:]:
                yield rows, columns, self.block(rows, columns)

    def _side(self, objects: Ints | slice) -> _Side:
        if isinstance(objects, slice):
            objects = np.arange(self.n_objects)[objects]
        objects = check_order(objects, self.n_objects)
        statements = self.statements
        used, codes = np.unique(statements.codes[objects], return_inverse=True)
        starts, entries = gather(statements.starts, used)
        sets, columns = np.unique(statements.sets[entries], return_inverse=True)
        weights = np.zeros((len(used), len(sets)))
        weights[owners_of(starts), columns] = statements.weights[entries]
        empty = self.empty_mass[objects]
        return _Side(codes, weights, sets, 1.0 - empty, empty)

    def _relations(self, left: Ints, right: Ints) -> Floats:
        """For sets A and B, 1 where both are one same singleton, where disjoint, and elsewhere.

        Of shape (3, sets A, sets B).
        """
        family = self.statements.family
        a, b = family.take(left), family.take(right)
        clusters, members = np.unique(np.concatenate([a.members, b.members]), return_inverse=True)
        width = len(clusters)
        mask_a = SetList(a.starts, members[: len(a.members)]).to_mask(width)
        mask_b = SetList(b.starts, members[len(a.members) :]).to_mask(width)
        common = mask_a.astype(np.float64) @ mask_b.T.astype(np.float64)
        is_same = (common == 1) & (a.sizes == 1)[:, None] & (b.sizes == 1)[None, :]
        is_different = common == 0
        return np.stack([is_same, is_different, ~(is_same | is_different)]).astype(np.float64)


def relational(partition: Partition) -> Relational:
    """The relational view of a partition of any kind but the drawn one.

    A possibilistic partition is read object by object, whatever its t-norm; the notes say so.

    Examples
    --------
    >>> from sfumato.partitions import RoughPartition
    >>> view = relational(RoughPartition([[1, 0], [1, 1]]))
    >>> view.pairs([0], [1]).either
    array([1.])
    """
    if not isinstance(cast(object, partition), Partition):
        raise InputError(
            f"relational takes a partition, not {shown(partition)}; make one with as_partition."
        )
    given = independent(partition, "relational")
    empty_mass = np.zeros(given.n_objects)
    notes = given.notes
    if isinstance(given, EvidentialPartition) and given.empty == "dempster":
        empty_mass = given.empty_mass
    if isinstance(given, PossibilisticPartition) and given.t_norm is not None:
        notes = (*notes, f"pairs read object by object, not with t_norm={given.t_norm!r}")
        given = given.with_t_norm(None)
    return Relational(given.statements(), empty_mass, notes)
