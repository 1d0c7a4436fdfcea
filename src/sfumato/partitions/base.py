"""What every partition is and does."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Ints, Kind, Name, RandomSource
from sfumato.partitions.reading.checks import counted
from sfumato.partitions.statements import Statements

if TYPE_CHECKING:
    from sfumato.partitions.evidential import EvidentialPartition
    from sfumato.partitions.fuzzy import FuzzyPartition
    from sfumato.partitions.hard import HardPartition
    from sfumato.partitions.rough import RoughPartition

__all__ = ["Partition"]


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
    """

    __slots__ = ("index", "n_clusters", "n_objects", "names", "notes")

    kind: ClassVar[Kind]
    n_objects: int
    n_clusters: int
    names: tuple[Name, ...]
    index: "NDArray[np.generic] | None"
    notes: tuple[str, ...]

    def _fill(self, **fields: object) -> None:
        """Set fields, arrays read-only: the one place where a partition is written to."""
        for name, value in fields.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)

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
    def _fact(self) -> str:
        """One telling fact for the representation."""

    @abstractmethod
    def statements(self) -> Statements:
        """Collapse the objects into the distinct statements made of them."""

    @abstractmethod
    def simplest(self) -> "Partition":
        """The same knowledge as the least general kind that can hold it.

        A rough partition with one cluster per object is hard, an evidential one with singletons
        only is fuzzy. Returns ``self`` when nothing simpler will do.
        """

    @abstractmethod
    def support(self) -> "RoughPartition":
        """The clusters that are not ruled out for each object."""

    @abstractmethod
    def pignistic(self) -> "FuzzyPartition":
        """Share every set's mass equally among its clusters."""

    @abstractmethod
    def to_evidential(self) -> "EvidentialPartition":
        """The same knowledge as one mass function per object."""

    @abstractmethod
    def harden(self) -> "HardPartition":
        """Commit every object to one cluster; ties go to the first. This throws knowledge away."""

    @abstractmethod
    def sample(self, rng: RandomSource = None) -> "Partition":
        """Draw one of the simpler partitions that this one is a distribution over."""

    @abstractmethod
    def take(self, order: Ints) -> Self:
        """The same partition of the objects ``order``, in that order."""
