"""The Dice index."""

from dataclasses import dataclass
from typing import final

from sfumato._typing import Values
from sfumato.algorithms.tables.pair_counts import divide, pair_counts
from sfumato.families import Affine, Family, Ratio
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency

__all__ = ["Dice"]


@final
@dataclass(frozen=True, slots=True)
class Dice(CellMeasure):
    r"""Harmonic mean of pair precision and pair recall.

    .. math:: \frac{2 t}{p + q}

    with the pairs of objects joined by both clusterings (t), by the first (p), by the second (q).

    Notes
    -----
    O(k1 k2) per table, exact in integers at any number of objects. 1 when neither clustering
    joins a pair. Defined in :cite:`dice1945`.

    Examples
    --------
    >>> import numpy as np
    >>> Dice().of_tables(np.array([[2, 0], [1, 1]]))
    array(0.4)
    """

    name = "dice"
    better = "higher"
    bounds = (0.0, 1.0)
    symmetric = True
    is_metric = False
    formula = "2 pairs joined by both / (pairs joined by a + pairs joined by b)"
    cost = "O(k1 k2)"
    reference = "dice1945"

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        both = pair_counts(contingency.cells)
        joined = pair_counts(contingency.rows) + pair_counts(contingency.columns)
        return divide(2 * both, joined, at_zero=1.0)

    def family(self, n_objects: int) -> Family | None:
        """Ratio of two functions affine in the sums of squares."""
        if n_objects <= 1:
            return None
        both = Affine(-2 * n_objects, cells=2.0)
        joined = Affine(-2 * n_objects, rows=1.0, columns=1.0)
        return Ratio("square", lambda _: (both, joined))
