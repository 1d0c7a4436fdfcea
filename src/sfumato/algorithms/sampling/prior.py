"""Bound the error of a mean of draws before any draw is made, and say how many draws are needed."""

from math import inf, log, sqrt
from typing import Literal, NamedTuple, TypeAlias

from sfumato.algorithms.sampling.concentration import (
    freedman_draws,
    freedman_half_width,
    hoeffding_draws,
    hoeffding_half_width,
)
from sfumato.algorithms.sampling.ratio_steps import ratio_step
from sfumato.algorithms.tables.likely_sizes import SizeLimits
from sfumato.families import Difference, Majority, Matching, Objective, Ratio, Separable

__all__ = ["MOST_DRAWS", "Bound", "Prior", "draws_for", "largest_step", "prior_bound"]

Bound: TypeAlias = Literal["best", "hoeffding"]

MOST_DRAWS = 10**9
_SMALLEST_TOLERANCE = 1e-100  # impossible to meet, and its square is still above zero


class Prior(NamedTuple):
    """What is known before drawing, on which the error of a mean depends.

    Values lie between ``lowest`` and ``highest``. The few that do not change the mean by at most
    ``rest``. One object can change a value by at most ``step``. ``n_objects`` objects have a
    choice. Let eta be the probability that an object does not make its likeliest choice.
    ``unsureness`` is the sum over objects of eta (1 - eta), or of 1/4 if eta is at least 1/2.
    ``n_means`` means are estimated at once. The step holds within limits that a draw leaves with a
    probability of at most ``step_risk``.
    """

    lowest: float
    highest: float
    rest: float
    n_means: int
    step: float = inf
    n_objects: float = inf
    unsureness: float = inf
    step_risk: float = 0.0

    @property
    def spread(self) -> float:
        """Distance from the lowest to the highest value."""
        return self.highest - self.lowest

    @property
    def spread_by_objects(self) -> float:
        r"""Range with which Hoeffding's bound becomes McDiarmid's :cite:`mcdiarmid1989`.

        All s draws together are a function of s m objects, of which each changes the mean by at
        most c / s, for a step of c and m objects: as if the values had a range of
        :math:`c \sqrt{m}`.

        Examples
        --------
        >>> prior = Prior(0.0, 1.0, 0.0, 1, step=1 / 149, n_objects=150)
        >>> hoeffding_draws(0.01, prior.spread_by_objects, 0.95, 1)
        125
        """
        return inf if self.step == inf else self.step * sqrt(self.n_objects)


def largest_step(
    objective: Objective, rows: SizeLimits | None = None, columns: SizeLimits | None = None
) -> float:
    """Most that a value can change when one object moves; infinite if nothing is known.

    It is also the most that the two ends within reach of a focal table can change. For a ratio it
    depends on limits of the cluster sizes.
    """
    n = objective.n_objects
    match objective.family:
        case Matching(slope=slope) | Majority(slope=slope):
            return abs(slope)  # one object adds at most one to a matching or a majority
        case Separable(psi="square", value=value):
            # An ordered pair shares a row, a column, both or neither; each adds another number.
            adds = (0.0, value.rows, value.columns, value.rows + value.columns + value.cells)
            return 2 * (n - 1) * (max(adds) - min(adds))
        case Separable(psi="xlogx", value=value):
            # x log x grows by no more than n log n - (n - 1) log(n - 1), below log n + 1.
            return (abs(value.rows) + abs(value.columns) + abs(value.cells)) * (log(n) + 1.0)
        case Ratio() if rows is not None and columns is not None:
            return ratio_step(objective, rows, columns)
        case Difference(first=first, second=second):
            return largest_step(first) + largest_step(second)
        case _:
            return inf


def prior_bound(
    prior: Prior, n_draws: int, *, bound: Bound, confidence: float
) -> tuple[float, str]:
    """Bound the error of the mean of ``n_draws`` draws, and name the author of the bound.

    The smallest of several bounds is taken. Which one it is does not depend on the draws, so the
    confidence needs no correction for the choice.
    """
    tail = (confidence, prior.n_means)
    hoeffding = hoeffding_half_width(n_draws, prior.spread, *tail) + prior.rest, "Hoeffding"
    # All draws keep to the limits of the step, but for a part of the risk.
    confidence += n_draws * prior.step_risk
    if bound == "hoeffding" or confidence >= 1.0:
        return hoeffding
    tail = (confidence, prior.n_means)
    mcdiarmid = hoeffding_half_width(n_draws, prior.spread_by_objects, *tail)
    freedman = freedman_half_width(n_draws, prior.step, prior.unsureness, *tail)
    rest = prior.step_risk and prior.step_risk * prior.spread
    return min(hoeffding, (mcdiarmid + rest, "McDiarmid"), (freedman + rest, "Freedman"))


def draws_for(prior: Prior, tolerance: float, *, bound: Bound, confidence: float) -> float:
    """Number of draws that makes the error at most ``tolerance``; infinite if no bound applies."""
    tolerance = max(tolerance - prior.rest, _SMALLEST_TOLERANCE)
    tail = (confidence, prior.n_means)
    hoeffding = hoeffding_draws(tolerance, prior.spread, *tail)
    if bound == "hoeffding":
        return hoeffding
    tolerance -= prior.step_risk and prior.step_risk * prior.spread
    confidence += MOST_DRAWS * prior.step_risk
    if tolerance <= 0.0 or confidence >= 1.0:
        return hoeffding
    tail = (confidence, prior.n_means)
    return min(
        hoeffding,
        hoeffding_draws(tolerance, prior.spread_by_objects, *tail),
        freedman_draws(tolerance, prior.step, prior.unsureness, *tail),
    )
