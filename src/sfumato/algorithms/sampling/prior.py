"""What is known of a mean of draws before any of them is made."""

from math import inf, log
from typing import Literal, NamedTuple, TypeAlias

from sfumato.algorithms.sampling.concentration import (
    freedman_draws,
    freedman_half_width,
    hoeffding_draws,
    hoeffding_half_width,
    mcdiarmid_draws,
    mcdiarmid_half_width,
)
from sfumato.families import Affine, Majority, Matching, Objective, Separable

__all__ = ["Bound", "Prior", "draws_for", "largest_step", "prior_bound"]

Bound: TypeAlias = Literal["best", "hoeffding"]

_SMALLEST_TOLERANCE = 1e-100  # out of reach already, and its square is still a number


class Prior(NamedTuple):
    """What the error of a mean depends on.

    Values lie between ``lowest`` and ``highest``, but for some whose part of the mean is at most
    ``rest``. One object can move a value by ``step``; ``n_objects`` have a choice; ``unsureness``
    is the sum over them of eta (1 - eta), or 1/4 if eta is at least 1/2, where eta is the
    probability of not making the likeliest choice. ``n_means`` are sought at once.
    """

    lowest: float
    highest: float
    rest: float
    n_means: int
    step: float = inf
    n_objects: float = inf
    unsureness: float = inf

    @property
    def spread(self) -> float:
        """Length of the range of values."""
        return self.highest - self.lowest


def largest_step(objective: Objective) -> float:
    """Most that a value can change when one object moves; infinite if nothing is known.

    The smallest and the largest value within reach of a focal table change by no more either.
    """
    n = objective.n_objects
    match objective.family:
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


def prior_bound(
    prior: Prior, n_draws: int, *, bound: Bound, confidence: float
) -> tuple[float, str]:
    """Error of the mean of that many draws, and whose bound it is.

    Which bound is the smallest does not depend on the draws, so the confidence needs no
    correction for the choice.
    """
    tail = (confidence, prior.n_means)
    hoeffding = hoeffding_half_width(n_draws, prior.spread, *tail) + prior.rest, "Hoeffding"
    if bound == "hoeffding":
        return hoeffding
    return min(
        hoeffding,
        (mcdiarmid_half_width(n_draws, prior.step, prior.n_objects, *tail), "McDiarmid"),
        (freedman_half_width(n_draws, prior.step, prior.unsureness, *tail), "Freedman"),
    )


def draws_for(prior: Prior, tolerance: float, *, bound: Bound, confidence: float) -> float:
    """Draws whose error is at most ``tolerance``; infinite if no bound applies."""
    tolerance = max(tolerance - prior.rest, _SMALLEST_TOLERANCE)
    tail = (confidence, prior.n_means)
    hoeffding = hoeffding_draws(tolerance, prior.spread, *tail)
    if bound == "hoeffding":
        return hoeffding
    return min(
        hoeffding,
        mcdiarmid_draws(tolerance, prior.step, prior.n_objects, *tail),
        freedman_draws(tolerance, prior.step, prior.unsureness, *tail),
    )
