"""What every partition is and does."""

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Floats, Ints, Kind, Name, RandomSource
from sfumato.partitions.reading.checks import counted
from sfumato.partitions.statements import Statements

if TYPE_CHECKING:
    from sfumato.partitions.description import Description
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
