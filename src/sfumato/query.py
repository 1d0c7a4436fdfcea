"""A question: two partitions, a measure, a quantity, and the theory that joins them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Bools, Floats, Ints, Kind, Quantity, TNorm, Values
from sfumato.algorithms.tables.choices import Compact
from sfumato.algorithms.tables.focal_model import FocalModel, SetTypes, set_types
from sfumato.algorithms.tables.likely_sizes import SizeLimits, likely_sizes
from sfumato.algorithms.tables.rows import Rows, sparse_rows
from sfumato.algorithms.tables.sampler import ClassSampler, FocalSampler
from sfumato.errors import CostError
from sfumato.joint import JointTypes
from sfumato.measures.base import Measure, SizeBounded, value_range
from sfumato.partitions.alignment import align
from sfumato.partitions.base import Partition
from sfumato.partitions.evidential import EvidentialPartition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.statements import Statements
from sfumato.partitions.theories import Theory, join, range_is_that_of_supports, t_norm_of

__all__ = ["Query", "Theory"]

# Tables are made dense a few at a time: this many cells at once.
_CELLS_AT_ONCE = 1 << 22
_MOST_CELLS = 50_000_000
_MANY_OBJECTS = 2000
_MANY_PAIRS, _MANY_OPTIONS = 400, 1 << 17  # of clusters for one object, and for all
_MOST_CHOICES = 2e7  # pairs of sets over all types of objects

# Where the range of a measure depends on cluster sizes, unlikely ones may move a mean by so much.
_UNLIKELY_PART = 1e-10


class ClassMasses(NamedTuple):
    """Masses of objects whose class in a hard partition is known."""

    masses: Floats  # (n, f)
    classes: Ints  # (n,)
    focal_sets: Bools  # (f, k)
    is_turned: bool  # the hard partition is the first

    @property
    def n_classes(self) -> int:
        """Classes of the hard partition."""
        return int(self.classes.max()) + 1

    def pair_masks(self) -> tuple[Ints, Ints]:
        """Bit masks of the set and of the class of each pair ``class * f + set``."""
        sets = np.array([sum(1 << int(i) for i in np.flatnonzero(s)) for s in self.focal_sets])
        classes = np.left_shift(np.int64(1), np.arange(self.n_classes))
        return np.tile(sets, self.n_classes), np.repeat(classes, len(sets))


class LikelyRange(NamedTuple):
    """A range that values of random clusterings leave so rarely that it hardly matters.

    Values replaced by the nearest in the range have a mean that differs by at most ``rest``.
    """

    lowest: float
    highest: float
    rest: float


@final
@dataclass(frozen=True, eq=False)
class Query:
    """Two aligned partitions in their simplest form, what is asked of them, and in which theory.

    Attributes
    ----------
    a, b : Partition
        Of the same objects in the same order; b is the reference.
    measure : Measure
    quantity : {"expectation", "range", "distribution"}
    original : (Partition, Partition)
        As the user gave them, aligned.
    theory : str
        "hard", "rough", "fuzzy" and "evidential" as in the paper (section 3); "possibilistic" is
        one joint possibility distribution by a t-norm; "levels" is a possibilistic partition read
        with min against a fuzzy or evidential one: a mixture over its levels.
    notes : tuple of str
    """

    a: Partition
    b: Partition
    measure: Measure
    quantity: Quantity
    original: tuple[Partition, Partition]
    theory: Theory
    notes: tuple[str, ...]

    @classmethod
    def of(cls, a: Partition, b: Partition, measure: Measure, quantity: Quantity) -> "Query":
        """Align the partitions, simplify them and find the theory that joins them.

        Raises
        ------
        InputError
            If the partitions do not speak of the same objects.
        UnsupportedError
            If no theory joins the two kinds.
        """
        b, notes = align(a, b)
        notes = (*a.notes, *b.notes, *notes, *_reading(a), *_reading(b))
        original = (a, b)
        a, b = a.simplest(), b.simplest()
        theory = join(a, b)
        if quantity == "range" and range_is_that_of_supports(a, b, theory):
            a, b = a.support().simplest(), b.support().simplest()
            theory = join(a, b)
        return cls(a, b, measure, quantity, original, theory, tuple(dict.fromkeys(notes)))

    @property
    def kinds(self) -> tuple[Kind, Kind]:
        """Kinds of the two partitions as the user gave them."""
        return self.original[0].kind, self.original[1].kind

    @property
    def n_objects(self) -> int:
        """Objects that both partitions speak of."""
        return self.a.n_objects

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the contingency table."""
        return self.a.n_clusters, self.b.n_clusters

    @property
    def bounds(self) -> tuple[float, float]:
        """Smallest interval known to hold every value of the measure here."""
        return value_range(self.measure, self.n_objects, *self.shape)

    @cached_property
    def likely_range(self) -> LikelyRange:
        """A range for random clusterings, narrower than the bounds where these are of no use."""
        if not isinstance(self.measure, SizeBounded):
            return LikelyRange(*self.bounds, 0.0)
        n = self.n_objects
        anything = [SizeLimits(np.zeros(k), np.full(k, float(n))) for k in self.shape]
        lowest, highest = self.measure.bounds_for_sizes(n, *anything)
        risk = _UNLIKELY_PART / (highest - lowest) / 2
        limits = [likely_sizes(_independent(side).memberships(), risk) for side in (self.a, self.b)]
        return LikelyRange(*self.measure.bounds_for_sizes(n, *limits), _UNLIKELY_PART)

    @property
    def t_norm(self) -> TNorm:
        """The t-norm of a possibilistic query."""
        return t_norm_of(self.a, self.b)

    @property
    def is_precise(self) -> bool:
        """Whether theory gives one value rather than an interval."""
        return self.theory == "hard" or (self.theory == "fuzzy" and self.quantity != "range")

    @cached_property
    def joint(self) -> JointTypes:
        """Objects collapsed by what the two partitions say of them."""
        if self.shape[0] * self.shape[1] > _MOST_CELLS:
            raise CostError(
                f"A table of {self.shape[0]:,} x {self.shape[1]:,} clusters is too large to hold "
                f"({_MOST_CELLS:,} cells at most): merge or drop small clusters first."
            )
        if self.theory != "possibilistic":
            return JointTypes.of(self.a.statements(), self.b.statements())
        a, b = (_as_possibilistic(side, self.t_norm) for side in (self.a, self.b))
        return JointTypes.of(a.statements(), b.statements())

    @cached_property
    def n_choices(self) -> float:
        """Pairs of sets that the types of objects may choose, in all."""
        joint = self.joint
        a, b = (np.diff(side.starts).astype(np.float64) for side in (joint.a, joint.b))
        return float(a[joint.a_statements] @ b[joint.b_statements])

    @cached_property
    def n_open_cells(self) -> float:
        """Cells that these pairs leave open, in all."""
        joint = self.joint
        a, b = (
            np.add.reduceat(side.family.sizes[side.sets].astype(np.float64), side.starts[:-1])
            for side in (joint.a, joint.b)
        )
        return float(a[joint.a_statements] @ b[joint.b_statements])

    @property
    def is_wide(self) -> bool:
        """Whether there are too many pairs of sets to list them with each type."""
        return self.class_masses is None and self.n_choices > _MOST_CHOICES

    @cached_property
    def focal_model(self) -> FocalModel:
        """The two partitions as one random choice of sets, each leaving cells open."""
        return self.joint.focal_model()

    @cached_property
    def class_masses(self) -> ClassMasses | None:
        """The masses of many different objects by the classes of a hard side; None if not so.

        Such a query is drawn from as it stands: its types are as many as its objects.
        """
        for masses, truth in ((self.a, self.b), (self.b, self.a)):
            if isinstance(masses, EvidentialPartition) and isinstance(truth, HardPartition):
                if self.n_objects < _MANY_OBJECTS or not masses.has_distinct_objects:
                    return None
                return ClassMasses(masses.masses, truth.codes, masses.focal_sets, truth is self.a)
        return None

    @cached_property
    def product_rows(self) -> tuple[Rows, Rows] | None:
        """The probabilities of two fuzzy sides with very many pairs of clusters; None if not so.

        Such a query is drawn from one side after the other: the pairs are too many to list.
        """
        if not (isinstance(self.a, FuzzyPartition) and isinstance(self.b, FuzzyPartition)):
            return None
        a, b = self.a.rows, self.b.rows
        pairs = a.mean_length * b.mean_length
        if pairs <= _MANY_PAIRS or pairs * self.n_objects <= _MANY_OPTIONS:
            return None
        return sparse_rows(a), sparse_rows(b)

    @cached_property
    def set_types(self) -> SetTypes:
        """Types of objects by the sets of rows and columns they may go to, as bit masks."""
        if self.theory in ("hard", "rough"):
            return self.joint.set_types()
        if self.class_masses is not None:
            return self.types_of(np.zeros((1, 0), dtype=np.int64))
        return self.types_of(self.focal_model.fixed[None, :])

    def types_of(self, counts: Ints) -> SetTypes:
        """The types of drawn focal tables, given by the objects per pair of sets in use."""
        if self.class_masses is None:
            return set_types(self.focal_model, counts, self.shape[1])
        sets, classes = self.class_masses.pair_masks()
        rows, columns = (classes, sets) if self.class_masses.is_turned else (sets, classes)
        return SetTypes(rows, columns, counts)

    def sampler(self, n_draws: float) -> FocalSampler | ClassSampler:
        """Draws focal tables as objects per pair of sets in use."""
        if self.class_masses is None:
            return FocalSampler(self.focal_model, n_draws)
        masses, classes = self.class_masses.masses, self.class_masses.classes
        return ClassSampler(masses, classes, self.class_masses.n_classes)

    def at_levels(self) -> Iterator[tuple[float, "Query"]]:
        """The query at each level of its possibilistic sides, with the level's mass.

        By the t-norm min one level is common to all objects, and to both sides if both are
        possibilistic; the cuts at a level are rough.
        """
        for level, mass in zip(*self.levels(), strict=True):
            yield float(mass), self.at_level(float(level))

    def widest_level(self) -> tuple[int, "Query"]:
        """How many levels there are, and the query at the lowest, where most is open."""
        levels, _ = self.levels()
        return len(levels), self.at_level(float(levels[-1]))

    def levels(self) -> tuple[Floats, Floats]:
        """Levels of the possibilistic sides, highest first, with their masses: the gaps below."""
        sides = [side for side in (self.a, self.b) if isinstance(side, PossibilisticPartition)]
        levels = np.unique(np.concatenate([side.levels() for side in sides]))[::-1]
        return levels, levels - np.append(levels[1:], 0.0)

    def at_level(self, level: float) -> "Query":
        """The query of the cuts at one level."""
        a, b = (
            side.cut(level).simplest() if isinstance(side, PossibilisticPartition) else side
            for side in (self.a, self.b)
        )
        return replace(self, a=a, b=b, theory=join(a, b))

    def values(self, base: Ints, cells: Ints, tables: Compact | Ints) -> Values:
        """Values of tables given by their counts on a few cells, added to a base table."""
        values = np.empty(len(tables), dtype=np.float64)
        step = max(1, _CELLS_AT_ONCE // max(1, len(base)))
        for start in range(0, len(tables), step):
            block = tables[start : start + step]
            dense = np.repeat(base[None, :], len(block), axis=0)
            dense[:, cells] += block
            values[start : start + step] = self.measure.of_tables(dense.reshape(-1, *self.shape))
        return values


def _independent(side: Partition) -> Statements:
    """Statements of which objects choose independently; by a t-norm only the support is such."""
    if isinstance(side, PossibilisticPartition) and side.t_norm is not None:
        return side.support().statements()
    return side.statements()


def _as_possibilistic(side: Partition, t_norm: TNorm) -> PossibilisticPartition:
    if isinstance(side, PossibilisticPartition):
        return side
    return PossibilisticPartition(side.support().mask.astype(float), t_norm=t_norm)


def _reading(partition: Partition) -> tuple[str, ...]:
    if not isinstance(partition, PossibilisticPartition):
        return ()
    if partition.t_norm is None:
        return ("Possibilistic memberships are read object by object, as consonant masses.",)
    return (
        "Possibilistic memberships are read as one joint possibility distribution by the "
        f"t-norm {partition.t_norm}.",
    )
