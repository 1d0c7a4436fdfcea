"""The Rand index."""

from dataclasses import dataclass
from typing import Literal, final

from sfumato._typing import Values
from sfumato.algorithms.tables.pair_counts import divide, pair_counts
from sfumato.families import Affine, Family, Separable
from sfumato.measures.base import CellMeasure
from sfumato.measures.contingency import Contingency
from sfumato.measures.options import check_choice

__all__ = ["Rand"]


@final
@dataclass(frozen=True, slots=True)
class Rand(CellMeasure):
    r"""Share of pairs of objects on which two clusterings agree.

    .. math:: 1 - \frac{\sum_i \binom{R_i}{2} + \sum_j \binom{C_j}{2} - 2 \sum_{ij}
              \binom{N_{ij}}{2}}{\binom{n}{2}}

    Parameters
    ----------
    pairs : {"distinct", "all"}
        "distinct" counts pairs of two different objects; "all" is the paper's ``|X|^2``, which also
        counts each object with itself and so never falls below 1/n.

    Notes
    -----
    O(k1 k2) per table, exact in integers at any number of objects. 1 for a single object.
    Its complement is a metric on hard clusterings. Defined in :cite:`rand1971objective`.

    Examples
    --------
    >>> import numpy as np
    >>> Rand().of_tables(np.array([[2, 0], [1, 1]]))
    array(0.5)
    """

    pairs: Literal["distinct", "all"] = "distinct"

    name = "rand"
    better = "higher"
    bounds = (0.0, 1.0)
    symmetric = True
    is_metric = False
    formula = "agreeing pairs / pairs"
    cost = "O(k1 k2)"
    reference = "rand1971objective"

    def __post_init__(self) -> None:
        check_choice("Rand(pairs=...)", self.pairs, ("distinct", "all"))

    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins."""
        total = pair_counts(contingency.n_objects[..., None])
        together = pair_counts(contingency.cells)
        apart_once = pair_counts(contingency.rows) + pair_counts(contingency.columns) - 2 * together
        agreeing = total - apart_once
        if self.pairs == "all":  # ordered pairs and the diagonal, on which all clusterings agree
            n = contingency.n_objects.astype(total.dtype)
            agreeing, total = 2 * agreeing + n, 2 * total + n
        return divide(agreeing, total, at_zero=1.0)

    def family(self, n_objects: int) -> Family | None:
        """Affine in the sums of squares."""
        n_pairs = n_objects * (n_objects - 1) if self.pairs == "distinct" else n_objects**2
        if n_pairs == 0:
            return None
        return Separable("square", Affine(1.0, -1 / n_pairs, -1 / n_pairs, 2 / n_pairs))
