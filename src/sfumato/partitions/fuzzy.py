"""Fuzzy partitions: a probability distribution over clusters per object."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, cast, final

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Codes, Floats, Ints, Kind, Name, RandomSource
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.algorithms.tables.group import group_rows
from sfumato.algorithms.tables.ragged import gather, owners_of
from sfumato.algorithms.tables.rows import Rows, dense_rows, full_rows, row_blocks, sparse_rows
from sfumato.partitions.base import IndependentPartition, Partition
from sfumato.partitions.reading.checks import check_names, counted
from sfumato.partitions.reading.inputs import read_table
from sfumato.partitions.reading.probabilities import read_probabilities
from sfumato.partitions.reading.tabular import Index
from sfumato.partitions.setlist import SetList, group_mask
from sfumato.partitions.statements import Statements

if TYPE_CHECKING:
    from sfumato.partitions.hard import HardPartition
    from sfumato.partitions.rough import RoughPartition

__all__ = ["FuzzyPartition", "draw_columns"]

_FEW = 1 << 12


@final
class FuzzyPartition(IndependentPartition):
    r"""Every object belongs to one cluster, with known probabilities, independently of the others.

    .. math:: \Pr(C) = \prod_x \mu_x(C(x)), \qquad \sum_i \mu_x(\omega_i) = 1

    Parameters
    ----------
    memberships : array-like of shape (n, k)
        Rows sum to 1; also a sparse matrix or a dataframe, whose columns name the clusters. Rows
        within 1e-6 of 1 (1e-5 in float32) are rescaled, and `notes` says so. Values that were
        rounded to two decimals or more, or to half precision, may miss 1 by as much as that
        explains: k halves of the last decimal, at most 0.1. Entries below 0 by no more than 1e-6
        (1e-5) count as 0, without ``normalize``.
    normalize : bool
        Divide rows by their sums, however large.
    names : sequence of k distinct hashables, optional

    Raises
    ------
    InputError
        For rows that do not sum to 1 and entries that are missing, negative or above 1, beyond
        the tolerance.

    Notes
    -----
    One pass, memory n k; a sparse matrix stays sparse, a large one in float32 stays so (it is
    computed with in float64, a few rows at a time), and what needs the whole matrix builds it.
    See section 3.1 of :cite:`campagner2022distributional` and
    :cite:`bezdek1981pattern`.

    Examples
    --------
    >>> FuzzyPartition([[0.9, 0.1], [0.0, 1.0]])
    FuzzyPartition(2 objects, 2 clusters, 1 uncertain object)
    """

    __slots__ = ("_full", "_statements", "rows")

    kind: ClassVar[Kind] = "fuzzy"
    rows: Rows  # the memberships, dense or sparse as they came in
    _full: Floats | None  # what `memberships` built of rows in single precision
    _statements: Statements | None

    def __init__(
        self,
        memberships: object,
        *,
        normalize: bool = False,
        names: Iterable[Name] | None = None,
    ) -> None:
        table = read_table(memberships, "memberships")
        rows, note = read_probabilities(table, "memberships", normalize=normalize)
        chosen = check_names(table.names if names is None else names, rows.width)
        self._make(chosen, rows.n_rows, table.index, (note,), **_content(rows))

    @classmethod
    def trusted(cls, memberships: Floats, *, like: Partition) -> "FuzzyPartition":
        """Build from memberships in the clusters of another partition, known to be right."""
        return cls._like(like, **_content(dense_rows(np.ascontiguousarray(memberships))))

    @classmethod
    def from_rows(
        cls, rows: Rows, names: tuple[Name, ...], index: Index = None
    ) -> "FuzzyPartition":
        """Build from rows of probabilities, dense or sparse, known to be right."""
        partition = cls.__new__(cls)
        partition._make(names, rows.n_rows, index, **_content(rows))
        return partition

    @property
    def memberships(self) -> Floats:
        """The memberships of shape (n, k), read-only; built when asked for if they are sparse."""
        shape, rows = (self.n_objects, self.n_clusters), self.rows
        if rows.is_sparse:
            memberships = np.zeros(shape)
            memberships[owners_of(rows.starts), rows.columns] = rows.values
            memberships.flags.writeable = False
            return memberships
        if not rows.is_single:
            return rows.values.reshape(shape)
        if self._full is None:
            self._fill(_full=full_rows(rows).values.reshape(shape))
        return cast(Floats, self._full)

    def probability(self, hard: "HardPartition") -> float:
        """Probability of a hard partition, matching clusters by name.

        Examples
        --------
        >>> from sfumato.partitions import HardPartition
        >>> FuzzyPartition([[0.5, 0.5], [0.75, 0.25]]).probability(HardPartition([0, 1]))
        0.125
        """
        clusters = self._places(hard)[hard.codes]
        return float(np.prod(self.memberships[np.arange(self.n_objects), clusters]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FuzzyPartition):
            return NotImplemented
        return self.names == other.names and np.array_equal(self.memberships, other.memberships)

    def _fact(self) -> str:
        rows = sparse_rows(self.rows)
        largest = np.maximum.reduceat(rows.values, rows.starts[:-1])
        return counted(int((largest < 1).sum()), "uncertain object")

    def statements(self) -> Statements:
        """The distinct rows; computed once."""
        if self._statements is not None:
            return self._statements
        rows = sparse_rows(self.rows)
        codes, first = group_rows(self._fingerprints())
        starts, entries = gather(rows.starts, first)
        singles = SetList.singletons(self.n_clusters)
        statements = Statements(
            codes=codes,
            starts=starts,
            sets=rows.columns[entries],
            weights=rows.values[entries],
            set_starts=singles.starts,
            set_members=singles.members,
            n_clusters=self.n_clusters,
        )
        self._fill(_statements=statements)
        return statements

    def _fingerprints(self) -> Floats:
        """A short row for each object, equal where the memberships are: not laid out if sparse."""
        starts, columns, values, _ = self.rows
        sizes = np.diff(starts)
        width = int(sizes.max(initial=0))
        if not self.rows.is_sparse or 2 * width >= self.n_clusters:
            return self.memberships
        listed = np.zeros((self.n_objects, 2 * width))
        objects = np.repeat(np.arange(self.n_objects), sizes)
        places = np.arange(len(columns)) - np.repeat(starts[:-1], sizes)
        listed[objects, places] = columns
        listed[objects, width + places] = values
        return listed

    def simplest(self) -> IndependentPartition:
        """A hard partition if all memberships are 0 or 1, else self."""
        if self.n_clusters > 1 and not _are_zeros_and_ones(self.rows):
            return self
        return self._hard(self.rows.columns) if self.rows.is_sparse else self.harden()

    def support(self) -> "RoughPartition":
        """The clusters of positive probability of each object."""
        from sfumato.partitions.rough import RoughPartition

        codes, sets = group_mask(self.memberships > 0)
        return RoughPartition.trusted(codes, sets, like=self)

    def pignistic(self) -> "FuzzyPartition":
        """Return self."""
        return self

    def harden(self) -> "HardPartition":
        """The most probable cluster of each object; ties go to the first."""
        return self._hard(np.argmax(self.memberships, axis=1))

    def has_ties(self) -> bool:
        """Whether some object has several clusters that are most probable."""
        return has_equal_best(self.memberships)

    def sample(self, rng: RandomSource = None) -> "HardPartition":
        """A hard partition drawn with its probability."""
        return self._hard(draw_columns(self.memberships, generator_of(rng)))

    def _rows(self, rows: Ints) -> "FuzzyPartition":
        mine = self.rows
        if not mine.is_sparse:
            return self._but(**_content(dense_rows(mine.values.reshape(-1, mine.width)[rows])))
        starts, entries = gather(mine.starts, rows % self.n_objects)
        taken = Rows(starts, mine.columns[entries], mine.values[entries], mine.width)
        return self._but(**_content(taken))


def _content(rows: Rows) -> dict[str, object]:
    return {"rows": rows, "_full": None, "_statements": None}


def has_equal_best(scores: Floats) -> bool:
    """Whether the largest two numbers of some row are equal, but for rounding."""
    if scores.shape[1] < 2:
        return False
    second, best = np.partition(scores, -2, axis=1)[:, -2:].T
    return bool((best - second <= ROUNDING * best).any())


def draw_columns(probabilities: Floats, generator: np.random.Generator) -> Codes:
    """One column for each row, drawn with the row's probabilities; never one of probability 0.

    Examples
    --------
    >>> draw_columns(np.array([[0.0, 1.0], [1.0, 0.0]]), np.random.default_rng(0)).tolist()
    [1, 0]
    """
    upto = np.cumsum(probabilities, axis=1)
    drawn = (upto <= generator.random(len(upto))[:, None]).sum(axis=1)
    # A row may add up to a little less than 1: what falls beyond goes to its last column in use.
    last = probabilities.shape[1] - 1 - np.argmax(probabilities[:, ::-1] > 0, axis=1)
    return np.minimum(drawn, last).astype(np.int64)


def _are_zeros_and_ones(rows: Rows) -> bool:
    parts = (  # a few, as a rule, show that they are not
        part for block in row_blocks(rows) for part in (block.values[:_FEW], block.values)
    )
    return all(bool(((part == 0) | (part == 1)).all()) for part in parts)
