"""The Jaccard index."""

from dataclasses import dataclass
from typing import final

from sfumato._typing import Values
from sfumato.algorithms.tables.pair_counts import divide, pair_counts
from sfumato.families import Affine, Family, Ratio
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency

__all__ = ["Jaccard"]


@final
@dataclass(frozen=True, slots=True)
class Jaccard(CellMeasure):
    r"""Share of the pairs joined by either clustering that both join.

    .. math:: \frac{t}{p + q - t}

    with the pairs of objects joined by both clusterings (t), by the first (p), by the second (q).

    Notes
    -----
    O(k1 k2) per table, exact in integers at any number of objects. 1 when neither clustering
    joins a pair. Its complement is a metric on hard clusterings. Defined in
    :cite:`jaccard1912`.

    Examples
    --------
    >>> import numpy as np
    >>> Jaccard().of_tables(np.array([[2, 0], [1, 1]]))
    array(0.25)
    """

    name = "jaccard"
    better = "higher"
    bounds = (0.0, 1.0)
    symmetric = True
    is_metric = False
    formula = "pairs joined by both / pairs joined by either"
    cost = "O(k1 k2)"
    reference = "jaccard1912"

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        both = pair_counts(contingency.cells)
        either = pair_counts(contingency.rows) + pair_counts(contingency.columns) - both
        return divide(both, either, at_zero=1.0)

    def family(self, n_objects: int) -> Family | None:
        """Ratio of two functions affine in the sums of squares."""
        if n_objects <= 1:
            return None
        both = Affine(-n_objects, cells=1.0)
        either = Affine(-n_objects, rows=1.0, columns=1.0, cells=-1.0)
        return Ratio("square", lambda _: (both, either))
