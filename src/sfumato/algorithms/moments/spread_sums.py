r"""Sum over objects what variances need once the expected table is known, chunk by chunk.

What an object adds to a sum of psi depends on the expected counts of all objects. So the expected
table is found in a first round over the objects, and squares of what each object adds in a second.
They add up too, and so do logarithms of generating functions and, by convolution, laws of counts.
"""

from math import prod
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.moments.chance_information import has_cheap_laws, laws_of_sizes
from sfumato.algorithms.moments.fuzzy_table import table_of_powers
from sfumato.algorithms.moments.log_sums import log_sums, no_log_sums
from sfumato.algorithms.moments.object_forms import object_products
from sfumato.algorithms.moments.pair_means import feature_sums, n_features, object_sums
from sfumato.algorithms.moments.power_sums import LogSums, PowerSums, SpreadSums
from sfumato.algorithms.moments.sum_moments import object_functions
from sfumato.algorithms.tables.rows import Rows

__all__ = ["SpreadNeeds", "spread_needs", "spread_sums"]

_MOST_FEATURES = 100_000


class SpreadNeeds(NamedTuple):
    """What a second round has to sum, once the first is known."""

    first: PowerSums  # of all objects
    nodes: LogSums  # of no object
    has_laws: bool

    def turned(self) -> "SpreadNeeds":
        """The same with rows for columns."""
        return SpreadNeeds(self.first.turned(), self.nodes.turned(), self.has_laws)


def spread_needs(first: PowerSums) -> SpreadNeeds:
    """What to sum in a second round, decided once for all chunks.

    Logarithms of generating functions, and laws of cluster sizes against a hard side, are for
    entropies: where the first round ends with squares, nothing will be asked of these.
    """
    if first.are_hard[0] and not first.are_hard[1]:
        return spread_needs(first.turned()).turned()
    has_laws = first.order > 2 and first.are_hard[1] and has_cheap_laws(table_of_powers(first))
    return SpreadNeeds(first, no_log_sums(first), has_laws)


def spread_sums(a: Rows, b: Rows, needs: SpreadNeeds) -> SpreadSums:
    """The second round over some objects.

    Parameters
    ----------
    a, b : Rows
        Memberships of these objects.
    needs : SpreadNeeds

    Notes
    -----
    O(n k1^2 k2^2 / 4), less against a hard side; O(n k1 k2) where that would be more than 1e5
    numbers, and variances of pair counts are bounded only. Beside it `log_sums`, and laws of
    cluster sizes where all of them take less than 1e8 steps.

    Examples
    --------
    >>> from sfumato.algorithms.moments.power_sums import power_sums
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> a, b = dense_rows(np.array([[0.5, 0.5], [1.0, 0.0]])), hard_rows(np.array([0, 0]), 1)
    >>> spread_sums(a, b, spread_needs(power_sums(a, b, 2))).n_objects
    2
    """
    first = needs.first
    if first.are_hard[0] and not first.are_hard[1]:
        return spread_sums(b, a, needs.turned()).turned()
    table = table_of_powers(first._replace(spread=None))
    functions = [object_functions(psi, table) for psi in ("square", "xlogx")]
    together: list[Floats] = [np.concatenate(parts) for parts in zip(*functions, strict=True)]
    sizes = n_features((a.width, b.width), first.are_hard)
    return SpreadSums(
        a.n_rows,
        object_sums(a, b, table.sums),
        object_products(table, (a, b), *together),
        feature_sums(a, b) if prod(sizes) <= _MOST_FEATURES else None,
        log_sums(a, b, needs.nodes, first),
        laws_of_sizes(a) if needs.has_laws else (),
    )
