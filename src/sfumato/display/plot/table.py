"""An expected contingency table: what is known of the number of objects in each cell."""

from dataclasses import dataclass
from textwrap import fill
from typing import final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Text

from sfumato._typing import Floats, Ints
from sfumato.display.known import Known
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import draw_known
from sfumato.display.plot.style import COLOURS, SIZES, dress
from sfumato.display.plot.svg import tip
from sfumato.display.words import shortened

__all__ = ["TableDisplay", "matched_rows"]

_MARGIN = 0.08  # of a cell, left and right
_LONGEST = 24  # letters of a name
_LARGE = 1000  # a table with such a count is written without decimals
_RANGE = "[min,\N{NO-BREAK SPACE}max]"


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
        Rows and columns that are drawn at most, the heaviest, and only as many columns as fit; how
        many are left out is said.
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
        fitting = int((SIZES["two"] - self._words) / self._cell)
        n_columns = max(1, min(self.largest, fitting))
        columns = np.sort(np.argsort(-middle.sum(axis=0), kind="stable")[:n_columns])
        rows = np.sort(np.argsort(-middle.sum(axis=1), kind="stable")[: self.largest])
        return rows[matched_rows(middle[np.ix_(rows, columns)])], columns

    @property
    def _words(self) -> float:
        """Inches that the names of rows take."""
        return 0.062 * max(map(len, self._names(self.row_names, _LONGEST))) + 0.2

    @property
    def _cell(self) -> float:
        """Inches that the widest cell takes."""
        ends = zip(self.lower.ravel(), self.upper.ravel(), self.stds.ravel(), strict=True)
        counts = max(
            len(self._count_text(low, high)) + 0.9 * len(self._std_text(std))
            for low, high, std in ends
        )
        range_ = len(_range_text(0.0, float(self.most.max())))
        return max(0.75, 0.067 * counts + 0.12, 0.055 * range_ + 0.12)

    def _count_text(self, low: float, high: float) -> str:
        is_whole = low == round(low) and high == round(high)
        digits = 0 if is_whole or self.upper.max() >= _LARGE else 1
        if high - low < 0.05:
            return f"{low:,.{digits}f}"
        return f"{low:,.{digits}f} to {high:,.{digits}f}"

    def _std_text(self, std: float) -> str:
        digits = 0 if self.upper.max() >= _LARGE else 1
        return f"\N{NO-BREAK SPACE}± {std:,.{digits}f}" if std >= 0.5 * 10**-digits else ""

    @property
    def _wide(self) -> float:
        """Inches."""
        n_columns = len(self.order[1])
        return max(SIZES["one"], min(SIZES["two"], self._words + max(0.85, self._cell) * n_columns))

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        rows, _ = self.order
        lines = self._note().count("\n") + self._heading().count("\n")
        figure.set_size_inches(self._wide, 0.5 * len(rows) + 0.75 + 0.13 * lines)
        return (figure.add_subplot(),)

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
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
        ax.set_yticks(
            np.arange(len(rows)) + 0.3, self._names([self.row_names[i] for i in rows], _LONGEST)
        )
        fitting = int((self._wide - self._words) / len(columns) / 0.075)
        ax.set_xticks(
            np.arange(len(columns)) + _MARGIN,
            self._names([self.column_names[j] for j in columns], min(_LONGEST, fitting)),
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
        ax.set_title(self._heading(), size=SIZES["text"], weight="normal", color=COLOURS["muted"])
        ax.set_xlabel(self._note(), size=SIZES["small"], color=COLOURS["muted"], loc="left")
        return artists

    def _draw_cell(self, ax: Axes, i: int, j: int, row: int, column: int, top: float) -> Artists:
        at = row, column
        low, high, std = (float(each[at]) for each in (self.lower, self.upper, self.stds))
        least, most = float(self.least[at]), float(self.most[at])

        def place(count: float) -> float:
            return j + _MARGIN + (1 - 2 * _MARGIN) * min(count, top) / top

        is_sure = most - least < 0.5
        value = f"{low:,.0f}" if is_sure else self._count_text(low, high)
        first = ax.text(
            place(0), i + 0.3, value, va="center", weight="bold" if i == j else "normal"
        )
        texts = [first]
        if self._std_text(std):
            texts.append(_after(ax, first, self._std_text(std)))
        span = _range_text(least, most)
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

    def _heading(self) -> str:
        titles = (self._text(title) for title in (self.row_title, self.column_title))
        words = "rows: {}; columns: {}".format(*(shortened(title, 40) for title in titles))
        return fill(words, int((self._wide - self._words) / 0.064))

    def _note(self) -> str:
        is_precise = bool((self.upper - self.lower < 1e-9).all())
        parts = ["objects in each cell"]
        if is_precise and self.stds.any():
            parts.append("mean ± std")
        elif not is_precise:
            is_range = np.array_equal(self.lower, self.least) and np.array_equal(
                self.upper, self.most
            )
            parts.append(_RANGE if is_range else "expected, lower to upper")
        if not np.array_equal(self.lower, self.least):
            parts.append(f"thin line: {_RANGE}")
        hidden = [
            f"{len(names) - len(drawn)} of {len(names)} {what}"
            for what, names, drawn in zip(
                ("rows", "columns"), (self.row_names, self.column_names), self.order, strict=True
            )
            if len(names) > len(drawn)
        ]
        if hidden:
            parts.append(f"not drawn: {', '.join(hidden)}")
        return fill("; ".join(parts), int((self._wide - self._words) / 0.05))

    def _add_key(self) -> None:
        """The note below the table is the key."""

    def _title(self) -> str:
        rows, columns = self.order
        cells = "; ".join(
            f"{self.row_names[i]} and {self.column_names[j]} "
            + self._count_text(float(self.lower[i, j]), float(self.upper[i, j]))
            for i in rows
            for j in columns
        )
        return f"expected contingency table of {self.row_title} by {self.column_title}: {cells}"


def _range_text(least: float, most: float) -> str:
    return f"[{least:,.0f}, {most:,.0f}]"


def _after(ax: Axes, text: Text, words: str) -> Text:
    return ax.annotate(
        words,
        (1, 0.5),
        xycoords=text,
        va="center",
        size=SIZES["small"],
        color=COLOURS["muted"],
    )
