"""Numbers and random sources as users pass them."""

from numbers import Real
from typing import TypeGuard

import numpy as np

from sfumato._typing import RandomSource
from sfumato.errors import InputError

__all__ = ["generator_of", "is_number"]


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a real number; True and False are not.

    Examples
    --------
    >>> is_number(0.5), is_number("0.5"), is_number(True)
    (True, False, False)
    """
    return not isinstance(value, bool) and isinstance(value, Real)


def generator_of(rng: RandomSource) -> np.random.Generator:
    """The generator itself, or one made from a seed.

    Raises
    ------
    InputError
        If it is neither, or a generator without children.
    """
    if isinstance(rng, float | bool | str):
        raise InputError(f"rng must be a Generator, an integer seed or None, got {rng!r}.")
    try:
        generator = np.random.default_rng(rng)
        if not hasattr(generator.bit_generator.seed_seq, "spawn"):  # that of a RandomState
            raise TypeError("a generator without children")
    except (TypeError, ValueError) as error:
        raise InputError(
            f"rng must be a Generator, a non-negative integer seed or None, got {rng!r}."
        ) from error
    return generator
