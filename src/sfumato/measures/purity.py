"""Purity."""

from dataclasses import dataclass
from typing import final

import numpy as np

from sfumato._typing import Tables, Values
from sfumato.families import Family, Majority
from sfumato.measures.base import Measure

__all__ = ["Purity"]


@final
@dataclass(frozen=True, slots=True)
class Purity(Measure):
    r"""Share of objects in the commonest reference cluster of their own cluster.

    .. math:: \frac{1}{n} \sum_i \max_j N_{ij}

    where the columns are the reference.

    Notes
    -----
    O(k1 k2) per table. 1 for all singletons, whatever the reference. Defined in
    :cite:`manning2008introduction`.

    Examples
    --------
    >>> import numpy as np
    >>> Purity().of_tables(np.array([[3, 1], [1, 3]]))
    array(0.75)
    """

    name = "purity"
    better = "higher"
    bounds = (0.0, 1.0)
    symmetric = False
    is_metric = False
    formula = "sum over clusters of their largest cell / n"
    cost = "O(k1 k2)"
    reference = "manning2008introduction"

    def of_tables(self, tables: Tables) -> Values:
        """Values of tables of shape (..., k1, k2), as an array of shape (...)."""
        return np.asarray(tables.max(axis=-1).sum(axis=-1) / tables.sum(axis=(-2, -1)))

    def family(self, n_objects: int) -> Family | None:
        """A sum of row maxima."""
        return None if n_objects <= 1 else Majority(1 / n_objects)
