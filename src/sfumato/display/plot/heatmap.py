"""Every partition against every other: similar ones side by side, width as a hole."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import Any, Literal, final

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from sfumato._typing import Floats, Ints
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.key import in_inches, with_key_below
from sfumato.display.plot.style import COLOURS, RAMP, SIZES, check_width, dress, plain, ramp
from sfumato.display.plot.svg import tip
from sfumato.display.text import ends, typeset
from sfumato.display.words import in_words

__all__ = ["PairwiseDisplay", "similarity_order"]

_SQUARE = 0.94  # of the side of a cell
_SEEN = 0.05  # holes of a smaller side are not drawn
_MOST_SQUARES = 40  # in a row; more are an image without holes, and not all have a name
_LEAST_CELL = 0.105  # inches, so that names do not overlap; the figure grows beyond its columns
_WIDE_ENOUGH = 0.34  # inches a cell needs for its numbers


def similarity_order(values: Floats, better: Literal["higher", "lower"]) -> Ints:
    """An order in which like stands by like: average linkage, leaves in their best order.

    Infinite values count as the largest or smallest finite ones.
    """
    if len(values) < 3:
        return np.arange(len(values))
    finite = values[np.isfinite(values)]
    values = np.clip(np.nan_to_num(values, nan=0.0), *_ends(finite))
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    far = values if better == "lower" else -values
    far = (far + far.T) / 2
    far = far - far[~np.eye(len(far), dtype=bool)].min()
    np.fill_diagonal(far, 0.0)
    order = leaves_list(linkage(squareform(far), "average", optimal_ordering=True))
    total = far.sum(axis=1)
    return order[::-1] if total[order[0]] > total[order[-1]] else order


def _ends(values: Floats) -> tuple[float, float]:
    return (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)


@final
@dataclass(eq=False)
class PairwiseDisplay(Display):
    """A heat map of every partition against every other, ordered by similarity.

    The darker a square, the more alike: its colour is the middle of the interval, and dark is the
    better end of the measure. The area of the white hole in it is the width of the interval, as a
    share of the range of all values. Where the measure is symmetric and there is room, numbers
    stand above the diagonal. More than 40 partitions are drawn without holes, and not all of them
    are named.

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

    def __post_init__(self) -> None:
        check_width(self.width)

    @cached_property
    def order(self) -> Ints:
        """Places of the partitions, as drawn."""
        return similarity_order((self.lower + self.upper) / 2, self.better)

    @cached_property
    def _range(self) -> tuple[float, float]:
        both = np.concatenate([self.lower, self.upper])
        return _ends(both[np.isfinite(both)])

    def _alike(self, value: float) -> float:
        """How dark a value is drawn, from 0 to 1; half where all values are equal."""
        low, high = self._range
        if low == high:
            return 0.5
        share = (min(max(value, low), high) - low) / (high - low)
        return share if self.better == "higher" else 1.0 - share

    @cached_property
    def _labels(self) -> list[str]:
        return self._names(self.names, 24)

    @property
    def _cell(self) -> float:
        words = 0.058 * max(map(len, self._labels)) + 0.15
        least = _LEAST_CELL if len(self.names) <= _MOST_SQUARES else 0.0
        return max(least, min(0.62, (SIZES[self.width] - words) / len(self.names)))

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        words = 0.058 * max(map(len, self._labels)) + 0.15
        side = self._cell * len(self.names)
        wide = max(SIZES["one"], side + words)
        foot = 0.58 + 0.2 * self._has_widths
        figure.set_size_inches(wide, side + words + foot)
        return with_key_below(figure, side + words, foot)

    @property
    def _has_widths(self) -> bool:
        return bool((self.upper > self.lower).any())

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
        ax, order = axes[0], self.order
        lower, upper = self.lower[np.ix_(order, order)], self.upper[np.ix_(order, order)]
        names = [self.names[i] for i in order]
        is_symmetric = np.allclose(lower, lower.T, equal_nan=True)
        has_numbers = self._cell > _WIDE_ENOUGH and is_symmetric
        artists: Artists = {"squares": [], "holes": [], "numbers": []}
        if len(names) > _MOST_SQUARES:
            artists["image"] = [self._image(ax, (lower + upper) / 2)]
            names = []
        for i in range(len(names)):
            for j in range(len(names)):
                found = float(lower[i, j]), float(upper[i, j])
                trust = self.guarantees.get((names[i], names[j]), "exact")
                if has_numbers and j > i:
                    shown = ends(*found, guarantee=trust, digits=2)
                    artists["numbers"].append(_write(ax, i, j, shown, self._cell))
                    continue
                square, hole = self._square(ax, i, j, found)
                shown = ends(*found, guarantee=trust, digits=3)
                tip(square, f"{names[i]} and {names[j]}: {typeset(' to '.join(shown))}")
                artists["squares"].append(square)
                artists["holes"] += hole
        self._finish(ax, [self._labels[i] for i in order])
        if len(axes) > 1:
            artists["key"] = self._draw_key(axes[1])
        return artists

    def _image(self, ax: Axes, middle: Floats) -> Artist:
        """All squares as one image: so many cannot be drawn one by one."""
        colours = [to_rgb(ramp(self._alike(float(value)))) for value in middle.ravel()]
        return ax.imshow(np.reshape(colours, (*middle.shape, 3)), interpolation="nearest")

    def _square(
        self, ax: Axes, i: int, j: int, found: tuple[float, float]
    ) -> tuple[Rectangle, list[Rectangle]]:
        low, high = self._range
        half = _SQUARE / 2
        colour = ramp(self._alike(sum(found) / 2))
        square = Rectangle(
            (j - half, i - half), _SQUARE, _SQUARE, facecolor=colour, edgecolor="none"
        )
        ax.add_patch(square).set_in_layout(False)  # measuring thousands would take long
        width = (found[1] - found[0]) / (high - low) if high > low else 0.0
        side = _SQUARE * float(np.sqrt(min(1.0, width)))
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
        ax.add_patch(hole).set_in_layout(False)
        return square, [hole]

    def _finish(self, ax: Axes, labels: list[str]) -> None:
        dress(ax, left=False)
        ax.spines["bottom"].set_visible(False)
        ax.set_xlim(-0.5, len(labels) - 0.5)
        ax.set_ylim(len(labels) - 0.5, -0.5)
        ax.set_aspect("equal")
        step = ceil(_LEAST_CELL / self._cell - 1e-9)  # each is named, or every second, third, ...
        ax.set_xticks(range(0, len(labels), step), labels[::step], rotation=90)
        ax.set_yticks(range(0, len(labels), step), labels[::step])
        ax.tick_params(length=0, pad=2, top=False, bottom=False, labeltop=True, labelbottom=False)

    def _draw_key(self, ax: Axes) -> list[Artist]:
        """A strip of the ramp with its numbers, and below it holes with theirs; in inches."""
        in_inches(ax)
        low, high = self._range
        base = 0.2 * self._has_widths
        small: dict[str, Any] = {"size": SIZES["small"], "va": "center"}
        words = f"{in_words(self.measure)}; darker: more alike"
        made: list[Artist] = [ax.text(0.05, base + 0.46, words, **small)]
        step = 1.8 / len(RAMP)
        made += [
            ax.add_patch(Rectangle((0.05 + at * step, base + 0.25), step, 0.1, facecolor=colour))
            for at, colour in enumerate(RAMP if self.better == "higher" else RAMP[::-1])
        ]
        shares = ((0.0, "left"), (0.5, "center"), (1.0, "right"))
        made += [
            ax.text(
                0.05 + share * 1.8,
                base + 0.14,
                plain(round(low + share * (high - low), 2)),
                ha=ha,
                **small,
            )
            for share, ha in (shares if high > low else shares[1:2])
        ]
        if not self._has_widths:
            return made
        if len(self.names) > _MOST_SQUARES:
            return [*made, ax.text(0.05, 0.12, "widths are not drawn", **small)]
        made.append(ax.text(0.05, 0.12, "white hole: width of the interval", **small))
        for at, share in enumerate((0.1, 0.3)):
            x, side = 1.95 + 0.55 * at, 0.16 * share**0.5
            made.append(ax.add_patch(Rectangle((x, 0.04), 0.16, 0.16, facecolor=COLOURS["width"])))
            corner = x + 0.08 - side / 2, 0.12 - side / 2
            made.append(ax.add_patch(Rectangle(corner, side, side, facecolor=COLOURS["paper"])))
            made.append(ax.text(x + 0.2, 0.12, f"{share * (high - low):.2g}", **small))
        return made

    def _add_key(self) -> None:
        """The key is the second panel."""

    def _title(self) -> str:
        return (
            f"{in_words(self.measure)} of every pair of {len(self.names)} partitions, ordered by "
            f"similarity: {', '.join(self.names[i] for i in self.order)}"
        )


def _write(ax: Axes, i: int, j: int, shown: tuple[str, str], cell: float) -> Artist:
    low, high = (typeset(end) for end in shown)
    is_wide = 0.056 * len(f"{low} to") < cell
    text = low if low == high else f"{low}{' ' if is_wide else chr(10)}to\n{high}"
    return ax.text(j, i, text, ha="center", va="center", size=SIZES["small"], linespacing=1.15)
