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
from sfumato.partitions.inputs import read_numbers, read_table
from sfumato.partitions.setlist import SetList, group_mask
from sfumato.partitions.statements import Statements
from sfumato.partitions.tabular import Index

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
    def trusted(cls, memberships: Floats, *, like: Partition) -> "FuzzyPartition":
        """Build from memberships in the clusters of another partition, known to be right."""
        partition = cls.__new__(cls)
        partition._set(memberships, like.names, like.index, like.notes)
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

    def _fact(self) -> str:
        return counted(int((self.memberships.max(axis=1) < 1).sum()), "uncertain object")

    def statements(self) -> Statements:
        """The distinct rows; computed once."""
        if self._statements is not None:
            return self._statements
        codes, first = group_rows(self.memberships)
        statements = Statements.from_weights(
            codes, self.memberships[first], SetList.singletons(self.n_clusters), self.n_clusters
        )
        self._fill(_statements=statements)
        return statements

    def simplest(self) -> Partition:
        """A hard partition if all memberships are 0 or 1, else self."""
        is_hard = ((self.memberships == 0) | (self.memberships == 1)).all()
        return self.harden() if is_hard else self

    def to_evidential(self) -> "EvidentialPartition":
        """The same knowledge with masses on single clusters."""
        from sfumato.partitions.evidential import EvidentialPartition

        return EvidentialPartition.from_statements(self.statements(), like=self)

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

    def sample(self, rng: RandomSource = None) -> "HardPartition":
        """A hard partition drawn with its probability."""
        return self._hard(draw_columns(self.memberships, np.random.default_rng(rng)))

    def _hard(self, codes: Ints) -> "HardPartition":
        from sfumato.partitions.hard import HardPartition

        return HardPartition.trusted(codes, like=self)

    def take(self, order: Ints) -> "FuzzyPartition":
        """The same partition of the objects ``order``, in that order."""
        rows = check_order(order, self.n_objects)
        taken = FuzzyPartition.trusted(self.memberships[rows], like=self)
        taken._fill(index=None if self.index is None else self.index[rows])
        return taken


def _normalized(values: Floats) -> tuple[Floats, str]:
    check_entries(values, "memberships", largest=np.inf)
    with np.errstate(over="ignore"):
        sums = values.sum(axis=1)
    is_hopeless = (sums == 0) | np.isinf(sums)
    if is_hopeless.any():
        row = int(np.argmax(is_hopeless))
        raise InputError(
            f"memberships: row {row} sums to {float(sums[row])} and cannot be normalised; "
            "fill it in or drop the object."
        )
    is_off = np.abs(sums - 1) > 4 * values.shape[1] * np.finfo(np.float64).eps
    if not is_off.any():
        return values, ""
    values[is_off] /= sums[is_off, None]
    note = (
        f"memberships: {counted(int(is_off.sum()), 'row')} divided by their sums "
        f"({float(sums.min()):.3g} to {float(sums.max()):.3g})"
    )
    return values, note
