"""Two partitions as the rows and the columns of one table, in the forms that algorithms take.

A hard side, if there is one, is the columns; `Query.is_turned` decides that, and leaves a measure
alone that has no known form for the transposed table. Each view is built at most once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, final

import numpy as np

from sfumato._typing import Bools, Codes, Floats, Ints, TNorm
from sfumato.algorithms.ends.rough_batch import RoughBatch, rough_batch
from sfumato.algorithms.ends.rough_bracket import SetMatrices
from sfumato.algorithms.expectations.set_pairs import SetPairs
from sfumato.algorithms.tables.choices import Choices
from sfumato.algorithms.tables.focal_model import FocalModel, SetTypes, focal_model, set_types
from sfumato.algorithms.tables.ragged import gather, owners_of
from sfumato.algorithms.tables.rows import Rows, count_codes, hard_rows, slice_rows, sparse_rows
from sfumato.algorithms.tables.sampler import ClassSampler, FocalSampler
from sfumato.algorithms.tables.set_draws import DrawnSide, DrawnSides
from sfumato.errors import CostError
from sfumato.partitions.base import IndependentPartition
from sfumato.partitions.evidential import EvidentialPartition
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.setlist import SetList
from sfumato.partitions.statements import Statements
from sfumato.question.joint_types import JointTypes
from sfumato.question.kept import Kept

if TYPE_CHECKING:
    from sfumato.algorithms.moments.fuzzy_table import FuzzyTable

__all__ = ["ClassMasses", "Joint", "by_cluster", "probability_rows"]

_MOST_CELLS = 50_000_000
_MANY_OBJECTS = 2000
_MANY_PAIRS, _MANY_OPTIONS = 400, 1 << 17  # of clusters for one object, and for all
_MOST_OPTIONS = 1 << 25  # that are listed for all objects
_MANY_CHOICES = 1e6
_MOST_CHOICES = 2e7  # pairs of sets over all types of objects, and the cells in them
_MOST_MASSES = 1 << 24  # that are laid out where they are lists
_MOST_MASKED_CLUSTERS = 32
_MOST_LISTED_CELLS = 2e7  # that the sets of a rough comparison leave open


class ClassMasses(NamedTuple):
    """Masses of objects whose class in a hard partition is known."""

    side: EvidentialPartition
    classes: Codes  # (n,)
    n_classes: int

    def pair_masks(self) -> tuple[Ints, Ints]:
        """Bit masks of the set and of the class of each pair ``class * f + set``."""
        bits = np.left_shift(np.int64(1), np.arange(self.side.n_clusters))
        sets = (self.side.focal_sets * bits).sum(axis=1)
        classes = np.left_shift(np.int64(1), np.arange(self.n_classes))
        return np.tile(sets, self.n_classes), np.repeat(classes, len(sets))


@final
@dataclass(frozen=True, eq=False)
class Joint:
    """Two partitions in their simplest form, as rows and columns; a hard side is the columns."""

    row_side: IndependentPartition
    column_side: IndependentPartition
    t_norm: TNorm | None  # of one joint possibility distribution; None: objects are independent
    kept: Kept | None = None  # what is left of objects that are gone, as the table lies

    @property
    def n_objects(self) -> int:
        """Objects that both partitions speak of."""
        return self.row_side.n_objects if self.kept is None else self.kept.n_objects

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the table."""
        return self.row_side.n_clusters, self.column_side.n_clusters

    # Types of objects, and what each may choose.

    @cached_property
    def types(self) -> JointTypes:
        """Objects collapsed by what the two partitions say of them."""
        n_rows, n_columns = self.shape
        if n_rows * n_columns > _MOST_CELLS:
            raise CostError(
                f"A table of {n_rows:,} x {n_columns:,} clusters is too large to hold "
                f"({_MOST_CELLS:,} cells at most): merge or drop small clusters first."
            )
        rows, columns = (
            side.statements() if self.t_norm is None else _possibilities(side)
            for side in (self.row_side, self.column_side)
        )
        return JointTypes.of(rows, columns, None if self.kept is None else self.kept.counts)

    def has_more_types_than(self, most: int) -> bool:
        """Whether there are more types of objects. Of many objects the first few often tell."""
        few = 2 * most
        if self.row_side.n_objects > 4 * few:
            rows, columns = (s.take(np.arange(few)) for s in (self.row_side, self.column_side))
            if Joint(rows, columns, self.t_norm).types.n_types > most:
                return True
        return self.types.n_types > most

    @cached_property
    def types_of_sets(self) -> JointTypes:
        """The same, but a rough side by its sets even where a t-norm joins the sides."""
        return JointTypes.of(self.row_side.statements(), self.column_side.statements())

    @cached_property
    def n_choices(self) -> float:
        """Pairs of sets that the types of objects may choose, in all."""
        return float(self.n_options.astype(np.float64).sum())

    @cached_property
    def n_options(self) -> Ints:
        """Pairs of sets that each type of objects may choose."""
        rows, columns = self.types.of_each(lambda side: np.diff(side.starts))
        return rows * columns

    @property
    def has_many_choices(self) -> bool:
        """Whether objects have so many options in all that few tables can be listed."""
        return self.n_choices > _MANY_CHOICES

    @cached_property
    def n_open_cells(self) -> float:
        """Cells that the pairs of sets leave open, over all types."""

        def cells(side: Statements) -> Floats:
            return np.add.reduceat(side.family.sizes[side.sets].astype(float), side.starts[:-1])

        rows, columns = self.types.of_each(cells)
        return float(rows @ columns)

    @property
    def is_wide(self) -> bool:
        """Whether there are too many pairs of sets, or cells in them, to list."""
        if self.class_masses is not None:
            return False
        types = self.types
        of_all_pairs = float(len(types.rows.set_members)) * len(types.columns.set_members)
        return max(self.n_choices, min(self.n_open_cells, of_all_pairs)) > _MOST_CHOICES

    @cached_property
    def _pairs_of_sets(self) -> tuple[Choices, Ints, Ints]:
        """The pairs of sets that types may choose, with products as weights, and their cells."""
        choices = self.types.set_choices(np.multiply)
        return choices, *self.types.pair_cells(choices.labels)

    @cached_property
    def focal_model(self) -> FocalModel:
        """One random choice of pairs of sets, each leaving cells open."""
        n_rows, n_columns = self.shape
        return focal_model(*self._pairs_of_sets, n_rows * n_columns)

    @cached_property
    def set_pairs(self) -> SetPairs:
        """What each type of objects may draw, for the bounds of expectations."""
        choices, cell_starts, cells = self._pairs_of_sets
        types = self.types
        row_sets, row_set = np.unique(choices.labels // types.n_column_sets, return_inverse=True)
        column_sets, column_set = np.unique(
            choices.labels % types.n_column_sets, return_inverse=True
        )
        return SetPairs(
            counts=choices.counts,
            starts=choices.starts,
            pairs=choices.cells,
            masses=choices.weights,
            cell_starts=cell_starts,
            cells=cells,
            a_sets=_mask(types.rows)[row_sets],
            b_sets=_mask(types.columns)[column_sets],
            a_set=row_set.astype(np.int64),
            b_set=column_set.astype(np.int64),
        )

    def cell_choices(self, combine: Callable[[Floats, Floats], Floats]) -> Choices:
        """What each type may choose when all sets are single clusters: cells of the table."""
        choices = self.types.set_choices(combine)
        _, cells = self.types.pair_cells(choices.labels)
        return choices._replace(labels=cells)

    @cached_property
    def open_lists(self) -> tuple[Ints, Ints, Ints]:
        """Rough sides: objects of each type and the cells open to them, as counts and lists."""
        choices, cell_starts, cells = self._pairs_of_sets  # one pair of sets per type
        starts, entries = gather(cell_starts, choices.cells)
        return self.types.counts, starts, cells[entries]

    @property
    def first_cells(self) -> Ints:
        """Rough sides: for each type, one of the cells open to it."""
        rows, columns = self.types.of_each(
            lambda side: side.set_members[side.set_starts[_first_sets(side)]]
        )
        return rows * self.shape[1] + columns

    @cached_property
    def set_matrices(self) -> SetMatrices | None:
        """Rough sides: the sets of either one as rows of a mask, and how often pairs occur.

        None where these are too many pairs to lay out.
        """
        types = self.types
        if types.rows.n_statements * types.columns.n_statements > _MOST_LISTED_CELLS:
            return None
        rows, columns = (_mask(side)[side.sets] for side in (types.rows, types.columns))
        counts = np.zeros((len(rows), len(columns)), dtype=np.int64)
        counts[types.row_statements, types.column_statements] = types.counts
        return rows, columns, counts

    @cached_property
    def rough_batch(self) -> RoughBatch | None:
        """Rough sides: the one comparison; None if it leaves too many cells open."""
        types = self.types
        rows, columns = types.of_each(_first_sets)  # a statement is one set
        sizes = types.rows.family.sizes[rows] * types.columns.family.sizes[columns].astype(float)
        if sizes.sum() > _MOST_LISTED_CELLS:
            return None
        return rough_batch(
            np.zeros(len(rows), dtype=np.int64),
            (rows, columns),
            types.counts,
            (types.rows.set_starts, types.rows.set_members),
            (types.columns.set_starts, types.columns.set_members),
            n_tables=1,
            shape=self.shape,
        )

    @cached_property
    def stated_possibilities(self) -> tuple[Floats, Floats]:
        """The possibility of each cluster in each distinct statement, where a t-norm joins.

        Enough to plan by: laid out for each type of objects it may be far larger.
        """
        return _memberships(self.types.rows), _memberships(self.types.columns)

    @cached_property
    def possibilities(self) -> tuple[Floats, Floats]:
        """The possibility of each cluster for each type of objects, on either side."""
        rows, columns = self.stated_possibilities
        return rows[self.types.row_statements], columns[self.types.column_statements]

    # Types of objects by bit masks, for the solvers of ends.

    @cached_property
    def set_types(self) -> SetTypes | None:
        """Types of objects by the sets of rows and columns they may go to, as bit masks.

        None where there are too many clusters for bit masks, or too many pairs of sets to list.
        """
        if max(self.shape) > _MOST_MASKED_CLUSTERS or self.is_wide:
            return None
        if {self.row_side.kind, self.column_side.kind} <= {"hard", "rough"}:
            return SetTypes(*self.types.of_each(Statements.masks), self.types.counts[None])
        if self.class_masses is not None:
            return self.types_of(np.zeros((1, 0), dtype=np.int64))
        return self.types_of(self.focal_model.fixed[None, :])

    @cached_property
    def kinds_of_sets(self) -> SetTypes | None:
        """One type that says which sides are single clusters: the choice of a solver needs no more.

        None where `set_types` is None.
        """
        if max(self.shape) > _MOST_MASKED_CLUSTERS or self.is_wide:
            return None
        if self.class_masses is not None:
            return self.set_types
        types = self.types
        row_set, column_set = (
            np.array([3 if (side.family.sizes[side.sets] > 1).any() else 1])
            for side in (types.rows, types.columns)
        )
        return SetTypes(row_set, column_set, np.empty((0, 1), dtype=np.int64))

    def types_of(self, counts: Ints) -> SetTypes:
        """The types of drawn focal tables, given by the objects per pair of sets in use."""
        if self.class_masses is None:
            return set_types(self.focal_model, counts, self.shape[1])
        return SetTypes(*self.class_masses.pair_masks(), counts)

    # What draws take.

    @cached_property
    def class_masses(self) -> ClassMasses | None:
        """The masses of many different objects by the classes of a hard column side, else None.

        Such sides are drawn from as they stand: their types are as many as their objects.
        """
        masses, truth = self.row_side, self.column_side
        if not (isinstance(masses, EvidentialPartition) and isinstance(truth, HardPartition)):
            return None
        if self.n_objects < _MANY_OBJECTS or not masses.has_distinct_objects:
            return None
        if masses.is_listed and self.n_objects * len(masses.focal_sets) > _MOST_MASSES:
            return None
        return ClassMasses(masses, truth.codes, truth.n_clusters)

    def sampler(self, n_draws: float) -> FocalSampler | ClassSampler:
        """Draws focal tables as objects per pair of sets in use."""
        if self.class_masses is None:
            return FocalSampler(self.focal_model, n_draws)
        side, classes, n_classes = self.class_masses
        return ClassSampler(side.masses, classes, n_classes)

    @cached_property
    def drawn_sides(self) -> DrawnSides:
        """The sets that each side may draw for each type of objects, independently."""
        types = self.types
        return DrawnSides(
            _drawn_side(types.rows, types.row_statements),
            _drawn_side(types.columns, types.column_statements),
            types.counts,
        )

    @cached_property
    def unsureness(self) -> tuple[int, float]:
        """How many objects have a choice, and the sum of how unsure each is; see `Prior`."""
        if self.kept is not None and self.kept.draws is not None:
            return self.kept.draws.n_open, self.kept.draws.unsureness

        def likeliest(side: Statements) -> Floats:
            return np.maximum.reduceat(side.weights, side.starts[:-1])

        if self.class_masses is not None:
            said = self.class_masses.side.statements()
            eta = 1.0 - likeliest(said)[said.codes]
            counts = (eta > 0.0).astype(np.int64)
        else:
            rows, columns = self.types.of_each(likeliest)
            is_open = self.n_options > 1
            eta, counts = 1.0 - (rows * columns)[is_open], self.types.counts[is_open]
        each = np.where(eta < 0.5, eta * (1.0 - eta), 0.25)
        return int(counts.sum()), float((counts * each).sum())

    @cached_property
    def objects_per_draw(self) -> int:
        """Objects that have a choice, each drawn once or twice per table."""
        if self.class_masses is not None:
            return self.n_objects
        rows, columns = self.types.of_each(lambda side: side.family.sizes[_first_sets(side)])
        is_certain = (self.n_options == 1) & (rows * columns == 1)
        return max(1, int(self.types.counts[~is_certain].sum()))

    # Probabilities of hard and fuzzy sides.

    @cached_property
    def probabilities(self) -> tuple[Rows, Rows]:
        """The probabilities of the clusters of each object on either side, as they are stored."""
        return probability_rows(self.row_side), probability_rows(self.column_side)

    @property
    def mean_lengths(self) -> tuple[float, float]:
        """Entries per object on either side that a formula visits: none where sums are kept."""
        if self.kept is not None:
            return 0.0, 0.0
        rows, columns = self.probabilities
        return rows.mean_length, columns.mean_length

    @cached_property
    def fuzzy_table(self) -> "FuzzyTable":
        """Means, variances and limits of the counts of the random table of two fuzzy sides."""
        from sfumato.algorithms.moments.fuzzy_table import fuzzy_table, table_of_powers

        if self.kept is not None and self.kept.sums is not None:
            return table_of_powers(self.kept.sums)
        return fuzzy_table(*self.probabilities)

    @cached_property
    def row_memberships(self) -> Floats:
        """The probabilities of the row side laid out in full, of shape (n, k1)."""
        return self.row_side.pignistic().memberships

    def first_memberships(self, n_objects: int) -> Floats:
        """Those of the first few objects alone."""
        rows = sparse_rows(slice_rows(self.probabilities[0], 0, min(n_objects, self.n_objects)))
        memberships = np.zeros((rows.n_rows, rows.width))
        memberships[owners_of(rows.starts), rows.columns] = rows.values
        return memberships

    @property
    def both_memberships(self) -> tuple[Floats, Floats]:
        """Those of both sides."""
        return self.row_memberships, self.column_side.pignistic().memberships

    @cached_property
    def product_rows(self) -> tuple[Rows, Rows] | None:
        """The probabilities of two fuzzy sides with very many options for objects, else None.

        Such sides are drawn from one after the other: the pairs are too many to list.
        """
        sides = self.row_side, self.column_side
        if not (isinstance(sides[0], FuzzyPartition) and isinstance(sides[1], FuzzyPartition)):
            return None
        rows, columns = self.probabilities
        pairs = rows.mean_length * columns.mean_length
        options = pairs * self.n_objects
        if options <= _MOST_OPTIONS and (pairs <= _MANY_PAIRS or options <= _MANY_OPTIONS):
            return None
        return sparse_rows(rows), sparse_rows(columns)

    @property
    def has_hard_columns(self) -> bool:
        """Whether the column side is hard."""
        return isinstance(self.column_side, HardPartition)

    @property
    def classes(self) -> Codes:
        """The cluster of each object in a hard column side."""
        assert isinstance(self.column_side, HardPartition)
        return self.column_side.codes

    @cached_property
    def class_sizes(self) -> Ints:
        """Objects in each cluster of a hard column side."""
        assert isinstance(self.column_side, HardPartition)
        return count_codes(self.column_side.short_codes, self.shape[1])


def _first_sets(statements: Statements) -> Ints:
    return statements.sets[statements.starts[:-1]]


def _mask(statements: Statements) -> Bools:
    return statements.family.to_mask(statements.n_clusters)


def _memberships(statements: Statements) -> Floats:
    """The weight of each cluster in each statement, whose sets are single clusters."""
    dense = np.zeros((statements.n_statements, statements.n_clusters))
    clusters = statements.set_members[statements.set_starts[statements.sets]]
    dense[statements.owners, clusters] = statements.weights
    return dense


def _drawn_side(side: Statements, statements: Ints) -> DrawnSide:
    return DrawnSide(
        side.starts, side.sets, side.weights, statements, side.set_starts, side.set_members
    )


def probability_rows(side: IndependentPartition) -> Rows:
    """The probabilities of a hard or fuzzy side, as they are stored."""
    if isinstance(side, HardPartition):
        return hard_rows(side.short_codes, side.n_clusters)
    assert isinstance(side, FuzzyPartition)
    return side.rows


def by_cluster(side: IndependentPartition) -> Floats:
    """Memberships of a hard or fuzzy side, of shape (k, n): each cluster's side by side."""
    if isinstance(side, HardPartition):
        return (side.codes == np.arange(side.n_clusters)[:, None]).astype(np.float64)
    assert isinstance(side, FuzzyPartition)
    return np.ascontiguousarray(side.memberships.T)


def _possibilities(side: IndependentPartition) -> Statements:
    """The possibilities of each cluster; where none are given, 1 for what is not ruled out."""
    if isinstance(side, PossibilisticPartition):
        return side.statements()
    support = side.support()
    single = SetList.singletons(side.n_clusters)
    return Statements(
        codes=support.codes,
        starts=support.sets.starts,
        sets=support.sets.members,
        weights=np.ones(len(support.sets.members)),
        set_starts=single.starts,
        set_members=single.members,
        n_clusters=side.n_clusters,
    )
