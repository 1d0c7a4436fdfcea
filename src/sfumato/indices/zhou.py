"""The fuzzy partition distance of Zhou, Li and Zha, a Mallows distance."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike

from sfumato._arguments import is_number
from sfumato._typing import Floats, Ints, PartitionLike
from sfumato.algorithms.programs import quiet_solver
from sfumato.algorithms.tables.rows import sparse_rows
from sfumato.errors import InputError
from sfumato.indices.base import Index
from sfumato.indices.formulas.cluster_costs import (
    ClusterCosts,
    Degrees,
    cheapest_matching,
    cluster_costs,
)
from sfumato.partitions import IndependentPartition
from sfumato.question.joint import probability_rows

__all__ = ["ZHOU", "zhou"]


def zhou(
    a: PartitionLike,
    b: PartitionLike,
    *,
    p: float = 1,
    weights: Sequence[ArrayLike] | None = None,
    normalized: bool = False,
) -> float:
    r"""How much membership must move to turn one fuzzy partition into the other.

    .. math:: \Bigl(\min_w \sum_{ij} w_{ij} \sum_x |u_{xi} - v_{xj}|^p\Bigr)^{1/p}

    over all w with rows that sum to the weights of a's clusters and columns that sum to those of
    b's.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        Fuzzy or hard.
    p : float
        At least 1; 1 by default.
    weights : pair of array-like, of shape (k1,) and (k2,), optional
        Weights of the clusters of either side; not negative, and with the same sum. By default
        every cluster has weight 1 and the side with fewer clusters gets empty ones: clusters are
        matched one to one, and for hard partitions and p = 1 the distance is twice the number of
        objects to move.
    normalized : bool
        Divide by :math:`(2n)^{1/p}`, or by :math:`(n \sum w)^{1/p}` where weights are given:
        from 0 to 1. False by default.

    Returns
    -------
    float
        0 for equal partitions, whatever the names of the clusters.

    Raises
    ------
    InputError
        If the partitions do not speak of the same objects, or for a wrong p or wrong weights.
    UnsupportedError
        For other kinds of partitions.

    Notes
    -----
    O(n k1 k2) for the costs, then an assignment, O(k1 k2 min(k1, k2)), or with weights a linear
    program in k1 k2 unknowns; memory O(k1 k2) and a block.

    A metric up to relabelling. With p = 1 and ``normalized=True`` it equals ``compare(a, b,
    measure=PartitionDistance("n"))`` for hard partitions; for fuzzy ones it compares the
    memberships, so it is 0 from a partition to itself, where compare gives the mean distance of
    two clusterings drawn from them. The default weights are those of the R package clue. Defined
    in :cite:`zhou2005new`.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.indices.zhou([0, 0, 1, 1], [0, 0, 0, 1])
    2.0
    >>> fuzzy = [[0.9, 0.1], [0.2, 0.8]]
    >>> round(sf.indices.zhou(fuzzy, [0, 1], normalized=True), 4)
    0.15
    """
    if not (is_number(p) and 1 <= p < np.inf):
        raise InputError(f"zhou(p=...) takes a number from 1 up, not {p!r}.")
    first, second = ZHOU.sides(a, b)

    def cost(u: Floats, v: Floats, _: Ints) -> Floats:
        return np.abs(u - v)[:, 0] ** p

    if not isinstance(cast(object, normalized), bool):
        raise InputError(f"normalized must be True or False, got {normalized!r}.")
    costs = cluster_costs(_degrees(first), _degrees(second), cost)
    if weights is None:
        total, most = cheapest_matching(costs), 2.0
    else:
        of_a, of_b = _checked(weights, first.n_clusters, second.n_clusters)
        total, most = _cheapest_transport(costs, of_a, of_b), float(of_a.sum())
    scale = most * first.n_objects if normalized else 1.0
    return float(max(total, 0.0) / scale) ** (1 / p)


def _degrees(side: IndependentPartition) -> Degrees:
    rows = sparse_rows(probability_rows(side))
    return Degrees(rows.starts, rows.columns, rows.values[:, None], rows.width)


def _checked(weights: Sequence[ArrayLike], n_first: int, n_second: int) -> tuple[Floats, Floats]:
    try:
        of_a, of_b = (np.asarray(one, dtype=np.float64) for one in weights)
    except (TypeError, ValueError):
        raise InputError(
            "zhou(weights=...) takes a pair of lists of numbers, one per cluster of a and of b."
        ) from None
    for one, k, side in ((of_a, n_first, "a"), (of_b, n_second, "b")):
        if one.shape != (k,):
            raise InputError(
                f"zhou(weights=...): {side} has {k} clusters, but its weights have shape "
                f"{one.shape}."
            )
        if not (np.isfinite(one).all() and (one >= 0).all() and one.sum() > 0):
            raise InputError(
                f"zhou(weights=...): the weights of {side} must be finite, not negative and not "
                f"all 0; got {one.tolist()}."
            )
    if abs(of_a.sum() - of_b.sum()) > 1e-9 * of_a.sum():
        raise InputError(
            f"zhou(weights=...): the weights of a sum to {of_a.sum():.6g}, those of b to "
            f"{of_b.sum():.6g}; the sums must be equal."
        )
    return of_a, of_b


def _cheapest_transport(costs: ClusterCosts, of_a: Floats, of_b: Floats) -> float:
    """The least cost, by a linear program whose last equation follows from the others."""
    from scipy import optimize, sparse

    solver: Any = optimize  # without types
    k1, k2 = len(of_a), len(of_b)
    pairs = np.arange(k1 * k2)
    equations = np.concatenate([pairs // k2, k1 + pairs % k2])
    sums = sparse.csr_matrix((np.ones(2 * len(pairs)), (equations, np.tile(pairs, 2))))
    with quiet_solver():
        found: Any = solver.linprog(
            costs.matched.ravel(),
            A_eq=sums[:-1],
            b_eq=np.concatenate([of_a, of_b])[:-1],
            method="highs-ds",
            # The default tolerances would let weights below 1e-7 vanish.
            options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
        )
    return float(found.fun)


ZHOU = Index(
    function=zhou,
    candidate_kinds=("hard", "fuzzy"),
    reference_kinds=("hard", "fuzzy"),
    better="lower",
    is_reflexive=True,
    cost="O(n k k')",
    place=(
        "Compares the memberships themselves: 0 between equal fuzzy partitions, where compare(a, b,"
        " measure='partition_distance') is the mean over clusterings drawn from them."
    ),
    reference="zhou2005new",
    also_called=("Mallows", "cl_dissimilarity(method='Mallows')"),
)
