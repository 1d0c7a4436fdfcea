"""Which candidate is better, and how sure: differences first, degrees second, the order last."""

from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import fill
from typing import Literal, final

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from sfumato._typing import Bools, Floats
from sfumato.display.known import Known
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import draw_known, known_tip, span_of
from sfumato.display.plot.key import add_key
from sfumato.display.plot.partial_order import draw_order, lines_of
from sfumato.display.plot.style import COLOURS, SIZES, check_width, dress, plain
from sfumato.display.plot.svg import tip
from sfumato.display.text import degree
from sfumato.display.words import in_words, shortened

__all__ = ["RankingDisplay"]

_CELL = 0.24  # inches: height of a row of degrees
_LAYER = 0.42  # inches
_SEEN = 1e-3  # shorter bars are not drawn


@final
@dataclass(eq=False)
class RankingDisplay(Display):
    """Differences to the best, degrees of belief for each pair, and the partial order.

    The first panel has a glyph for what is known of the expected difference of each candidate to
    the best, with a line at 0. In the second a bar says whether the row beats the column: solid is
    believed, pale is open, the empty rest is against. It is blue where the expected difference
    decides for the row, orange where it decides against it, and grey where it is open. In the third
    an arrow goes from the better to the worse.

    Parameters
    ----------
    differences : sequence of Known
        Of all but the best.
    names : tuple of m str
        The best first.
    belief, plausibility : ndarray of shape (m, m)
    wins : ndarray of shape (m, m)
        Whether the row beats the column in expectation.
    order : sequence of (better, worse)
    measure : str
    width : {"one", "two"}
        Columns of a journal that the figure fills.
    """

    differences: Sequence[Known]
    names: tuple[str, ...]
    belief: Floats
    plausibility: Floats
    wins: Bools
    order: Sequence[tuple[str, str]]
    measure: str
    width: Literal["one", "two"] = "two"

    def __post_init__(self) -> None:
        check_width(self.width)

    @property
    def _words(self) -> float:
        """Inches that names take."""
        return 0.055 * max(map(len, self._names(self.names, 24)))

    @property
    def _per_line(self) -> int:
        """Boxes of the order that fit side by side in the three inches of their panel."""
        letters = max(map(len, self._names(self.names, 18)))
        return max(1, int(3.2 / (0.058 * letters + 0.2)))

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        first = SIZES["row"] * max(1, len(self.differences)) + 0.75
        degrees = _CELL * len(self.names) + self._words + 0.35
        graph = _LAYER * (int(lines_of(self.wins, self._per_line).max()) + 1) + 0.2
        if self.width == "two":
            figure.set_size_inches(SIZES["two"], first + max(degrees, graph))
            panels = figure.subplot_mosaic(
                [["differences", "differences"], ["degrees", "order"]],
                height_ratios=(first, max(degrees, graph)),
            )
        else:
            figure.set_size_inches(SIZES["one"], first + degrees + graph)
            panels = figure.subplot_mosaic(
                [["differences"], ["degrees"], ["order"]], height_ratios=(first, degrees, graph)
            )
        return tuple(panels[name] for name in ("differences", "degrees", "order"))

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
        artists = self._draw_differences(axes[0])
        if len(axes) > 1:
            artists |= self._draw_degrees(axes[1])
        if len(axes) > 2:
            places = [(self.names.index(a), self.names.index(b)) for a, b in self.order]
            shown, most = self._names(self.names, 18), self._per_line
            artists |= draw_order(axes[2], shown, self.wins, places, most=most)
        return artists

    def _draw_differences(self, ax: Axes) -> Artists:
        dress(ax, left=False)
        artists: Artists = {}
        rows = self.differences
        low, high = span_of(rows) if rows else (-1.0, 1.0)
        room = 0.02 * (high - low)
        ax.set_xlim(min(low, -room), max(high, room))
        for y, row in enumerate(rows):
            for role, drawn in draw_known(ax, y, row).items():
                artists.setdefault(role, []).extend(drawn)
        ax.set_ylim(max(1, len(rows)) - 0.35, -0.75)
        artists["zero"] = [ax.axvline(0, color=COLOURS["accent"], linewidth=1.1, zorder=1)]
        ax.set_yticks(range(len(rows)), self._names([row.name for row in rows], 28))
        ax.tick_params(axis="y", labelsize=SIZES["text"])
        is_open = [not (self.wins[0, at] or self.wins[at, 0]) for at in range(1, len(self.names))]
        for label, bold in zip(ax.get_yticklabels(), is_open, strict=True):
            label.set_fontweight("bold" if bold else "normal")
        ax.locator_params(axis="x", nbins=5)
        ax.xaxis.set_major_formatter(plain)
        best = shortened(self._text(self.names[0]), 28)
        ax.set_title(f"D by {in_words(self.measure)}, against {best}", size=SIZES["text"])
        ax.set_xlabel("← worse · 0: no difference · better →", size=SIZES["small"])
        return artists

    def _draw_degrees(self, ax: Axes) -> Artists:
        size = len(self.names)
        artists: Artists = {"frames": [], "open": [], "believed": []}
        for i, j in np.ndindex(size, size):
            if i != j:
                for role, drawn in self._draw_degree(ax, i, j).items():
                    artists[role].extend(drawn)
        ax.set_xlim(0, size)
        ax.set_ylim(size, 0)
        dress(ax, left=False)
        ax.xaxis.tick_top()
        names = self._names(self.names, 24)
        ax.set_xticks(np.arange(size) + 0.5, names, rotation=90)
        ax.set_yticks(np.arange(size) + 0.5, names)
        ax.tick_params(axis="both", length=0, pad=2, labelsize=SIZES["small"], top=False)
        for spine in ax.spines.values():
            spine.set_visible(False)
        said = (
            "Does the row beat the column? Solid: believed; pale: open. "
            "Blue: better in expectation; orange: worse; grey: open."
        )
        ax.set_xlabel(fill(said, 58 if self.width == "two" else 40), size=SIZES["small"])
        return artists

    def _draw_degree(self, ax: Axes, i: int, j: int) -> dict[str, list[Artist]]:
        solid, word = COLOURS["muted"], "open"
        if self.wins[i, j]:
            solid, word = COLOURS["deep"], "better"
        elif self.wins[j, i]:
            solid, word = COLOURS["accent"], "worse"
        left, y, length = j + 0.1, i + 0.3, 0.8
        belief, plausibility = float(self.belief[i, j]), float(self.plausibility[i, j])
        said = (
            f"{self.names[i]} over {self.names[j]}: belief {degree(belief, 2)}, "
            f"plausibility {degree(plausibility, 2)}, {word}"
        )
        frame = Rectangle(
            (left, y), length, 0.4, facecolor=COLOURS["paper"], edgecolor=solid, linewidth=0.5
        )
        tip(frame, said)
        artists: dict[str, list[Artist]] = {"frames": [ax.add_patch(frame)]}
        for role, start, end, colour in (
            ("open", belief, plausibility, COLOURS["rule"]),
            ("believed", 0.0, belief, solid),
        ):
            if end - start > _SEEN:
                bar = Rectangle(
                    (left + length * start, y),
                    length * (end - start),
                    0.4,
                    facecolor=colour,
                    edgecolor="none",
                )
                tip(bar, said)
                artists[role] = [ax.add_patch(bar)]
        return artists

    def _add_key(self) -> None:
        add_key(self.figure_, self.differences, columns=4 if self.width == "two" else 2)

    def _title(self) -> str:
        said = "; ".join(known_tip(row) for row in self.differences)
        order = ", ".join(f"{a} before {b}" for a, b in self.order) or "none is decided"
        return (
            f"Differences by {in_words(self.measure)} to {self.names[0]}: {said}. Order: {order}."
        )
