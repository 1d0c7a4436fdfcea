"""An expected contingency table: what is known of the number of objects in each cell."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
from matplotlib.figure import Figure

from sfumato._typing import Floats, Ints
from sfumato.display.known import Known
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import draw_known
from sfumato.display.plot.style import COLOURS, SIZES, dress
from sfumato.display.plot.svg import tip
from sfumato.display.words import shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

__all__ = ["TableDisplay", "matched_rows"]

_MARGIN = 0.08  # of a cell, left and right


def matched_rows(weights: Floats) -> Ints:
    """Rows in the order that puts as much weight as possible on the diagonal."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(weights, maximize=True)
    matched = rows[np.argsort(columns)]
    rest = np.setdiff1d(np.arange(len(weights)), matched)
    return np.concatenate([matched, rest]).astype(np.int64)


@final
@dataclass(eq=False)
class TableDisplay(Display):
    """What is known of the number of objects in each cell of the contingency table.

    Each cell has the expected count in words, with its standard deviation where it has one, a
    glyph on one scale for all cells, and a thin line with numbers from the smallest to the
    largest possible count. Rows stand in the order that matches the columns best.

    Parameters
    ----------
    lower, upper : ndarray of shape (k1, k2)
        Lower and upper expectation; equal for hard and fuzzy partitions.
    stds : ndarray of shape (k1, k2)
        Of precise counts; 0 elsewhere.
    least, most : ndarray of shape (k1, k2)
        Smallest and largest count that is not ruled out.
    row_names, column_names : tuple of str
    row_title, column_title : str
    largest : int
        Rows and columns that are drawn at most, the heaviest; how many are left out is said.
    """

    lower: Floats
    upper: Floats
    stds: Floats
    least: Floats
    most: Floats
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    row_title: str = "candidate"
    column_title: str = "reference"
    largest: int = 8

    @property
    def order(self) -> tuple[Ints, Ints]:
        """Rows and columns, as drawn."""
        middle = (self.lower + self.upper) / 2
        columns = np.sort(np.argsort(-middle.sum(axis=0), kind="stable")[: self.largest])
        rows = np.sort(np.argsort(-middle.sum(axis=1), kind="stable")[: self.largest])
        return rows[matched_rows(middle[np.ix_(rows, columns)])], columns

    def _panels(self) -> tuple[int, int]:
        return 1, 1

    def _set_out(self, figure: Figure) -> "tuple[Axes, ...]":
        rows, columns = self.order
        words = 0.058 * max(len(shortened(name, 16)) for name in self.row_names) + 0.2
        wide = max(SIZES["one"], min(SIZES["two"], words + 0.85 * len(columns)))
        figure.set_size_inches(wide, 0.5 * len(rows) + 0.75)
        return (figure.add_subplot(),)

    def _draw(self, axes: "tuple[Axes, ...]") -> Artists:
        (ax,) = axes
        rows, columns = self.order
        artists: Artists = {"texts": [], "ranges": []}
        top = float(max((self.upper + self.stds)[np.ix_(rows, columns)].max(), 1.0))
        for i, row in enumerate(rows.tolist()):
            for j, column in enumerate(columns.tolist()):
                for role, drawn in self._draw_cell(ax, i, j, row, column, top).items():
                    artists.setdefault(role, []).extend(drawn)
        dress(ax, left=False)
        ax.spines["bottom"].set_visible(False)
        ax.hlines(np.arange(len(rows) + 1), 0, len(columns), color=COLOURS["rule"], linewidth=0.6)
        ax.set_xlim(0, len(columns))
        ax.set_ylim(len(rows), 0)
        ax.set_yticks(np.arange(len(rows)) + 0.3, [shortened(self.row_names[i], 16) for i in rows])
        ax.set_xticks(
            np.arange(len(columns)) + _MARGIN,
            [shortened(self.column_names[j], 14) for j in columns],
            ha="left",
            weight="bold",
        )
        ax.tick_params(
            length=0,
            pad=3,
            bottom=False,
            labeltop=True,
            labelbottom=False,
            labelsize=SIZES["text"],
        )
        title = f"rows: {shortened(self.row_title)}; columns: {shortened(self.column_title)}"
        ax.set_title(title, size=SIZES["text"], weight="normal", color=COLOURS["muted"])
        ax.set_xlabel(self._note(), size=SIZES["small"], color=COLOURS["muted"], loc="left")
        return artists

    def _draw_cell(self, ax: "Axes", i: int, j: int, row: int, column: int, top: float) -> Artists:
        at = row, column
        low, high, std = (float(each[at]) for each in (self.lower, self.upper, self.stds))
        least, most = float(self.least[at]), float(self.most[at])

        def place(count: float) -> float:
            return j + _MARGIN + (1 - 2 * _MARGIN) * min(count, top) / top

        is_sure = most - least < 0.5
        value = f"{low:.0f}" if is_sure else _count_text(low, high)
        first = ax.text(
            place(0), i + 0.3, value, va="center", weight="bold" if i == j else "normal"
        )
        texts = [first]
        if std >= 0.05:
            texts.append(_after(ax, first, f"\N{NO-BREAK SPACE}± {std:.1f}"))
        span = f"[{least:.0f}, {most:.0f}]"
        if not is_sure and (least, most) != (low, high):
            texts.append(
                ax.text(
                    j + 1 - _MARGIN,
                    i + 0.3 if std < 0.05 and high - low < 0.05 else i + 0.9,
                    span,
                    ha="right",
                    va="center",
                    size=SIZES["small"],
                    color=COLOURS["muted"],
                )
            )
        y = i + 0.64
        scale = ax.plot([place(0), place(top)], [y, y], color=COLOURS["rule"], linewidth=0.6)
        track = ax.plot([place(least), place(most)], [y, y], color=COLOURS["muted"], linewidth=0.7)
        drawn_std = (1 - 2 * _MARGIN) * std / top
        known = Known(
            "",
            "",
            "count",
            "higher",
            place(low),
            place(high),
            is_precise=high - low < 1e-9,
            stds=(drawn_std, drawn_std),
            bounds=(place(0), place(top)),
        )
        drawn = draw_known(ax, y, known, size=0.72)
        names = f"{self.row_names[row]} and {self.column_names[column]}"
        for each in drawn.values():
            for artist in each:
                tip(artist, f"{names}: {value}, {span}")
        return {"texts": [*texts], "scales": [*scale], "ranges": [*track], **drawn}

    def _note(self) -> str:
        is_precise = bool((self.upper - self.lower < 1e-9).all())
        parts = ["objects in each cell"]
        if is_precise and self.stds.any():
            parts.append("mean ± std")
        elif not is_precise:
            is_range = np.array_equal(self.lower, self.least) and np.array_equal(
                self.upper, self.most
            )
            parts.append("[min, max]" if is_range else "expected, lower to upper")
        if not np.array_equal(self.lower, self.least):
            parts.append("thin line: [min, max]")
        rows, columns = self.order
        hidden = len(self.row_names) - len(rows), len(self.column_names) - len(columns)
        if any(hidden):
            parts.append(f"not drawn: {hidden[0]} rows, {hidden[1]} columns")
        return "; ".join(parts)

    def _add_key(self) -> None:
        """The note below the table is the key."""

    def _title(self) -> str:
        rows, columns = self.order
        cells = "; ".join(
            f"{self.row_names[i]} and {self.column_names[j]} "
            + _count_text(float(self.lower[i, j]), float(self.upper[i, j]))
            for i in rows
            for j in columns
        )
        return f"expected contingency table of {self.row_title} by {self.column_title}: {cells}"


def _count_text(low: float, high: float) -> str:
    if high - low < 0.05:
        return f"{low:.1f}" if abs(low - round(low)) > 1e-9 or high != low else f"{low:.0f}"
    is_whole = low == round(low) and high == round(high)
    return f"{low:.0f} to {high:.0f}" if is_whole else f"{low:.1f} to {high:.1f}"


def _after(ax: "Axes", text: "Text", words: str) -> "Text":
    return ax.annotate(
        words,
        (1, 0.5),
        xycoords=text,
        va="center",
        size=SIZES["small"],
        color=COLOURS["muted"],
    )
