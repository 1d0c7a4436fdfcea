"""Random tables drawn chunk by chunk: they add up, each draw of one chunk to that of another."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import ceil, inf
from typing import final

import numpy as np

from sfumato._typing import Floats, Ints, Kind, Name
from sfumato.algorithms.sampling.mean import prior_confidence
from sfumato.algorithms.sampling.prior import Prior, draws_for, largest_step
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.algorithms.tables.likely_sizes import SizeLimits, SizeSums, size_limits, size_sums
from sfumato.errors import CostError, InputError, UnsupportedError
from sfumato.families import Objective
from sfumato.measures import Measure
from sfumato.partitions.base import IndependentPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.setlist import SetList
from sfumato.question.counted_pairs import CountedSide, PairCounts, joined_names
from sfumato.question.joint import Joint
from sfumato.question.plan import Policy

__all__ = ["MOST_CLUSTERS", "DrawnTables", "check_draws", "draws_beforehand"]

MOST_CLUSTERS = 32
_DRAWS = 100  # where no number is asked for
_MOST_FOR_AN_AIM, _MOST_FOR_A_TOLERANCE = 1_000, 10_000


def draws_beforehand(
    measures: Iterable[Measure], policy: Policy, confidence: float, n_objects: int | None
) -> float:
    """Tables to draw of every chunk, a number that must be known before any of them is read.

    A tolerance is turned into a number by Hoeffding's bound. Where all objects are counted before,
    one of them changes a value by little, and McDiarmid's bound takes far fewer draws. A tolerance
    that is only aimed at, and takes very many, is left aside. The number is infinite if none
    suffices, as values have no bounds.
    """
    if policy.n_samples is not None:
        return policy.n_samples
    if policy.tolerance is None:
        return _DRAWS
    confidence = prior_confidence(confidence, policy.bound)
    needed = 1.0
    for measure in measures:
        prior = Prior(*measure.bounds, rest=0.0, n_means=2)
        if n_objects is not None:  # each of which may be as unsure as can be
            family, shape = measure.family(n_objects), (n_objects, n_objects)  # whatever the table
            values = measure.bounds, measure.of_tables, measure.symmetric
            step = largest_step(Objective(family, shape, n_objects, *values))
            prior = prior._replace(step=step, n_objects=n_objects, unsureness=n_objects / 4)
        draws = draws_for(prior, policy.tolerance, bound=policy.bound, confidence=confidence)
        needed = max(needed, draws if draws == inf else ceil(draws))
    if policy.tolerance_is_demand or needed <= _MOST_FOR_AN_AIM:
        return needed
    return _DRAWS


def check_draws(n_draws: float, tolerance: float | None) -> int:
    """The number of draws, if a tolerance does not take too many."""
    if tolerance is not None and n_draws > _MOST_FOR_A_TOLERANCE:
        takes = "no number of" if n_draws == inf else f"{n_draws:,.0f}"
        raise CostError(
            f"By what is known before reading, tolerance={tolerance:g} takes {takes} drawn tables "
            f"({_MOST_FOR_A_TOLERANCE:,} at most): use Sampled(n_samples=...), whose error is "
            "often far smaller, or a larger tolerance."
        )
    return int(n_draws)


@final
@dataclass(frozen=True, eq=False)
class DrawnTables:
    """Rough partitions drawn from two sides, as counts of pairs of sets, and what bounds the error.

    ``unsureness`` is the sum over objects of eta (1 - eta), or of 1/4 if eta is at least 1/2, where
    eta is the probability of all but the likeliest choice.
    """

    kinds: tuple[Kind, Kind]
    pairs: PairCounts  # with counts of shape (s, t): one row for each of s draws
    sizes: tuple[SizeSums, SizeSums]  # of the clusters of either side
    n_open: int  # objects that have a choice
    unsureness: float
    seeds: frozenset[str]  # of the draws; tables of the same ones must not be added

    @classmethod
    def of(
        cls,
        a: IndependentPartition,
        b: IndependentPartition,
        n_draws: int,
        seed: np.random.SeedSequence,
    ) -> "DrawnTables":
        """Draw tables of two partitions of which objects choose independently."""
        _refuse_many(max(a.n_clusters, b.n_clusters))
        is_turned = isinstance(a, HardPartition) and not isinstance(b, HardPartition)
        joint = Joint(b, a, None) if is_turned else Joint(a, b, None)
        types = joint.types_of(joint.sampler(n_draws).draw(n_draws, seed))
        masks = types.row_sets, types.column_sets
        pairs = _pairs_of_masks(joint.row_side, joint.column_side, *masks, types.counts)
        return cls(
            (a.kind, b.kind),
            pairs.turned() if is_turned else pairs,
            (size_sums(a.statements().memberships()), size_sums(b.statements().memberships())),
            *joint.unsureness,
            frozenset([f"{seed.entropy}:{','.join(map(str, seed.spawn_key))}"]),
        )

    @property
    def names(self) -> tuple[tuple[Name, ...], tuple[Name, ...]]:
        """Those of the clusters of either side."""
        return self.pairs.names

    @property
    def n_draws(self) -> int:
        """Tables that were drawn."""
        return len(self.pairs.counts)

    @property
    def n_objects(self) -> int:
        """Objects in each table."""
        return int(self.pairs.counts[0].sum())

    def __add__(self, other: object) -> "DrawnTables":
        if not isinstance(other, DrawnTables):
            return NotImplemented
        if self.n_draws != other.n_draws:
            raise InputError(
                f"One summary has {self.n_draws} draws and the other {other.n_draws}: make both "
                "with the same engine=Sampled(n_samples=...)."
            )
        if self.seeds & other.seeds:
            raise InputError(
                "Two summaries were drawn with the same random numbers: give each another rng."
            )
        pairs = self.pairs + other.pairs
        _refuse_many(max(len(pairs.a.names), len(pairs.b.names)))
        return DrawnTables(
            self.kinds,
            pairs,
            (_joined(self, other, 0), _joined(self, other, 1)),
            self.n_open + other.n_open,
            self.unsureness + other.unsureness,
            self.seeds | other.seeds,
        )

    def limits(self, at: int, risk: float) -> SizeLimits:
        """Limits of the cluster sizes of a side that all hold but for a risk; surely if it is 0."""
        return size_limits(self.sizes[at], risk)

    def turned(self) -> "DrawnTables":
        """The same with the two sides swapped."""
        return replace(
            self,
            kinds=(self.kinds[1], self.kinds[0]),
            pairs=self.pairs.turned(),
            sizes=(self.sizes[1], self.sizes[0]),
        )

    def set_types(self) -> SetTypes:
        """The tables in the form that solvers of ends take; rows are a's clusters."""
        pairs = self.pairs
        rows, columns = (
            np.bitwise_or.reduceat(
                np.left_shift(np.int64(1), side.sets.members), side.sets.starts[:-1]
            )
            for side in (pairs.a, pairs.b)
        )
        return SetTypes(rows[pairs.a_sets], columns[pairs.b_sets], pairs.counts)

    def noise_notes(self) -> list[str]:
        """Notes on labels that look like noise: none are made here."""
        return []

    def partitions(self) -> tuple[IndependentPartition, IndependentPartition]:
        """Partitions of one object for each pair of sets, of kinds that stand for the sides."""
        sides = self.pairs.a.partition(self.pairs.a_sets), self.pairs.b.partition(self.pairs.b_sets)
        a, b = (
            side
            if kind == "hard"
            else side.pignistic()
            if kind == "fuzzy"
            else side.to_evidential()
            for side, kind in zip(sides, self.kinds, strict=True)
        )
        return a, b


def _refuse_many(n_clusters: int) -> None:
    """Sets of clusters are bit masks, of one chunk and of all."""
    if n_clusters > MOST_CLUSTERS:
        raise UnsupportedError(
            f"Tables are drawn chunk by chunk for up to {MOST_CLUSTERS} clusters a side, got "
            f"{n_clusters}: merge or drop small clusters first."
        )


def _pairs_of_masks(
    a: IndependentPartition,
    b: IndependentPartition,
    row_sets: Ints,
    column_sets: Ints,
    counts: Ints,
) -> PairCounts:
    """Counts of pairs of sets that are given as bit masks, each pair once."""
    sides: list[CountedSide] = []
    codes: list[Ints] = []
    for side, masks in ((a, row_sets), (b, column_sets)):
        distinct, which = np.unique(masks, return_inverse=True)
        bits = (distinct[:, None] >> np.arange(side.n_clusters)) & 1
        is_hard = isinstance(side, HardPartition)
        sets = SetList.from_mask(bits.astype(bool))
        codes.append(sets.members[which] if is_hard else which.astype(np.int64))
        sides.append(
            CountedSide("hard", side.names, SetList.singletons(side.n_clusters))
            if is_hard
            else CountedSide("rough", side.names, sets)
        )
    width = len(sides[1].sets.starts) - 1
    found, which = np.unique(codes[0] * width + codes[1], return_inverse=True)
    total = np.zeros((len(counts), len(found)), dtype=np.int64)
    np.add.at(total.T, which, counts.T)
    return PairCounts(sides[0], sides[1], found // width, found % width, total)


def _joined(one: DrawnTables, other: DrawnTables, at: int) -> SizeSums:
    names, own, theirs = joined_names(one.names[at], other.names[at], "ab"[at])
    found: Floats = np.zeros((len(one.sizes[at]), len(names)))
    found[:, own] += one.sizes[at]
    found[:, theirs] += other.sizes[at]
    return found
