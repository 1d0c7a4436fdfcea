"""The contingency table of two soft partitions: what is known of the count in each cell."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self, final

import numpy as np

from sfumato._arguments import check_text
from sfumato._typing import Floats, Ints, TNorm
from sfumato.algorithms.possibility.t_norms import combine
from sfumato.display.dataframe import Frame, FrameLibrary, frame
from sfumato.display.html import html_table
from sfumato.display.text import interval, table
from sfumato.display.words import short_names
from sfumato.errors import InputError
from sfumato.partitions.base import IndependentPartition, Partition, independent
from sfumato.partitions.possibilistic import degrees_of
from sfumato.partitions.relational import relational

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from sfumato.display.plot import FlowDisplay, TableDisplay

__all__ = ["ExpectedTable"]

_MOST_LETTERS = 24  # of a name in a text, as in pictures
_BLOCK = 1 << 14  # objects at once
_MOST_CELLS = 10_000_000


@final
@dataclass(frozen=True, eq=False, repr=False)
class ExpectedTable:
    r"""What is known of the number of objects in each pair of clusters.

    With independent sides the count of a cell lies, in expectation, between
    :math:`\sum_x \mathrm{Bel}_x(i) \mathrm{Bel}'_x(j)` and
    :math:`\sum_x \mathrm{Pl}_x(i) \mathrm{Pl}'_x(j)`. Possibilities read with a t-norm give
    Choquet expectations of their joint possibility.

    Attributes
    ----------
    row_names, column_names : tuple of str
        Clusters of the candidate and of the reference.
    lower, upper : ndarray of shape (k1, k2)
        Lower and upper expectation of each count; equal for hard and fuzzy partitions.
    stds : ndarray of shape (k1, k2)
        Standard deviations of counts with equal ends; 0 elsewhere.
    least, most : ndarray of shape (k1, k2)
        Smallest and largest count that is not ruled out.
    expected : ndarray of shape (k1, k2)
        Expected counts after every set's mass is shared equally among its clusters.
    certainty : ndarray of shape (k1, k2)
        How sure the objects of a cell are of it: :math:`\sum_x p_x^2 / \sum_x p_x` for their
        pignistic probabilities.
    """

    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    lower: Floats
    upper: Floats
    stds: Floats
    least: Floats
    most: Floats
    expected: Floats
    certainty: Floats

    @classmethod
    def of(cls, a: Partition, b: Partition, *, t_norm: TNorm | None = None) -> Self:
        """Count two aligned partitions; O(n k1 k2), and O(n log n k1 k2) with a t-norm.

        ``t_norm`` is given where both sides are read as one joint possibility.

        Raises
        ------
        InputError
            If there are more than 10 million pairs of clusters.
        UnsupportedError
            If a side is drawn: its clusters have no names that all draws share.

        Examples
        --------
        >>> import sfumato as sf
        >>> a = sf.RoughPartition([[1, 0], [1, 1], [0, 1]])
        >>> found = ExpectedTable.of(a, sf.HardPartition(["x", "y", "y"]))
        >>> found.lower.tolist(), found.upper.tolist()
        ([[1.0, 0.0], [0.0, 1.0]], [[1.0, 1.0], [0.0, 2.0]])
        """
        a, b = (independent(side, "An expected table") for side in (a, b))
        shape = a.n_clusters, b.n_clusters
        if shape[0] * shape[1] > _MOST_CELLS:
            raise InputError(
                f"A table of {shape[0]:,} by {shape[1]:,} clusters has more than {_MOST_CELLS:,} "
                "cells: merge or drop small clusters."
            )
        sides = [_degrees(a), _degrees(b)]
        (_, first), (_, second) = sides
        sums = [np.zeros(shape) for _ in first]
        for start in range(0, a.n_objects, _BLOCK):
            rows, columns = (codes[start : start + _BLOCK] for codes, _ in sides)
            for total, u, v in zip(sums, first, second, strict=True):
                total += u[rows].T @ v[columns]
        lower, upper, least, most, expected, squares = sums
        if t_norm is not None:
            lower, upper = _joint_possibility(a, b, t_norm)
        is_precise = np.isclose(lower, upper, rtol=0, atol=1e-9)
        return cls(
            tuple(map(str, a.names)),
            tuple(map(str, b.names)),
            lower,
            np.where(is_precise, lower, upper),
            np.where(is_precise, np.sqrt(np.maximum(0.0, expected - squares)), 0.0),
            least,
            most,
            expected,
            np.divide(squares, expected, out=np.zeros(shape), where=expected > 0),
        )

    def turned(self) -> "ExpectedTable":
        """The same table with its sides swapped."""
        counts = self.lower, self.upper, self.stds, self.least, self.most
        turned = (each.T for each in (*counts, self.expected, self.certainty))
        return ExpectedTable(self.column_names, self.row_names, *turned)

    @property
    def rows(self) -> list[dict[str, object]]:
        """One plain dictionary per cell."""
        return [
            {
                "row": row,
                "column": column,
                "lower": float(self.lower[i, j]),
                "upper": float(self.upper[i, j]),
                "std": float(self.stds[i, j]),
                "least": float(self.least[i, j]),
                "most": float(self.most[i, j]),
            }
            for i, row in enumerate(self.row_names)
            for j, column in enumerate(self.column_names)
        ]

    def to_frame(self, library: FrameLibrary = "pandas") -> "Frame":
        """One row per cell, as a frame of pandas or polars."""
        return frame(self.rows, library, needed_by="ExpectedTable.to_frame")

    def plot(
        self,
        ax: "Axes | Sequence[Axes] | None" = None,
        *,
        row_title: str = "candidate",
        column_title: str = "reference",
    ) -> "TableDisplay":
        """Draw the table, with what is known of each cell."""
        check_text(row_title=row_title, column_title=column_title)
        return self.display(row_title, column_title).plot(ax)

    def display(
        self, row_title: str = "candidate", column_title: str = "reference"
    ) -> "TableDisplay":
        """The picture that `plot` draws, not yet drawn."""
        from sfumato.display.plot import TableDisplay

        counts = self.lower, self.upper, self.stds, self.least, self.most
        return TableDisplay(*counts, self.row_names, self.column_names, row_title, column_title)

    def plot_flow(
        self,
        ax: "Axes | Sequence[Axes] | None" = None,
        *,
        row_title: str = "candidate",
        column_title: str = "reference",
    ) -> "FlowDisplay":
        """Draw where objects go, from the clusters of the candidate to those of the reference."""
        from sfumato.display.plot import FlowDisplay

        check_text(row_title=row_title, column_title=column_title)
        return FlowDisplay(
            self.expected,
            self.certainty,
            self.row_names,
            self.column_names,
            row_title,
            column_title,
        ).plot(ax)

    def _cells(self, most: int | None = None) -> tuple[list[str], list[list[str]]]:
        """Headers and rows, with names of at most so many letters."""
        rows, columns = (
            names if most is None else short_names(names, most)
            for names in (self.row_names, self.column_names)
        )
        return ["", *columns], [
            [
                name,
                *(
                    interval(low, high, is_precise=low == high, digits=1)
                    for low, high in zip(lows, highs, strict=True)
                ),
            ]
            for name, lows, highs in zip(
                rows, self.lower.tolist(), self.upper.tolist(), strict=True
            )
        ]

    def __repr__(self) -> str:
        return table(*self._cells(_MOST_LETTERS))

    def _repr_html_(self) -> str:
        return html_table(*self._cells())


def _degrees(side: IndependentPartition) -> tuple[Ints, tuple[Floats, ...]]:
    """The statement of each object, and what each statement says of each cluster."""
    statements = relational(side).statements
    sizes = statements.family.sizes
    belief, plausibility, pignistic = (
        statements.spread(shares)
        for shares in ((sizes == 1).astype(np.float64), np.ones(len(sizes)), 1.0 / sizes)
    )
    possible = (plausibility > 0).astype(np.float64)
    sole: Floats = possible * (possible.sum(axis=1, keepdims=True) == 1)
    return statements.codes, (belief, plausibility, sole, possible, pignistic, pignistic**2)


def _joint_possibility(
    a: IndependentPartition, b: IndependentPartition, t_norm: TNorm
) -> tuple[Floats, Floats]:
    """Choquet expectations of the counts.

    To put objects into a cell, or to keep them out of it, those that cost least possibility come
    first. So a count is reached to the degree that the t-norm gives to the objects it needs.
    """
    u, v = (degrees_of(side) for side in (a, b))
    others = [_largest_other(side) for side in (u, v)]
    lower, upper = np.zeros((2, u.shape[1], v.shape[1]))
    for i in range(u.shape[1]):
        for j in range(v.shape[1]):
            upper[i, j] = _reached(combine(t_norm, u[:, i], v[:, j]), t_norm)
            kept_out = np.maximum(others[0][:, i], others[1][:, j])
            lower[i, j] = len(u) - _reached(kept_out, t_norm)
    return lower, upper


def _largest_other(degrees: Floats) -> Floats:
    """For each cluster, the largest degree of another one."""
    if degrees.shape[1] == 1:
        return np.zeros_like(degrees)
    ranked: Floats = np.partition(degrees, -2, axis=1)
    is_first = np.arange(degrees.shape[1], dtype=np.int64) == np.argmax(degrees, axis=1)[:, None]
    return np.where(is_first, ranked[:, -2:-1], ranked[:, -1:])


def _reached(degrees: Floats, t_norm: TNorm) -> float:
    """Sum over m of the degree to which m objects reach: their t-norm, largest degrees first."""
    ranked = np.sort(degrees)[::-1]
    match t_norm:
        case "min":
            reached = ranked
        case "product":
            reached = np.cumprod(ranked)
        case "lukasiewicz":
            reached = np.maximum(0.0, 1.0 - np.cumsum(1.0 - ranked))
    return float(reached.sum())
