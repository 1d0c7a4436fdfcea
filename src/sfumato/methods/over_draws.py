"""Draws against a soft partition: the mean over the draws of what is known of each."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from math import ceil, inf
from typing import final, get_args

import numpy as np

from sfumato._typing import Floats, Guarantee, Ints
from sfumato.algorithms.sampling.blocks import Run
from sfumato.algorithms.sampling.concentration import hoeffding_draws, hoeffding_half_width
from sfumato.algorithms.sampling.mean import Draws, Source
from sfumato.methods.base import Ask, Choose, Method, Scope
from sfumato.partitions.base import IndependentPartition
from sfumato.partitions.drawn import DrawnPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.theories import join, range_is_that_of_supports
from sfumato.question.composite import difference_query, question_of_draw
from sfumato.question.drawn_pair import DrawnPair, check_number_of_draws
from sfumato.question.draws import MeanOfDraws
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer
from sfumato.results.mixed import Part, mixed_answer

__all__ = ["OverDraws"]

_SURE: tuple[Guarantee, ...] = ("exact", "certified")
_MANY_DRAWS, _FEWEST_EACH = 10_000, 10  # clusterings of the soft side, in all and for each draw
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
class OverDraws(Method):
    """Compare each draw, a hard partition, with the soft side, and average.

    Where a candidate of a difference is drawn, a draw is one of each drawn candidate and, if it is
    drawn, of the truth.

    A reduction: the planner passes its own functions, which choose and run the methods that answer
    the questions about single draws.
    """

    choose: Choose
    ask: Ask

    name = "over_draws"
    cost = "a comparison of a hard with a soft partition for each distinct draw"
    scopes = (Scope(theories=("drawn",), guarantees=get_args(Guarantee)),)
    asks_others = True

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Plan the question about the draw with most clusters, for all of them or for some."""
        parts = _Parts.of(query)
        if parts is None:
            return
        size = len(parts.weights)
        each = _share(policy, size)
        inner = self.choose(parts.hardest, each)
        sure = tuple(one for one in policy.guarantees if one in _SURE)
        longest = _LONG if policy.max_seconds is None else policy.max_seconds
        if inner.guarantee not in _SURE:
            plan = self._plan_for_samples(parts, policy, each, inner)
            if plan.shortest < _FIRST_SHARE * longest or not policy.accepts("certified"):
                yield plan
                return
            inner = replace(inner, guarantee="certified")  # in short time there are only brackets
        each = replace(each, guarantees=sure)
        seconds = inner.seconds + _SECONDS_PER_QUESTION
        is_long = seconds * size > longest and seconds < _FIRST_SHARE * longest
        if policy.accepts("confidence") and is_long:
            yield self._plan_for_some(parts, policy, each, seconds)
            return
        yield Plan(
            guarantee=inner.guarantee,
            tables=inner.tables if inner.tables <= 1 and size <= _MANY else inner.tables * size,
            bytes=inner.bytes + 8.0 * query.n_objects,
            seconds=seconds * size,
            why=f"the mean over {size:,} draws of what {inner.method} says of each",
            shortest=0.0,
            may_fall_short=inner.may_fall_short,
            work=partial(_answer, parts, policy, each, self.ask),
        )

    def _plan_for_samples(self, parts: "_Parts", policy: Policy, each: Policy, inner: Plan) -> Plan:
        """Draw from the soft side for each of the draws."""
        hardest, size = parts.hardest, len(parts.weights)
        m = _samples_each(hardest, policy, size)
        fixed = _sampled(each, hardest, m, size)
        inner = self.choose(hardest, fixed)
        if policy.n_samples is None and not policy.tolerance_is_demand:
            affordable = int(m * _SECONDS / max(_SECONDS, size * inner.seconds))
            m = max(_FEWEST_EACH, affordable)
            fixed = replace(fixed, n_samples=m)
            inner = self.choose(hardest, fixed)
        spread = _spread(hardest)
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
            why=f"the mean over {size:,} draws of what {inner.method} says of each",
            n_samples=m * size,
            shortest=seconds,
            error=error,
            work=partial(_answer, parts, policy, fixed, self.ask),
        )

    def _plan_for_some(self, parts: "_Parts", policy: Policy, each: Policy, seconds: float) -> Plan:
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


@final
@dataclass(frozen=True, eq=False)
class _Parts:
    """The questions about single draws."""

    query: Query
    weights: Floats  # (s,): probabilities of the draws
    sizes: Ints  # (s,): clusters of each draw
    question: Callable[[int], Query]

    @classmethod
    def of(cls, query: Query) -> "_Parts | None":
        """None where the law of the values of all draws is simpler."""
        if isinstance(query.a, DrawnPair):
            return cls._of_candidates(query, query.a)
        sides = query.a, query.b
        is_first = isinstance(query.a, DrawnPartition)
        drawn, other = sides if is_first else sides[::-1]
        if not isinstance(other, IndependentPartition) or isinstance(other, HardPartition):
            return None
        assert isinstance(drawn, DrawnPartition)
        draws = drawn.distinct
        hard = drawn.hard(draws.codes[0])
        theory = join(hard, other)
        if query.quantity == "range" and range_is_that_of_supports(hard, other, theory):
            other = other.support().simplest()

        def question(at: int) -> Query:
            hard = drawn.hard(draws.codes[at])
            a, b = (hard, other) if is_first else (other, hard)
            return question_of_draw(query, a, b)

        return cls(query, draws.weights, draws.sizes, question)

    @classmethod
    def _of_candidates(cls, query: Query, pair: DrawnPair) -> "_Parts | None":
        """Two candidates, at least one of them drawn; the truth may be drawn too."""
        truth, measure = query.b, query.measure_of_one
        if all(
            isinstance(side, HardPartition | DrawnPartition) for side in (*pair.candidates, truth)
        ):
            return None
        truths = [truth], np.ones(1)
        if isinstance(truth, DrawnPartition):
            check_number_of_draws(*pair.candidates, truth)
            truths = [truth.hard(codes) for codes in truth.distinct.codes], truth.distinct.weights

        def question(at: int) -> Query:
            place, which = divmod(at, len(truths[0]))
            found = difference_query(*pair.draw(place), truths[0][which], measure, query.quantity)
            return replace(found, notes=())

        sizes = np.outer(pair.sizes, [one.n_clusters for one in truths[0]])
        return cls(query, np.outer(pair.weights, truths[1]).ravel(), sizes.ravel(), question)

    @property
    def hardest(self) -> Query:
        """The question about the draw with most clusters."""
        return self.question(int(np.argmax(self.sizes)))


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


def _sampled(policy: Policy, query: Query, n_samples: int, size: int) -> Policy:
    """A fixed number of draws; of two ends, each bracket has its share of the risk."""
    fixed = replace(policy, n_samples=n_samples, tolerance=None)
    if query.is_precise:  # one bound for all draws together, which holds for plain means
        return replace(fixed, bound="hoeffding")
    return replace(fixed, confidence=1.0 - (1.0 - policy.confidence) / size)


def _answer(parts: _Parts, policy: Policy, each: Policy, ask: Ask, run: Run) -> Answer:
    """Ask about the draws, those of most weight first, until the time is over."""
    query = parts.query
    found: list[Part] = []
    order = np.argsort(-parts.weights, kind="stable").tolist()
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
    parts: _Parts, mean: MeanOfDraws, each: Policy, ask: Ask, seconds: float, run: Run
) -> Answer:
    """Ask about draws at random until their mean is known well enough."""
    query, weights = parts.query, parts.weights

    def brackets(at: int) -> tuple[float, float, float, float]:
        found = ask(parts.question(at), each, partial(_given, None))
        return *found.lower_bracket, *found.upper_bracket

    asked = cache(brackets)

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        chosen = np.random.default_rng(seed).choice(len(weights), size, p=weights)
        sides = np.array([asked(at) for at in chosen.tolist()])
        low, inner_low, inner_high, high = sides.T
        if query.is_precise:
            return Draws(low[:, None], np.zeros((size, 0)), (inner_low - low)[:, None])
        outer, inner = np.column_stack([low, high]), np.column_stack([inner_low, inner_high])
        return Draws(outer, np.zeros((size, 0)), np.abs(inner - outer))

    source = Source(sample, mean.policy.block(_BLOCK, seconds))
    found = mean.estimate(source, run._replace(threads=1))
    note = "Draws were chosen at random, as all of them would take too long."
    answer = mean.answer(found)
    return replace(answer, notes=(*answer.notes, note))


def _given(rng: np.random.Generator | None) -> np.random.Generator:
    assert rng is not None
    return rng
