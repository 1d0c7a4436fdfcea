"""Add independent random vectors whose laws are stored in boxes.

A random number goes with each vector. Its moments are stored for each cell of the box.
"""

from math import comb, log2, prod
from typing import Any, NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import look

__all__ = ["MomentBox", "add_boxes", "addition_cost", "join_boxes", "trim_box"]

_EPS = float(np.finfo(np.float64).eps)
# Cost of a transform, in products of two cells: a start, then this for each cell and logarithm.
_PER_TRANSFORM = 4.0
_TO_START = 1e6


class MomentBox(NamedTuple):
    """E[X^i; V = v] for the vectors v in a box and i = 0, 1 and perhaps 2.

    ``noise`` bounds the 2-norm, over the box, of the error of each moment. It does not include the
    ordinary rounding of sums of products. ``lost_mass`` is the probability cut off outside.
    """

    origin: Ints  # (d,): the smallest value of each coordinate
    moments: Floats  # (t, w_1, ..., w_d)
    noise: Floats  # (t,)
    lost_mass: float


def add_boxes(left: MomentBox, right: MomentBox) -> MomentBox:
    r"""Find the law of the sum of two independent vectors, and moments of the sum of their numbers.

    .. math:: E[(X + Y)^m; w] = \sum_i \binom{m}{i} \sum_{u + v = w} E[X^i; u] E[Y^{m-i}; v]

    Notes
    -----
    `addition_cost` gives the cost. Small boxes are multiplied cell by cell, large ones by Fourier
    transforms. ``noise`` bounds the error of transforms (see :cite:`higham2002accuracy`, chapter
    24).

    Examples
    --------
    >>> moments = np.array([[0.5, 0.5], [0.0, 0.5]])
    >>> coin = MomentBox(np.zeros(1, np.int64), moments, np.zeros(2), 0.0)
    >>> add_boxes(coin, coin).moments.tolist()
    [[0.25, 0.5, 0.25], [0.0, 0.5, 0.5]]
    """
    look()
    origin, lost = left.origin + right.origin, left.lost_mass + right.lost_mass
    shapes = left.moments.shape[1:], right.moments.shape[1:]
    n_moments = len(left.moments)
    shape = tuple(a + b - 1 for a, b in zip(*shapes, strict=True))
    if _direct(*shapes, n_moments) <= _transforms(*shapes, n_moments):
        small, large = sorted((left, right), key=lambda box: box.moments.size)
        moments = _core.convolve_moments(*_flat(large), *_flat(small))
        moments = moments.reshape(n_moments, *shape)
        return MomentBox(origin, moments, _noise(left, right, 0.0), lost)
    moments, rounding = _by_transforms(left.moments, right.moments, shape)
    return MomentBox(origin, moments, _noise(left, right, rounding), lost)


def _flat(box: MomentBox) -> tuple[Floats, Ints]:
    shape = np.array(box.moments.shape[1:], dtype=np.int64)
    return np.ascontiguousarray(box.moments.reshape(len(box.moments), -1)), shape


def addition_cost(left: tuple[int, ...], right: tuple[int, ...], n_moments: int) -> float:
    """Predict the multiplications that `add_boxes` takes for boxes of these shapes.

    Examples
    --------
    >>> addition_cost((10, 10), (20, 20), 2)
    120000.0
    """
    return min(_direct(left, right, n_moments), _transforms(left, right, n_moments))


def _direct(left: tuple[int, ...], right: tuple[int, ...], n_moments: int) -> float:
    return float(prod(left)) * prod(right) * comb(n_moments + 1, 2)


def _transforms(left: tuple[int, ...], right: tuple[int, ...], n_moments: int) -> float:
    cells = float(prod(a + b - 1 for a, b in zip(left, right, strict=True)))
    return _TO_START + 3 * n_moments * _PER_TRANSFORM * cells * log2(cells + 1)


def _by_transforms(left: Floats, right: Floats, shape: tuple[int, ...]) -> tuple[Floats, float]:
    """The moments, and the relative error of a transform and its inverse."""
    from scipy import fft

    fourier: Any = fft  # without types
    sizes = [fourier.next_fast_len(side, real=True) for side in shape]
    axes = tuple(range(1, left.ndim))
    x, y = (fourier.rfftn(moments, sizes, axes=axes) for moments in (left, right))
    inside = tuple(slice(side) for side in shape)
    found = np.empty((len(left), *shape))
    for m in range(len(left)):
        product = sum(comb(m, i) * x[i] * y[m - i] for i in range(m + 1))
        found[m] = fourier.irfftn(product, sizes)[inside]
    np.maximum(found[0], 0.0, out=found[0])
    return found, 4 * _EPS * log2(prod(sizes) + 1)


def _noise(left: MomentBox, right: MomentBox, rounding: float) -> Floats:
    """Bound of the error in the 2-norm, by |x * y| <= |x|_2 |y|_1."""
    noise = np.zeros(len(left.moments))
    if rounding == 0.0 and not (left.noise.any() or right.noise.any()):
        return noise
    flat = [box.moments.reshape(len(noise), -1) for box in (left, right)]
    sums = [np.abs(moments).sum(axis=1) for moments in flat]
    norms = [np.linalg.norm(moments, axis=1) for moments in flat]
    for m in range(len(noise)):
        for i in range(m + 1):
            own = left.noise[i] * sums[1][m - i] + right.noise[m - i] * sums[0][i]
            new = norms[0][i] * sums[1][m - i] + sums[0][i] * norms[1][m - i]
            noise[m] += comb(m, i) * (own + rounding * new)
    return noise


def join_boxes(boxes: list[MomentBox], max_lost_mass: float) -> MomentBox:
    """Add all boxes, neighbours first; each sum loses as much as `trim_box` is given."""
    while len(boxes) > 1:
        pairs = zip(boxes[::2], boxes[1::2], strict=False)
        joined = [trim_box(add_boxes(*pair), max_lost_mass) for pair in pairs]
        boxes = joined + boxes[2 * len(joined) :]
    return boxes[0]


def trim_box(box: MomentBox, max_lost_mass: float) -> MomentBox:
    """Cut off outer faces of the box that have at most ``max_lost_mass`` together.

    Examples
    --------
    >>> law = np.array([[0.001, 0.5, 0.499], [0.0, 1.0, 2.0]])
    >>> trimmed = trim_box(MomentBox(np.zeros(1, np.int64), law, np.zeros(2), 0.0), 0.01)
    >>> trimmed.origin.tolist(), trimmed.moments.tolist(), round(trimmed.lost_mass, 6)
    ([1], [[0.5, 0.499], [1.0, 2.0]], 0.001)
    """
    origin, moments, lost = box.origin.copy(), box.moments, box.lost_mass
    n_dimensions = moments.ndim - 1
    share = max_lost_mass / (2 * n_dimensions)
    for axis in range(n_dimensions):
        others = tuple(other for other in range(n_dimensions) if other != axis)
        masses = moments[0].sum(axis=others)
        first = min(int(np.searchsorted(masses.cumsum(), share, "right")), len(masses) - 1)
        beyond = int(np.searchsorted(masses[::-1].cumsum(), share, "right"))
        last = max(first + 1, len(masses) - beyond)
        lost += float(masses[:first].sum() + masses[last:].sum())
        moments = np.take(moments, np.arange(first, last), axis=axis + 1)
        origin[axis] += first
    return MomentBox(origin, moments, box.noise, lost)
