"""Random focal tables, many at a time."""

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

    Objects that share no cell with others, even through third ones, vary independently: against a
    hard truth every class does. Where the counts of such a group can be listed cheaply, their law
    is drawn from whole by the alias method, at a cost that no longer depends on the objects; else
    the objects draw one after the other, for 128 tables side by side. Where few objects have the
    same many pairs to choose from, each draws by the alias method.

    Side by side an object draws a number of 16 bits. Of the 65,536 numbers each pair owns as many
    as its mass surely covers; if one of the few others falls, the pair is drawn by what its own
    numbers do not cover. So every pair keeps its mass to the last digits of a float.

    Parameters
    ----------
    model : FocalModel
    n_draws : float
        About how many tables will be drawn: many are worth listing laws for.

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
        self._model = model
        self._sampler = _core.table_sampler(
            masses.counts,
            masses.starts,
            masses.labels[masses.cells],
            masses.weights,
            len(model.fixed),
            n_draws,
        )

    def draw(self, n_draws: int, seed: np.random.SeedSequence) -> Ints:
        """Objects per pair in use, of shape (n_draws, p)."""
        return self._sampler.draw(self._model.fixed, n_draws, _state(seed))

    def mean(self) -> Floats:
        """Expected number of objects per pair in use, of shape (p,)."""
        masses = self._model.masses
        expected = np.repeat(masses.counts, np.diff(masses.starts)) * masses.weights
        pairs = masses.labels[masses.cells]
        chosen = np.bincount(pairs, expected, minlength=len(self._model.fixed))
        return chosen.astype(np.float64) + self._model.fixed


@final
class ClassSampler:
    """Draws how often the objects of each class choose each set, straight from their masses.

    For objects that nearly all differ: nothing is stored beside the masses, and the pairs of a
    class and a set are numbered ``class * f + set``.

    Parameters
    ----------
    masses : ndarray of shape (n, f)
    classes : ndarray of shape (n,)
    n_classes : int

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
        """Objects per pair, of shape (n_draws, n_classes * f)."""
        return _core.draw_class_counts(*self._data, n_draws, _state(seed))


@final
class ProductSampler:
    """Draws tables of two fuzzy partitions, for each object its row and its column.

    For partitions with many clusters: the pairs of clusters are not listed, and an object costs
    the same whatever their number.

    Parameters
    ----------
    a, b : Rows
        In sparse form.

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
        """Objects per cell, row by row of the table, of shape (n_draws, k1 * k2)."""
        return self._sampler.draw(n_draws, _state(seed))


def _state(seed: np.random.SeedSequence) -> NDArray[np.uint64]:
    return np.asarray(seed.generate_state(4, np.uint64), dtype=np.uint64)
