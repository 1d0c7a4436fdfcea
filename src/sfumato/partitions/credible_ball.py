"""A credible ball: draws of a given probability that are nearest to a clustering."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, final

import numpy as np

from sfumato._arguments import is_number
from sfumato._typing import Bools, Floats
from sfumato.algorithms.draws.consensus import DrawLoss, draw_losses
from sfumato.algorithms.tables.distinct import ROUNDING
from sfumato.errors import InputError
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.reading.checks import counted

if TYPE_CHECKING:
    from sfumato.partitions.drawn import DrawnPartition

__all__ = ["CredibleBall"]


@final
@dataclass(frozen=True, eq=False, repr=False)
class CredibleBall:
    """The smallest ball around a clustering that holds draws of a given probability.

    Attributes
    ----------
    center : HardPartition
    level, loss : as asked for
    radius : float
        Distance of the farthest draw inside.
    mass : float
        Probability of the draws inside; at least the level.
    distances : ndarray of shape (s,)
        Of each draw from the center.
    is_inside : ndarray of shape (s,)
    draws : DrawnPartition
    """

    center: HardPartition
    level: float
    loss: str
    radius: float
    mass: float
    distances: Floats
    is_inside: Bools
    draws: "DrawnPartition"

    @classmethod
    def around(
        cls, center: HardPartition, draws: "DrawnPartition", *, level: float, loss: DrawLoss
    ) -> Self:
        """Take the nearest draws until they have the probability; equally far ones together."""
        if not (is_number(level) and 0.0 < level <= 1.0):
            raise InputError(f"level must be above 0 and at most 1, got {level!r}.")
        distances, weights = draw_losses(draws.codes, center.codes, loss), draws.weights
        counts = weights > 0
        order = np.argsort(distances, kind="stable")
        order = order[counts[order]]
        reached: Floats = np.cumsum(weights[order])
        last = int(np.searchsorted(reached, level - len(order) * ROUNDING))
        radius = float(distances[order[min(last, len(order) - 1)]])
        is_inside = counts & (distances <= radius + ROUNDING * max(1.0, radius))
        mass = min(1.0, float(weights[is_inside].sum()))
        return cls(center, float(level), loss, radius, mass, distances, is_inside, draws)

    @property
    def horizontal(self) -> tuple[HardPartition, ...]:
        """The draws inside that are farthest from the center."""
        return self._farthest(self.is_inside)

    @property
    def upper_vertical(self) -> tuple[HardPartition, ...]:
        """Of the draws inside with the fewest clusters, those farthest from the center."""
        sizes = self.draws.sizes
        return self._farthest(self.is_inside & (sizes == sizes[self.is_inside].min()))

    @property
    def lower_vertical(self) -> tuple[HardPartition, ...]:
        """Of the draws inside with the most clusters, those farthest from the center."""
        sizes = self.draws.sizes
        return self._farthest(self.is_inside & (sizes == sizes[self.is_inside].max()))

    def _farthest(self, among: Bools) -> tuple[HardPartition, ...]:
        largest = float(self.distances[among].max())
        is_far = among & (self.distances >= largest - ROUNDING * max(1.0, largest))
        different: list[HardPartition] = []
        for at in np.flatnonzero(is_far).tolist():
            found = self.draws.draw(at)
            if not any(found.equivalent(other) for other in different):
                different.append(found)
        return tuple(different)

    def __repr__(self) -> str:
        return (
            f"<ball of radius {self.radius:.4f} ({self.loss}) around a clustering into "
            f"{counted(self.center.n_clusters, 'cluster')}: {self.mass:.1%} of the draws>"
        )
