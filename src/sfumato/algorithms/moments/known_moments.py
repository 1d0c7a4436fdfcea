r"""Hold what is known of the sums of psi over a random table, and bound moments from it.

A, B and S are the sums of psi over the rows, columns and cells. The cells :math:`X_x` of the
objects are independent, so a function F of them splits into uncorrelated parts
:cite:`hoeffding1948class`: one for each object, :math:`E[F | X_x] - E F`, and one for each larger
set of objects. Linear combinations of the sums are given by their three coefficients c.
"""

from dataclasses import dataclass
from math import sqrt
from typing import final

import numpy as np

from sfumato._typing import Floats

__all__ = ["SumMoments"]


@final
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SumMoments:
    """What is known of A, B and S: arrays of shape (3,), or (3, 3) for covariances."""

    means: Floats
    errors: Floats  # of the means, at most
    # Of the parts of single objects, or of the sums themselves. Rounding changes an entry (s, t) by
    # at most sqrt(noise[s] * noise[t]).
    covariances: Floats
    noise: Floats
    unknown: Floats  # L2 norms: how far these parts are from those of ``covariances``
    # The covariance of all larger parts of two sums is between 0 and this, and likely about the
    # second. The variance of the larger parts of a combination is at most the form of c, if any.
    rest_form: Floats | None = None
    rest_most: Floats
    rest_likely: Floats
    # Most less least of a part of an object, if covariances are of them.
    single_spans: Floats | None = None
    # Psi of a count is a tangent and what is above it. Covariances of the tangents as above, the
    # distance from their least to their largest slope, and the 4-norm of what is above.
    slopes: Floats
    slope_noise: Floats
    slope_spans: Floats
    curved: Floats
    only_above: bool  # whether ``covariances`` only lie above the true ones, as forms

    def _single(self, c: Floats) -> float:
        """Variance of the known parts of single objects, not too small."""
        return max(float(c @ self.covariances @ c), 0.0) + _product(self.noise, c, c)

    def _rest(self, c: Floats) -> float:
        """Variance of all larger parts, not too small."""
        most = float((np.maximum(np.outer(c, c), 0.0) * self.rest_most).sum())
        if self.rest_form is None:
            return most
        return min(max(float(c @ self.rest_form @ c), 0.0), most)

    def variance(self, c: Floats) -> float:
        """An upper bound of the variance of a combination."""
        return (sqrt(self._single(c)) + float(np.abs(c) @ self.unknown)) ** 2 + self._rest(c)

    def std(self, c: Floats) -> float:
        """An upper bound of the standard deviation of a combination."""
        return sqrt(self.variance(c))

    def least_variance(self, c: Floats) -> float:
        """A lower bound of the variance of a combination."""
        if self.only_above:
            return 0.0
        known = max(self._single(c) - 2 * _product(self.noise, c, c), 0.0)
        return max(sqrt(known) - float(np.abs(c) @ self.unknown), 0.0) ** 2

    def covariance(self, c: Floats, d: Floats) -> tuple[float, float]:
        """Covariance of two combinations, and a bound of its error."""
        if self.only_above:
            return 0.0, self.std(c) * self.std(d)
        one, other = (sqrt(self._single(each)) for each in (c, d))
        off, other_off = (float(np.abs(each) @ self.unknown) for each in (c, d))
        error = off * other + other_off * one + off * other_off + _product(self.noise, c, d)
        both = np.outer(c, d)
        both, most = (both + both.T) / 2, sqrt(self._rest(c) * self._rest(d))
        low = max(float((np.minimum(both, 0.0) * self.rest_most).sum()), -most)
        high = min(float((np.maximum(both, 0.0) * self.rest_most).sum()), most)
        return float(c @ self.covariances @ d) + (low + high) / 2, error + (high - low) / 2

    def likely_covariance(self, c: Floats, d: Floats) -> float:
        """About what the covariance of two combinations is."""
        return 0.0 if self.only_above else float(c @ (self.covariances + self.rest_likely) @ d)

    def fourth_norm(self, c: Floats) -> float:
        r"""An upper bound of the 4-norm of a combination less its mean.

        The tangents are a sum of independent terms of spans up to b, with a 4-norm of at most
        :math:`(3 V^2 + b^2 V)^{1/4}`. What is above, Z, is not negative, so that
        :math:`\lVert Z - E Z \rVert_4 \le \lVert Z \rVert_4`.
        """
        variance = max(float(c @ self.slopes @ c), 0.0) + _product(self.slope_noise, c, c)
        linear = _fourth_norm(variance, float(np.abs(c) @ self.slope_spans))
        return linear + float(np.abs(c) @ self.curved)

    def split_norms(self, c: Floats) -> tuple[float, float]:
        """Split a combination less its mean in two: the 4-norm of one, the 2-norm of the other.

        The first are the known parts of single objects.
        """
        if self.single_spans is None:
            return self.fourth_norm(c), 0.0
        first = _fourth_norm(self._single(c), float(np.abs(c) @ self.single_spans))
        return first, sqrt(float(np.abs(c) @ self.unknown) ** 2 + self._rest(c))


def _fourth_norm(variance: float, span: float) -> float:
    """The 4-norm of a sum of independent terms less their means, each of at most this span."""
    return (3 * variance**2 + span**2 * variance) ** 0.25


def _product(noise: Floats, c: Floats, d: Floats) -> float:
    roots = np.sqrt(noise)
    return float(np.abs(c) @ roots) * float(np.abs(d) @ roots)
