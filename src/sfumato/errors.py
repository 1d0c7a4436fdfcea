"""The errors that sfumato raises: what was wrong, what was seen, what to do."""

__all__ = ["CostError", "InputError", "MissingExtraError", "SfumatoError", "UnsupportedError"]


class SfumatoError(Exception):
    """Base of every error that sfumato raises on purpose."""


class InputError(SfumatoError, ValueError):
    """The data or an argument is not what it should be."""


class CostError(SfumatoError, RuntimeError):
    """The answer would cost more than the budget allows."""


class UnsupportedError(SfumatoError, TypeError):
    """The question has no answer in the theory, or no method for it exists."""


class MissingExtraError(SfumatoError, ImportError):
    """An optional dependency is not installed."""
