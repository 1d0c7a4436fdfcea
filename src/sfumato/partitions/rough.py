"""Rough partitions: a set of possible clusters per object."""

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, cast, final

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Bools, Codes, Floats, Ints, Kind, Name, RandomSource
from sfumato._wording import row_of
from sfumato.algorithms.tables.ragged import owners_of
from sfumato.errors import CostError, InputError
from sfumato.partitions.base import IndependentPartition, Partition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.reading.checks import check_names, counted, match_names
from sfumato.partitions.reading.inputs import read_mask, read_sets, read_table
from sfumato.partitions.reading.tabular import Column, SparseMatrix, Table, is_sparse
from sfumato.partitions.setlist import SetList, first_appearance, group_mask, group_sets
from sfumato.partitions.statements import Statements

if TYPE_CHECKING:
    from sfumato.partitions.hard import HardPartition

__all__ = ["RoughPartition"]


@final
class RoughPartition(IndependentPartition):
    r"""Every object belongs to one cluster of a known set; which one is not known.

    .. math:: C(R) = \{C : C(x) \in R(x) \text{ for all } x\}

    Parameters
    ----------
    mask : array-like of shape (n, k)
        True or 1 where the object may be in the cluster; also a sparse matrix or a dataframe.
    names : sequence of k distinct hashables, optional

    Attributes
    ----------
    codes : ndarray of shape (n,)
        Which of the distinct sets each object gets, numbered by first appearance.
    sets : SetList
        The distinct sets.

    Raises
    ------
    InputError
        For entries other than 0 and 1, and for objects with no possible cluster.

    Notes
    -----
    Memory O(n + members of the distinct sets); the mask is built only when asked for. See section
    2.1 of :cite:`campagner2022distributional` and :cite:`lingras2004interval`.

    Examples
    --------
    >>> rough = RoughPartition([[1, 0], [1, 1], [0, 1]])
    >>> rough
    RoughPartition(3 objects, 2 clusters, 1 ambiguous object)
    >>> rough.n_compatible
    2
    """

    __slots__ = ("codes", "sets")

    kind: ClassVar[Kind] = "rough"
    codes: Codes
    sets: SetList

    def __init__(self, mask: object, *, names: Iterable[Name] | None = None) -> None:
        table = read_table(mask, "mask")
        if is_sparse(table.values):
            codes, sets = group_sets(_sparse_rows(table.values))
        else:
            codes, sets = group_mask(read_mask(table, "mask"))
        if (sets.sizes == 0).any():
            row = int(np.argmax((sets.sizes == 0)[codes]))
            raise InputError(
                f"mask: {row_of(row)} is empty; every object needs at least one possible cluster."
            )
        names = check_names(table.names if names is None else names, table.values.shape[1])
        self._make(names, len(codes), table.index, **_content(codes, sets))

    @classmethod
    def trusted(
        cls,
        codes: Codes,
        sets: SetList,
        *,
        like: Partition,
        names: tuple[Name, ...] | None = None,
    ) -> "RoughPartition":
        """Build from distinct sets of clusters of another partition; unused sets are dropped."""
        return cls._like(like, names, **_content(codes, sets))

    @classmethod
    def from_sets(
        cls, sets: Iterable[Iterable[Name]] | Column, *, names: Iterable[Name] | None = None
    ) -> "RoughPartition":
        """Build from the possible clusters of each object, by name.

        Examples
        --------
        >>> RoughPartition.from_sets([{"a"}, {"a", "b"}]).mask.tolist()
        [[True, False], [True, True]]
        """
        index = sets.index if isinstance(sets, Column) else None
        entries = sets.values if isinstance(sets, Column) else sets
        found, all_names = read_sets(entries, names)
        if not found:
            raise InputError("sets is empty: a partition needs at least one object.")
        if frozenset() in found:
            raise InputError(
                f"sets: set {found.index(frozenset())} is empty; "
                "every object needs at least one possible cluster."
            )
        code_of = {members: code for code, members in enumerate(dict.fromkeys(found))}
        lists = [np.sort(match_names(tuple(members), all_names, "names")) for members in code_of]
        starts = np.cumsum([0, *map(len, lists)])
        codes = np.array([code_of[members] for members in found], dtype=np.int64)
        partition = cls.__new__(cls)
        distinct = SetList(starts, np.concatenate(lists))
        partition._make(all_names, len(codes), index, **_content(codes, distinct))
        return partition

    @classmethod
    def from_approximations(
        cls, lower: object, upper: object, *, names: Iterable[Name] | None = None
    ) -> "RoughPartition":
        """Build from the lower and upper approximations of the clusters, as in rough k-means.

        Parameters
        ----------
        lower, upper : array-like of shape (n, k)
            True or 1 where the object surely is, or may be, in the cluster. An object in a lower
            approximation is in that upper approximation and no other; an object in none is in two
            or more upper ones :cite:`lingras2004interval`.

        Examples
        --------
        >>> RoughPartition.from_approximations([[1, 0], [0, 0]], [[1, 0], [1, 1]]).n_compatible
        2
        """
        certain = read_mask(read_table(lower, "lower"), "lower")
        table = read_table(upper, "upper")
        possible = read_mask(table, "upper")
        _check_approximations(certain, possible)
        return cls(Table(possible, table.names, table.index), names=names)

    @property
    def mask(self) -> Bools:
        """Which clusters are possible for each object, of shape (n, k)."""
        mask = self.sets.to_mask(self.n_clusters)[self.codes]
        mask.flags.writeable = False
        return mask

    @property
    def n_compatible(self) -> int:
        """Number of hard partitions that agree with this one."""
        sizes = np.bincount(self.sets.sizes[self.codes])
        return math.prod(size ** int(count) for size, count in enumerate(sizes) if count)

    def is_compatible(self, hard: "HardPartition") -> bool:
        """Whether a hard partition puts every object in one of its possible clusters.

        Examples
        --------
        >>> from sfumato.partitions import HardPartition
        >>> RoughPartition([[1, 0], [1, 1]]).is_compatible(HardPartition([0, 1]))
        True
        """
        wanted = self.codes * self.n_clusters + self._places(hard)[hard.codes]
        listed = owners_of(self.sets.starts) * self.n_clusters + self.sets.members  # increasing
        at = np.minimum(np.searchsorted(listed, wanted), len(listed) - 1)
        return bool(np.array_equal(listed[at], wanted))

    def compatible(self, max_partitions: int = 10_000) -> Iterator["HardPartition"]:
        """Iterate over the compatible hard partitions; CostError if there are more than allowed.

        Examples
        --------
        >>> [hard.labels.tolist() for hard in RoughPartition([[1, 0], [1, 1]]).compatible()]
        [[0, 0], [0, 1]]
        """
        if self.n_compatible > max_partitions:
            digits = float(np.log10(self.sets.sizes)[self.codes].sum())
            raise CostError(
                f"About 1e{digits:.0f} compatible hard partitions "
                f"(max_partitions={max_partitions}); raise max_partitions or use sample()."
            )
        starts, members = self.sets.starts, self.sets.members
        choices = (members[starts[code] : starts[code + 1]] for code in self.codes)
        return (
            self._hard(np.array(codes, dtype=np.int64)) for codes in itertools.product(*choices)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RoughPartition):
            return NotImplemented
        return (
            self.names == other.names
            and np.array_equal(self.codes, other.codes)
            and np.array_equal(self.sets.starts, other.sets.starts)
            and np.array_equal(self.sets.members, other.sets.members)
        )

    def _fact(self) -> str:
        return counted(int((self.sets.sizes > 1)[self.codes].sum()), "ambiguous object")

    def statements(self) -> Statements:
        """One statement per distinct set: the object is somewhere in it."""
        return Statements.of_sets(self.codes, self.sets, self.n_clusters)

    def simplest(self) -> IndependentPartition:
        """A hard partition if every set has one cluster, else self."""
        return self.harden() if self.sets.sizes.max() == 1 else self

    def support(self) -> "RoughPartition":
        """Return self."""
        return self

    def plausibility(self) -> Floats:
        """Plausibility of each cluster for each object, 0 or 1, of shape (n, k)."""
        return self.mask.astype(np.float64)

    def belief(self) -> Floats:
        """Belief in each cluster for each object: 1 where no other is possible, (n, k)."""
        mask = self.sets.to_mask(self.n_clusters) & (self.sets.sizes == 1)[:, None]
        return mask[self.codes].astype(np.float64)

    def pignistic(self) -> FuzzyPartition:
        """Equal shares for the possible clusters of each object."""
        shares = self.sets.to_mask(self.n_clusters) / self.sets.sizes[:, None]
        return FuzzyPartition.trusted(shares[self.codes], like=self)

    def harden(self) -> "HardPartition":
        """The first possible cluster of each object."""
        return self._hard(self.sets.members[self.sets.starts[:-1][self.codes]])

    def has_ties(self) -> bool:
        """Whether some object has several possible clusters."""
        return bool((self.sets.sizes > 1).any())

    def sample(self, rng: RandomSource = None) -> "HardPartition":
        """A compatible hard partition, each as likely as any other."""
        choice = generator_of(rng).integers(0, self.sets.sizes[self.codes])
        return self._hard(self.sets.members[self.sets.starts[:-1][self.codes] + choice])

    def _rows(self, rows: Ints) -> "RoughPartition":
        return self._but(**_content(self.codes[rows], self.sets))


def _content(codes: Codes, sets: SetList) -> dict[str, object]:
    """The sets that occur, numbered by first appearance, so that equal content is equal arrays."""
    codes, order = first_appearance(codes, len(sets.starts) - 1)
    return {"codes": codes, "sets": sets.take(order)}


def _sparse_rows(matrix: SparseMatrix) -> SetList:
    matrix.sum_duplicates()
    matrix.eliminate_zeros()
    is_other = matrix.data != 1
    if is_other.any():
        at = int(np.argmax(is_other))
        row = int(np.searchsorted(matrix.indptr, at, side="right")) - 1
        raise InputError(
            f"mask: row {row}, column {matrix.indices[at]} is "
            f"{float(cast(float, matrix.data[at])):.6g}; entries must be 0 or 1."
        )
    return SetList(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64))


def _check_approximations(lower: Bools, upper: Bools) -> None:
    """Refuse approximations that break an axiom, naming the first object that does."""
    if lower.shape != upper.shape:
        raise InputError(f"lower has shape {lower.shape} but upper has {upper.shape}.")
    n_lower, n_upper = lower.sum(axis=1), upper.sum(axis=1)
    for broken, axiom in (
        ((lower & ~upper).any(axis=1), "what is in a lower approximation is in that upper one"),
        ((n_lower > 0) & (n_upper > 1), "an object in a lower approximation is in no other upper"),
        (
            (n_lower == 0) & (n_upper < 2),
            "an object in no lower approximation is in two upper ones",
        ),
    ):
        if broken.any():
            row = int(np.argmax(broken))
            raise InputError(
                f"Row {row} has lower {_listed(lower[row])} and upper {_listed(upper[row])}, "
                f"against the axiom: {axiom}."
            )


def _listed(row: Bools) -> str:
    return "{" + ", ".join(str(cluster) for cluster in np.flatnonzero(row)) + "}"
