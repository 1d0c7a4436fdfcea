"""Fuzzy partitions: a probability distribution over clusters per object."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from sfumato._typing import Floats, Ints, Kind, Name, RandomSource
from sfumato.algorithms.tables.group import group_rows
from sfumato.errors import InputError
from sfumato.partitions.base import Partition
from sfumato.partitions.checks import (
    check_entries,
    check_names,
    check_order,
    check_same_size,
    counted,
    match_names,
    rescale_rows,
)
from sfumato.partitions.draws import draw_columns
from sfumato.partitions.inputs import Index, read_numbers, read_table
from sfumato.partitions.setlist import SetList
from sfumato.partitions.statements import Statements, weighted_statements

if TYPE_CHECKING:
    from sfumato.partitions.evidential import EvidentialPartition
    from sfumato.partitions.hard import HardPartition
    from sfumato.partitions.rough import RoughPartition

__all__ = ["FuzzyPartition"]


@final
class FuzzyPartition(Partition):
    r"""Every object belongs to one cluster, with known probabilities, independently of the others.

    .. math:: \Pr(C) = \prod_x \mu_x(C(x)), \qquad \sum_i \mu_x(\omega_i) = 1

    Parameters
    ----------
    memberships : array-like of shape (n, k)
        Rows sum to 1; also a sparse matrix or a dataframe, whose columns name the clusters. Rows
        within 1e-6 of 1 (1e-5 in float32) are rescaled, and `notes` says so.
    normalize : bool
        Divide rows by their sums, however large.
    names : sequence of k distinct hashables, optional

    Attributes
    ----------
    memberships : ndarray of shape (n, k)

    Raises
    ------
    InputError
        For rows that do not sum to 1 and entries that are missing, negative or above 1.

    Notes
    -----
    Memory n k. See section 3.1 of :cite:`campagner2022distributional` and
    :cite:`bezdek1981pattern`.

    Examples
    --------
    >>> FuzzyPartition([[0.9, 0.1], [0.0, 1.0]])
    FuzzyPartition(2 objects, 2 clusters, 1 uncertain object)
    """

    __slots__ = ("_statements", "memberships")

    kind: ClassVar[Kind] = "fuzzy"
    memberships: Floats
    _statements: Statements | None

    def __init__(
        self,
        memberships: object,
        *,
        normalize: bool = False,
        names: Iterable[Name] | None = None,
    ) -> None:
        table = read_table(memberships, "memberships")
        values = read_numbers(table, "memberships")
        if normalize:
            values, note = _normalized(values)
        else:
            check_entries(values, "memberships", largest=1 + table.tolerance)
            values, note = rescale_rows(
                values,
                "memberships",
                tolerance=table.tolerance,
                remedy="pass normalize=True to divide rows by their sums",
            )
        chosen = check_names(table.names if names is None else names, values.shape[1])
        self._set(values, chosen, table.index, (note,) if note else ())

    def _set(
        self, memberships: Floats, names: tuple[Name, ...], index: Index, notes: tuple[str, ...]
    ) -> None:
        self._fill(
            memberships=memberships,
            names=names,
            n_objects=len(memberships),
            n_clusters=len(names),
            index=index,
            notes=notes,
            _statements=None,
        )

    @classmethod
    def trusted(
        cls,
        memberships: Floats,
        *,
        names: tuple[Name, ...],
        index: Index = None,
        notes: tuple[str, ...] = (),
    ) -> "FuzzyPartition":
        """Build from memberships that are known to be right and not shared."""
        partition = cls.__new__(cls)
        partition._set(memberships, names, index, notes)
        return partition

    def probability(self, hard: "HardPartition") -> float:
        """Probability of a hard partition, matching clusters by name.

        Examples
        --------
        >>> from sfumato.partitions import HardPartition
        >>> FuzzyPartition([[0.5, 0.5], [0.75, 0.25]]).probability(HardPartition([0, 1]))
        0.125
        """
        check_same_size(self.n_objects, hard.n_objects)
        clusters = match_names(hard.names, self.names, "this partition's clusters")[hard.codes]
        return float(np.prod(self.memberships[np.arange(self.n_objects), clusters]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FuzzyPartition):
            return NotImplemented
        return self.names == other.names and np.array_equal(self.memberships, other.memberships)

    __hash__ = None  # type: ignore[assignment]

    def _fact(self) -> str:
        return counted(int((self.memberships.max(axis=1) < 1).sum()), "uncertain object")

    def statements(self) -> Statements:
        """The distinct rows; computed once."""
        if self._statements is None:
            codes, first = group_rows(self.memberships)
            single = SetList.singletons(self.n_clusters)
            self._fill(
                _statements=weighted_statements(
                    codes, self.memberships[first], single.starts, single.members, self.n_clusters
                )
            )
            return self.statements()
        return self._statements

    def simplest(self) -> Partition:
        """A hard partition if all memberships are 0 or 1, else self."""
        is_hard = ((self.memberships == 0) | (self.memberships == 1)).all()
        return self.harden() if is_hard else self

    def to_evidential(self) -> "EvidentialPartition":
        """The same knowledge with masses on single clusters."""
        from sfumato.partitions.evidential import EvidentialPartition

        return EvidentialPartition.from_statements(
            self.statements(), names=self.names, index=self.index, notes=self.notes
        )

    def support(self) -> "RoughPartition":
        """The clusters of positive probability of each object."""
        from sfumato.partitions.rough import RoughPartition

        statements = self.statements()
        return RoughPartition.from_masks(
            statements.codes, statements.reached(), like=self
        )

    def pignistic(self) -> "FuzzyPartition":
        """Return self."""
        return self

    def harden(self) -> "HardPartition":
        """The most probable cluster of each object; ties go to the first."""
        return self._hard(np.argmax(self.memberships, axis=1))

    def sample(self, rng: RandomSource = None) -> "HardPartition":
        """A hard partition drawn with its probability."""
        return self._hard(draw_columns(self.memberships, np.random.default_rng(rng)))

    def _hard(self, codes: Ints) -> "HardPartition":
        from sfumato.partitions.hard import HardPartition

        return HardPartition.trusted(codes, names=self.names, index=self.index, notes=self.notes)

    def take(self, order: Ints) -> "FuzzyPartition":
        """The same partition of the objects ``order``, in that order."""
        rows = check_order(order, self.n_objects)
        index = None if self.index is None else self.index[rows]
        return FuzzyPartition.trusted(
            self.memberships[rows], names=self.names, index=index, notes=self.notes
        )


def _normalized(values: Floats) -> tuple[Floats, str]:
    check_entries(values, "memberships", largest=np.inf)
    largest = values.max(axis=1, keepdims=True)
    if (largest == 0).any():
        raise InputError(
            f"memberships: row {int(np.argmax(largest == 0))} is all zero and cannot be normalised."
        )
    scaled = values / largest  # first, so that no sum overflows
    sums = scaled.sum(axis=1, keepdims=True)
    deviation = np.abs(values.sum(axis=1) - 1)
    is_off = deviation > 4 * values.shape[1] * np.finfo(np.float64).eps
    return scaled / sums, ""
