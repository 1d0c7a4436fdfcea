"""The adjusted Rand index."""

from dataclasses import dataclass
from typing import cast, final

import numpy as np

from sfumato._typing import Ints, Values
from sfumato.algorithms.tables.pair_counts import divide, pair_counts
from sfumato.families import Affine, Family, Ratio
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency

__all__ = ["AdjustedRand"]

# Up to this many objects the products below, at most n**4 / 2, stay below 2**63.
_LARGEST_INT64 = 65_000


@final
@dataclass(frozen=True, slots=True)
class AdjustedRand(CellMeasure):
    r"""Rand index rescaled so that chance scores 0 and equality 1.

    .. math:: \frac{2 (T t - p q)}{T (p + q) - 2 p q}

    with the pairs of objects joined by both clusterings (t), by the first (p), by the second (q),
    and all pairs (T).

    Notes
    -----
    O(k1 k2) per table; numerator and denominator are exact integers at any number of objects.
    Equality to 1 where both are 0: one object, one cluster twice, all singletons twice.
    Never below -1/2 :cite:`chacon2023minimum`. Defined in :cite:`hubert1985comparing`.

    Examples
    --------
    >>> import numpy as np
    >>> AdjustedRand().of_tables(np.array([[1, 1], [1, 1]]))
    array(-0.5)
    """

    name = "adjusted_rand"
    better = "higher"
    bounds = (-0.5, 1.0)
    symmetric = True
    is_metric = False
    formula = "(rand - expected rand) / (1 - expected rand)"
    cost = "O(k1 k2)"
    reference = "hubert1985comparing"

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        n = contingency.n_objects
        counts = [
            pair_counts(contingency.cells),
            pair_counts(contingency.rows),
            pair_counts(contingency.columns),
            pair_counts(n[..., None]),
        ]
        if n.size and int(n.max()) > _LARGEST_INT64:
            counts = [cast(Ints, count.astype(object)) for count in counts]
        both, rows, columns, pairs = counts
        chance = rows * columns
        numerator = np.asarray(2 * (both * pairs - chance))
        denominator = np.asarray((rows + columns) * pairs - 2 * chance)
        return divide(numerator, denominator, at_zero=1.0)

    def family(self, n_objects: int) -> Family | None:
        """Ratio of two functions affine in the sums of squares, once that of columns is known."""
        n = n_objects
        if n <= 1:
            return None

        def parts(column_sum: float) -> tuple[Affine, Affine]:
            share = (column_sum - n) / (n * (n - 1))  # of pairs joined by the second clustering
            numerator = Affine(-2 * n * (1 - share), rows=-2 * share, cells=2.0)
            denominator = Affine(column_sum - n - n * (1 - 2 * share), rows=1 - 2 * share)
            return numerator, denominator

        return Ratio("square", parts, needs_fixed_columns=True)
