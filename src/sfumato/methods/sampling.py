"""What all sampling methods share: how many draws, and what may be said of them."""

from math import inf, log
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.sampling.concentration import (
    dkw_band,
    freedman_draws,
    freedman_half_width,
    hoeffding_draws,
    hoeffding_half_width,
    mcdiarmid_draws,
    mcdiarmid_half_width,
)
from sfumato.errors import CostError, UnsupportedError
from sfumato.families import Affine, Majority, Matching, Separable
from sfumato.methods.base import Plan, Policy
from sfumato.query import Query

__all__ = [
    "distribution_note",
    "gap_notes",
    "half_width",
    "largest_step",
    "objects_per_draw",
    "outer_distribution_note",
    "planned_draws",
    "prior_bound",
    "prior_confidence",
    "shortfall_notes",
]

_FEWEST_DRAWS = 1000
_MOST_DRAWS = 1e9
_NEGLIGIBLE_GAP = 1e-6  # distance of a bound to what is attained
_SMALLEST_TOLERANCE = 1e-100  # out of reach already, and its square is still a number


class _Reach(NamedTuple):
    """What one draw depends on, for the bounds of its mean.

    ``step`` is how far one object can move the value; ``n_objects`` have a choice; ``unsureness``
    is the sum over them of eta (1 - eta), or 1/4 if eta is at least 1/2, where eta is the
    probability of not making the likeliest choice.
    """

    spread: float
    step: float
    n_objects: float
    unsureness: float
    n_means: int
    rest: float  # of the mean, which the spread does not cover


def _reach(query: Query) -> _Reach:
    lowest, highest, rest = query.likely_range
    n_means = 1 if query.is_precise else 2
    if query.theory in ("levels", "possibilistic"):  # one level moves all objects at once
        return _Reach(highest - lowest, inf, inf, inf, n_means, rest)
    likeliest, counts = _likeliest(query)
    eta = 1.0 - likeliest
    each = np.where(eta < 0.5, eta * (1.0 - eta), 0.25)
    return _Reach(
        spread=highest - lowest,
        step=largest_step(query),
        n_objects=float(counts.sum()),
        unsureness=float((counts * each).sum()),
        n_means=n_means,
        rest=rest,
    )


def _likeliest(query: Query) -> tuple[Floats, Ints]:
    """Probability of the likeliest choice of objects that have one, and how many they are."""
    if query.class_masses is not None:
        likeliest = query.class_masses.masses.max(axis=1)
        return likeliest, (likeliest < 1.0).astype(np.int64)
    joint = query.joint
    a, b = (np.maximum.reduceat(side.weights, side.starts[:-1]) for side in (joint.a, joint.b))
    is_open = _n_options(query) > 1
    return (a[joint.a_statements] * b[joint.b_statements])[is_open], joint.counts[is_open]


def _n_options(query: Query) -> Ints:
    """Pairs of sets that each type of objects may choose."""
    joint = query.joint
    a, b = (np.diff(side.starts) for side in (joint.a, joint.b))
    return a[joint.a_statements] * b[joint.b_statements]


def largest_step(query: Query) -> float:
    """Most that a value can change when one object moves; infinite if nothing is known.

    The smallest and the largest value within reach of a focal table change by no more either.
    """
    n = query.n_objects
    match query.measure.family(n):
        case Matching(slope=slope) | Majority(slope=slope):
            return abs(slope)  # one object adds at most one to a matching or a majority
        case Separable(psi="square", value=value):
            return 2 * (n - 1) * _pair_spread(value)
        case Separable(psi="xlogx", value=value):
            # x log x grows by no more than n log n - (n - 1) log(n - 1), below log n + 1.
            return (abs(value.rows) + abs(value.columns) + abs(value.cells)) * (log(n) + 1.0)
        case _:
            return inf


def _pair_spread(value: Affine) -> float:
    """Most that an ordered pair adds to a value, by sharing a row, a column, both or neither."""
    adds = (0.0, value.rows, value.columns, value.rows + value.columns + value.cells)
    return max(adds) - min(adds)


def objects_per_draw(query: Query) -> int:
    """Objects that have a choice, each drawn once or twice per table."""
    if query.class_masses is not None:
        return query.n_objects
    joint = query.joint
    sizes = [side.family.sizes[side.sets[side.starts[:-1]]] for side in (joint.a, joint.b)]
    n_cells = sizes[0][joint.a_statements] * sizes[1][joint.b_statements]
    is_certain = (_n_options(query) == 1) & (n_cells == 1)
    return max(1, int(joint.counts[~is_certain].sum()))


def prior_bound(
    query: Query, policy: Policy, n_draws: int, *, confidence: float
) -> tuple[float, str]:
    """Error of the mean of that many draws, known before any of them is made, and whose bound.

    Which bound is the smallest does not depend on the draws, so the confidence needs no
    correction for the choice.
    """
    reach = _reach(query)
    tail = (confidence, reach.n_means)
    hoeffding = hoeffding_half_width(n_draws, reach.spread, *tail) + reach.rest, "Hoeffding"
    if policy.bound == "hoeffding":
        return hoeffding
    return min(
        hoeffding,
        (mcdiarmid_half_width(n_draws, reach.step, reach.n_objects, *tail), "McDiarmid"),
        (freedman_half_width(n_draws, reach.step, reach.unsureness, *tail), "Freedman"),
    )


def half_width(query: Query, policy: Policy, n_draws: int) -> float:
    """Error of the mean of that many draws, known before any of them is made."""
    return prior_bound(query, policy, n_draws, confidence=policy.confidence)[0]


def prior_confidence(policy: Policy) -> float:
    """Confidence of what is known beforehand; the other half of the risk is for the draws."""
    if policy.bound == "hoeffding":
        return policy.confidence
    return 1.0 - (1.0 - policy.confidence) / 2


def _draws_for(query: Query, policy: Policy, tolerance: float) -> float:
    """Draws whose half-width is at most ``tolerance``; infinite if no bound applies."""
    reach = _reach(query)
    tolerance = max(tolerance - reach.rest, _SMALLEST_TOLERANCE)
    tail = (prior_confidence(policy), reach.n_means)
    hoeffding = hoeffding_draws(tolerance, reach.spread, *tail)
    if policy.bound == "hoeffding":
        return hoeffding
    return min(
        hoeffding,
        mcdiarmid_draws(tolerance, reach.step, reach.n_objects, *tail),
        freedman_draws(tolerance, reach.step, reach.unsureness, *tail),
    )


def planned_draws(query: Query, policy: Policy, *, objects: float, default: int) -> int:
    """Draws to make at most: as asked for, else for the tolerance within the budget of objects."""
    if policy.n_samples is not None:
        return int(policy.n_samples)
    draws: float = default
    if policy.tolerance is not None and query.theory != "rough":
        draws = _draws_for(query, policy, policy.tolerance)
        if draws == inf and policy.max_draws_of_objects == inf:  # a demand, not a wish
            raise UnsupportedError(
                f"{query.measure.name} has no finite range, so no number of draws guarantees a "
                "tolerance: use Sampled(n_samples=...), or quantity='distribution' for quantiles."
            )
        draws = default if draws == inf else draws
    if draws > _MOST_DRAWS and policy.max_draws_of_objects == inf:
        raise CostError(
            f"A tolerance of {policy.tolerance:g} needs up to {draws:.2g} draws "
            f"({_MOST_DRAWS:.0e} at most): use a larger tolerance, or engine=Exact()."
        )
    affordable = policy.max_draws_of_objects / objects
    return int(draws if draws <= affordable else max(_FEWEST_DRAWS, affordable))


def distribution_note(plan: Plan, n_draws: int, *, is_outer: bool) -> str:
    """What may be said of an empirical distribution, or of those of both ends together.

    ``is_outer`` says that the ends of some draws are bounds.
    """
    confidence = plan.policy.confidence
    band = dkw_band(n_draws, confidence, 1 if plan.query.is_precise else 2)
    if is_outer:
        return outer_distribution_note(n_draws, band, confidence)
    return (
        f"The distribution is that of {n_draws:,} draws: its cumulative probabilities are within "
        f"{band:.3g} of the truth at {confidence:.0%}."
    )


def outer_distribution_note(n_draws: int, band: float, confidence: float) -> str:
    """What may be said where the ends of draws lie outside the true ones, if not on them."""
    return (
        f"The distribution is that of the outer ends of {n_draws:,} draws: beliefs are at most "
        f"{band:.3g} above the truth, and plausibilities at most as much below it, at "
        f"{confidence:.0%}."
    )


def gap_notes(low: float, high: float, *, is_solved: bool) -> tuple[str, ...]:
    """Say how far the ends of the draws are known on average, if not exactly."""
    if max(low, high) <= _NEGLIGIBLE_GAP:
        return ()
    what = (
        "Not every search of a draw's ends closed"
        if is_solved
        else "The ends of each draw are bracketed, not solved"
    )
    return (
        f"{what}: on average the lower one lies within {low:.2g} and the upper one within "
        f"{high:.2g} of an attained value.",
    )


def shortfall_notes(
    plan: Plan, n_draws: int, error: float, *, is_late: bool | None = None
) -> tuple[str, ...]:
    """Say when time ran out, or the tolerance was not reached."""
    policy = plan.policy
    notes: list[str] = []
    if is_late is None:
        is_late = plan.n_samples is not None and n_draws < plan.n_samples
    if is_late and plan.n_samples is not None:
        notes.append(
            f"Stopped by max_seconds={policy.max_seconds:g} after {n_draws:,} of "
            f"{plan.n_samples:,} draws, so the result depends on the machine."
        )
    if error == inf:
        notes.append(
            f"{plan.query.measure.name} has no finite range, so no error can be stated for the "
            "mean of the draws."
        )
    elif policy.tolerance is not None and error > policy.tolerance * (1 + 1e-9):
        way_out = (
            "for more draws use engine=Sampled(tolerance=...)"
            if policy.engine == "Auto"
            else "more draws would visit more tables than the budget allows"
        )
        notes.append(
            f"The error {error:.2g} is above the tolerance {policy.tolerance:g}: {way_out}."
        )
    return tuple(notes)
