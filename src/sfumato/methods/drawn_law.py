"""Drawn partitions: the law of the value over the draws, or the mean of what is known of each."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from math import ceil, inf
from typing import final, get_args

import numpy as np

from sfumato._typing import Floats, Guarantee
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.concentration import hoeffding_draws, hoeffding_half_width
from sfumato.algorithms.sampling.mean import Draws, Source
from sfumato.algorithms.tables.distinct import distinct_values
from sfumato.errors import CostError
from sfumato.measures.base import CellMeasure
from sfumato.methods.base import Ask, Choose, Method, Scope
from sfumato.question.drawn_questions import CELLS_AT_ONCE, PairsOfDraws, SingleDraws
from sfumato.question.draws import MeanOfDraws, answer_of_seen
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, exact_answer
from sfumato.results.comparison import End, Witness
from sfumato.results.mixed import Part, mixed_answer
from sfumato.results.values import ValueDistribution

__all__ = ["DrawnLaw"]

_MANY_DRAWS = 10_000  # where no number and no tolerance is asked for
# Of pairs of draws:
_MOST_CELLS = 100_000_000  # of one table
_SECONDS_PER_PAIR = 1e-7
# Of draws against a soft side:
_SURE: tuple[Guarantee, ...] = ("exact", "certified")
_FEWEST_EACH = 10  # clusterings of the soft side for each draw
_MOST_DRAWS = 1e7
_FEWEST_NODES, _SEARCHES = 100, 50  # so many searches get all nodes each; more share the same
_SECONDS_PER_QUESTION = 5e-4
_MANY = 1e6  # questions: more are refused where all must be asked, as tables are
_LONG = 100.0  # seconds, about: beyond, random draws stand for all
_FIRST_SHARE = 0.25  # of the time, for the question about one draw
_SECONDS = 10.0  # about, for drawing from the soft side where no number is asked for
_FEWEST_DRAWS, _BLOCK = 200, 32


@final
@dataclass(frozen=True)
class DrawnLaw(Method):
    """The value of every draw, or of every pair of draws, with its probability.

    Draws that group the objects alike count once. Two drawn partitions are independent, so each
    draw of one meets each of the other, or as many random pairs as are affordable; those of one
    chain (``paired=True``) meet in their order. In a difference each draw of one candidate stands
    beside each of the other, and all of them meet the draws of the truth.

    Beside a soft side each draw is a question of its own, about a hard and a soft partition, and
    the answers are averaged. The planner passes its own functions, which choose and run the methods
    that answer these questions.
    """

    choose: Choose
    ask: Ask

    name = "drawn_law"
    cost = "O(s (n + k1 k2)), s draws or pairs of draws; a comparison for each beside a soft side"
    scopes = (Scope(theories=("drawn",), guarantees=get_args(Guarantee)),)
    asks_others = True

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Evaluate all pairs of draws, or some; or ask about all draws, or some."""
        pairs = PairsOfDraws.of(query)
        if pairs is not None:
            yield _plan_law(query, pairs)
            if pairs.is_product:
                yield _plan_random_pairs(query, policy, pairs)
        else:
            yield self._plan_for_each(SingleDraws.of(query), policy)

    def _plan_for_each(self, parts: SingleDraws, policy: Policy) -> Plan:
        """Plan the question about the draw with most clusters, for all of them or for some."""
        size = len(parts.weights)
        each = _share(policy, size)
        inner = self.choose(parts.hardest, each)
        sure = tuple(one for one in policy.guarantees if one in _SURE)
        longest = _LONG if policy.max_seconds is None else policy.max_seconds
        if inner.guarantee not in _SURE:
            plan = self._plan_for_samples(parts, policy, each)
            if plan.shortest < _FIRST_SHARE * longest or not policy.accepts("certified"):
                return plan
            inner = replace(inner, guarantee="certified")  # in short time there are only brackets
        each = replace(each, guarantees=sure)
        seconds = inner.seconds + _SECONDS_PER_QUESTION
        is_long = seconds * size > longest and seconds < _FIRST_SHARE * longest
        is_range = parts.query.quantity == "range"
        if policy.accepts("confidence") and is_long and not is_range:
            return self._plan_for_some(parts, policy, each, seconds)
        most, why = size, _why(parts, inner)
        if is_range and is_long:  # those of most weight; the others may have any value
            most = min(size, max(_FEWEST_DRAWS, int(_LONG / seconds)))
        if most < size:
            inner = replace(inner, guarantee="certified", may_fall_short=False)
            why = f"what {inner.method} says of {most:,} of {size:,} draws"
        is_one = inner.tables <= 1 and most == size <= _MANY
        return Plan(
            guarantee=inner.guarantee,
            tables=inner.tables if is_one else inner.tables * most,
            bytes=inner.bytes + 8.0 * parts.query.n_objects,
            seconds=seconds * most,
            why=why,
            shortest=0.0,
            may_fall_short=inner.may_fall_short,
            work=partial(_answer, parts, policy, each, self.ask, most),
        )

    def _plan_for_samples(self, parts: SingleDraws, policy: Policy, each: Policy) -> Plan:
        """Draw from the soft side for each of the draws."""
        hardest, size = parts.hardest, len(parts.weights)
        m, spread = _samples_each(hardest, policy, size), _spread(hardest)
        fixed = replace(each, n_samples=m, tolerance=None)
        if hardest.is_precise:  # one bound for all draws together, which holds for plain means
            fixed = replace(fixed, bound="hoeffding")
        else:  # each bracket has its share of the risk
            fixed = replace(fixed, confidence=1.0 - (1.0 - each.confidence) / size)
        inner = self.choose(hardest, fixed)
        if policy.n_samples is None and not policy.tolerance_is_demand:
            affordable = int(m * _SECONDS / max(_SECONDS, size * inner.seconds))
            m = max(_FEWEST_EACH, affordable)
            fixed = replace(fixed, n_samples=m)
            inner = self.choose(hardest, fixed)
        error = (
            hoeffding_half_width(m * size, spread, policy.confidence, 1)
            if hardest.is_precise
            else hoeffding_half_width(m, spread, fixed.confidence, 2)
        )
        seconds = inner.seconds + _SECONDS_PER_QUESTION
        return Plan(
            guarantee=inner.guarantee,
            tables=inner.tables * size,
            bytes=inner.bytes + 8.0 * hardest.n_objects,
            seconds=seconds * size,
            why=_why(parts, inner),
            n_samples=m * size,
            shortest=seconds,
            error=error,
            work=partial(_answer, parts, policy, fixed, self.ask, size),
        )

    def _plan_for_some(
        self, parts: SingleDraws, policy: Policy, each: Policy, seconds: float
    ) -> Plan:
        """Ask about random ones of the draws: all would take too long."""
        query = parts.query
        mean = MeanOfDraws.planned(query, policy, objects=query.n_objects, default=_MANY_DRAWS)
        if policy.n_samples is None and not policy.tolerance_is_demand:
            affordable = max(_FEWEST_DRAWS, int(_LONG / seconds))
            mean = replace(mean, n_draws=min(mean.n_draws, affordable))
        most = mean.n_draws
        return Plan(
            guarantee=mean.guarantee,
            tables=most,
            bytes=32.0 * most + 8.0 * query.n_objects,
            seconds=seconds * most,
            why=f"{most:,} random ones of {len(parts.weights):,} draws stand for all",
            n_samples=most,
            shortest=seconds,
            error=mean.error,
            work=partial(_estimate, parts, mean, each, self.ask, seconds),
        )


# All pairs of draws, or random ones.


def _plan_law(query: Query, pairs: PairsOfDraws) -> Plan:
    n_cells, n_pairs = pairs.n_cells, pairs.n_pairs
    if n_cells > _MOST_CELLS and not isinstance(pairs.measure, CellMeasure):
        raise CostError(
            f"{pairs.measure.name} needs whole tables of up to {n_cells:,} pairs of clusters "
            f"({_MOST_CELLS:,} at most): merge or drop small clusters first."
        )
    return Plan(
        guarantee="exact",
        tables=n_pairs,
        bytes=32.0 * n_pairs + 32.0 * max(CELLS_AT_ONCE, n_cells),
        seconds=pairs.n_tables * pairs.seconds_each + n_pairs * _SECONDS_PER_PAIR,
        why=f"{n_pairs:,.0f} tables of the given draws say it all",
        work=partial(_law, query, pairs),
    )


def _law(query: Query, pairs: PairsOfDraws, run: Run) -> Answer:
    n_pairs = int(pairs.n_pairs)
    rows, columns = pairs.places(0, n_pairs)
    masses = pairs.weights[rows]
    if not pairs.is_matched:
        masses = masses * pairs.second.weights[columns]
    is_counted = masses > 0
    rows, columns, masses = rows[is_counted], columns[is_counted], masses[is_counted]
    values = pairs.values(rows, columns)
    distinct, which = distinct_values(values)
    law = np.bincount(which, masses).astype(np.float64)
    law /= law.sum()
    ends = {
        end: (int(rows[at]), int(columns[at]))
        for end, at in (("lower", values.argmin()), ("upper", values.argmax()))
    }
    has_witness = query.quantity == "range" and pairs.rival is None
    return exact_answer(
        query.quantity,
        (distinct, distinct, law),
        distribution=ValueDistribution(distinct, law),
        find_witness=partial(_witness, pairs, ends) if has_witness else None,
    )


def _witness(pairs: PairsOfDraws, ends: dict[str, tuple[int, int]], end: End) -> Witness:
    return pairs.sides(*ends[end])


def _plan_random_pairs(query: Query, policy: Policy, pairs: PairsOfDraws) -> Plan:
    objects = query.n_objects + pairs.n_cells
    mean = MeanOfDraws.planned(query, policy, objects=objects, default=_MANY_DRAWS)
    is_range = query.quantity == "range"
    if is_range and policy.n_samples is None:  # no number of pairs gives a tolerance
        mean = replace(mean, n_draws=_MANY_DRAWS)
    draws = mean.n_draws
    return Plan(
        guarantee="inner" if is_range else mean.guarantee,
        tables=draws,
        bytes=32.0 * draws + 32.0 * max(CELLS_AT_ONCE, pairs.n_cells),
        seconds=draws * pairs.seconds_each,
        why=f"{draws:,} random pairs of draws stand for all {pairs.n_pairs:,.0f}",
        n_samples=draws,
        shortest=pairs.seconds_each,
        error=inf if is_range else mean.error,
        work=partial(_random_pairs, mean, pairs),
    )


def _random_pairs(mean: MeanOfDraws, pairs: PairsOfDraws, run: Run) -> Answer:
    """The mean of random pairs, or the ends of what is seen."""

    def draw(size: int, seed: np.random.SeedSequence) -> Floats:
        rng = np.random.default_rng(seed)
        rows, columns = (
            rng.choice(len(weights), size, p=weights)
            for weights in (pairs.weights, pairs.second.weights)
        )
        return pairs.values(rows, columns)

    block = mean.policy.block(1024, pairs.seconds_each)
    if mean.query.quantity == "range":
        drawn = draw_in_blocks(draw, mean.n_draws, run, block=block)
        return answer_of_seen(mean, np.concatenate(drawn), "pairs of draws")

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        return Draws.of([draw(size, seed)])

    return mean.of(Source(sample, block), run)


# One question for each draw.


def _why(parts: SingleDraws, inner: Plan) -> str:
    found = "both ends" if parts.query.quantity == "range" else "the mean"
    return f"{found} over {len(parts.weights):,} draws of what {inner.method} says of each"


def _share(policy: Policy, size: int) -> Policy:
    """The same policy for each of several questions, which share its budget."""
    return replace(
        policy,
        max_seconds=None,  # looked at between the questions
        max_tables=max(1.0, policy.max_tables / size),
        max_nodes=min(policy.max_nodes, max(_FEWEST_NODES, _SEARCHES * policy.max_nodes // size)),
    )


def _spread(query: Query) -> float:
    lowest, highest, _ = query.likely_range
    return highest - lowest


def _samples_each(query: Query, policy: Policy, size: int) -> int:
    """Clusterings of the soft side to draw for each draw."""
    total: float = _MANY_DRAWS if policy.n_samples is None else policy.n_samples
    spread = _spread(query)
    if policy.n_samples is None and policy.tolerance is not None and spread < inf:
        total = hoeffding_draws(policy.tolerance, spread, policy.confidence, 1)
        if not policy.tolerance_is_demand:
            total = min(total, policy.max_draws_of_objects / query.n_objects)
    return max(_FEWEST_EACH, ceil(min(total, _MOST_DRAWS) / size))


def _answer(
    parts: SingleDraws, policy: Policy, each: Policy, ask: Ask, most: int, run: Run
) -> Answer:
    """Ask about the draws of most weight, until the time is over."""
    query = parts.query
    found: list[Part] = []
    order = np.argsort(-parts.weights, kind="stable").tolist()[:most]
    seeds = [None] * len(order) if each.n_samples is None else run.rng.spawn(len(order))
    for done, (at, seed) in enumerate(zip(order, seeds, strict=True)):
        if done > 0 and run.deadline.is_over:
            break
        one = parts.question(at)
        if run.deadline.is_set and each.n_samples is None:
            each = replace(each, max_seconds=max(0.0, run.deadline.left))
        answer = ask(one, each, partial(_given, seed))
        low, high, rest = one.likely_range if answer.n_samples is not None else (0.0, 0.0, 0.0)
        found.append(Part(float(parts.weights[at]), answer, high - low, rest))
        run.progress((done + 1) / len(order))
    return mixed_answer(query.quantity, found, query.objective.bounds, policy.confidence)


def _estimate(
    parts: SingleDraws, mean: MeanOfDraws, each: Policy, ask: Ask, seconds: float, run: Run
) -> Answer:
    """Ask about draws at random until their mean is known well enough."""

    @cache
    def brackets(at: int) -> tuple[float, float, float, float]:
        found = ask(parts.question(at), each, partial(_given, None))
        return *found.lower_bracket, *found.upper_bracket

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        rng = np.random.default_rng(seed)
        chosen = rng.choice(len(parts.weights), size, p=parts.weights)
        sides = np.array([brackets(at) for at in chosen.tolist()])
        low, inner_low, inner_high, high = sides.T
        n_means = 1 if parts.query.is_precise else 2
        return Draws.of([low, high][:n_means], [inner_low - low, high - inner_high][:n_means])

    source = Source(sample, mean.policy.block(_BLOCK, seconds))
    found = mean.estimate(source, run._replace(threads=1))
    answer = mean.answer(found)
    note = "Draws were chosen at random, as all of them would take too long."
    return replace(answer, notes=(*answer.notes, note))


def _given(rng: np.random.Generator | None) -> np.random.Generator:
    assert rng is not None
    return rng
