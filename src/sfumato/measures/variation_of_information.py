"""Variation of information."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Values
from sfumato.algorithms.tables.entropy import conditional_entropy
from sfumato.families import Affine, Family, Separable
from sfumato.measures.base import CellMeasure, ShapeBounded
from sfumato.measures.contingency import Contingency

__all__ = ["VariationOfInformation"]


@final
@dataclass(frozen=True, slots=True)
class VariationOfInformation(CellMeasure, ShapeBounded):
    r"""What either clustering leaves unknown about the other, in nats.

    .. math:: H(R | C) + H(C | R) = -\sum_{ij} \frac{N_{ij}}{n} \left(\log \frac{N_{ij}}{R_i}
              + \log \frac{N_{ij}}{C_j}\right)

    Notes
    -----
    O(k1 k2) per table. A metric on hard clusterings taken up to relabelling; exactly 0 for
    equivalent ones, at most log n and at most log k1 + log k2. Defined in
    :cite:`meila2007comparing`.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(VariationOfInformation().of_tables(np.array([[1, 1], [1, 1]]))), 6)
    1.386294
    """

    name = "variation_of_information"
    better = "lower"
    bounds = (0.0, math.inf)
    symmetric = True
    is_metric = True
    formula = "H(a | b) + H(b | a), in nats"
    cost = "O(k1 k2)"
    reference = "meila2007comparing"

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        cells, n = contingency.cells, contingency.n_objects
        given_rows = conditional_entropy(cells, contingency.cell_rows, n)
        given_columns = conditional_entropy(cells, contingency.cell_columns, n)
        n_rows = np.count_nonzero(contingency.rows, axis=-1)
        n_columns = np.count_nonzero(contingency.columns, axis=-1)
        # Rounding must not carry a value past its bound.
        largest = np.minimum(np.log(n), np.log(n_rows) + np.log(n_columns))
        return np.asarray(np.minimum(given_rows + given_columns, largest))

    def bounds_for(self, n_objects: int, n_rows: int, n_columns: int) -> tuple[float, float]:
        """Bounds over all tables of that shape and number of objects."""
        return 0.0, float(min(np.log(n_objects), np.log(n_rows) + np.log(n_columns)))

    def family(self, n_objects: int) -> Family | None:
        """Affine in the sums of x log x."""
        n = n_objects
        if n <= 1:
            return None
        return Separable("xlogx", Affine(0.0, 1 / n, 1 / n, -2 / n))
