"""The averages of two entropies that normalise mutual information."""

from typing import Literal, TypeAlias, get_args

import numpy as np

from sfumato._typing import Values

__all__ = ["AVERAGES", "Average", "average_entropy"]

Average: TypeAlias = Literal["arithmetic", "geometric", "min", "max"]
AVERAGES: tuple[str, ...] = get_args(Average)


def average_entropy(first: Values, second: Values, average: Average) -> Values:
    """Average two entropies, elementwise.

    Examples
    --------
    >>> float(average_entropy(np.array(1.0), np.array(4.0), "geometric"))
    2.0
    """
    match average:
        case "arithmetic":
            return np.asarray((first + second) / 2)
        case "geometric":
            return np.asarray(np.sqrt(first * second))
        case "min":
            return np.asarray(np.minimum(first, second))
        case "max":
            return np.asarray(np.maximum(first, second))
