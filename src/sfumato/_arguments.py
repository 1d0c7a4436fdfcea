"""Numbers and random sources as users pass them."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import RandomSource
from sfumato.errors import InputError

__all__ = ["generator_of", "is_count", "is_number"]


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a real number; True and False are not.

    Examples
    --------
    >>> is_number(0.5), is_number("0.5"), is_number(True)
    (True, False, False)
    """
    return not isinstance(value, bool) and isinstance(value, Real)


def is_count(value: object, *, least: int = 1) -> TypeGuard[int]:
    """Whether it is a whole number of at least ``least``; True and False are not.

    Examples
    --------
    >>> is_count(2), is_count(0), is_count(2.0), is_count(True)
    (True, False, False, False)
    """
    return not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= least


def generator_of(rng: RandomSource) -> np.random.Generator:
    """The generator itself, or one made from a seed.

    Raises
    ------
    InputError
        If it is neither, or a generator without children.
    """
    try:
        if not _is_source(rng):
            raise TypeError("no random source")
        generator = np.random.default_rng(rng)
        if not hasattr(generator.bit_generator.seed_seq, "spawn"):  # that of a RandomState
            raise TypeError("a generator without children")
    except (TypeError, ValueError) as error:
        seen = " ".join(repr(rng).split())[:100]
        raise InputError(
            f"rng must be a Generator, a non-negative integer seed or None, got {seen}."
        ) from error
    return generator


def _is_source(rng: object) -> bool:
    """Whether NumPy can be asked: it recurses without end into what it does not know."""
    if isinstance(rng, np.ndarray):
        seeds = cast("NDArray[np.generic]", rng)
        return seeds.ndim <= 1 and seeds.dtype.kind in "iu"
    if isinstance(rng, Sequence):
        return all(isinstance(item, Integral) for item in cast("Sequence[object]", rng))
    return rng is None or (
        not isinstance(rng, bool)
        and isinstance(
            rng,
            Integral
            | np.random.SeedSequence
            | np.random.BitGenerator
            | np.random.Generator
            | np.random.RandomState,
        )
    )
