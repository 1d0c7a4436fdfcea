"""Find how much each object contributes to the uncertainty of a comparison."""

import numpy as np

from sfumato._typing import Floats
from sfumato.contributions.expected_width import shares_of_expected_width
from sfumato.contributions.revealed import Compare
from sfumato.contributions.variance import shares_of_variance
from sfumato.contributions.width import shares_of_width
from sfumato.errors import UnsupportedError
from sfumato.question.plan import Policy
from sfumato.question.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["contributions"]


def contributions(
    query: Query, whole: Comparison, policy: Policy, compare: Compare, *, rng: np.random.Generator
) -> Floats:
    r"""Find the share of the uncertainty that goes away when one object becomes known.

    An object becomes known when its cluster on each side is fixed. Fuzzy: the share is
    :math:`\mathrm{Var}(E[d \mid x]) / \mathrm{Var}(d)`, the first-order share of the variance.
    These shares sum to at most 1 over all objects. Rough: the interval gets narrower by at least
    this share of its width. Others: the same in lower expectation, as in
    `shares_of_expected_width`; the share of an object whose mass is on one set is guaranteed, that
    of one whose masses are probabilities is a mean. Objects without a choice have a share of 0.
    Objects of one type have the same share.

    ``whole`` is the answer to the query, and ``compare`` compares two partitions by the same
    measure and engine. Where the policy accepts estimates, draws stand for many comparisons.
    """
    match query.theory:
        case "drawn":
            raise UnsupportedError(
                "Objects of a drawn partition depend on each other, so none has a share of the "
                "uncertainty of its own: use .memberships(reference) for a rough idea."
            )
        case "hard":
            return np.zeros(query.n_objects)
        case "fuzzy":
            return shares_of_variance(query, whole.lower_std**2, policy, compare, rng=rng)
        case "rough":
            return shares_of_width(query, whole, policy, compare)
        case _:
            return shares_of_expected_width(query, whole, policy, compare, rng=rng)
