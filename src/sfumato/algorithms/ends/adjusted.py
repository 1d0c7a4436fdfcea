"""Bounds of information adjusted for chance, from those of the share that it adjusts."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.sum_ranges import MarginLimits, largest_sums
from sfumato.families import Adjusted, Objective

__all__ = ["adjusted_bounds", "most_chance"]

_SLACK = 1e-12  # relative: rounding must not cut into a bound


def adjusted_bounds(
    objective: Objective,
    rows: MarginLimits,
    columns: MarginLimits,
    shares: tuple[Floats, Floats],
) -> tuple[Floats, Floats]:
    r"""Bounds of :math:`(u - e) / (1 - e)` over all tables whose margins keep to the limits.

    The value falls as e grows, since u is at most 1. With r rows and c columns in use chance gives
    at most :math:`\log(1 + (r - 1)(c - 1) / (n - 1))`, as for the floor of the measure; over the
    smallest average of the two entropies this is the largest e, and the smallest is taken to be 0.
    The averages of two entropies differ by a factor that depends on their ratio alone.

    ``shares`` are bounds of the share of information over the arithmetic mean of the entropies, for
    each of t tables. Where chance may give all that there is, the bounds of the objective are left.

    Notes
    -----
    O(t k log k). Defined in :cite:`vinh2010information`.
    """
    family, n = objective.family, objective.n_objects
    assert isinstance(family, Adjusted)
    first, second = _entropies(rows, n), _entropies(columns, n)
    chance = _most_chance(family, first, second, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        least_factor, most_factor = _factors(family, first, second)
        least_share = np.where(most_factor > 0.0, shares[0] / most_factor, 0.0)
        most_share = np.where(least_factor > 0.0, shares[1] / least_factor, 1.0)
        low = (least_share - chance) / (1.0 - chance)
    lowest, highest = objective.bounds
    low = np.where(chance < 1.0, low - _SLACK * np.maximum(1.0, np.abs(low)), lowest)
    return np.clip(low, lowest, highest), np.clip(most_share + _SLACK, lowest, highest)


def most_chance(objective: Objective, rows: MarginLimits, columns: MarginLimits) -> Floats:
    """The largest share e that chance may give, for each of t tables."""
    family, n = objective.family, objective.n_objects
    assert isinstance(family, Adjusted)
    return _most_chance(family, _entropies(rows, n), _entropies(columns, n), n)


def _most_chance(
    family: Adjusted, first: "_Entropies", second: "_Entropies", n_objects: int
) -> Floats:
    chance = np.log1p((first.used - 1) * (second.used - 1) / (n_objects - 1))
    average = family.average(first.least, second.least)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(average > 0.0, chance / average, np.inf)


class _Entropies(NamedTuple):
    """Least and largest entropy of margins within limits, and how many can be in use."""

    least: Floats  # (t,)
    most: Floats
    used: Ints


def _entropies(limits: MarginLimits, n_objects: int) -> _Entropies:
    least, most = (side.astype(np.float64) for side in limits)
    used = np.minimum((limits.most > 0).sum(axis=1), n_objects)
    smallest = np.log(n_objects) - largest_sums("xlogx", least, most, n_objects) / n_objects
    return _Entropies(np.maximum(smallest, 0.0), np.log(used), used)


def _factors(family: Adjusted, first: _Entropies, second: _Entropies) -> tuple[Floats, Floats]:
    """Least and largest average of two entropies, where their arithmetic mean is 1.

    It depends on the part that one has in their sum, and is monotone on either side of 1/2.
    """
    least = np.nan_to_num(first.least / (first.least + second.most), nan=0.0)
    most = np.nan_to_num(first.most / (first.most + second.least), nan=1.0)
    parts = np.stack([least, most, np.clip(0.5, least, most)])
    averages = 2.0 * family.average(parts, 1.0 - parts)
    return averages.min(axis=0), averages.max(axis=0)
