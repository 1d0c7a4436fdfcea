"""What a measure is: a function of a contingency table, with its promises."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal

from sfumato._typing import Floats, Ints, Tables, Values
from sfumato.algorithms.tables.likely_sizes import SizeLimits
from sfumato.families import Family, Psi
from sfumato.measures.contingency import Contingency

__all__ = [
    "AffineInCells",
    "CellMeasure",
    "Measure",
    "ShapeBounded",
    "SizeBounded",
    "value_range",
]


class Measure(ABC):
    """A number for two hard clusterings, from their contingency table alone.

    Rows of a table are the clusters of the first partition, columns those of the second, which is
    the reference. A measure never knows how it will be computed for soft partitions.

    Attributes
    ----------
    name : str
        As passed to ``compare(measure=...)``.
    better : {"higher", "lower"}
        Which direction means more agreement.
    bounds : (float, float)
        No value lies outside, whatever the table; infinite where nothing better holds.
    symmetric : bool
        Whether swapping the two partitions leaves the value unchanged.
    is_metric : bool
        Whether it is a metric on hard clusterings taken up to relabelling.
    formula, cost : str
        In words and symbols, for listings.
    reference : str
        Key into ``docs/references.bib``; empty for a user's own measure.
    """

    name: str
    better: Literal["higher", "lower"]
    bounds: tuple[float, float]
    symmetric: bool
    is_metric: bool
    formula: str
    cost: str
    reference: str

    @abstractmethod
    def of_tables(self, tables: Tables) -> Values:
        """Values of tables of shape (..., k1, k2), as an array of shape (...)."""

    @abstractmethod
    def family(self, n_objects: int) -> Family | None:
        """Structure of the formula for tables of that many objects; None if there is none."""

    @staticmethod
    def from_function(
        function: Callable[..., object],
        *,
        name: str,
        better: Literal["higher", "lower"],
        bounds: tuple[float, float] = (-math.inf, math.inf),
        symmetric: bool = False,
        is_metric: bool = False,
        on: Literal["tables", "batch", "labels"] = "tables",
    ) -> "Measure":
        """Make a measure of your own function.

        Parameters
        ----------
        function : callable
            What it takes and returns is said by ``on``.
        name : str
        better : {"higher", "lower"}
        bounds : (float, float)
            A value outside is an error; finite bounds allow sampling with a guarantee.
        symmetric, is_metric : bool
            Taken on trust.
        on : {"tables", "batch", "labels"}
            "tables": called with one table of shape (k1, k2), returns a number. "batch": called
            with all tables at once, shape (..., k1, k2), returns shape (...). "labels": called
            with two arrays of n cluster numbers, returns a number, as scikit-learn's scores do.

        Returns
        -------
        Measure

        Raises
        ------
        InputError
            If an option is wrong; later, if the function returns what is no value.

        Examples
        --------
        >>> import numpy as np
        >>> overlap = Measure.from_function(
        ...     lambda table: table.max() / table.sum(), name="overlap", better="higher"
        ... )
        >>> overlap.of_tables(np.array([[3, 1], [0, 4]]))
        array(0.5)
        """
        from sfumato.measures.own import FunctionMeasure  # own.py builds on this module

        return FunctionMeasure(
            function=function,
            name=name,
            better=better,
            bounds=bounds,
            symmetric=symmetric,
            is_metric=is_metric,
            on=on,
        )


class CellMeasure(Measure):
    """A measure that needs the cells and their margins, but not their layout."""

    @abstractmethod
    def of_contingency(self, contingency: Contingency) -> Values:
        """Values of a batch of tables given by cells and margins, dense or sparse."""

    def of_tables(self, tables: Tables) -> Values:
        """Values of tables of shape (..., k1, k2), as an array of shape (...)."""
        return self.of_contingency(Contingency.from_tables(tables))


class ShapeBounded(Measure):
    """A measure whose bounds are finite once the shape of the table is known."""

    @abstractmethod
    def bounds_for(self, n_objects: int, n_rows: int, n_columns: int) -> tuple[float, float]:
        """Bounds over all tables of that shape and number of objects."""


class SizeBounded(Measure):
    """A measure whose bounds are useful only once the cluster sizes are known within limits."""

    @abstractmethod
    def bounds_for_sizes(
        self, n_objects: int, rows: SizeLimits, columns: SizeLimits
    ) -> tuple[float, float]:
        """Bounds over all tables whose row and column sums keep to the limits."""


class AffineInCells(Measure):
    """A measure that is affine in the sum of psi over the cells once the margins are known.

    Attributes
    ----------
    psi : {"square", "xlogx"}
    """

    psi: Psi

    @abstractmethod
    def coefficients(self, rows: Ints, columns: Ints) -> tuple[Floats, Floats]:
        """Offset and slope for row sums of shape (m, k1) and column sums of shape (k2,).

        Both have shape (m,); they hold for all tables with these margins, those whose value is a
        convention included.
        """


def value_range(
    measure: Measure, n_objects: int, n_rows: int, n_columns: int
) -> tuple[float, float]:
    """Smallest interval known to hold every value of a measure on tables of one shape.

    >>> from sfumato.measures.rand import Rand
    >>> value_range(Rand(), 10, 2, 3)
    (0.0, 1.0)
    """
    if isinstance(measure, ShapeBounded):
        return measure.bounds_for(n_objects, n_rows, n_columns)
    return measure.bounds
