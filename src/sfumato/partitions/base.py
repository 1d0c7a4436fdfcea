"""What every partition is and does, and what those can say that speak of each object alone."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, Self, cast

import numpy as np

from sfumato._typing import Bools, Codes, Floats, Ints, Kind, Name, RandomSource
from sfumato.errors import InputError, UnsupportedError
from sfumato.partitions.reading.checks import check_order, check_same_size, counted, match_names
from sfumato.partitions.reading.tabular import Given, Index
from sfumato.partitions.statements import Statements

if TYPE_CHECKING:
    from sfumato.partitions.description import Description
    from sfumato.partitions.evidential import EvidentialPartition
    from sfumato.partitions.fuzzy import FuzzyPartition
    from sfumato.partitions.hard import HardPartition
    from sfumato.partitions.rough import RoughPartition

__all__ = ["IndependentPartition", "Partition", "given_to", "independent"]

_MOST_DESCRIBED = 1_000_000  # objects times clusters; a notebook shows no more of larger partitions


class Partition(ABC):
    """What is known of an unknown hard clustering of ``n_objects`` objects.

    Partitions never change: their arrays are read-only copies.

    Attributes
    ----------
    kind : str
    n_objects, n_clusters : int
    names : tuple
        One name per cluster.
    index : ndarray of shape (n,) or None
        Row labels of the dataframe that the partition came from, used to align two partitions.
    notes : tuple of str
        What was normalised or conditioned on the way in; copied into every result.
    given : Given or None
        Where the objects stood before some were dropped; None if none was.
    """

    __slots__ = ("given", "index", "n_clusters", "n_objects", "names", "notes")

    kind: ClassVar[Kind]
    n_objects: int
    n_clusters: int
    names: tuple[Name, ...]
    index: Index
    notes: tuple[str, ...]
    given: Given | None

    def _fill(self, **fields: object) -> None:
        """Set fields, arrays read-only: the one place where a partition is written to."""
        for name, value in fields.items():
            parts = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
            for array in parts:
                if isinstance(array, np.ndarray):
                    array.flags.writeable = False
            object.__setattr__(self, name, value)

    def _make(
        self,
        names: tuple[Name, ...],
        n_objects: int,
        index: Index = None,
        notes: Iterable[str] = (),
        /,
        **content: object,
    ) -> None:
        """Set all fields; empty notes are left out."""
        self._fill(names=names, n_clusters=len(names), n_objects=n_objects, index=index, given=None)
        self._fill(notes=tuple(filter(None, notes)), **content)

    @classmethod
    def _like(
        cls, other: "Partition", names: tuple[Name, ...] | None = None, /, **content: object
    ) -> Self:
        """Build from content known to be right, of the same objects as another partition."""
        made = cls.__new__(cls)
        names = other.names if names is None else names
        made._make(names, other.n_objects, other.index, other.notes, **content)
        made._fill(given=other.given)
        return made

    def _but(self, **fields: object) -> Self:
        """A copy in which some fields differ."""
        other = object.__new__(type(self))
        other._fill(**{**self.__getstate__(), **fields})
        return other

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} never changes: cannot set {name!r}.")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} never changes: cannot delete {name!r}.")

    # Pickles write through _fill too, or unpickled arrays would be writeable.
    def __getstate__(self) -> dict[str, object]:
        slots = (*Partition.__slots__, *type(self).__slots__)
        return {name: getattr(self, name) for name in slots}

    def __setstate__(self, state: dict[str, object]) -> None:
        self._fill(**state)

    def __repr__(self) -> str:
        return (
            f"{type(self).__name__}({counted(self.n_objects, 'object')}, "
            f"{counted(self.n_clusters, 'cluster')}, {self._fact()})"
        )

    @abstractmethod
    def _repr_html_(self) -> str:
        """What a notebook shows."""

    @abstractmethod
    def _fact(self) -> str:
        """One telling fact for the representation."""

    @abstractmethod
    def simplest(self) -> "Partition":
        """The same knowledge as the least general kind that can hold it.

        A rough partition with one cluster per object is hard, an evidential one with singletons
        only is fuzzy. Returns ``self`` when nothing simpler will do.
        """

    @abstractmethod
    def sample(self, rng: RandomSource = None) -> "Partition":
        """Draw one of the simpler partitions that this one is a distribution over."""

    @abstractmethod
    def _rows(self, rows: Ints) -> Self:
        """The same partition of the objects in these places, in that order."""

    def take(self, order: "Ints | Bools") -> Self:
        """The same partition of the objects ``order``, in that order.

        Parameters
        ----------
        order : array-like of integers, or of n booleans
            Positions of objects, or which to keep. A hard partition loses clusters left empty.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.HardPartition(["a", "b", "c"]).take([True, False, True]).labels.tolist()
        ['a', 'c']
        """
        rows = check_order(order, self.n_objects)
        index = None if self.index is None else self.index[rows]
        return self._rows(rows)._but(n_objects=len(rows), index=index, notes=self.notes, given=None)

    def drop(self, is_dropped: Bools) -> Self:
        """The same partition without some objects, which comparisons leave out on both sides.

        With `take` instead, the other side has to be cut by hand.

        Parameters
        ----------
        is_dropped : array-like of n booleans

        Raises
        ------
        InputError
            If no object would be left.

        Examples
        --------
        >>> import sfumato as sf
        >>> some = sf.HardPartition([0, 0, 1, 2]).drop([False, False, False, True])
        >>> found = sf.compare(some, ["a", "a", "b", "b"])
        >>> found.mean, found.notes
        (1.0, ('Compared on 3 of 4 objects (75%): the others were dropped.',))
        """
        leaves = np.asarray(is_dropped)
        if leaves.shape != (self.n_objects,) or leaves.dtype != bool:
            raise InputError(
                f"is_dropped must be {self.n_objects} booleans; got shape {leaves.shape} of "
                f"{leaves.dtype}."
            )
        if leaves.all():
            raise InputError(f"All {counted(self.n_objects, 'object')} would be dropped.")
        if not leaves.any():
            return self
        before = given_to(self)
        is_kept = before.is_kept.copy()
        is_kept[is_kept] = ~leaves
        return self.take(~leaves)._but(given=Given(is_kept, before.index))

    def noted(self, *notes: str) -> Self:
        """The same partition with more notes; empty ones are left out."""
        more = tuple(note for note in notes if note)
        return self._but(notes=(*self.notes, *more)) if more else self


class IndependentPartition(Partition):
    """A partition that says something of each object alone, independently of the others.

    All kinds but the drawn one are such. Possibilities read with a t-norm are stated object by
    object too.
    """

    __slots__ = ()

    @abstractmethod
    def statements(self) -> Statements:
        """Collapse the objects into the distinct statements made of them."""

    def _places(self, other: "IndependentPartition") -> Ints:
        """Where the clusters of another partition of these objects stand here, by name."""
        check_same_size(self.n_objects, other)
        return match_names(other.names, self.names, "this partition's clusters")

    @abstractmethod
    def simplest(self) -> "IndependentPartition":
        """The same knowledge as the least general kind that can hold it."""

    @abstractmethod
    def support(self) -> "RoughPartition":
        """The clusters that are not ruled out for each object."""

    @abstractmethod
    def pignistic(self) -> "FuzzyPartition":
        """Share every set's mass equally among its clusters."""

    def to_evidential(self) -> "EvidentialPartition":
        """The same knowledge as one mass function per object."""
        from sfumato.partitions.evidential import EvidentialPartition

        return EvidentialPartition.from_statements(self.statements(), like=self)

    def _hard(self, codes: Codes) -> "HardPartition":
        """A hard partition into some of these clusters."""
        from sfumato.partitions.hard import HardPartition

        return HardPartition.trusted(codes, like=self)

    @abstractmethod
    def harden(self) -> "HardPartition":
        """Commit every object to one cluster; ties go to the first. This throws knowledge away."""

    @abstractmethod
    def has_ties(self) -> bool:
        """Whether `harden` has to choose: some object has several likeliest clusters."""

    def _repr_html_(self) -> str:
        from html import escape

        if self.n_objects * self.n_clusters > _MOST_DESCRIBED:
            return f"<p>{escape(repr(self))}</p>"
        return self.describe().to_html()

    def describe(self) -> "Description":
        """How much the partition says: certain objects, cluster sizes, two kinds of uncertainty.

        Returns
        -------
        Description
            Prints as a short text with a table of clusters; ``sizes`` are intervals of expected
            sizes.

        Notes
        -----
        O(n + entries). A possibilistic partition is read object by object, whatever its t-norm.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.RoughPartition([[1, 0], [1, 1], [0, 1]], names=["a", "b"]).describe()
        rough partition of 3 objects into 2 clusters
        certain objects    2 (67%)
        nonspecificity     0.2310 of at most 0.6931 nats
        pignistic entropy  0.2310 of at most 0.6931 nats
        cluster  objects
        a        [1, 2]
        b        [1, 2]
        """
        from sfumato.partitions.description import describe

        return describe(self)

    def nonspecificity(self) -> Floats:
        r"""Ambiguity of each object: the mean log size of the sets it is said to be in.

        .. math:: \sum_A m_x(A) \log |A|

        Returns
        -------
        ndarray of shape (n,)
            In nats: 0 for hard and fuzzy partitions, log k where nothing is known.

        Notes
        -----
        O(n + entries). Mass on the empty set is conditioned away first. See
        :cite:`dubois1985nonspecificity`, and section 2.1 of :cite:`campagner2022distributional` for
        the two kinds of uncertainty.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.RoughPartition([[1, 0], [1, 1]]).nonspecificity().round(4)
        array([0.    , 0.6931])
        """
        from sfumato.partitions.description import nonspecificity

        return nonspecificity(self)

    def pignistic_entropy(self) -> Floats:
        r"""Partial assignment of each object: the entropy of its pignistic memberships.

        .. math:: -\sum_i p_{xi} \log p_{xi}, \qquad
                  p_{xi} = \sum_{A \ni i} m_x(A) / |A|

        Returns
        -------
        ndarray of shape (n,)
            In nats: 0 for hard partitions, log k where all clusters are as likely. At least the
            nonspecificity, since ambiguous sets are shared out equally.

        Notes
        -----
        O(n + entries). See :cite:`smets1994transferable` for the pignistic transformation.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.FuzzyPartition([[1, 0], [0.5, 0.5]]).pignistic_entropy().round(4)
        array([0.    , 0.6931])
        """
        from sfumato.partitions.description import pignistic_entropy

        return pignistic_entropy(self)


def given_to(partition: Partition) -> Given:
    """The objects before some were dropped; these very ones if none was."""
    if partition.given is not None:
        return partition.given
    return Given(np.broadcast_to(np.True_, partition.n_objects), partition.index)


def independent(partition: Partition, what: str) -> IndependentPartition:
    """The partition itself, if it speaks of each object alone; ``what`` needs that."""
    if isinstance(partition, IndependentPartition):
        return partition
    raise UnsupportedError(
        f"{what} needs what is said of each object alone, and objects of a {partition.kind} "
        "partition depend on each other: use its .point_estimate() or .memberships(reference)."
    )
