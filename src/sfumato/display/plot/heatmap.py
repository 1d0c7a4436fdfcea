"""Every partition against every other: similar ones side by side, width as a hole."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, final

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from sfumato._typing import Floats, Ints
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.panels import in_inches, with_key_below
from sfumato.display.plot.style import COLOURS, RAMP, SIZES, dress, plain, ramp
from sfumato.display.plot.svg import tip
from sfumato.display.text import ends
from sfumato.display.words import in_words, shortened

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

__all__ = ["PairwiseDisplay", "similarity_order"]

_SQUARE = 0.94  # of the side of a cell
_SEEN = 0.05  # holes of a smaller side are not drawn
_LEAST_CELL = 0.105  # inches, so that names do not overlap; the figure grows beyond its columns
_WIDE_ENOUGH = 0.34  # inches a cell needs for its numbers


def similarity_order(values: Floats, better: Literal["higher", "lower"]) -> Ints:
    """An order in which like stands by like: average linkage, leaves in their best order."""
    if len(values) < 3:
        return np.arange(len(values))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    far = values if better == "lower" else -values
    far = (far + far.T) / 2
    far = far - far[~np.eye(len(far), dtype=bool)].min()
    np.fill_diagonal(far, 0.0)
    order = leaves_list(linkage(squareform(far), "average", optimal_ordering=True))
    total = far.sum(axis=1)
    return order[::-1] if total[order[0]] > total[order[-1]] else order


@final
@dataclass(eq=False)
class PairwiseDisplay(Display):
    """A heat map of every partition against every other, ordered by similarity.

    The colour of a square is the middle of the interval, the area of the white hole in it is the
    width of the interval, as a share of the range of all values. Where the measure is symmetric
    and there is room, numbers stand above the diagonal.

    Parameters
    ----------
    lower, upper : ndarray of shape (m, m)
    names : tuple of str
    measure : str
    better : {"higher", "lower"}
    width : {"one", "two"}
        Columns of a journal that the figure fills.
    guarantees : mapping from (name, name) to str
        How far the ends can be trusted; exact by default.
    """

    lower: Floats
    upper: Floats
    names: tuple[str, ...]
    measure: str
    better: Literal["higher", "lower"]
    width: Literal["one", "two"] = "one"
    guarantees: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])

    @property
    def order(self) -> Ints:
        """Places of the partitions, as drawn."""
        return similarity_order((self.lower + self.upper) / 2, self.better)

    @property
    def _range(self) -> tuple[float, float]:
        finite = np.concatenate([self.lower, self.upper])
        finite = finite[np.isfinite(finite)]
        low, high = float(finite.min()), float(finite.max())
        return (low, high) if high > low else (low - 0.5, high + 0.5)

    @property
    def _labels(self) -> list[str]:
        return [shortened(name, 18) for name in self.names]

    @property
    def _cell(self) -> float:
        words = 0.058 * max(map(len, self._labels)) + 0.15
        return max(_LEAST_CELL, min(0.62, (SIZES[self.width] - words) / len(self.names)))

    def _panels(self) -> tuple[int, int]:
        return 1, 2

    def _set_out(self, figure: Figure) -> "tuple[Axes, ...]":
        words = 0.058 * max(map(len, self._labels)) + 0.15
        side = self._cell * len(self.names)
        wide = max(SIZES["one"], side + words)
        foot = 0.55
        figure.set_size_inches(wide, side + words + foot)
        return with_key_below(figure, side + words, foot)

    def _draw(self, axes: "tuple[Axes, ...]") -> Artists:
        ax, order = axes[0], self.order
        lower, upper = self.lower[np.ix_(order, order)], self.upper[np.ix_(order, order)]
        names = [self.names[i] for i in order]
        is_symmetric = np.allclose(lower, lower.T, equal_nan=True)
        has_numbers = self._cell > _WIDE_ENOUGH and is_symmetric
        artists: Artists = {"squares": [], "holes": [], "numbers": []}
        for i in range(len(names)):
            for j in range(len(names)):
                found = float(lower[i, j]), float(upper[i, j])
                trust = self.guarantees.get((names[i], names[j]), "exact")
                if has_numbers and j > i:
                    shown = ends(*found, guarantee=trust, digits=2)
                    artists["numbers"].append(_write(ax, i, j, shown))
                    continue
                square, hole = self._square(ax, i, j, found)
                shown = ends(*found, guarantee=trust, digits=3)
                tip(square, f"{names[i]} and {names[j]}: {' to '.join(shown)}")
                artists["squares"].append(square)
                artists["holes"] += hole
        self._finish(ax, [self._labels[i] for i in order])
        if len(axes) > 1:
            artists["key"] = self._draw_key(axes[1])
        return artists

    def _square(
        self, ax: "Axes", i: int, j: int, found: tuple[float, float]
    ) -> tuple[Rectangle, list[Rectangle]]:
        low, high = self._range
        middle = (sum(found) / 2 - low) / (high - low)
        half = _SQUARE / 2
        square = Rectangle(
            (j - half, i - half), _SQUARE, _SQUARE, facecolor=ramp(middle), edgecolor="none"
        )
        ax.add_patch(square)
        side = _SQUARE * float(np.sqrt(min(1.0, (found[1] - found[0]) / (high - low))))
        if side < _SEEN:
            return square, []
        hole = Rectangle(
            (j - side / 2, i - side / 2),
            side,
            side,
            facecolor=COLOURS["paper"],
            edgecolor=COLOURS["muted"],
            linewidth=0.3,
        )
        ax.add_patch(hole)
        return square, [hole]

    def _finish(self, ax: "Axes", labels: list[str]) -> None:
        dress(ax, left=False)
        ax.spines["bottom"].set_visible(False)
        ax.set_xlim(-0.5, len(labels) - 0.5)
        ax.set_ylim(len(labels) - 0.5, -0.5)
        ax.set_aspect("equal")
        ax.set_xticks(range(len(labels)), labels, rotation=90)
        ax.set_yticks(range(len(labels)), labels)
        ax.tick_params(length=0, pad=2, top=False, bottom=False, labeltop=True, labelbottom=False)

    def _draw_key(self, ax: "Axes") -> "list[Artist]":
        """A strip of the ramp with its numbers, and three holes with theirs; in inches."""
        in_inches(ax)
        low, high = self._range
        step = 1.45 / len(RAMP)
        made: list[Artist] = [
            ax.add_patch(Rectangle((0.05 + at * step, 0.2), step, 0.09, facecolor=colour))
            for at, colour in enumerate(RAMP)
        ]
        small: dict[str, Any] = {"size": SIZES["small"], "va": "center"}
        made += [
            ax.text(
                0.05 + share * 1.45,
                0.09,
                plain(round(low + share * (high - low), 2)),
                ha=ha,
                **small,
            )
            for share, ha in ((0.0, "left"), (0.5, "center"), (1.0, "right"))
        ]
        made.append(ax.text(0.05, 0.4, f"{in_words(self.measure)}, {self.better}: alike", **small))
        if not (self.upper > self.lower).any():
            return made
        made.append(ax.text(1.85, 0.4, "hole: width of the interval", **small))
        for at, share in enumerate((0.0, 0.1, 0.3)):
            x, side = 1.85 + 0.48 * at, 0.16 * share**0.5
            made.append(ax.add_patch(Rectangle((x, 0.12), 0.16, 0.16, facecolor=COLOURS["width"])))
            corner = x + 0.08 - side / 2, 0.2 - side / 2
            made.append(ax.add_patch(Rectangle(corner, side, side, facecolor=COLOURS["paper"])))
            made.append(ax.text(x + 0.19, 0.2, f"{share * (high - low):.2g}", **small))
        return made

    def _add_key(self) -> None:
        """The key is the second panel."""

    def _title(self) -> str:
        return (
            f"{in_words(self.measure)} of every pair of {len(self.names)} partitions, ordered by "
            f"similarity: {', '.join(self.names[i] for i in self.order)}"
        )


def _write(ax: "Axes", i: int, j: int, shown: tuple[str, str]) -> "Artist":
    low, high = (end.replace("-", "\N{MINUS SIGN}") for end in shown)
    text = low if low == high else f"{low} to\n{high}"
    return ax.text(j, i, text, ha="center", va="center", size=SIZES["small"], linespacing=1.15)
