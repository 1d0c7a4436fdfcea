"""Compare and evaluate soft clusterings."""

__version__ = "0.1.0"
