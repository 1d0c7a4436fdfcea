"""Normalised variation of information."""

import math
from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from sfumato._typing import Values
from sfumato.algorithms.tables.entropy import entropy
from sfumato.algorithms.tables.pair_counts import divide
from sfumato.families import Affine, Family, Ratio, Separable
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency
from sfumato.measures.options import check_choice
from sfumato.measures.variation_of_information import VariationOfInformation

__all__ = ["NormalizedVariationOfInformation"]


@final
@dataclass(frozen=True, slots=True)
class NormalizedVariationOfInformation(CellMeasure):
    r"""Variation of information on a scale from 0 to 1.

    .. math:: \frac{H(R | C) + H(C | R)}{\log n} \quad\text{or}\quad
              \frac{H(R | C) + H(C | R)}{H(R, C)}

    Parameters
    ----------
    by : {"log_n", "joint_entropy"}
        What to divide by: the largest value for n objects, or the joint entropy of the two
        clusterings :cite:`vinh2010information`.

    Notes
    -----
    O(k1 k2) per table. 0 for a single object, and by joint entropy where both clusterings have one
    cluster. Both forms are metrics on hard clusterings taken up to relabelling. Defined in
    :cite:`meila2007comparing`.

    Examples
    --------
    >>> import numpy as np
    >>> NormalizedVariationOfInformation().of_tables(np.array([[1, 1], [1, 1]]))
    array(1.)
    """

    by: Literal["log_n", "joint_entropy"] = "log_n"

    name = "normalized_variation_of_information"
    better = "lower"
    bounds = (0.0, 1.0)
    symmetric = True
    is_metric = True
    formula = "variation of information / log n"
    cost = "O(k1 k2)"
    reference = "meila2007comparing"

    def __post_init__(self) -> None:
        option = "NormalizedVariationOfInformation(by=...)"
        check_choice(option, self.by, ("log_n", "joint_entropy"))

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        n = contingency.n_objects
        variation = VariationOfInformation().of_contingency(contingency)
        largest = np.asarray(np.log(n)) if self.by == "log_n" else entropy(contingency.cells, n)
        return np.asarray(np.minimum(divide(variation, largest, at_zero=0.0), 1.0))

    def family(self, n_objects: int) -> Family | None:
        """Affine in the sums of x log x, or a ratio of two such functions."""
        n = n_objects
        if n <= 1:
            return None
        if self.by == "log_n":
            scale = 1 / (n * math.log(n))
            return Separable("xlogx", Affine(0.0, scale, scale, -2 * scale))
        variation = Affine(0.0, 1 / n, 1 / n, -2 / n)
        joint_entropy = Affine(math.log(n), cells=-1 / n)
        return Ratio("xlogx", lambda _: (variation, joint_entropy), at_zero=0.0)
