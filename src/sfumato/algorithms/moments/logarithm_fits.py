"""Sums of exponentials that stand for the logarithm; tools/fit_logarithm.py finds them.

``log(x) = constant + sum(weights * exp(-rates * x))`` up to ``error``, for every x from 1 to
``largest``, or for the integers among them alone where ``is_discrete``.
"""

import json
from importlib.resources import files
from typing import NamedTuple

__all__ = ["FITS", "LogarithmFit"]


class LogarithmFit(NamedTuple):
    """One sum of exponentials with its certified error."""

    largest: float
    is_discrete: bool
    error: float
    constant: float
    rates: list[float]
    weights: list[float]


_STORED = files("sfumato.algorithms.moments") / "logarithm_fits.json"

FITS = tuple(LogarithmFit(**fit) for fit in json.loads(_STORED.read_text(encoding="utf-8")))
