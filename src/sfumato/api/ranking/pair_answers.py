"""Answers to the questions of a ranking, pair by pair: without draws where that is possible."""

from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sfumato._typing import Quantity
from sfumato.api.named import naming
from sfumato.api.ranking.contenders import Contenders
from sfumato.api.seeds import Seeds
from sfumato.api.spread import spread, without_means
from sfumato.errors import CostError, UnsupportedError
from sfumato.partitions import PossibilisticPartition
from sfumato.partitions.possibilistic import cut_of
from sfumato.question.plan import Policy
from sfumato.question.query import Query, difference_query
from sfumato.results.answers import Answer
from sfumato.results.comparison import Comparison
from sfumato.results.differences import narrowed, sharpened
from sfumato.results.lead import Gap, Lead, is_outer, lead_of
from sfumato.results.mixed import Part, mixed_answer
from sfumato.results.values import ValueSet

if TYPE_CHECKING:
    from sfumato.api.ranking.shared_draws import Field

__all__ = [
    "PairAnswer",
    "answer_fields",
    "answer_of",
    "answer_without_composite",
    "pair_answers",
    "shared_time",
]

_SHARED = 1 << 19  # the generator of the draws that all pairs share
_DRAWN_THEORIES = ("fuzzy", "evidential", "levels")
_MOST_LEVELS = 64  # at each of which a question is answered exactly


class PairAnswer(NamedTuple):
    """What is known of the difference of two candidates."""

    comparison: Comparison
    gap: Gap
    is_outer: bool  # whether beliefs may be too small because ends of D are bounded


def pair_answers(
    contenders: Contenders,
    pairs: Sequence[tuple[int, int]],
    singles: Sequence[Comparison],
    policy: Policy,
    seeds: Seeds,
    risk: float,
    executor: object = None,
) -> list[PairAnswer]:
    """Answer all pairs; those that need draws share them, the others may go to an executor.

    ``singles`` compare each candidate with the truth. The brackets of one pair may fail with
    probability ``risk``.
    """
    from sfumato.api.ranking.shared_draws import Field, SharedDraws  # loads what draws

    own = replace(policy, confidence=1.0 - risk)
    field = Field(contenders)
    known: dict[tuple[int, int], tuple[Comparison, tuple[Lead, Lead], bool]] = {}
    jobs = [(field, pair, own, seeds, len(singles) + at) for at, pair in enumerate(pairs)]
    for pair, result in zip(pairs, spread(_pair_alone, jobs, executor), strict=True):
        with naming(" against ".join(contenders.names[at] for at in pair)):
            found = result()
        if found is not None:
            known[pair] = found, _leads(found, own, risk), is_outer(found)
    drawn = [pair for pair in pairs if pair not in known]
    if drawn:
        shared = SharedDraws.make(field, drawn, policy, seeds.child(_SHARED))
        for pair in drawn:
            found = shared.comparison(pair, own, "expectation", confidence=1.0 - risk / 2)
            found = replace(found, confidence=1.0 - risk)
            known[pair] = found, shared.leads(pair, risk / 2), shared.is_outer(pair)
    answers: list[PairAnswer] = []
    for pair in pairs:
        found, leads, has_bounds = known[pair]
        found = _sharper(contenders, pair, found, singles, own, seeds)
        ends = found.lower, found.upper, found.lower_bracket, found.upper_bracket
        answers.append(PairAnswer(found, Gap(*ends, *leads), has_bounds))
    return answers


def _pair_alone(
    field: "Field", pair: tuple[int, int], policy: Policy, seeds: Seeds, at: int
) -> Comparison | None:
    """An answer with the distribution of D, as plain data; None if shared draws are to give it."""
    from sfumato import planner  # loads all methods

    contenders = field.contenders
    if contenders.has_no_composite(*pair):
        found = _without_composite(field, pair, "distribution", policy, seeds)
        return None if found is None else without_means(found)
    query = contenders.pair(*pair, "distribution")
    plan = planner.choose(query, policy)
    is_demand = policy.n_samples is None and policy.tolerance_is_demand
    must_draw = plan.n_samples is not None and not (is_demand and policy.tolerance is not None)
    can_share = query.theory in _DRAWN_THEORIES and not policy.nested
    if must_draw and can_share and field.is_drawable(*pair):
        return None
    return without_means(answer_of(query, policy, seeds, at))


def _leads(found: Comparison, policy: Policy, risk: float) -> tuple[Lead, Lead]:
    """Who leads, and the same of the other."""
    n_draws = found.n_samples or 1
    is_fixed = policy.n_samples is not None and policy.max_seconds is None
    share = 1.0 if is_fixed else 1.0 / (n_draws * (n_draws + 1.0))  # else values or time end it
    ahead, behind = (lead_of(found, sense, risk / 2 * share) for sense in (1, -1))
    return ahead, behind


def _sharper(
    contenders: Contenders,
    pair: tuple[int, int],
    found: Comparison,
    singles: Sequence[Comparison],
    policy: Policy,
    seeds: Seeds,
) -> Comparison:
    """The same, with expectations from formulas and from what is known of each candidate."""
    if found.guarantee == "exact":
        return found
    i, j = pair
    is_apart = contenders.is_apart(i, j)
    if not is_apart:
        sure = _certified(contenders, pair, policy, seeds)
        found = found if sure is None else narrowed(found, sure)
    return sharpened(found, singles[i], singles[j], is_apart=is_apart)


def _certified(
    contenders: Contenders, pair: tuple[int, int], policy: Policy, seeds: Seeds
) -> Comparison | None:
    """Brackets of the expectations that need no draws, if the engine welcomes them."""
    if policy.guarantees[0] != "exact" or contenders.has_no_composite(*pair):
        return None
    sure = tuple(each for each in policy.guarantees if each in ("exact", "certified"))
    query = contenders.pair(*pair, "expectation")
    if query.theory not in ("evidential", "drawn"):
        return None
    try:
        return answer_of(query, replace(policy, guarantees=sure, tolerance=None), seeds, 0)
    except (CostError, UnsupportedError):
        return None


def answer_of(query: Query, policy: Policy, seeds: Seeds, at: int) -> Comparison:
    """The planner's answer, with draws from generator number ``at``."""
    from sfumato import planner  # loads all methods

    return planner.answer(query, policy, partial(seeds.child, at))


def shared_time(policy: Policy, n_questions: int) -> Policy:
    """The same policy for each of several questions, which share its time."""
    if policy.max_seconds is None:
        return policy
    return replace(policy, max_seconds=policy.max_seconds / n_questions)


# A possibilistic candidate read with min beside a fuzzy or evidential one: no joint partition, but
# at each level the first is rough.


def answer_without_composite(
    contenders: Contenders, quantity: Quantity, policy: Policy, seeds: Seeds
) -> Comparison:
    """The difference of the first two candidates, one of them possibilistic and read with min."""
    from sfumato.api.ranking.shared_draws import Field, SharedDraws

    field = Field(contenders)
    found = _without_composite(field, (0, 1), quantity, policy, seeds)
    if found is not None:
        return found
    draws = SharedDraws.make(field, [(0, 1)], policy, seeds.child(_SHARED))
    return draws.comparison((0, 1), policy, quantity, confidence=policy.confidence)


def _without_composite(
    field: "Field", pair: tuple[int, int], quantity: Quantity, policy: Policy, seeds: Seeds
) -> Comparison | None:
    """Exact at all levels, or within the range; None if draws are to give it."""
    contenders = field.contenders
    found = _at_all_levels(contenders, pair, quantity, policy, seeds)
    if found is not None:
        return found
    if policy.accepts("confidence") and field.is_drawable(*pair):
        return None
    if not policy.accepts("certified"):
        raise CostError(
            f"{policy.engine} does not answer at each level of a possibilistic candidate "
            f"(at most {_MOST_LEVELS}): use engine='auto', or read it object by object with "
            ".with_t_norm(None)."
        )
    whole = answer_of(contenders.pair(*pair, "range"), policy, seeds, 0)
    bracket = whole.lower_bracket[0], whole.upper_bracket[1]
    return replace(
        whole,
        quantity=quantity,
        lower=bracket[0],
        upper=bracket[1],
        lower_bracket=bracket,
        upper_bracket=bracket,
        guarantee="certified" if whole.guarantee == "exact" else whole.guarantee,
        distribution=ValueSet(np.unique(bracket), is_complete=False),
        notes=(*whole.notes, "Only the range of what is not ruled out is known."),
    )


def _at_all_levels(
    contenders: Contenders,
    pair: tuple[int, int],
    quantity: Quantity,
    policy: Policy,
    seeds: Seeds,
) -> Comparison | None:
    """The mixture of exact answers at all levels; None where they are too many or too dear."""
    if policy.guarantees[0] != "exact":  # draws are preferred
        return None
    sides = [contenders.sides[pair[0]], contenders.sides[pair[1]], contenders.truth]
    sides = [side.simplest() for side in sides]
    each = [side.levels() for side in sides if isinstance(side, PossibilisticPartition)]
    levels = np.unique(np.concatenate(each))[::-1]
    if len(levels) > _MOST_LEVELS:
        return None
    exact = replace(shared_time(policy, 2 * len(levels)), guarantees=("exact",))
    found: list[Comparison] = []
    for level in levels.tolist():
        a, b, truth = (cut_of(side, level) for side in sides)
        query = difference_query(a, b, truth, contenders.measure, quantity)
        try:
            found.append(answer_of(query, exact, seeds, 0))
        except (CostError, UnsupportedError):
            return None
    masses = levels - np.append(levels[1:], 0.0)
    parts = [Part(mass, one) for mass, one in zip(masses.tolist(), found, strict=True)]
    mixed = mixed_answer(quantity, parts, found[0].bounds, policy.confidence, what="levels")
    return replace(
        found[0],
        kinds=(contenders.sides[pair[0]].kind, contenders.truth.kind),
        is_precise=False,
        engine=policy.engine,
        seconds=sum(one.seconds for one in found),
        **answer_fields(mixed),
    )


def answer_fields(answer: Answer) -> dict[str, Any]:
    """The fields of an answer, which are those of a comparison, too."""
    return {field.name: getattr(answer, field.name) for field in fields(answer)}
