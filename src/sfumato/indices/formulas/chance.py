"""Random sides: what the value of a pair is when memberships are drawn by a chance model."""

from collections.abc import Callable
from importlib import import_module
from math import exp, inf, log
from types import ModuleType
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from sfumato._typing import Floats
from sfumato.errors import InputError
from sfumato.indices.formulas.joined_pairs import memberships_of
from sfumato.partitions import HardPartition, IndependentPartition

__all__ = [
    "Kernel",
    "Model",
    "RandomSide",
    "fit_dirichlet",
    "fit_symmetric_dirichlet",
    "random_side",
]

Kernel: TypeAlias = Literal["distance", "product"]  # half the L1 distance, or the inner product
Model: TypeAlias = Literal["flat", "symmetric", "fitted"]

_LARGEST = 1e12  # a precision beyond which all rows are taken for equal


class RandomSide(NamedTuple):
    """Memberships of objects that are drawn independently of each other.

    ``weights`` are the parameters of a Dirichlet distribution. If ``is_hard``, every object is in
    one cluster and they are in proportion to the probabilities; if ``is_constant``, every object
    has these memberships.
    """

    weights: Floats
    is_hard: bool = False
    is_constant: bool = False

    def mean(self, kernel: Kernel) -> float:
        """Expected value of a pair, in closed form."""
        shares = self.weights / self.weights.sum()
        together = float(np.square(shares).sum())
        if kernel == "product":
            return together
        if self.is_hard:
            return 1.0 - together
        return 0.0 if self.is_constant else float(_mean_differences(self.weights).sum() / 2)

    def draw(self, kernel: Kernel, n_draws: int, rng: np.random.Generator) -> Floats:
        """Values of independent pairs of a soft side."""
        if self.is_constant:
            return np.full(n_draws, self.mean(kernel))
        one, other = (rng.dirichlet(self.weights, n_draws) for _ in range(2))
        return (one * other).sum(axis=1) if kernel == "product" else np.abs(one - other).sum(1) / 2


def _mean_differences(weights: Floats) -> Floats:
    r"""Mean difference of two draws of each share, which is Beta(a, b).

    .. math:: \frac{4}{a + b} \frac{B(a + b, a + b)}{B(a, a) B(b, b)}
    """
    betaln = _scipy("special").betaln
    total = weights.sum()
    rest = total - weights
    logs = betaln(total, total) - betaln(weights, weights) - betaln(rest, rest)
    return 4 / total * np.exp(logs)


def random_side(side: IndependentPartition, model: Model) -> RandomSide:
    """The chance model of one side; a Dirichlet is not fitted where a membership is 0."""
    if side.n_clusters == 1:
        return RandomSide(np.ones(1), is_hard=True)
    if model == "flat":
        return RandomSide(np.ones(side.n_clusters))
    simplest = side.simplest()
    if isinstance(simplest, HardPartition):
        sizes = np.bincount(simplest.codes).astype(np.float64)
        return RandomSide(np.ones(len(sizes)) if model == "symmetric" else sizes, is_hard=True)
    memberships = memberships_of(side)
    is_zero = memberships == 0
    if is_zero.any():
        row, column = divmod(int(np.argmax(is_zero)), memberships.shape[1])
        raise InputError(
            f"chance={model!r} fits a Dirichlet distribution, whose likelihood has no maximum when "
            f"a membership is 0, as in row {row}, column {column}: use chance='permutation' or "
            "'flat'."
        )
    logs = np.log(memberships).mean(axis=0)
    if model == "symmetric":
        precision, shape = fit_symmetric_dirichlet(logs), np.ones(side.n_clusters)
    else:
        precision, shape = 1.0, fit_dirichlet(logs)
    if precision == inf or not np.isfinite(shape).all():
        return RandomSide(memberships.mean(axis=0), is_constant=True)
    return RandomSide(precision * shape)


def fit_symmetric_dirichlet(mean_logs: Floats) -> float:
    r"""The parameter of the most likely symmetric Dirichlet; infinite for uniform memberships.

    Root of :math:`\psi(k \alpha) - \psi(\alpha) = -\frac1k \sum_l g_l` for the means g of the
    logarithms :cite:`minka2000estimating`.
    """
    digamma, k = _scipy("special").digamma, len(mean_logs)
    return _root(lambda alpha: float(digamma(k * alpha) - digamma(alpha) + mean_logs.mean()))


def fit_dirichlet(mean_logs: Floats) -> Floats:
    r"""The parameters of the most likely Dirichlet; infinite where all rows are equal.

    For the means g of the logarithms, :math:`\psi(\alpha_l) = \psi(s) + g_l` with
    :math:`s = \sum \alpha` :cite:`minka2000estimating`: one equation in s, whose only root is
    found by bisection.
    """
    digamma = _scipy("special").digamma
    total = _root(lambda s: float(_inverse_digamma(digamma(s) + mean_logs).sum() / s - 1))
    if total == inf:
        return np.full(len(mean_logs), inf)
    return _inverse_digamma(digamma(total) + mean_logs)


def _root(falling: Callable[[float], float]) -> float:
    """Where a falling function of a positive number is 0; infinite if it stays positive."""
    if falling(_LARGEST) >= 0:
        return inf

    def at(power: float) -> float:
        return falling(exp(power))

    edge = log(_LARGEST)
    return exp(float(_scipy("optimize").brentq(at, -edge, edge, xtol=1e-14)))


def _inverse_digamma(values: Floats) -> Floats:
    special = _scipy("special")
    found = np.where(values >= -2.22, np.exp(values) + 0.5, -1 / (values + np.euler_gamma))
    for _ in range(6):  # Newton's steps double the digits
        found = found - (special.digamma(found) - values) / special.polygamma(1, found)
    return found


def _scipy(name: str) -> ModuleType:
    return import_module(f"scipy.{name}")  # slow to load: not before it is used
