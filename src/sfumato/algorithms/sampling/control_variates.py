"""Compute quantities of a drawn table whose exact means are known (control variates).

Subtracting them from the values makes an estimated mean more accurate.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints, Tables
from sfumato.algorithms.moments.pair_means import pair_means
from sfumato.algorithms.tables.focal_model import FocalModel
from sfumato.algorithms.tables.rows import Rows
from sfumato.algorithms.tables.sampler import FocalSampler

__all__ = ["Controls", "count_controls", "square_controls", "together"]

_MOST_COUNTS = 40


class Controls(NamedTuple):
    """Quantities of drawn focal tables, minus their means.

    ``of(counts, tables)`` gives them in shape (s, f). ``tables`` are the contingency tables, of
    shape (s, k1, k2), if each focal table has exactly one within reach; else None.
    ``spread(slopes)`` is an upper bound of the distance from the smallest to the largest
    ``of(...) @ slopes``. ``size`` is f.
    """

    of: Callable[[Ints, Tables | None], Floats]
    spread: Callable[[Floats], float]
    size: int


def count_controls(model: FocalModel, sampler: FocalSampler) -> Controls | None:
    """Use the number of objects that chose each pair of sets; None if there are too many pairs."""
    n_pairs = len(model.fixed)
    if not 0 < n_pairs <= _MOST_COUNTS:
        return None
    means = sampler.mean()
    masses = model.masses

    def of(counts: Ints, tables: Tables | None) -> Floats:
        return counts - means

    def spread(slopes: Floats) -> float:
        """Every object adds the slope of the pair that it chose."""
        options = slopes[masses.labels[masses.cells]]
        starts = masses.starts[:-1]
        each = np.maximum.reduceat(options, starts) - np.minimum.reduceat(options, starts)
        return float((masses.counts * each).sum())

    return Controls(of, spread, n_pairs)


def square_controls(rows: Rows, columns: Rows, n_objects: int, shape: tuple[int, int]) -> Controls:
    """Use the sums of squared row sums, column sums and cells of two fuzzy partitions."""
    n = float(n_objects)
    n_rows, n_columns = shape
    means = pair_means(rows, columns) / n**2
    lowest = np.array([1 / n_rows, 1 / n_columns, 1 / (n_rows * n_columns)])

    def of(counts: Ints, tables: Tables | None) -> Floats:
        assert tables is not None
        shares = tables / n
        sums = (shares.sum(axis=2), shares.sum(axis=1), shares.reshape(len(shares), -1))
        return np.stack([(sum_**2).sum(axis=1) for sum_ in sums], axis=1) - means

    def spread(slopes: Floats) -> float:
        return float(np.abs(slopes) @ (1.0 - lowest))

    return Controls(of, spread, 3)


def together(controls: list[Controls]) -> Controls:
    """Join several kinds of controls into one."""
    starts = np.cumsum([0, *(part.size for part in controls)])

    def of(counts: Ints, tables: Tables | None) -> Floats:
        parts = [part.of(counts, tables) for part in controls]
        return np.concatenate([np.zeros((len(counts), 0)), *parts], axis=1)

    def spread(slopes: Floats) -> float:
        return sum(
            part.spread(slopes[first:last])
            for part, first, last in zip(controls, starts[:-1], starts[1:], strict=True)
        )

    return Controls(of, spread, int(starts[-1]))
