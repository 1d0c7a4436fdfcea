"""Draws of all candidates and the truth that all pairs of a ranking share."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from math import inf
from time import monotonic
from typing import final

import numpy as np

from sfumato._typing import Quantity
from sfumato.algorithms.blas_threads import with_one_blas_thread
from sfumato.algorithms.deadline import Deadline, OutOfTimeError
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.mean import Draws, Goal, Source, estimate_means
from sfumato.algorithms.sampling.prior import Prior
from sfumato.algorithms.sampling.sources.bracketed import BracketedEnds
from sfumato.algorithms.sampling.sources.contests import (
    Contest,
    Player,
    contest_block,
    contest_seconds,
    draw_contest,
    is_drawable,
)
from sfumato.algorithms.sampling.strata import joined
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.algorithms.tables.ragged import owners_of
from sfumato.algorithms.tables.set_draws import DrawnSide
from sfumato.api.ranking.contenders import Contenders
from sfumato.api.ranking.pair_answers import answer_fields
from sfumato.display.progress import progress_bar
from sfumato.families import Objective
from sfumato.measures.base import value_range
from sfumato.measures.difference import Difference, alone
from sfumato.partitions import Partition, PossibilisticPartition
from sfumato.partitions.base import independent
from sfumato.question.draws import gap_notes, prior_of
from sfumato.question.plan import Policy
from sfumato.results.answers import empirical, estimated_answer, intervals
from sfumato.results.comparison import Comparison
from sfumato.results.lead import Lead, lead_of_ends
from sfumato.results.values import ValueKnowledge

__all__ = ["Field", "SharedDraws"]

_SECONDS = 1.5  # about, for all draws, where no number of them is asked for
_FEWEST_DRAWS, _MOST_DRAWS = 200, 4000


@final
class Field:
    """What candidates and truth may draw, laid out once."""

    def __init__(self, contenders: Contenders) -> None:
        self.contenders = contenders
        self._players: dict[int, Player] = {}
        self.n_objects = contenders.truth.n_objects

    @cached_property
    def truth(self) -> Player:
        """The truth."""
        return _player(self.contenders.truth)

    def player(self, at: int) -> Player:
        """A candidate."""
        if at not in self._players:
            self._players[at] = _player(self.contenders.sides[at])
        return self._players[at]

    def contrast(self, i: int, j: int) -> Objective:
        """The difference of two candidates, on tables whose rows are all pairs of clusters."""
        sizes = self.player(i).n_clusters, self.player(j).n_clusters
        first, second = np.divmod(np.arange(sizes[0] * sizes[1]), sizes[1])
        measure = Difference(self.contenders.measure, first, second, self.truth.n_clusters)
        n, shape = self.n_objects, (len(first), self.truth.n_clusters)
        bounds = value_range(measure, n, *shape)
        return Objective(measure.family(n), shape, n, bounds, measure.of_tables, False)

    def is_drawable(self, i: int, j: int) -> bool:
        """Whether both ends of the difference can be found in each draw."""
        return is_drawable(self.truth, (self.player(i), self.player(j)), self.contrast(i, j))

    def contest(self, pairs: Sequence[tuple[int, int]]) -> Contest:
        """The candidates of some pairs, and what is asked of them."""
        used = sorted({at for pair in pairs for at in pair})
        players = tuple(self.player(at) for at in used)
        n, columns = self.n_objects, self.truth.n_clusters
        measure = self.contenders.measure
        return Contest(
            players,
            self.truth,
            tuple(alone(measure, n, player.n_clusters, columns) for player in players),
            tuple((used.index(i), used.index(j)) for i, j in pairs),
            tuple(self.contrast(i, j) for i, j in pairs),
        )


def _player(side: Partition) -> Player:
    side = independent(side.simplest(), "A ranking by draws")
    has_levels = isinstance(side, PossibilisticPartition)
    said = (side.with_t_norm(None) if has_levels else side).statements()
    sets, weights = said.sets, said.weights
    if has_levels:  # a level chooses among nested sets, the smallest first
        sizes = np.diff(said.set_starts)[sets]
        order = np.lexsort((sizes, owners_of(said.starts)))
        sets, weights = sets[order], weights[order]
    drawn = DrawnSide(said.starts, sets, weights, said.codes, said.set_starts, said.set_members)
    return Player(drawn, said.n_clusters, has_levels)


@final
@dataclass(frozen=True, eq=False)
class SharedDraws:
    """Both ends of D in each draw, for some pairs of candidates."""

    field: Field
    pairs: Sequence[tuple[int, int]]
    ends: BracketedEnds  # (s, pairs): outer sides of both, and how far they may lie inside of them
    n_planned: int
    deadline: Deadline

    @classmethod
    def make(
        cls,
        field: Field,
        pairs: Sequence[tuple[int, int]],
        policy: Policy,
        rng: np.random.Generator,
    ) -> "SharedDraws":
        """Draw as often as asked for, or as time allows.

        The number is fixed before the first draw, unless the time ends them.
        """
        contest = field.contest(pairs)
        each = contest_seconds(contest)
        limit = inf if policy.max_seconds is None else policy.max_seconds
        planned = policy.n_samples
        if planned is None:
            affordable = min(_SECONDS, limit / 2) / each
            planned = int(min(max(_FEWEST_DRAWS, affordable), _MOST_DRAWS))
        deadline = Deadline(limit)

        def work() -> list[BracketedEnds]:
            with progress_bar(f"{len(pairs)} pairs: draws", planned * each) as progress:
                task = Run(rng, deadline, progress, policy.threads)
                size = policy.block(contest_block(contest), each)
                draw = partial(draw_contest, contest)
                try:
                    return draw_in_blocks(draw, planned, task, block=size)
                except OutOfTimeError:  # not even one: there is no other way to an answer
                    return draw_in_blocks(draw, 1, task._replace(deadline=Deadline()), block=1)

        return cls(field, pairs, joined(with_one_blas_thread(work)()), planned, deadline)

    @property
    def n_draws(self) -> int:
        """Draws that were made."""
        return len(self.ends[0])

    def _column(self, pair: tuple[int, int]) -> BracketedEnds:
        at = self.pairs.index(pair)
        lows, highs, low_gaps, high_gaps = self.ends
        return lows[:, at], highs[:, at], low_gaps[:, at], high_gaps[:, at]

    def leads(self, pair: tuple[int, int], risk: float) -> tuple[Lead, Lead]:
        """Who leads, and the same of the other; brackets hold together but for ``risk``."""
        lows, highs, low_gaps, high_gaps = self._column(pair)
        inner = lows + low_gaps, highs - high_gaps
        if self.deadline.is_set:  # time decides the number of draws: each has a part of the risk
            risk /= self.n_draws * (self.n_draws + 1.0)
        return (
            lead_of_ends((lows, *inner, highs), risk),
            lead_of_ends((-highs, -inner[1], -inner[0], -lows), risk),
        )

    def comparison(
        self, pair: tuple[int, int], policy: Policy, quantity: Quantity, *, confidence: float
    ) -> Comparison:
        """The expectations of D, with brackets that hold at the given confidence."""
        contenders = self.field.contenders
        lows, highs, low_gaps, high_gaps = self._column(pair)
        objective = self.field.contrast(*pair)
        n_means = 1 if self._is_precise(pair) else 2
        draws = Draws(
            np.stack([lows, highs], axis=1)[:, :n_means],
            np.zeros((self.n_draws, 0)),
            np.stack([low_gaps, high_gaps], axis=1)[:, :n_means],
        )
        source = Source(partial(_given, draws), self.n_planned)
        goal = Goal(self.n_planned, None, confidence, policy.bound)
        task = Run(np.random.default_rng(0), self.deadline, _no_progress, 1)
        started = monotonic()
        found = estimate_means(source, goal, self._prior(pair, objective), task)
        answer = estimated_answer(
            "confidence" if found.error < inf else "inner",
            found,
            objective.bounds,
            confidence=confidence,
            distribution=self._distribution(pair) if quantity == "distribution" else None,
            notes=gap_notes(found.gaps[0], found.gaps[-1], is_solved=False),
        )
        return Comparison(
            measure=f"{contenders.measure.name} difference",
            better=contenders.measure.better,
            quantity=quantity,
            kinds=(contenders.sides[pair[0]].kind, contenders.truth.kind),
            is_precise=n_means == 1,
            method="sample",
            engine=policy.engine,
            bounds=objective.bounds,
            seconds=monotonic() - started,
            **answer_fields(answer),
        )

    def _players(self, pair: tuple[int, int]) -> tuple[Player, Player, Player]:
        return self.field.player(pair[0]), self.field.player(pair[1]), self.field.truth

    def _is_precise(self, pair: tuple[int, int]) -> bool:
        return all(player.is_precise for player in self._players(pair))

    def _prior(self, pair: tuple[int, int], objective: Objective) -> Prior:
        """What is known before drawing; one level moves all objects at once."""
        if any(player.has_levels for player in self._players(pair)):
            return Prior(*objective.bounds, 0.0, 2)
        return prior_of(self.field.contenders.pair(*pair, "expectation"))

    def _distribution(self, pair: tuple[int, int]) -> ValueKnowledge:
        lows, highs, low_gaps, high_gaps = self._column(pair)
        if self._is_precise(pair):
            return empirical(lows)
        is_outer = float(np.maximum(low_gaps, high_gaps).max()) > ROUNDING
        return intervals(lows, highs, is_outer=is_outer)

    def is_outer(self, pair: tuple[int, int]) -> bool:
        """Whether ends are bounds in some draws where it is open who leads."""
        lows, highs, low_gaps, high_gaps = self._column(pair)
        crosses = ((lows <= 0) & (lows + low_gaps > 0)) | ((highs >= 0) & (highs - high_gaps < 0))
        return bool((crosses & (np.maximum(low_gaps, high_gaps) > ROUNDING)).any())


def _given(draws: Draws, _size: int, _seed: np.random.SeedSequence) -> Draws:
    return draws


def _no_progress(_: float) -> None: ...
