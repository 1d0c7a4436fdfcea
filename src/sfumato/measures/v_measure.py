"""Homogeneity, completeness and their harmonic mean, the V-measure."""

import math
from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Bools, Ints, Values
from sfumato.algorithms.tables.entropy import entropy
from sfumato.algorithms.tables.pair_counts import divide
from sfumato.families import Affine, Family, Ratio
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency
from sfumato.measures.mutual_information import MutualInformation
from sfumato.measures.normalized_mutual_information import NormalizedMutualInformation

__all__ = ["Completeness", "Homogeneity", "VMeasure"]


def _share(contingency: Contingency, sizes: Ints, is_all: Bools) -> Values:
    """Mutual information as a share of the entropy of one side; 1 where it surely is all of it."""
    mutual = MutualInformation().of_contingency(contingency)
    share = divide(mutual, entropy(sizes, contingency.n_objects), at_zero=1.0)
    return np.where(is_all, 1.0, np.minimum(share, 1.0))


def _share_family(n: int, *, rows: float = 0.0, columns: float = 0.0) -> Family | None:
    """The same as a ratio; ``rows`` or ``columns`` is -1, whichever side the entropy is of."""
    if n <= 1:
        return None
    mutual = Affine(math.log(n), -1 / n, -1 / n, 1 / n)
    own_entropy = Affine(math.log(n), rows=rows / n, columns=columns / n)
    return Ratio("xlogx", lambda _: (mutual, own_entropy))


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
        return _share(contingency, contingency.columns, contingency.rows_refine_columns)

    def family(self, n_objects: int) -> Family | None:
        """Ratio of two functions affine in the sums of x log x."""
        return _share_family(n_objects, columns=-1)


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
        return _share(contingency, contingency.rows, contingency.columns_refine_rows)

    def family(self, n_objects: int) -> Family | None:
        """Ratio of two functions affine in the sums of x log x."""
        return _share_family(n_objects, rows=-1)


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
