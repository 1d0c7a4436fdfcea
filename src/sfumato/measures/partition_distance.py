"""The partition distance."""

from dataclasses import dataclass
from typing import Literal, final

import numpy as np

from sfumato._typing import Tables, Values
from sfumato.algorithms.tables.largest_matching import largest_matching
from sfumato.algorithms.tables.pair_counts import divide
from sfumato.families import Family, Matching
from sfumato.measures.base import Measure
from sfumato.measures.options import check_choice

__all__ = ["PartitionDistance"]


@final
@dataclass(frozen=True, slots=True)
class PartitionDistance(Measure):
    r"""Share of objects to move before two clusterings are the same.

    .. math:: \frac{n - \max_\pi \sum_i N_{i \pi(i)}}{n - 1}

    where the maximum runs over the one-to-one matchings of the clusters of one clustering to those
    of the other; clusters in excess stay without a partner.

    Parameters
    ----------
    normalizer : {"n-1", "n"}
        What to divide by. At least one object never moves, so "n-1" reaches 1 and "n" does not.

    Notes
    -----
    O(k1 k2 min(k1, k2)) per table. 0 for a single object. A metric on hard clusterings taken up
    to relabelling. Defined in :cite:`day1981complexity`.

    Examples
    --------
    >>> import numpy as np
    >>> PartitionDistance().of_tables(np.array([[3, 1, 0], [0, 0, 1]]))
    array(0.25)
    """

    normalizer: Literal["n-1", "n"] = "n-1"

    name = "partition_distance"
    better = "lower"
    bounds = (0.0, 1.0)
    symmetric = True
    is_metric = True
    formula = "(n - largest matching) / (n - 1)"
    cost = "O(k1 k2 min(k1, k2))"
    reference = "day1981complexity"

    def __post_init__(self) -> None:
        check_choice("PartitionDistance(normalizer=...)", self.normalizer, ("n-1", "n"))

    def of_tables(self, tables: Tables) -> Values:
        """Values of tables of shape (..., k1, k2), as an array of shape (...)."""
        n = np.asarray(tables.sum(axis=(-2, -1)))
        divisor = n if self.normalizer == "n" else n - 1
        return divide(n - largest_matching(tables), divisor, at_zero=0.0)

    def family(self, n_objects: int) -> Family | None:
        """Affine in the largest matching."""
        divisor = n_objects if self.normalizer == "n" else n_objects - 1
        if divisor <= 0:
            return None
        return Matching(offset=n_objects / divisor, slope=-1 / divisor)
