"""The shared engine: assign objects, move centres, repeat; from several starts, keep the best."""

# pyright: reportUnknownMemberType=false

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import numpy as np
from threadpoolctl import ThreadpoolController

from sfumato._typing import Floats
from sfumato.cluster.distances import Points, squared_distances

__all__ = ["Assignment", "Run", "Updates", "best_run", "weighted_means"]

# Runs that end at one optimum differ by rounding, which must not choose among them: the order of
# the clusters would depend on the machine.
_EQUAL = 1e-8

# Total weights below it have lost digits, or all of them, to underflow.
_LEAST = 1e-290


class Assignment(NamedTuple):
    """What the objects weigh in the next centres, and what the present ones cost."""

    weights: Floats  # (r, n): as many rows as the algorithm needs
    objective: float


class Updates(ABC):
    """The two halves of one step of an algorithm; centres are weighted means unless told."""

    def prototypes(self, centers: Floats) -> Floats:
        """Points that objects are compared with, (f, d), made of the centres, (k, d)."""
        return centers

    @abstractmethod
    def assign(self, squares: Floats) -> Assignment:
        """Weigh the objects by their squared distances to the prototypes, (f, n)."""

    def move(self, totals: Floats, sums: Floats, centers: Floats) -> Floats:
        """New centres from the total weights, (r,), and the weighted sums of objects, (r, d)."""
        return weighted_means(totals, sums, centers)


class Run(NamedTuple):
    """Where one start led."""

    centers: Floats  # (k, d), seen from the origin of the points
    history: Floats  # (n_iter + 1,): the objective before every move and at the end
    shift: float  # how far the last move took a centre
    is_converged: bool


def weighted_means(totals: Floats, sums: Floats, centers: Floats) -> Floats:
    """Means of the objects; a centre that no object weighs on stays where it is."""
    is_held = totals > _LEAST
    moved = centers.copy()
    moved[is_held] = sums[is_held] / totals[is_held, None]
    return moved


def best_run(
    points: Points, updates: Updates, starts: Iterable[Floats], *, max_iter: int, tol: float
) -> Run:
    """The run of lowest final objective, the first of those that are equal but for rounding."""
    # The products are thin: a second thread gains little, and on a busy machine the threads wait
    # for each other ten times as long as the work takes.
    with _thread_pools().limit(limits=1, user_api="blas"):
        runs = [_run(points, updates, start, max_iter=max_iter, tol=tol) for start in starts]
    best = runs[0]
    for run in runs[1:]:
        if run.history[-1] < (1 - _EQUAL) * best.history[-1]:
            best = run
    return best


@cache
def _thread_pools() -> ThreadpoolController:
    return ThreadpoolController()  # looks through all loaded libraries, so once is enough


def _run(points: Points, updates: Updates, start: Floats, *, max_iter: int, tol: float) -> Run:
    """Alternate until no centre moves further than ``tol`` or ``max_iter`` moves are made."""
    centers, shift, history = start, np.inf, list[float]()
    while len(history) < max_iter and shift > tol:
        weights, objective = updates.assign(squared_distances(points, updates.prototypes(centers)))
        moved = updates.move(weights.sum(axis=1), weights @ points.values, centers)
        shift = float(np.sqrt(((moved - centers) ** 2).sum(axis=1).max()))
        centers = moved
        history.append(objective)
    last = updates.assign(squared_distances(points, updates.prototypes(centers)))
    return Run(centers, np.array([*history, last.objective]), shift, shift <= tol)
