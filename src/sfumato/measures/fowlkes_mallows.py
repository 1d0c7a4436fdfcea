"""The Fowlkes-Mallows index."""

from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Values
from sfumato.algorithms.tables.pair_counts import divide, pair_counts
from sfumato.families import Affine, Family, Ratio
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency

__all__ = ["FowlkesMallows"]


@final
@dataclass(frozen=True, slots=True)
class FowlkesMallows(CellMeasure):
    r"""Geometric mean of pair precision and pair recall.

    .. math:: \frac{t}{\sqrt{p q}}

    with the pairs of objects joined by both clusterings (t), by the first (p), by the second (q).

    Notes
    -----
    O(k1 k2) per table; the counts are exact integers at any number of objects. 0 when no pair is
    joined by both, as in scikit-learn, so all singletons score 0 even against themselves.
    Defined in :cite:`fowlkes1983method`.

    Examples
    --------
    >>> import numpy as np
    >>> FowlkesMallows().of_tables(np.array([[2, 0], [0, 2]]))
    array(1.)
    """

    name = "fowlkes_mallows"
    better = "higher"
    bounds = (0.0, 1.0)
    symmetric = True
    is_metric = False
    formula = "pairs joined by both / sqrt(pairs joined by a * pairs joined by b)"
    cost = "O(k1 k2)"
    reference = "fowlkes1983method"

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        both = pair_counts(contingency.cells)
        precision = divide(both, pair_counts(contingency.rows), at_zero=0.0)
        recall = divide(both, pair_counts(contingency.columns), at_zero=0.0)
        return np.asarray(np.sqrt(precision) * np.sqrt(recall))

    def family(self, n_objects: int) -> Family | None:
        """Ratio with a root below, once the sum of squares of the columns is known."""
        n = n_objects
        if n <= 1:
            return None

        def parts(column_sum: float) -> tuple[Affine, Affine]:
            joined = column_sum - n  # ordered pairs joined by the second clustering
            return Affine(-n, cells=1.0), Affine(-n * joined, rows=joined)

        return Ratio("square", parts, power=0.5, needs_fixed_columns=True, at_zero=0.0)
