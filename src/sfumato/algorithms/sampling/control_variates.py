"""Quantities of a drawn table whose means are known exactly, to take chance out of a mean."""

from collections.abc import Callable
from math import exp
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints, Tables
from sfumato.algorithms.moments.pair_means import pair_means
from sfumato.algorithms.tables.focal_model import FocalModel
from sfumato.algorithms.tables.rows import Rows
from sfumato.algorithms.tables.sampler import FocalSampler

__all__ = ["Controls", "Limits", "count_controls", "square_controls", "together"]

_MOST_COUNTS = 40


class Limits(NamedTuple):
    """Values lie from ``low`` to ``high``; what lies outside adds at most ``rest`` to a mean."""

    low: float
    high: float
    rest: float


class Controls(NamedTuple):
    """``of(counts, tables)`` gives centred quantities of drawn focal tables, of shape (s, f).

    ``tables`` are the contingency tables of shape (s, k1, k2) where each focal table is one; else
    none. ``limits(slopes)`` are those of ``of @ slopes``.
    """

    of: Callable[[Ints, Tables | None], Floats]
    limits: Callable[[Floats], Limits]
    size: int


def count_controls(model: FocalModel, sampler: FocalSampler) -> Controls | None:
    """How often each pair of sets was chosen; none if there are too many pairs to fit."""
    n_pairs = len(model.fixed)
    if not 0 < n_pairs <= _MOST_COUNTS:
        return None
    means = sampler.mean()
    masses = model.masses

    def of(counts: Ints, tables: Tables | None) -> Floats:
        return counts - means

    def limits(slopes: Floats) -> Limits:
        """Every object adds the slope of its choice, so that Hoeffding's inequality holds.

        With v the sum of the squared ranges of the objects, u is exceeded with a probability below
        2 exp(-2 u^2 / v). Beyond u = 4 sqrt(v) lies less than sqrt(v) exp(-32) / 8 of the mean.
        """
        options = slopes[masses.labels[masses.cells]]
        least, most = (
            end.reduceat(options, masses.starts[:-1]) for end in (np.minimum, np.maximum)
        )
        root = float(np.sqrt(masses.counts @ (most - least) ** 2))
        centre = float((means - model.fixed) @ slopes)
        return Limits(
            max(float(masses.counts @ least) - centre, -4 * root),
            min(float(masses.counts @ most) - centre, 4 * root),
            root * exp(-32) / 8,
        )

    return Controls(of, limits, n_pairs)


def square_controls(rows: Rows, columns: Rows, n_objects: int, shape: tuple[int, int]) -> Controls:
    """Sums of squared row sums, column sums and cells of two fuzzy partitions."""
    n = float(n_objects)
    n_rows, n_columns = shape
    means = pair_means(rows, columns) / n**2
    lowest = np.array([1 / n_rows, 1 / n_columns, 1 / (n_rows * n_columns)])

    def of(counts: Ints, tables: Tables | None) -> Floats:
        assert tables is not None
        shares = tables / n
        sums = (shares.sum(axis=2), shares.sum(axis=1), shares.reshape(len(shares), -1))
        return np.stack([(sum_**2).sum(axis=1) for sum_ in sums], axis=1) - means

    def limits(slopes: Floats) -> Limits:
        ends = np.stack([slopes * (lowest - means), slopes * (1.0 - means)])
        return Limits(float(ends.min(axis=0).sum()), float(ends.max(axis=0).sum()), 0.0)

    return Controls(of, limits, 3)


def together(*given: Controls | None) -> Controls:
    """Several kinds of controls as one; there may be none."""
    controls = [part for part in given if part is not None]
    ends = np.cumsum([0, *(part.size for part in controls)])

    def of(counts: Ints, tables: Tables | None) -> Floats:
        parts = [part.of(counts, tables) for part in controls]
        return np.concatenate([np.zeros((len(counts), 0)), *parts], axis=1)

    def limits(slopes: Floats) -> Limits:
        parts = [
            part.limits(slopes[first:last])
            for part, first, last in zip(controls, ends[:-1], ends[1:], strict=True)
        ]
        return Limits(*np.sum([(0.0, 0.0, 0.0), *parts], axis=0).tolist())

    return Controls(of, limits, int(ends[-1]))
