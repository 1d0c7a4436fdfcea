"""What the parameters of the estimators must satisfy."""

from numbers import Real

import numpy as np

from sfumato._arguments import is_count
from sfumato._typing import Floats
from sfumato.errors import InputError

__all__ = ["check_count", "check_flag", "check_matrix", "check_number"]


def check_count(name: str, value: object) -> None:
    """Refuse what is not a positive integer."""
    if not is_count(value):
        raise InputError(f"{name} must be a positive integer; got {value!r}.")


def check_flag(name: str, value: object) -> None:
    """Refuse what is neither true nor false."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name} must be True or False; got {value!r}.")


def check_number(
    name: str, value: object, *, least: float, most: float = np.inf, is_open: bool = False
) -> None:
    """Refuse what is not a number of [least, most], or above ``least`` if open; NaN included.

    >>> check_number("fuzzifier", 1, least=1, is_open=True)
    Traceback (most recent call last):
    ...
    sfumato.errors.InputError: fuzzifier must be a number above 1; got 1.
    """
    number = float(value) if isinstance(value, Real) else np.nan
    if least <= number <= most and not (is_open and number == least):
        return
    lower = f"above {least:g}" if is_open else f"of at least {least:g}"
    upper = "" if most == np.inf else f" and at most {most:.4g}"
    raise InputError(f"{name} must be a number {lower}{upper}; got {value!r}.")


def check_matrix(name: str, value: object, shape: tuple[int, int]) -> Floats:
    """A finite matrix of the shape (n_clusters, n_features)."""
    try:
        matrix = np.array(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers of shape {shape}; got {value!r}.") from None
    if matrix.shape != shape:
        raise InputError(f"{name} has shape {matrix.shape}, not {shape}: (n_clusters, n_features).")
    if not np.isfinite(matrix).all():
        raise InputError(f"{name} holds values that are not finite.")
    return matrix
