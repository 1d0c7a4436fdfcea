"""A question: two partitions, a measure, a quantity, and the theory that joins them."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple, final

import numpy as np

from sfumato._typing import Floats, Kind, Quantity, TNorm
from sfumato.algorithms.tables.likely_sizes import SizeLimits, likely_sizes, sure_sizes
from sfumato.errors import InputError
from sfumato.families import Objective
from sfumato.measures.base import Measure, SizeBounded, value_range
from sfumato.measures.difference import Difference
from sfumato.partitions.base import IndependentPartition, Partition, independent
from sfumato.partitions.drawn import DrawnPartition, draws_note
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.reading.alignment import align
from sfumato.partitions.reading.tabular import Index
from sfumato.partitions.statements import Statements
from sfumato.partitions.theories import Theory, join, range_is_that_of_supports, t_norm_of
from sfumato.question.composite import DrawnPair, composite
from sfumato.question.joint import Joint, probability_rows
from sfumato.question.kept import Kept

__all__ = ["LikelyRange", "Query", "difference_query"]

# Where the range of a measure depends on cluster sizes, unlikely ones may move a mean by so much.
_UNLIKELY_PART = 1e-10


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

    Theories are "hard", "rough", "fuzzy" and "evidential" as in the paper (section 3);
    "possibilistic" is one joint possibility distribution by a t-norm; "levels" is a possibilistic
    partition read with min against a fuzzy or evidential one: a mixture over its levels; "drawn" is
    a mixture over the draws of one side, or of both.
    """

    a: Partition
    b: Partition  # the reference
    measure: Measure
    quantity: Quantity
    original: tuple[Partition, Partition]  # as the user gave them, aligned
    theory: Theory
    notes: tuple[str, ...]
    # Ids in their order; without ids the rows that are left, or None where all are.
    objects: Index = None
    # What is left of objects that are gone: the partitions then list pairs of statements that are
    # counted, or clusters only.
    kept: Kept | None = None
    is_paired: bool = False  # whether the draws of both sides were made together

    @classmethod
    def of(
        cls,
        a: Partition,
        b: Partition,
        measure: Measure,
        quantity: Quantity,
        *,
        paired: bool = False,
    ) -> "Query":
        """Align the partitions, simplify them and find the theory that joins them."""
        a, b, notes, rows = align(a, b)
        notes = (*a.notes, *b.notes, *notes, *_reading(a), *_reading(b))
        if paired:
            _check_paired(a, b)
        original = (a, b)
        indexes = (side.index for side in original)
        objects = next((index for index in indexes if index is not None), rows)
        a, b = a.simplest(), b.simplest()
        theory = join(a, b)
        if quantity == "range" and range_is_that_of_supports(a, b, theory):
            assert isinstance(a, IndependentPartition)
            assert isinstance(b, IndependentPartition)
            a, b = a.support().simplest(), b.support().simplest()
            theory = join(a, b)
        said = tuple(dict.fromkeys(notes))
        return cls(a, b, measure, quantity, original, theory, said, objects, is_paired=paired)

    def __getstate__(self) -> dict[str, object]:
        """The question itself. What was derived of it is found again: formulas do not travel."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def __str__(self) -> str:
        return f"{self.measure.name} ({self.quantity}) of {self.kinds[0]} against {self.kinds[1]}"

    @property
    def kinds(self) -> tuple[Kind, Kind]:
        """Kinds of the two partitions as the user gave them."""
        return self.original[0].kind, self.original[1].kind

    @property
    def n_objects(self) -> int:
        """Objects that both partitions speak of."""
        return self.a.n_objects if self.kept is None else self.kept.n_objects

    @property
    def sides(self) -> tuple[IndependentPartition, IndependentPartition]:
        """The two partitions, in every theory but that of draws."""
        assert isinstance(self.a, IndependentPartition)
        assert isinstance(self.b, IndependentPartition)
        return self.a, self.b

    @property
    def measure_of_one(self) -> Measure:
        """The measure of one candidate, where the question is about a difference of two."""
        return self.measure.measure if isinstance(self.measure, Difference) else self.measure

    @property
    def t_norm(self) -> TNorm:
        """The t-norm of a possibilistic query."""
        return t_norm_of(self.a, self.b)

    @property
    def has_hard_side(self) -> bool:
        """Whether one of the two partitions is hard."""
        return isinstance(self.a, HardPartition) or isinstance(self.b, HardPartition)

    @property
    def is_precise(self) -> bool:
        """Whether theory gives one value rather than an interval."""
        if self.theory == "drawn":
            candidates = self.a.candidates if isinstance(self.a, DrawnPair) else (self.a,)
            kinds = {side.kind for side in (*candidates, self.b)}
            return kinds <= {"hard", "fuzzy", "drawn"} and self.quantity != "range"
        return self.theory == "hard" or (self.theory == "fuzzy" and self.quantity != "range")

    @cached_property
    def _upright(self) -> Objective:
        """The measure on tables whose rows are a's clusters."""
        n, shape = self.n_objects, (self.a.n_clusters, self.b.n_clusters)
        measure = self.measure
        if isinstance(measure, SizeBounded):
            limits = (_sure_sizes(side, self.kept) for side in (self.a, self.b))
            bounds = measure.bounds_for_sizes(n, *limits)
        else:
            bounds = value_range(measure, n, *shape)
        family = measure.family(n)
        return Objective(family, shape, n, bounds, measure.of_tables, measure.symmetric)

    @cached_property
    def is_turned(self) -> bool:
        """Whether rows are b's clusters and columns a's, so that a hard side is the columns."""
        only_a_is_hard = isinstance(self.a, HardPartition) and not isinstance(self.b, HardPartition)
        return only_a_is_hard and self._upright.is_turnable

    @cached_property
    def objective(self) -> Objective:
        """The measure as solvers see it, on the table of the joint partitions."""
        return self._upright.turned() if self.is_turned else self._upright

    @cached_property
    def joint(self) -> Joint:
        """The two partitions as rows and columns of one table."""
        t_norm = self.t_norm if self.theory == "possibilistic" else None
        a, b = self.sides
        rows, columns = (b, a) if self.is_turned else (a, b)
        kept = self.kept
        if kept is not None and self.is_turned:
            kept = kept.turned()
        return Joint(rows, columns, t_norm, kept)

    @cached_property
    def levels(self) -> Floats:
        """Levels of the possibilistic sides, highest first."""
        sides = (side for side in (self.a, self.b) if isinstance(side, PossibilisticPartition))
        first, *others = (side.levels() for side in sides)
        return np.unique(np.concatenate([first, *others]))[::-1] if others else first

    def size_limits(self, risk: float) -> tuple[SizeLimits, SizeLimits]:
        """Limits of the sizes of rows and columns that all hold but for a probability of ``risk``.

        With a risk of 0 they surely hold.
        """
        if risk not in self._limits:
            a, b = (self._likely_sizes(at, risk / 2) for at in (0, 1))
            self._limits[risk] = (b, a) if self.is_turned else (a, b)
        return self._limits[risk]

    @cached_property
    def _limits(self) -> dict[float, tuple[SizeLimits, SizeLimits]]:
        """Those that were asked for before."""
        return {}

    @cached_property
    def likely_range(self) -> LikelyRange:
        """A range for random clusterings, narrower than the bounds where these are of no use."""
        if self.theory == "drawn" or not isinstance(self.measure, SizeBounded):
            return LikelyRange(*self.objective.bounds, 0.0)
        n = self.n_objects
        anything = [
            SizeLimits(np.zeros(side.n_clusters), np.full(side.n_clusters, float(n)))
            for side in (self.a, self.b)
        ]
        lowest, highest = self.measure.bounds_for_sizes(n, *anything)
        risk = _UNLIKELY_PART / (highest - lowest) / 2
        limits = (self._likely_sizes(at, risk, of_all=True) for at in (0, 1))
        return LikelyRange(*self.measure.bounds_for_sizes(n, *limits), _UNLIKELY_PART)

    def _likely_sizes(self, at: int, risk: float, *, of_all: bool = False) -> SizeLimits:
        """Limits of the cluster sizes of one side; ``of_all`` treats a hard side like others."""
        side = self.sides[at]
        if self.kept is not None and self.kept.draws is not None:
            return self.kept.draws.limits(at, risk)
        if not of_all and (risk == 0.0 or isinstance(side, HardPartition)):
            return _sure_sizes(side)
        return likely_sizes(_independent(side).memberships(), risk)


def difference_query(
    a: Partition, b: Partition, truth: Partition, measure: Measure, quantity: Quantity
) -> Query:
    """The question how much larger the measure of a is than that of b, against one truth.

    All three speak of the same objects in the same order.
    """
    if quantity == "range" and join(a.simplest(), b.simplest()) == "levels":
        sides = (independent(side, "A difference of candidates") for side in (a, b))
        a, b = (side.support() for side in sides)  # all is possible at the lowest level
    pair = composite(a, b)
    n_columns = truth.simplest().n_clusters
    asked = Difference(measure, pair.first_rows, pair.second_rows, n_columns)
    return Query.of(pair.partition, truth, asked, quantity)


def _sure_sizes(side: Partition, kept: Kept | None = None) -> SizeLimits:
    if kept is not None and kept.counts is None:
        k = side.n_clusters
        return SizeLimits(np.zeros(k), np.full(k, float(kept.n_objects)))
    if kept is not None:
        assert isinstance(side, IndependentPartition)
        return side.statements().size_limits(kept.counts)
    if isinstance(side, HardPartition | FuzzyPartition):  # without listing statements
        return sure_sizes(probability_rows(side))
    if isinstance(side, DrawnPartition):
        every = np.ones(side.n_clusters)
        return SizeLimits(0.0 * every, side.n_objects * every)
    assert isinstance(side, IndependentPartition)
    return _independent(side).size_limits()


def _independent(side: IndependentPartition) -> Statements:
    """Statements of which objects choose independently; by a t-norm only the support is such."""
    if isinstance(side, PossibilisticPartition) and side.t_norm is not None:
        return side.support().statements()
    return side.statements()


def _check_paired(a: Partition, b: Partition) -> None:
    if not (isinstance(a, DrawnPartition) and isinstance(b, DrawnPartition)):
        raise InputError(
            f"paired=True is for two drawn partitions of one chain, not {a.kind} against {b.kind}."
        )
    if a.n_draws != b.n_draws or not np.allclose(a.weights, b.weights, rtol=1e-9, atol=0.0):
        raise InputError(
            f"paired=True needs as many draws on both sides ({a.n_draws:,} and {b.n_draws:,}), "
            "with the same weights."
        )


def _reading(partition: Partition) -> tuple[str, ...]:
    if isinstance(partition, DrawnPartition):
        return (draws_note(partition),)
    if not isinstance(partition, PossibilisticPartition):
        return ()
    if partition.t_norm is None:
        return ("Possibilistic memberships are read object by object, as consonant masses.",)
    return (
        "Possibilistic memberships are read as one joint possibility distribution by the "
        f"t-norm {partition.t_norm}.",
    )
