"""The errors that sfumato raises: what was wrong, what was seen, what to do."""

from collections.abc import Mapping

__all__ = [
    "ChunkError",
    "CostError",
    "InputError",
    "MissingExtraError",
    "SfumatoError",
    "UnsupportedError",
]


class SfumatoError(Exception):
    """Base of every error that sfumato raises on purpose."""


class InputError(SfumatoError, ValueError):
    """The data or an argument is not what it should be."""


class ChunkError(InputError):
    """A chunk of many could not be summarised.

    Attributes
    ----------
    finished : mapping from range to Summary
        The chunks that are done, and their summaries, which can be added later.
    """

    finished: Mapping[range, object] = {}


class CostError(SfumatoError, RuntimeError):
    """The answer would cost more than the budget allows."""


class UnsupportedError(SfumatoError, TypeError):
    """The question has no answer in the theory, or no method for it exists."""


class MissingExtraError(SfumatoError, ImportError):
    """An optional dependency is not installed."""
