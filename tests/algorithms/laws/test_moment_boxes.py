"""Sums of laws in boxes: by products of cells and by Fourier transforms."""

from math import comb

import numpy as np
import pytest
from scipy.signal import convolve2d

from sfumato.algorithms.laws.moment_boxes import MomentBox, add_boxes


def random_box(rng, shape):
    """A law with two moments of a number that depends on the vector."""
    law = rng.dirichlet(np.ones(shape[0] * shape[1])).reshape(shape)
    numbers = rng.normal(size=shape)
    moments = np.stack([law, law * numbers, law * numbers**2])
    return MomentBox(rng.integers(0, 9, size=2), moments, np.zeros(3), 0.0)


def literal_sum(left, right):
    """The binomial formula, with every convolution a double sum."""
    return np.stack(
        [
            sum(
                comb(m, i) * convolve2d(left.moments[i], right.moments[m - i]) for i in range(m + 1)
            )
            for m in range(3)
        ]
    )


@pytest.mark.parametrize(
    "shapes", [((3, 5), (4, 2)), ((1, 9), (7, 7)), ((68, 68), (68, 68)), ((150, 60), (40, 90))]
)
def test_boxes_are_summed_within_the_stated_noise(shapes):
    rng = np.random.default_rng(1)
    left, right = (random_box(rng, shape) for shape in shapes)
    found = add_boxes(left, right)
    assert found.origin.tolist() == (left.origin + right.origin).tolist()
    expected = literal_sum(left, right)
    if found.moments.size < 1000:
        assert not found.noise.any()
        np.testing.assert_allclose(found.moments, expected, rtol=1e-12, atol=1e-15)
        return
    assert (found.noise > 0).all()
    errors = np.linalg.norm((found.moments - expected).reshape(3, -1), axis=1)
    assert (errors <= found.noise).all()
    assert found.noise[0] < 1e-13
    again = add_boxes(found, random_box(rng, (30, 30)))
    assert (again.noise > found.noise / 2).all()  # noise of a part is noise of the sum
