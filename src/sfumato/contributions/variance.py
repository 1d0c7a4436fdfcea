"""Find the share of each object in the variance of a fuzzy comparison."""

from dataclasses import replace
from functools import partial
from math import isnan

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato._wording import option
from sfumato.algorithms.expectations.mean_ends import expectations
from sfumato.algorithms.moments.object_variances import (
    moved_variances,
    pair_variances,
    work_per_draw,
)
from sfumato.contributions.revealed import Compare, Sides, by_comparisons, open_objects
from sfumato.display.progress import progress_bar
from sfumato.errors import CostError
from sfumato.families import Separable
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.planner import choose
from sfumato.question.plan import Policy
from sfumato.question.query import Query

__all__ = ["shares_of_variance"]

_MOST_SECONDS = 1.0  # planned time for exact shares; beyond, estimates are made if allowed
_SECONDS_PER_COMPARISON = 2e-3
_FEWEST_DRAWS, _MOST_DRAWS = 128, 4096
_WORK = 3e7  # cells to fill and objects to move; draws are added up to this
_MOST_WORK = 1e11  # more is refused
_SECONDS_PER_WORK = 2e-8


def shares_of_variance(
    query: Query, variance: float, policy: Policy, compare: Compare, *, rng: np.random.Generator
) -> Floats:
    """First-order shares of the variance: by a formula, by a few comparisons, or from draws."""
    if isnan(variance):
        raise CostError(
            "The standard deviation of this comparison is out of reach, and shares of the "
            "variance with it: take a sample of the objects."
        )
    sides = Sides(*(side.pignistic().memberships for side in query.sides))
    objects, places = open_objects(query, sides)
    if variance == 0.0 or len(objects) == 0:
        return np.zeros(query.n_objects)
    family = query.measure.family(query.n_objects)  # in the order of the two sides
    if isinstance(family, Separable) and family.psi == "square":
        slopes = family.value.rows, family.value.columns, family.value.cells
        found = pair_variances(sides.a, sides.b, slopes)[objects]
    elif _is_affordable(query, policy, sides, objects):
        find_mean = partial(_mean, compare)
        found = by_comparisons(sides, objects, _SECONDS_PER_COMPARISON, find_mean, _variance)
    else:
        found = _by_draws(query, sides, places, rng)
    return np.append(found / variance, 0.0)[places]


def _is_affordable(query: Query, policy: Policy, sides: Sides, objects: Ints) -> bool:
    """Whether to repeat the comparison for each open type and each pair of its clusters."""
    if "confidence" not in policy.guarantees:
        return True
    plan = choose(replace(query, quantity="expectation"), policy)
    each = _SECONDS_PER_COMPARISON + plan.seconds
    return plan.guarantee == "exact" and each * sides.n_pairs(objects).sum() <= _MOST_SECONDS


def _variance(values: Floats, weights: Floats) -> float:
    return expectations(values, values, weights).lower_std ** 2


def _mean(compare: Compare, known: Sides) -> float:
    found = compare(FuzzyPartition(known.a), FuzzyPartition(known.b))
    if found.mean is None:
        raise CostError(
            "Shares of the variance need means, but where one object is known only a range is "
            f"known of the mean, [{found.lower:.6g}, {found.upper:.6g}]: use "
            f"{option('engine', 'auto')}."
        )
    return found.mean


def _by_draws(query: Query, sides: Sides, places: Ints, rng: np.random.Generator) -> Floats:
    work = work_per_draw(sides.a, sides.b, places)
    n_draws = int(np.clip(_WORK / work, _FEWEST_DRAWS, _MOST_DRAWS))
    if n_draws * work > _MOST_WORK:
        raise CostError(
            f"Shares of the variance would fill {n_draws * work:.1e} cells ({_MOST_WORK:.0e} at "
            "most): merge or drop small clusters, or take a sample of the objects."
        )
    with progress_bar("contributions", _SECONDS_PER_WORK * n_draws * work) as progress:
        return moved_variances(
            sides.a,
            sides.b,
            places,
            query.measure.of_tables,
            n_draws=n_draws,
            rng=rng,
            progress=progress,
        )
