"""Numbers and random sources as users pass them."""

from collections.abc import Sequence
from numbers import Integral, Real
from typing import TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import RandomSource
from sfumato.errors import InputError

__all__ = ["check_digits", "check_text", "generator_of", "is_count", "is_number"]

_MOST_DIGITS = 15  # a float has no more


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is a real number; True and False are not."""
    return not isinstance(value, bool) and isinstance(value, Real)


def is_count(value: object, *, least: int = 1) -> TypeGuard[int]:
    """Whether it is a whole number of at least ``least``; 2.0, True and False are not."""
    return not isinstance(value, bool) and isinstance(value, Integral) and int(value) >= least


def check_text(**given: object) -> None:
    """Refuse arguments that are not text; each is named by its keyword."""
    for name, value in given.items():
        if not isinstance(value, str):
            raise InputError(f"{name} is {_seen(value)}; pass it as text.")


def check_digits(digits: object) -> None:
    """Refuse a number of decimals that is none."""
    if not (is_count(digits, least=0) and digits <= _MOST_DIGITS):
        raise InputError(
            f"digits is {_seen(digits)}; pass a whole number from 0 to {_MOST_DIGITS}."
        )


def _seen(value: object) -> str:
    return " ".join(repr(value).split())[:100]


def generator_of(rng: RandomSource) -> np.random.Generator:
    """The generator itself, or one made from a seed; one without children is refused."""
    try:
        if not _is_source(rng):
            raise TypeError("no random source")
        generator = np.random.default_rng(rng)
        if not hasattr(generator.bit_generator.seed_seq, "spawn"):  # that of a RandomState
            raise TypeError("a generator without children")
    except (TypeError, ValueError) as error:
        raise InputError(
            f"rng must be a Generator, a non-negative integer seed or None, got {_seen(rng)}."
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
