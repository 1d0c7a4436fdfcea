"""Completeness."""

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
from sfumato.measures.refinement import columns_refine_rows

__all__ = ["Completeness"]


@final
@dataclass(frozen=True, slots=True)
class Completeness(CellMeasure):
    r"""How far every reference cluster is kept together.

    .. math:: \frac{I(R, C)}{H(R)}

    where the columns C are the reference and the rows R the clustering that is judged.

    Notes
    -----
    O(k1 k2) per table. 1 when the clustering that is judged has one cluster. Swapping the two
    clusterings gives homogeneity. Defined in :cite:`rosenberg2007vmeasure`.

    Examples
    --------
    >>> import numpy as np
    >>> Completeness().of_tables(np.array([[2, 1, 0], [0, 0, 2]]))
    array(1.)
    """

    name = "completeness"
    better = "higher"
    bounds = (0.0, 1.0)
    symmetric = False
    is_metric = False
    formula = "mutual information / entropy of a"
    cost = "O(k1 k2)"
    reference = "rosenberg2007vmeasure"

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        mutual = MutualInformation().of_contingency(contingency)
        share = divide(mutual, entropy(contingency.rows, contingency.n_objects), at_zero=1.0)
        return np.where(columns_refine_rows(contingency), 1.0, np.minimum(share, 1.0))

    def family(self, n_objects: int) -> Family | None:
        """Ratio of two functions affine in the sums of x log x."""
        n = n_objects
        if n <= 1:
            return None
        mutual = Affine(math.log(n), -1 / n, -1 / n, 1 / n)
        own_entropy = Affine(math.log(n), rows=-1 / n)
        return Ratio("xlogx", lambda _: (mutual, own_entropy))
