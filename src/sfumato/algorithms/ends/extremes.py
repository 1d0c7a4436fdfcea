"""Hold an end for many instances: what every solver of ends returns."""

from typing import NamedTuple

from sfumato._typing import Floats, Ints

__all__ = ["Extremes"]


class Extremes(NamedTuple):
    """One end, smallest or largest value, for each of a batch of instances.

    Attributes
    ----------
    tables : ndarray of shape (batch, k, l)
        Compatible tables that attain the values.
    values : ndarray of shape (batch,)
    bounds : ndarray of shape (batch,)
        No compatible table has a value beyond. Equal to ``values`` where the search closed.
    """

    tables: Ints
    values: Floats
    bounds: Floats
