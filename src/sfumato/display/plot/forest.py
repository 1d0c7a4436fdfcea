"""Many candidates against one truth, one panel for each measure, best first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from textwrap import fill
from typing import Any, Literal, final

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sfumato.display.known import Known, by_worse_end, surely_best
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import Role, draw_rows, known_tip, span_of
from sfumato.display.plot.key import add_key, key_height
from sfumato.display.plot.style import COLOURS, SIZES, check_width, dress, number_axis
from sfumato.display.text import typeset
from sfumato.display.words import direction, in_words

__all__ = ["ForestDisplay"]


@final
@dataclass(eq=False)
class ForestDisplay(Display):
    """Candidates against one truth: a row each, a panel for each measure.

    Rows are sorted by the worse end of the first measure, so that vagueness buys no place, and
    stand in this order in all panels. The dashed line is the worse end of the best by the measure
    of the panel: what does not reach it is worse. A name is bold if its worse end beats the better
    ends of all others, brackets included.

    Parameters
    ----------
    panels : mapping from measure to sequence of Known
        The same names in each.
    width : {"two", "one"}
        Columns of a journal that the figure fills. Kinds are written on the wide one, and values if
        there are at most two measures.
    most : int
        Rows that are drawn; how many are left out is said.
    zero : bool
        Draw a line at 0 instead of the dashed one, for differences.
    """

    panels: Mapping[str, Sequence[Known]]
    width: Literal["one", "two"] = "two"
    most: int = 30
    zero: bool = False

    _needs_all = True

    def __post_init__(self) -> None:
        check_width(self.width)

    @property
    def order(self) -> list[str]:
        """Names of the rows, best first."""
        return [row.name for row in by_worse_end(next(iter(self.panels.values())))]

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        n_rows = min(len(self.order), self.most) + (len(self.order) > self.most)
        rows = (row for rows in self.panels.values() for row in rows)
        key = key_height(rows, n_more=1, columns=self._columns)
        height = self._grid[0] * (SIZES["row"] * n_rows + 0.78) + key
        figure.set_size_inches(SIZES[self.width], height)
        made = figure.subplots(self._grid[0], self._grid[1], squeeze=False, sharey=True).ravel()
        for spare in made[len(self.panels) :]:
            spare.remove()
        return tuple(made[: len(self.panels)])

    @property
    def _grid(self) -> tuple[int, int]:
        """Rows and columns of panels."""
        columns = min(len(self.panels), 4 if self.width == "two" else 2)
        return -(-len(self.panels) // columns), columns

    @property
    def _has_values(self) -> bool:
        return self.width == "two" and len(self.panels) <= 2

    @property
    def _columns(self) -> int:
        return 4 if self.width == "two" else 2

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
        artists: Artists = {}
        names = self.order[: self.most]
        columns = self._grid[1]
        inches = (SIZES[self.width] - (2.3 if self.width == "two" else 1.3)) / columns
        for at, (ax, (measure, rows)) in enumerate(zip(axes, self.panels.items(), strict=True)):
            by_name = {row.name: row for row in rows}
            shown = [by_name[name] for name in names]
            best = surely_best(rows)
            for role, drawn in self._draw_panel(ax, shown, by_worse_end(rows)[0]).items():
                artists.setdefault(role, []).extend(drawn)
            per_line = max(10, int(inches * 72 / (0.72 * SIZES["text"])))
            ax.set_title(fill(in_words(measure), per_line), size=SIZES["text"])
            ax.set_xlabel(direction(shown[0].better), size=SIZES["small"])
            if at % columns == 0:
                ax.set_yticks(range(len(shown)), self._labels(shown))
                ax.tick_params(axis="y", labelsize=SIZES["text"], labelleft=True)
                for label, row in zip(ax.get_yticklabels(), shown, strict=True):
                    label.set_fontweight("bold" if row is best else "normal")
            else:
                ax.tick_params(axis="y", labelleft=False)
            if self._has_values:
                artists.setdefault("values", []).extend(_write_values(ax, shown))
        left_out = len(self.order) - len(names)
        if left_out:
            artists["left out"] = [
                axes[0].annotate(
                    f"not drawn: {left_out} more, none better",
                    (0, len(names) - 0.1),
                    xycoords=("axes fraction", "data"),
                    va="center",
                    size=SIZES["small"],
                    color=COLOURS["muted"],
                    in_layout=False,  # it may run on below the next panel
                )
            ]
        return artists

    def _labels(self, rows: list[Known]) -> list[str]:
        is_wide = self.width == "two"
        names = self._names([row.name for row in rows], 30 if is_wide else 22)
        return [
            f"{name} ({row.kind})" if is_wide and row.kind else name
            for name, row in zip(names, rows, strict=True)
        ]

    def _draw_panel(self, ax: Axes, rows: list[Known], best: Known) -> Artists:
        dress(ax, left=False)
        artists: Artists = {}
        low, high = span_of([*rows, best])
        ends = -0.75, len(rows) - 0.5  # above what is said below the rows
        if self.zero:
            low, high = min(low, -0.02 * (high - low)), max(high, 0.02 * (high - low))
            line = ax.plot([0, 0], ends, color=COLOURS["accent"], linewidth=1.1, zorder=1)
            artists["zero"] = [*line]
        elif len(rows) > 1:
            end = best.lower if best.better == "higher" else best.upper
            look: dict[str, Any] = {"linewidth": 0.8, "linestyle": (0, (3, 2)), "zorder": 1}
            artists["reach"] = [*ax.plot([end, end], ends, color=COLOURS["deep"], **look)]
        ax.set_xlim(low, high)
        artists |= draw_rows(ax, rows)
        ax.set_ylim(len(rows) - 0.35 + 0.8 * (len(self.order) > self.most), -0.75)
        number_axis(ax, 4, (-inf, inf) if self.zero else rows[0].bounds)
        return artists

    def _add_key(self) -> None:
        rows = [row for panel in self.panels.values() for row in panel]
        also: list[Role] = [role for role in ("reach", "beyond") if role in self.artists_]
        add_key(self.figure_, rows, also=also, columns=self._columns)

    def _title(self) -> str:
        return " ".join(
            f"{in_words(measure)}, {direction(rows[0].better).strip('←→ ')}: "
            + "; ".join(known_tip(row) for row in by_worse_end(rows))
            + "."
            for measure, rows in self.panels.items()
        )


def _write_values(ax: Axes, rows: list[Known]) -> list[Artist]:
    return [
        ax.annotate(
            _value(row),
            (1, y),
            xycoords=("axes fraction", "data"),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            size=SIZES["small"],
            annotation_clip=False,
        )
        for y, row in enumerate(rows)
    ]


def _value(row: Known) -> str:
    std = row.std_text()
    unknown = " ± ?" if "?" in std else ""
    tail = f" ± {std}" if row.is_single and std else unknown
    return typeset(row.value_text() + tail)
