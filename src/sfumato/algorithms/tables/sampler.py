"""Draw random focal tables, many at a time."""

from typing import final

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.focal_model import FocalModel
from sfumato.algorithms.tables.rows import Rows

__all__ = ["ClassSampler", "FocalSampler", "ProductSampler"]


@final
class FocalSampler:
    """Draws focal tables by their masses.

    Types that share no pair, not even through other types, form separate groups. Against a hard
    truth no group spans two classes. Groups are independent, so each is drawn on its own, in one of
    three ways:

    - If its counts can be listed cheaply, all of them are drawn at once from their law, by the
      alias method. The cost does not depend on the number of objects.
    - If a type has few objects and many pairs, each object is drawn by the alias method.
    - Else the objects are drawn one after the other, for 128 tables side by side.

    In the last case an object draws a number of 16 bits. Each pair owns as many of the 65,536
    numbers as its mass fully covers. A few numbers have no owner. If one of them is drawn, a second
    draw picks a pair, in proportion to the rest of its mass. So every pair keeps its mass up to the
    rounding of a float. ``n_draws`` says about how many tables will be drawn: listing a law pays
    only if there are many.

    Examples
    --------
    Two objects choose between two pairs of sets with masses 1/4 and 3/4:

    >>> from sfumato.algorithms.tables.choices import Choices
    >>> choice = Choices(*map(np.array, ([2], [0, 2], [0, 1], [0.25, 0.75], [0, 1])))
    >>> cells = Choices(*map(np.array, ([0, 0], [0, 1, 2], [0, 1], [1.0, 1.0], [0, 1])))
    >>> model = FocalModel(choice, np.zeros(2, dtype=np.int64), cells, np.zeros(2, dtype=np.int64))
    >>> drawn = FocalSampler(model, 1000).draw(1000, np.random.SeedSequence(0))
    >>> drawn.shape, set(drawn.sum(axis=1).tolist())
    ((1000, 2), {2})
    """

    def __init__(self, model: FocalModel, n_draws: float) -> None:
        masses = model.masses
        self.model = model
        lists = masses.counts, masses.starts, masses.labels[masses.cells], masses.weights
        self._sampler = _core.table_sampler(*lists, len(model.fixed), n_draws)

    def draw(self, n_draws: int, seed: np.random.SeedSequence) -> Ints:
        """Draw the objects per pair in use, of shape (n_draws, p)."""
        return self._sampler.draw(self.model.fixed, n_draws, _state(seed))

    def mean(self) -> Floats:
        """Expected number of objects per pair in use, of shape (p,)."""
        masses = self.model.masses
        expected = np.repeat(masses.counts, np.diff(masses.starts)) * masses.weights
        pairs = masses.labels[masses.cells]
        chosen = np.bincount(pairs, expected, minlength=len(self.model.fixed))
        return chosen.astype(np.float64) + self.model.fixed


@final
class ClassSampler:
    """Draws how many objects of each class choose each set, directly from their masses.

    Use it if nearly all objects differ: it stores nothing beside the masses, of shape (n, f). The
    pair of a class and a set has the number ``class * f + set``.

    Examples
    --------
    >>> sampler = ClassSampler(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0, 1]), 2)
    >>> drawn = sampler.draw(100, np.random.SeedSequence(0))
    >>> drawn.shape, set(drawn[:, 3].tolist())
    ((100, 4), {1})
    """

    def __init__(self, masses: Floats, classes: Ints, n_classes: int) -> None:
        self._data = masses, classes, n_classes

    def draw(self, n_draws: int, seed: np.random.SeedSequence) -> Ints:
        """Draw the objects per pair, of shape (n_draws, n_classes * f)."""
        return _core.draw_class_counts(*self._data, n_draws, _state(seed))


@final
class ProductSampler:
    """Draws tables of two fuzzy partitions: for each object its row, then its column.

    Use it if there are many clusters: it does not list the pairs of clusters, and the cost of an
    object does not depend on their number. Both sides are in sparse form.

    Examples
    --------
    >>> from sfumato.algorithms.tables.rows import dense_rows, sparse_rows
    >>> rows = sparse_rows(dense_rows(np.array([[0.5, 0.5], [0.0, 1.0]])))
    >>> drawn = ProductSampler(rows, rows).draw(100, np.random.SeedSequence(0))
    >>> drawn.shape, set(drawn.sum(axis=1).tolist())
    ((100, 4), {2})
    """

    def __init__(self, a: Rows, b: Rows) -> None:
        self._sampler = _core.product_sampler(*a, *b)

    def draw(self, n_draws: int, seed: np.random.SeedSequence) -> Ints:
        """Draw the objects per cell, row by row of the table, of shape (n_draws, k1 * k2)."""
        return self._sampler.draw(n_draws, _state(seed))


def _state(seed: np.random.SeedSequence) -> NDArray[np.uint64]:
    return np.asarray(seed.generate_state(4, np.uint64), dtype=np.uint64)
