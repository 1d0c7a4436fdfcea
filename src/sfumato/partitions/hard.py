"""Hard partitions: one cluster per object."""

import itertools
from collections.abc import Iterable
from typing import ClassVar, cast, final

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Bools, Codes, Ints, Kind, Name, RandomSource
from sfumato.algorithms.tables.rows import count_codes
from sfumato.errors import InputError
from sfumato.partitions.base import IndependentPartition, Partition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.reading.checks import check_names, check_same_size, plain_names
from sfumato.partitions.reading.inputs import read
from sfumato.partitions.reading.labels import factorise, few_bytes, object_array
from sfumato.partitions.reading.tabular import Index, Table
from sfumato.partitions.rough import RoughPartition
from sfumato.partitions.setlist import SetList
from sfumato.partitions.statements import Statements

__all__ = ["HardPartition"]


@final
class HardPartition(IndependentPartition):
    r"""Every object belongs to one cluster and nothing is in doubt.

    .. math:: C : X \to \Omega

    Parameters
    ----------
    labels : array-like of shape (n,)
        Integers, text, dates or other hashable objects; also a series of any dataframe library.
        Labels that are equal in Python (1, 1.0, True) are one label, and -1 is a label like any
        other.
    names : sequence of k distinct hashables, optional
        Cluster names in the order of the sorted labels; the labels themselves by default.

    Attributes
    ----------
    codes : ndarray of shape (n,)
        The cluster of each object, from 0 to k - 1.
    categories : ndarray of shape (k,)
        The distinct labels, sorted, or in order of first appearance where they have no order.

    Raises
    ------
    InputError
        For missing labels, fractions, empty input and input that is not one-dimensional.

    Notes
    -----
    O(n) for integers of small range. Two hard partitions are equal when they give every object
    the same name; :meth:`equivalent` ignores names. See section 2.1 of
    :cite:`campagner2022distributional`.

    Examples
    --------
    >>> HardPartition(["b", "a", "b"])
    HardPartition(3 objects, 2 clusters, sizes 1 to 2)
    """

    __slots__ = ("categories", "short_codes")

    kind: ClassVar[Kind] = "hard"
    short_codes: Codes  # in as few bytes as they need, if there are many
    categories: NDArray[np.generic]

    def __init__(self, labels: object, *, names: Iterable[Name] | None = None) -> None:
        column = read(labels, "labels")
        if isinstance(column, Table):
            remedy = "Memberships go into FuzzyPartition, masks into RoughPartition."
            if column.values.shape[1] == 1:
                remedy = "Pass x.ravel() of an array, frame['column'] of a frame."
            raise InputError(
                f"labels must be 1-D; got shape {tuple(column.values.shape)}. {remedy}"
            )
        codes, categories = factorise(column.values)
        self._make(
            _names(categories, names), len(codes), column.index, **_content(codes, categories)
        )

    @classmethod
    def trusted(
        cls, codes: Codes, *, like: Partition, names: tuple[Name, ...] | None = None
    ) -> "HardPartition":
        """Build from clusters of another partition of these objects; empty ones are dropped."""
        every = like.names if names is None else names
        codes, is_used = _without_empty(codes, len(every))
        used = tuple(itertools.compress(every, is_used))
        return cls._like(like, used, **_content(codes, object_array(used)))

    @classmethod
    def from_codes(
        cls, codes: Codes, categories: NDArray[np.generic], index: Index
    ) -> "HardPartition":
        """Build from codes and what they stand for, known to be right."""
        partition = cls.__new__(cls)
        partition._make(_names(categories, None), len(codes), index, **_content(codes, categories))
        return partition

    @property
    def codes(self) -> Codes:
        """The cluster of each object, from 0 to k - 1, of shape (n,)."""
        codes = self.short_codes.astype(np.int64, copy=False)
        codes.flags.writeable = False
        return codes

    @property
    def labels(self) -> NDArray[np.generic]:
        """The labels as they were given, of shape (n,)."""
        labels = self.categories[self.short_codes]
        labels.flags.writeable = False
        return labels

    def equivalent(self, other: "HardPartition") -> bool:
        """Whether both group the objects alike, whatever the clusters are called (the paper's ~).

        Examples
        --------
        >>> HardPartition([0, 0, 1]).equivalent(HardPartition(["b", "b", "a"]))
        True
        """
        check_same_size(self.n_objects, other)
        if self.n_clusters != other.n_clusters:
            return False
        image = np.empty(self.n_clusters, dtype=np.int64)
        image[self.codes] = other.codes
        # As many clusters on both sides: a map that reproduces other is onto, so one-to-one.
        return bool(np.array_equal(image[self.codes], other.codes))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HardPartition):
            return NotImplemented
        if self.n_objects != other.n_objects or set(self.names) != set(other.names):
            return False
        position = {name: i for i, name in enumerate(other.names)}
        image = np.array([position[name] for name in self.names])
        return bool(np.array_equal(image[self.codes], other.codes))

    def _fact(self) -> str:
        sizes = count_codes(self.short_codes, self.n_clusters)
        return f"sizes {sizes.min()} to {sizes.max()}"

    def statements(self) -> Statements:
        """One statement per cluster: the object is there."""
        single = SetList.singletons(self.n_clusters)
        return Statements.of_sets(self.codes, single, self.n_clusters)

    def simplest(self) -> "HardPartition":
        """Return self: nothing is simpler."""
        return self

    def to_rough(self) -> RoughPartition:
        """The same knowledge with a set of one cluster for each object."""
        return RoughPartition.trusted(self.codes, SetList.singletons(self.n_clusters), like=self)

    def to_fuzzy(self) -> FuzzyPartition:
        """The same knowledge with memberships 0 and 1; memory n k."""
        memberships = np.zeros((self.n_objects, self.n_clusters))
        memberships[np.arange(self.n_objects), self.codes] = 1.0
        return FuzzyPartition.trusted(memberships, like=self)

    def support(self) -> RoughPartition:
        """The one cluster of each object, as a rough partition."""
        return self.to_rough()

    def pignistic(self) -> FuzzyPartition:
        """Memberships 0 and 1."""
        return self.to_fuzzy()

    def harden(self) -> "HardPartition":
        """Return self."""
        return self

    def has_ties(self) -> bool:
        """No: each object has one cluster."""
        return False

    def sample(self, rng: RandomSource = None) -> "HardPartition":
        """Return self: there is nothing to draw."""
        return self

    def _rows(self, rows: Ints) -> "HardPartition":
        codes, is_used = _without_empty(self.short_codes[rows], self.n_clusters)
        names = tuple(itertools.compress(self.names, is_used))
        content = _content(codes, self.categories[is_used])
        return self._but(names=names, n_clusters=len(names), **content)


def _content(codes: Codes, categories: NDArray[np.generic]) -> dict[str, object]:
    short = few_bytes(codes, len(categories), len(codes))
    return {"short_codes": short, "categories": categories}


def _without_empty(codes: Codes, n_clusters: int) -> tuple[Codes, Bools]:
    """Codes of the clusters that hold an object, and which do."""
    is_used = np.bincount(codes, minlength=n_clusters) > 0
    return (np.cumsum(is_used) - 1)[codes], is_used


def _names(categories: NDArray[np.generic], names: Iterable[Name] | None) -> tuple[Name, ...]:
    """Names for the categories: those given, or the labels themselves, which differ already."""
    if names is not None:
        given, labels = check_names(names, len(categories)), categories.tolist()
        for name, label in zip(given, labels, strict=True):
            if name != label and name in labels:
                raise InputError(
                    f"names rename the clusters in the order of the labels {labels!r}, so the "
                    f"cluster {label!r} would be called {name!r}, which is another cluster's label."
                )
        return given
    is_date = categories.dtype.kind in "mM"  # as Python objects these may be bare integers
    return plain_names(cast("list[Name]", list(categories) if is_date else categories.tolist()))
