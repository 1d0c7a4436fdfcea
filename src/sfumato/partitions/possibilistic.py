"""Possibilistic partitions: a possibility distribution over clusters per object."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, TypeVar, final

import numpy as np

from sfumato._arguments import generator_of, is_number
from sfumato._typing import Floats, Ints, Kind, Name, RandomSource, TNorm
from sfumato._wording import row_of
from sfumato.algorithms.possibility.t_norms import combine_all
from sfumato.algorithms.tables.group import group_rows
from sfumato.errors import InputError, UnsupportedError
from sfumato.partitions.base import IndependentPartition, Partition
from sfumato.partitions.consonant import consonant_pignistic, consonant_statements
from sfumato.partitions.evidential import EvidentialPartition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.reading.checks import (
    check_choice,
    check_entries,
    check_names,
    clip_rounding,
    counted,
)
from sfumato.partitions.reading.inputs import read_numbers, read_table
from sfumato.partitions.rough import RoughPartition
from sfumato.partitions.setlist import SetList, group_mask
from sfumato.partitions.statements import Statements

if TYPE_CHECKING:
    from sfumato.partitions.hard import HardPartition

__all__ = ["PossibilisticPartition", "cut_of", "degrees_of"]

Side = TypeVar("Side", bound=Partition)


@final
class PossibilisticPartition(IndependentPartition):
    r"""Every object carries degrees of possibility for the clusters, the largest being 1.

    With a t-norm there is one possibility distribution over hard partitions,

    .. math:: \mathrm{Poss}(C) = \bigwedge_x \mu_x(C(x));

    with ``t_norm=None`` every object is a consonant mass function, independent of the others. The
    two readings differ.

    Parameters
    ----------
    memberships : array-like of shape (n, k)
        In [0, 1]. Rows are divided by their maximum, and `notes` says so.
    t_norm : {None, "min", "product", "lukasiewicz"}
    names : sequence of k distinct hashables, optional

    Attributes
    ----------
    memberships : ndarray of shape (n, k)
        After division: every row has a 1.
    t_norm : str or None

    Raises
    ------
    InputError
        For entries outside [0, 1] and rows of zeros.

    Notes
    -----
    Memory n k. See section 3.1 of :cite:`campagner2022distributional`,
    :cite:`krishnapuram1993possibilistic` and :cite:`dubois1988possibility`.

    Examples
    --------
    >>> PossibilisticPartition([[1.0, 0.5], [0.0, 1.0]], t_norm="min")
    PossibilisticPartition(2 objects, 2 clusters, 1 ambiguous object, t_norm='min')
    """

    __slots__ = ("_statements", "memberships", "t_norm")

    kind: ClassVar[Kind] = "possibilistic"
    memberships: Floats
    t_norm: TNorm | None
    _statements: Statements | None

    def __init__(
        self,
        memberships: object,
        *,
        t_norm: TNorm | None = None,
        names: Iterable[Name] | None = None,
    ) -> None:
        _check_t_norm(t_norm)
        table = read_table(memberships, "memberships")
        values = read_numbers(table, "memberships")
        clip_rounding(values, table.tolerance)
        check_entries(values, "memberships", largest=1.0)
        values, note = _divided_by_maximum(values)
        chosen = check_names(table.names if names is None else names, values.shape[1])
        self._make(chosen, len(values), table.index, (note,), memberships=values, t_norm=t_norm)
        self._fill(_statements=None)

    def with_t_norm(self, t_norm: TNorm | None) -> "PossibilisticPartition":
        """The same memberships in another reading."""
        _check_t_norm(t_norm)
        return self._but(t_norm=t_norm, _statements=None)

    def levels(self) -> Floats:
        """Distinct positive memberships, largest first.

        Examples
        --------
        >>> PossibilisticPartition([[1.0, 0.5], [0.0, 1.0]]).levels()
        array([1. , 0.5])
        """
        if self.t_norm is None:
            return np.unique(self.memberships[self.memberships > 0])[::-1].copy()
        return np.unique(self.statements().weights)[::-1].copy()  # of distinct rows

    def cut(self, alpha: float) -> RoughPartition:
        """The clusterings of possibility at least ``alpha``, as a rough partition.

        That is the clusters of possibility at least ``alpha`` for each object (`cut_rows`). By
        product and Lukasiewicz a clustering may be less possible than each of its objects, so
        that the clusterings of possibility at least ``alpha`` are no rough partition.

        Raises
        ------
        UnsupportedError
            Below level 1 where the t-norm is product or Lukasiewicz.

        Examples
        --------
        >>> PossibilisticPartition([[1.0, 0.5], [0.0, 1.0]]).cut(0.6).n_compatible
        1
        """
        level = _level(alpha)
        if level < 1 and self.t_norm in ("product", "lukasiewicz"):
            raise UnsupportedError(
                f"With t_norm={self.t_norm!r} the clusterings of possibility at least {alpha!r} "
                "are no rough partition; use .cut_rows(alpha) for the clusters of each object by "
                'itself, or .with_t_norm("min").'
            )
        return self._at_least(np.asarray(level))

    def cut_rows(self, alpha: float) -> RoughPartition:
        """The clusters of possibility at least ``alpha`` for each object by itself.

        Examples
        --------
        Four clusterings, though by product the last has a possibility of 1/4:

        >>> halves = PossibilisticPartition([[1.0, 0.5], [1.0, 0.5]], t_norm="product")
        >>> halves.cut_rows(0.5).n_compatible
        4
        """
        return self._at_least(np.asarray(_level(alpha)))

    def _at_least(self, levels: Floats) -> RoughPartition:
        codes, sets = group_mask(self.memberships >= levels)
        return RoughPartition.trusted(codes, sets, like=self)

    def possibility(self, hard: "HardPartition") -> float:
        """Possibility of a hard partition under the t-norm, matching clusters by name.

        Examples
        --------
        >>> from sfumato.partitions import HardPartition
        >>> halves = PossibilisticPartition([[1.0, 0.5], [0.5, 1.0]], t_norm="product")
        >>> halves.possibility(HardPartition([1, 0]))
        0.25
        """
        clusters = self._places(hard)[hard.codes]
        degrees = self.memberships[np.arange(self.n_objects), clusters]
        if self.t_norm is None:
            raise UnsupportedError(
                "With t_norm=None a hard partition has no possibility; choose a reading with "
                '.with_t_norm("min"), "product" or "lukasiewicz".'
            )
        return combine_all(self.t_norm, degrees)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PossibilisticPartition):
            return NotImplemented
        return (self.names, self.t_norm) == (other.names, other.t_norm) and np.array_equal(
            self.memberships, other.memberships
        )

    def _fact(self) -> str:
        ambiguous = int(((self.memberships > 0).sum(axis=1) > 1).sum())
        return f"{counted(ambiguous, 'ambiguous object')}, t_norm={self.t_norm!r}"

    def statements(self) -> Statements:
        """Consonant masses if ``t_norm`` is None, else possibilities; computed once."""
        if self._statements is not None:
            return self._statements
        codes, first = group_rows(self.memberships)
        rows = self.memberships[first]
        if self.t_norm is None:
            statements = consonant_statements(codes, rows)
        else:
            single = SetList.singletons(self.n_clusters)
            statements = Statements.from_weights(codes, rows, single, self.n_clusters)
        self._fill(_statements=statements)
        return statements

    def simplest(self) -> IndependentPartition:
        """Rough or hard if memberships are 0 and 1; else evidential if objects are independent."""
        if ((self.memberships == 0) | (self.memberships == 1)).all():
            return self.support().simplest()
        return self.to_evidential() if self.t_norm is None else self

    def to_evidential(self) -> EvidentialPartition:
        """Nested masses for each object; only without a t-norm, where this is exact."""
        if self.t_norm is not None:
            raise UnsupportedError(
                f"With t_norm={self.t_norm!r} the objects are not independent mass functions; "
                "use .with_t_norm(None).to_evidential() for the object-wise reading."
            )
        return super().to_evidential()

    def support(self) -> RoughPartition:
        """The clusters of positive possibility of each object."""
        return self._at_least(np.asarray(np.nextafter(0.0, 1.0)))

    def plausibility(self) -> Floats:
        """Plausibility of each cluster for each object: the memberships, of shape (n, k)."""
        return self.memberships

    def belief(self) -> Floats:
        """Belief in each cluster: 1 less the largest possibility of another, of shape (n, k)."""
        belief = np.zeros_like(self.memberships)
        rows = np.arange(self.n_objects)
        top = np.argmax(self.memberships, axis=1)
        others = self.memberships.copy()
        others[rows, top] = 0.0
        belief[rows, top] = 1.0 - others.max(axis=1)
        return belief

    def pignistic(self) -> FuzzyPartition:
        """Equal shares of the consonant masses, object by object in every reading."""
        return FuzzyPartition.trusted(consonant_pignistic(self.memberships), like=self)

    def harden(self) -> "HardPartition":
        """The most possible cluster of each object; ties go to the first."""
        return self.cut(1.0).harden()

    def has_ties(self) -> bool:
        """Whether some object has several clusters that are most possible."""
        return self.cut(1.0).has_ties()

    def sample(self, rng: RandomSource = None) -> RoughPartition:
        """A rough partition: the cut at a random level.

        With ``t_norm=None`` every object has a level of its own, which draws from its consonant
        masses; with "min" one level holds for all.
        """
        if self.t_norm in ("product", "lukasiewicz"):
            raise UnsupportedError(
                f"With t_norm={self.t_norm!r} there is no random set to draw; "
                'use .with_t_norm(None) or .with_t_norm("min").'
            )
        generator = generator_of(rng)
        n_levels = self.n_objects if self.t_norm is None else 1
        return self._at_least(1.0 - generator.random((n_levels, 1)))  # in (0, 1]

    def _rows(self, rows: Ints) -> "PossibilisticPartition":
        return self._but(memberships=self.memberships[rows], _statements=None)


def _level(alpha: float) -> float:
    if not (is_number(alpha) and 0 < alpha <= 1):
        raise InputError(f"alpha is {alpha!r}; levels lie above 0 and up to 1.")
    return alpha


def _check_t_norm(t_norm: object) -> None:
    if t_norm is not None:
        check_choice(t_norm, ("min", "product", "lukasiewicz"), "t_norm")


def _divided_by_maximum(values: Floats) -> tuple[Floats, str]:
    largest = values.max(axis=1)
    if (largest == 0).any():
        raise InputError(
            f"memberships: {row_of(int(np.argmax(largest == 0)))} is all zero; "
            "every object needs a possible cluster."
        )
    is_off = largest < 1
    if not is_off.any():
        return values, ""
    values[is_off] /= largest[is_off, None]
    note = (
        f"memberships: {counted(int(is_off.sum()), 'row')} divided by their maximum "
        f"(smallest maximum {float(largest.min()):.3g})"
    )
    return values, note


def degrees_of(side: IndependentPartition) -> Floats:
    """How possible each cluster is for each object, of shape (n, k)."""
    if isinstance(side, PossibilisticPartition):
        return side.memberships
    return side.support().mask.astype(np.float64)


def cut_of(side: Side, level: float) -> Side | RoughPartition:
    """The clusters that are at least so possible; a side without possibilities as it is."""
    return side.cut_rows(level) if isinstance(side, PossibilisticPartition) else side
