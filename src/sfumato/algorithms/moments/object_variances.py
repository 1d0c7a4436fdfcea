r"""Find how much each object adds to the variance of a value.

This is the variance of the conditional mean of the value, given the cell of the object: the terms
of single objects in Hoeffding's decomposition :cite:`hoeffding1948class`. Pair counts have a
formula; any other measure is estimated from random tables.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias, cast

import numpy as np

from sfumato._typing import Floats, Ints, Tables

__all__ = ["moved_variances", "pair_variances", "work_per_draw"]

_Value: TypeAlias = Callable[[Tables], Floats]  # from tables of shape (m, k1, k2) to (m,)
_Slopes: TypeAlias = tuple[float, float, float] | Floats  # of the sums over rows, columns and cells

_NUMBERS_AT_ONCE = 1 << 20


def pair_variances(a: Floats, b: Floats, slopes: tuple[float, float, float]) -> Floats:
    r"""Variance of the conditional mean of a pair-counting value, given the cell of one object.

    .. math:: \mathrm{Var}\, E[\alpha A + \beta B + \gamma S \mid X_x] = 4\, \mathrm{Var}
              \bigl(\alpha R^{-x}_i + \beta C^{-x}_j + \gamma W^{-x}_{ij}\bigr)

    A, B and S are the sums of squared row sums, column sums and cells. :math:`R^{-x}`,
    :math:`C^{-x}` and :math:`W^{-x}` are the expected row sums, column sums and cells of all
    objects but x. (i, j) is the cell of x. ``a`` and ``b``, of shapes (n, k1) and (n, k2), are the
    probabilities of the clusters of each object on each side. O(n k1 k2).
    """
    found = np.empty(len(a))
    step = max(1, _NUMBERS_AT_ONCE // (a.shape[1] * b.shape[1]))
    for start in range(0, len(a), step):
        block = np.arange(start, min(start + step, len(a)))
        weights = a[block, :, None] * b[block, None, :]
        found[block] = (weights * _pair_effects(a, b, block, slopes) ** 2).sum(axis=(1, 2))
    return found


def _pair_effects(a: Floats, b: Floats, objects: Ints, slopes: _Slopes) -> Floats:
    """Mean of a pair-counting value given the cell of each of m objects, minus its mean.

    Of shape (m, k1, k2).
    """
    alpha, beta, gamma = slopes
    p, q = a[objects, :, None], b[objects, None, :]
    weights = p * q
    rows, columns, cells = a.sum(axis=0)[:, None] - p, b.sum(axis=0) - q, a.T @ b - weights
    means = 2.0 * (alpha * rows + beta * columns + gamma * cells)
    means -= (weights * means).sum(axis=(1, 2), keepdims=True)
    return means


def moved_variances(
    a: Floats,
    b: Floats,
    types: Ints,
    value: _Value,
    *,
    n_draws: int,
    rng: np.random.Generator,
    progress: Callable[[float], None],
) -> Floats:
    r"""Estimate the variance of the conditional mean of a value, given the cell of one object.

    .. math:: \mathrm{Var}\, E[d \mid X_x] = \sum_c w_x(c) \Bigl(g_x(c)
              - \sum_{c'} w_x(c') g_x(c')\Bigr)^2, \qquad g_x(c) = E[d \mid X_x = c]

    Tables are drawn. In each table every object is moved to each of its cells. The other objects
    do not depend on it, so the values after the moves have the means :math:`g_x`. All moves share
    the rest of the table, so their differences vary little by chance. To make them vary even less,
    a part of the value is taken out: the part that is linear in the sums of squared row sums,
    column sums and cells. Its slopes are fitted to a few separate draws. A formula gives its
    effect, which is added at the end.

    Objects with equal probabilities have the same of t types, 0 to t - 1. Sure objects have -1.
    There are 2 draws at least. ``progress`` is called with the share of the draws that is done. The
    t estimates have no bias, except that negative ones become 0.

    Notes
    -----
    `work_per_draw` counts the operations of a draw. An estimate varies only because the effect of
    a move depends on other objects. Let v be the variance to estimate, and u the variance of the
    effect from draw to draw. With s draws the standard error is about :math:`2 \sqrt{v u / s}`.
    """
    problem = _problem(a, b, types)
    step = max(1, min(n_draws, int(2 * _NUMBERS_AT_ONCE // work_per_draw(a, b, types))))
    slopes = _fit(problem, value, step, rng)

    def rest(tables: Tables) -> Floats:
        return value(tables) - _squares(tables) @ slopes

    known = _pair_effects(a, b, problem.objects[problem.starts], slopes)
    weights = problem.weights[problem.starts]
    totals, squares = np.zeros((2, *weights.shape))
    for start in range(0, n_draws, step):
        n_now = min(step, n_draws - start)
        effects = _effects(problem, rest, n_now, rng)
        totals += effects.sum(axis=0)
        squares += (effects**2).sum(axis=0)
        progress((start + n_now) / n_draws)
    means = totals / n_draws
    chance = np.maximum(0.0, squares / n_draws - means**2) / (n_draws - 1)  # variance of the means
    means += known.reshape(means.shape)
    return np.maximum(0.0, (weights * (means**2 - chance)).sum(axis=1))


def work_per_draw(a: Floats, b: Floats, types: Ints) -> float:
    """Count the operations of one draw: cells of all tables to evaluate, and moves of objects."""
    n_cells = a.shape[1] * b.shape[1]
    n_open = int((types >= 0).sum())
    rows, columns = (len(_moves(side[types >= 0])[0]) for side in (a, b))
    return float(n_cells) * (rows * columns + n_open)


def _moves(probabilities: Floats) -> tuple[Ints, Ints]:
    """The places that some object may leave, and those that it may go to then."""
    possible = (probabilities > 0).astype(np.float64)
    sources, targets = np.nonzero(possible.T @ possible)
    return sources, targets


def _squares(tables: Tables) -> Floats:
    """Sums of squared row sums, column sums and cells, of shape (m, 3)."""
    counts = tables.astype(np.float64)
    margins = counts.sum(axis=2), counts.sum(axis=1), counts.reshape(len(counts), -1)
    return np.stack([(part**2).sum(axis=1) for part in margins], axis=1)


class _Problem(NamedTuple):
    """The objects with a choice, sorted by type, and all moves that some object may make."""

    objects: Ints  # (m,)
    rows: Floats  # (m, k1): cumulative probabilities
    columns: Floats  # (m, k2)
    weights: Floats  # (m, cells)
    starts: Ints  # (t,): first object of each type
    sizes: Ints  # (t,)
    base: Ints  # (cells,): sure objects
    sources: Ints  # (moves,): the cell that an object leaves
    targets: Ints  # (moves,): the cell that it goes to
    shape: tuple[int, int]


def _problem(a: Floats, b: Floats, types: Ints) -> _Problem:
    order = np.argsort(types, kind="stable")
    order = order[types[order] >= 0]
    sure = types < 0
    base = (a[sure] > 0).astype(np.int64).T @ (b[sure] > 0).astype(np.int64)
    p, q = a[order], b[order]
    weights = (p[:, :, None] * q[:, None, :]).reshape(len(p), -1)
    groups = np.unique(types[order], return_index=True, return_counts=True)[1:]
    cumulative, shape = (p.cumsum(axis=1), q.cumsum(axis=1)), (a.shape[1], b.shape[1])
    return _Problem(order, *cumulative, weights, *groups, base.ravel(), *_moves(weights), shape)


def _fit(problem: _Problem, value: _Value, n_draws: int, rng: np.random.Generator) -> Floats:
    """Fit slopes of the value in the three sums of squares, over all moves of a few draws."""
    tables = _moved(problem, _draw_cells(problem, n_draws, rng)).reshape(-1, *problem.shape)
    features, values = _squares(tables), value(tables)
    centred = features - features.mean(axis=0)
    return cast(Floats, np.linalg.lstsq(centred, values - values.mean(), rcond=None)[0])


def _effects(problem: _Problem, value: _Value, n_draws: int, rng: np.random.Generator) -> Floats:
    """Value after a move to each cell, minus its mean over the cells: (draws, types, cells)."""
    cells = _draw_cells(problem, n_draws, rng)
    tables = _moved(problem, cells)
    values = np.zeros((n_draws, len(problem.base), len(problem.base)))
    found = value(tables.reshape(-1, *problem.shape)).reshape(n_draws, -1)
    values[:, problem.sources, problem.targets] = found
    after = values[np.arange(n_draws)[:, None], cells]  # (draws, objects, cells)
    after -= (after * problem.weights).sum(axis=2, keepdims=True)
    return np.add.reduceat(after, problem.starts, axis=1) / problem.sizes[:, None]


def _draw_cells(problem: _Problem, n_draws: int, rng: np.random.Generator) -> Ints:
    """Draw a cell for each object, in every draw."""
    cells = np.zeros((n_draws, len(problem.weights)), dtype=np.int64)
    for cumulative, stride in ((problem.rows, problem.shape[1]), (problem.columns, 1)):
        chance = rng.random(cells.shape) * cumulative[:, -1]
        for bound in cumulative[:, :-1].T:
            cells += stride * (chance >= bound)
    return cells


def _moved(problem: _Problem, cells: Ints) -> Tables:
    """The tables after one object has left a cell for another: (draws, moves, cells)."""
    n_draws, n_cells, n_moves = len(cells), len(problem.base), len(problem.sources)
    every, moves = np.arange(n_draws)[:, None], np.arange(n_moves)
    places = (every * n_cells + cells).ravel()
    drawn = np.bincount(places, minlength=n_draws * n_cells).reshape(n_draws, n_cells)
    # Nothing can leave an empty cell. The value of such a move is not used.
    moved = (drawn[:, problem.sources] > 0).astype(np.int64)
    tables = np.repeat((drawn + problem.base)[:, None, :], n_moves, axis=1)
    tables[every, moves, problem.sources] -= moved
    tables[every, moves, problem.targets] += moved
    return tables
