"""A clustering that is near to all draws in the mean: searched for, not proven to be the nearest.

Losses, searches and the check against the draws themselves follow the literature on point
estimates of partitions (Wade and Ghahramani 2018; Dahl, Johnson and Mueller 2022).
"""

import os
from collections.abc import Callable
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.draws.draw_list import DrawCodes, DrawList
from sfumato.errors import CostError

__all__ = ["MOST_BYTES", "MOST_STEPS", "Consensus", "DrawLoss", "consensus", "draw_losses"]

DrawLoss: TypeAlias = Literal["vi", "binder", "adjusted_rand"]

MOST_BYTES = 4e9
MOST_STEPS = 2e10  # objects looked at when draws are compared with draws


class Consensus(NamedTuple):
    """A clustering, its mean loss over the draws, and how many draws are known to be no better."""

    codes: Ints  # (n,)
    loss: float
    n_checked: int


class _Kernels(NamedTuple):
    losses: Callable[[DrawCodes, DrawCodes], Floats]
    mean_losses: Callable[[DrawCodes, Floats, Ints, float, int], Floats]
    search: Callable[..., tuple[DrawCodes, Floats]]


_KERNELS: dict[DrawLoss, _Kernels] = {
    "vi": _Kernels(
        _core.losses_by_information,
        _core.mean_losses_by_information,
        _core.consensus_by_information,
    ),
    "binder": _Kernels(_core.losses_by_pairs, _core.mean_losses_by_pairs, _core.consensus_by_pairs),
    "adjusted_rand": _Kernels(
        _core.losses_by_adjusted_pairs,
        _core.mean_losses_by_adjusted_pairs,
        _core.consensus_by_adjusted_pairs,
    ),
}


def draw_losses(codes: DrawCodes, center: Ints, loss: DrawLoss) -> Floats:
    """Loss of each draw against one clustering, of shape (s,); O(s n)."""
    return np.maximum(_KERNELS[loss].losses(codes, center.astype(np.int32)), 0.0)


def consensus(
    draws: DrawList, loss: DrawLoss, n_starts: int, rng: np.random.Generator
) -> Consensus:
    """Search for a clustering with a small mean loss over the draws.

    Half of the starts add objects one by one, where each costs least; the others are draws. From
    each start objects move, clusters merge and clusters split while the mean loss falls. In the
    end each draw is compared with the best clustering found; if one is better, it is the last
    start.

    O(s n k) for each pass over the objects and O(s² n) for the check, which is cut short for each
    draw as soon as it is seen to be worse. Memory O(s n), and a table for each draw and thread;
    `CostError` if the tables do not fit.
    """
    n_draws, n_objects = draws.codes.shape
    threads = os.cpu_count() or 1
    slots = min(n_objects, 2 * draws.n_clusters + 8)
    lines = float(draws.sizes.sum())
    needed = 4.0 * n_draws * n_objects + 4.0 * lines * slots * min(threads, n_starts)
    if needed > MOST_BYTES:
        raise CostError(
            f"A point estimate of {n_draws:,} draws of {n_objects:,} objects needs about "
            f"{needed / 1e9:.3g} GB ({MOST_BYTES / 1e9:.3g} GB at most): thin the draws."
        )
    kernels = _KERNELS[loss]

    def search(starts: DrawCodes) -> Consensus:
        seeds = rng.integers(0, 2**63, len(starts), dtype=np.uint64)
        labels, values = kernels.search(draws.codes, draws.weights, starts, seeds, slots, threads)
        best = int(np.argmin(values))
        return Consensus(labels[best].astype(np.int64), float(values[best]), 0)

    starts = np.full((n_starts, n_objects), -1, dtype=np.int32)
    chosen = rng.choice(n_draws, n_starts // 2, p=draws.weights)
    starts[: len(chosen)] = draws.codes[chosen]
    found = search(starts)
    checked = _nearest(draws, found, loss)
    values = kernels.mean_losses(draws.codes, draws.weights, checked, found.loss, threads)
    if values.min() < found.loss:
        found = search(draws.codes[checked[[int(np.argmin(values))]]])
    return found._replace(n_checked=len(checked))


def _nearest(draws: DrawList, found: Consensus, loss: DrawLoss) -> Ints:
    """The draws to compare with all others: all, or those nearest to what was found."""
    n_draws, n_objects = draws.codes.shape
    most = max(1, int(MOST_STEPS / (float(n_draws) * n_objects)))
    if n_draws <= most:
        return np.arange(n_draws, dtype=np.int64)
    order: Ints = np.argsort(draw_losses(draws.codes, found.codes, loss), kind="stable")
    return order[:most]
