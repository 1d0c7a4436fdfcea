"""What is known of who leads: belief and plausibility that a difference is above 0."""

from math import isnan
from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Floats
from sfumato.algorithms.sampling.concentration import clopper_pearson, hoeffding_half_width
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValueMass, ValuePossibility, ValueSet

__all__ = ["LEAD_ROUNDING", "NO_GAP", "Gap", "Lead", "is_outer", "lead_of", "lead_of_ends"]

LEAD_ROUNDING = ROUNDING  # a difference that is no larger is a tie

_TAILS = 8  # two sides of belief and plausibility, of either candidate's lead


class Lead(NamedTuple):
    """Belief and plausibility that the difference is above 0, each with a bracket."""

    belief: float
    plausibility: float
    belief_bracket: tuple[float, float]
    plausibility_bracket: tuple[float, float]


NO_LEAD = Lead(0.0, 0.0, (0.0, 0.0), (0.0, 0.0))


class Gap(NamedTuple):
    """What is known of the difference between two candidates: its expectations, and who leads."""

    lower: float
    upper: float
    lower_bracket: tuple[float, float]
    upper_bracket: tuple[float, float]
    ahead: Lead
    behind: Lead

    def turned(self) -> "Gap":
        """The same with the candidates swapped."""
        low, high = (
            (0.0 - bracket[1], 0.0 - bracket[0])  # no negative zeros
            for bracket in (self.upper_bracket, self.lower_bracket)
        )
        return Gap(0.0 - self.upper, 0.0 - self.lower, low, high, self.behind, self.ahead)


NO_GAP = Gap(0.0, 0.0, (0.0, 0.0), (0.0, 0.0), NO_LEAD, NO_LEAD)  # of a candidate to itself


def lead_of(found: Comparison, sense: int, risk: float) -> Lead:
    """Who leads, from the distribution of a difference; of its negative if ``sense`` is -1.

    Brackets that rest on draws hold but for a probability of ``risk``, for both senses together.
    """
    known = found.distribution
    if known is None:
        return Lead(0.0, 1.0, (0.0, 1.0), (0.0, 1.0))
    if isinstance(known, ValueSet):  # both ends are known as such
        ends = found.lower_bracket, found.upper_bracket
        low, high = ends if sense > 0 else ((-ends[1][1], -ends[1][0]), (-ends[0][1], -ends[0][0]))
        sure, possible = ((_is_above(end[0]), _is_above(end[1])) for end in (low, high))
        if found.guarantee == "inner":
            return Lead(sure[1], possible[0], (0.0, sure[1]), (possible[0], 1.0))
        return Lead(sure[0], possible[1], sure, possible)
    lows, highs, masses = known.ends
    if sense < 0:
        lows, highs = -highs, -lows
    belief = _mass(lows > LEAD_ROUNDING, masses)
    plausibility = min(1.0, _mass(highs > LEAD_ROUNDING, masses) + known.lost_mass)
    sure, possible = (belief, belief), (plausibility, plausibility)
    if found.n_samples is not None and not isinstance(known, ValuePossibility):
        sure, possible = (_limits(found, share, risk) for share in (belief, plausibility))
    if found.guarantee == "inner":
        return Lead(belief, plausibility, (0.0, sure[1]), (possible[0], 1.0))
    if is_outer(found):
        return Lead(belief, plausibility, (sure[0], possible[1]), (sure[0], possible[1]))
    return Lead(belief, plausibility, sure, possible)


def lead_of_ends(ends: tuple[Floats, Floats, Floats, Floats], risk: float) -> Lead:
    """Who leads, from independent draws of a difference of which both ends have brackets.

    ``ends`` are the outer and the inner side of the lower end, then the inner and the outer side of
    the upper end. Limits are Clopper and Pearson's; they hold but for a probability of ``risk``,
    together with those of the negative.
    """
    shares = [float(np.mean(end > LEAD_ROUNDING)) for end in ends]
    limits = [clopper_pearson(share, len(ends[0]), risk / _TAILS) for share in shares]
    return Lead(shares[0], shares[3], (limits[0][0], limits[1][1]), (limits[2][0], limits[3][1]))


def is_outer(found: Comparison) -> bool:
    """Whether the distribution is one of bounds, so that beliefs may be too small."""
    known = found.distribution
    return found.guarantee == "certified" or (isinstance(known, ValueMass) and known.is_outer)


def _is_above(value: float) -> float:
    return 1.0 if value > LEAD_ROUNDING else 0.0


def _mass(holds: Bools, masses: Floats) -> float:
    return min(1.0, float(np.sum(masses[holds])))


def _limits(found: Comparison, share: float, risk: float) -> tuple[float, float]:
    """Limits of a probability. Levels are drawn from strata, where Hoeffding's bound holds.

    Nothing is said where given draws of unequal weight have draws of a soft side each.
    """
    n_draws = found.n_samples
    assert n_draws is not None
    if "drawn" in found.kinds and isnan(found.stds[0]):  # an average of answers: see `mixed_answer`
        return 0.0, 1.0
    each = risk / _TAILS
    if "possibilistic" in found.kinds:
        half = hoeffding_half_width(n_draws, 1.0, 1.0 - 2 * each, 1)
        return max(0.0, share - half), min(1.0, share + half)
    return clopper_pearson(share, n_draws, each)
