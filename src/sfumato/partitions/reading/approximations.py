"""The axioms of lower and upper approximations."""

import numpy as np

from sfumato._typing import Bools
from sfumato.errors import InputError

__all__ = ["check_approximations"]


def check_approximations(lower: Bools, upper: Bools) -> None:
    """Refuse approximations that break an axiom, naming the first object that does.

    Notes
    -----
    The axioms are those of :cite:`lingras2004interval`.
    """
    if lower.shape != upper.shape:
        raise InputError(f"lower has shape {lower.shape} but upper has {upper.shape}.")
    n_lower, n_upper = lower.sum(axis=1), upper.sum(axis=1)
    for broken, axiom in (
        ((lower & ~upper).any(axis=1), "what is in a lower approximation is in that upper one"),
        ((n_lower > 0) & (n_upper > 1), "an object in a lower approximation is in no other upper"),
        (
            (n_lower == 0) & (n_upper < 2),
            "an object in no lower approximation is in two upper ones",
        ),
    ):
        if broken.any():
            row = int(np.argmax(broken))
            raise InputError(
                f"Row {row} has lower {_clusters(lower[row])} and upper {_clusters(upper[row])}, "
                f"against the axiom: {axiom}."
            )


def _clusters(row: Bools) -> str:
    return "{" + ", ".join(str(cluster) for cluster in np.flatnonzero(row)) + "}"
