r"""Sum over objects what variances need once the expected table is known, chunk by chunk.

What an object adds to a sum of psi depends on the expected counts of all objects. So the expected
table is found in a first round over the objects, and squares of what each object adds in a second.
They add up too.
"""

from math import prod

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.moments.fuzzy_table import object_products, table_of_powers
from sfumato.algorithms.moments.pair_means import feature_sums, n_features, object_sums
from sfumato.algorithms.moments.power_sums import PowerSums, SpreadSums
from sfumato.algorithms.moments.sum_moments import object_functions
from sfumato.algorithms.tables.rows import Rows

__all__ = ["spread_sums"]

_MOST_FEATURES = 100_000


def spread_sums(a: Rows, b: Rows, first: PowerSums) -> SpreadSums:
    """The second round over some objects.

    Parameters
    ----------
    a, b : Rows
        Memberships of these objects.
    first : PowerSums
        Those of all objects.

    Notes
    -----
    O(n k1^2 k2^2 / 4), less against a hard side; O(n k1 k2) where that would be more than 1e5
    numbers, and variances of pair counts are bounded only.

    Examples
    --------
    >>> from sfumato.algorithms.moments.power_sums import power_sums
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> a, b = dense_rows(np.array([[0.5, 0.5], [1.0, 0.0]])), hard_rows(np.array([0, 0]), 1)
    >>> spread_sums(a, b, power_sums(a, b, 2)).n_objects
    2
    """
    if first.are_hard[0] and not first.are_hard[1]:
        return spread_sums(b, a, first.turned()).turned()
    table = table_of_powers(first._replace(spread=None))
    functions = [object_functions(psi, table) for psi in ("square", "xlogx")]
    together: list[Floats] = [np.concatenate(parts) for parts in zip(*functions, strict=True)]
    sizes = n_features((a.width, b.width), first.are_hard)
    return SpreadSums(
        a.n_rows,
        object_sums(a, b, table.sums),
        object_products(table, (a, b), *together),
        feature_sums(a, b) if prod(sizes) <= _MOST_FEATURES else None,
    )
