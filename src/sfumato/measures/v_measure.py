"""The V-measure."""

from dataclasses import dataclass
from typing import final

from sfumato._typing import Values
from sfumato.families import Family
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency
from sfumato.measures.normalized_mutual_information import NormalizedMutualInformation

__all__ = ["VMeasure"]


@final
@dataclass(frozen=True, slots=True)
class VMeasure(CellMeasure):
    r"""Harmonic mean of homogeneity and completeness.

    .. math:: \frac{2 h c}{h + c} = \frac{2 I(R, C)}{H(R) + H(C)}

    Notes
    -----
    O(k1 k2) per table. The same number as normalised mutual information with the arithmetic mean,
    also where a clustering has one cluster. Defined in :cite:`rosenberg2007vmeasure`.

    Examples
    --------
    >>> import numpy as np
    >>> round(float(VMeasure().of_tables(np.array([[2, 0], [0, 1], [0, 1]]))), 6)
    0.8
    """

    name = "v_measure"
    better = "higher"
    bounds = (0.0, 1.0)
    symmetric = True
    is_metric = False
    formula = "2 homogeneity completeness / (homogeneity + completeness)"
    cost = "O(k1 k2)"
    reference = "rosenberg2007vmeasure"

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        return NormalizedMutualInformation("arithmetic").of_contingency(contingency)

    def family(self, n_objects: int) -> Family | None:
        """Ratio of two functions affine in the sums of x log x."""
        return NormalizedMutualInformation("arithmetic").family(n_objects)
