"""What every solver of extremes returns."""

from typing import NamedTuple

from sfumato._typing import Floats, Ints

__all__ = ["Extremes"]


class Extremes(NamedTuple):
    """Attained values with a certified bound, for a batch of instances.

    Attributes
    ----------
    tables : ndarray of shape (batch, k, l)
        Compatible tables that attain the values.
    values : ndarray of shape (batch,)
    bounds : ndarray of shape (batch,)
        No compatible table is better; equal to the values where the search closed.
    """

    tables: Ints
    values: Floats
    bounds: Floats
