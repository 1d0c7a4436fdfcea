"""Homogeneity."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Values
from sfumato.algorithms.tables.entropy import entropy
from sfumato.algorithms.tables.pair_counts import divide
from sfumato.families import Affine, Family, Ratio
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency
from sfumato.measures.mutual_information import MutualInformation
from sfumato.measures.refinement import rows_refine_columns

__all__ = ["Homogeneity"]


@final
@dataclass(frozen=True, slots=True)
class Homogeneity(CellMeasure):
    r"""How far every cluster holds objects of one reference cluster only.

    .. math:: \frac{I(R, C)}{H(C)}

    where the columns C are the reference.

    Notes
    -----
    O(k1 k2) per table. 1 when the reference has one cluster. Swapping the two clusterings gives
    completeness. Defined in :cite:`rosenberg2007vmeasure`.

    Examples
    --------
    >>> import numpy as np
    >>> Homogeneity().of_tables(np.array([[2, 0], [1, 0], [0, 2]]))
    array(1.)
    """

    name = "homogeneity"
    better = "higher"
    bounds = (0.0, 1.0)
    symmetric = False
    is_metric = False
    formula = "mutual information / entropy of b"
    cost = "O(k1 k2)"
    reference = "rosenberg2007vmeasure"

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        mutual = MutualInformation().of_contingency(contingency)
        share = divide(mutual, entropy(contingency.columns, contingency.n_objects), at_zero=1.0)
        return np.where(rows_refine_columns(contingency), 1.0, np.minimum(share, 1.0))

    def family(self, n_objects: int) -> Family | None:
        """Ratio of two functions affine in the sums of x log x."""
        n = n_objects
        if n <= 1:
            return None
        mutual = Affine(math.log(n), -1 / n, -1 / n, 1 / n)
        reference_entropy = Affine(math.log(n), columns=-1 / n)
        return Ratio("xlogx", lambda _: (mutual, reference_entropy))
