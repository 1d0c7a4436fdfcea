"""Which objects make a comparison uncertain."""

import numpy as np

from sfumato._typing import Floats
from sfumato.contributions.revealed import Compare
from sfumato.contributions.variance import shares_of_variance
from sfumato.contributions.width import shares_of_width
from sfumato.errors import UnsupportedError
from sfumato.question.plan import Policy
from sfumato.question.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["contributions"]


def contributions(
    query: Query,
    whole: Comparison,
    policy: Policy,
    compare: Compare,
    *,
    rng: np.random.Generator,
) -> Floats:
    r"""Share of the uncertainty that goes away when the clusters of one object become known.

    Fuzzy: :math:`\mathrm{Var}(E[d \mid x]) / \mathrm{Var}(d)`, the first-order share of the
    variance, which sums to at most 1 over all objects. Rough: by how much the interval narrows at
    least, as a share of its width. 0 for objects of which nothing is open; objects of which both
    partitions say the same have the same share.

    Parameters
    ----------
    query : Query
        Of the hard, rough or fuzzy theory.
    whole : Comparison
        The answer to the query.
    policy : Policy
        Of the engine; where it accepts estimates, shares of the variance that are dear to compute
        come from draws.
    compare : callable
        Compares two partitions by the same measure and engine.
    rng : Generator

    Returns
    -------
    ndarray of shape (n,)

    Raises
    ------
    UnsupportedError
        For other theories.
    CostError
        If the tables have too many cells for the draws.
    """
    match query.theory:
        case "hard":
            return np.zeros(query.n_objects)
        case "fuzzy":
            return shares_of_variance(query, whole.lower_std**2, policy, compare, rng=rng)
        case "rough":
            return shares_of_width(query, whole, policy, compare)
        case _:
            raise UnsupportedError(
                "Contributions of objects are known for rough and for fuzzy partitions: compare "
                ".pignistic() or .support() of the partitions for a view of either kind."
            )
