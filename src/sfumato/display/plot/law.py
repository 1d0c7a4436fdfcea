"""The whole law of a value, with its mean and quantiles."""

from dataclasses import dataclass, replace
from typing import final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sfumato._typing import Floats
from sfumato.display.known import Known
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import known_tip
from sfumato.display.plot.key import add_key, key_height
from sfumato.display.plot.style import COLOURS, SIZES, percent
from sfumato.display.plot.value import draw_under
from sfumato.display.text import number, typeset
from sfumato.display.words import in_words

__all__ = ["LawDisplay"]

_BINS = 60
_RARE = 5e-4  # of the probability is cut off the drawing on either side


@final
@dataclass(eq=False)
class LawDisplay(Display):
    """The law of a value (fuzzy partitions): probabilities, quantiles, and the mean below.

    Parameters
    ----------
    values, probabilities : ndarray of shape (m,)
        Values in increasing order.
    known : Known
        Mean and standard deviation.
    quantiles : tuple of float
        Drawn as labelled dashed lines.
    """

    values: Floats
    probabilities: Floats
    known: Known
    quantiles: tuple[float, ...] = (0.05, 0.5, 0.95)

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        figure.set_size_inches(SIZES["one"], 2.0 + key_height([self.known], n_more=1))
        return (figure.add_subplot(),)

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
        (ax,) = axes
        artists: Artists = {}
        cumulative: Floats = np.cumsum(self.probabilities)
        cumulative /= cumulative[-1]
        if len(self.values) <= _BINS:  # few values: one line each
            low, high = float(self.values[0]), float(self.values[-1])
            heights = self.probabilities
            lines = ax.vlines(
                self.values, 0, heights, color=COLOURS["width"], linewidth=2.2, zorder=3
            )
            artists["law"] = [lines]
        else:
            ends = np.searchsorted(cumulative, (_RARE, 1 - _RARE)).clip(0, len(self.values) - 1)
            low, high = self.values[ends].tolist()
            heights, edges = np.histogram(
                self.values, np.linspace(low, high, _BINS + 1), weights=self.probabilities
            )
            filled = ax.stairs(heights, edges, fill=True, color=COLOURS["spread"])
            outline = ax.stairs(heights, edges, color=COLOURS["width"], linewidth=0.7)
            artists["law"] = [filled, outline]
        peak = float(heights.max())
        known = replace(self.known, name=self._text(self.known.name))
        shown = [low, high] if known.hardened is None else [low, high, known.hardened]
        margin = 0.06 * (max(shown) - min(shown)) or 0.05
        ax.set_xlim(min(shown) - margin, max(shown) + margin)
        artists |= self._draw_quantiles(ax, cumulative, peak)
        artists |= draw_under(ax, known, top=1.36, peak=peak)
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        ax.set_ylabel("probability", y=0.5)
        return artists

    def _draw_quantiles(self, ax: Axes, cumulative: Floats, peak: float) -> Artists:
        found = self.values[np.searchsorted(cumulative, np.array(self.quantiles) - 1e-12)]
        named: dict[float, list[str]] = {}  # quantiles that coincide share a line
        for at, q in zip(found.tolist(), self.quantiles, strict=True):
            named.setdefault(at, []).append(percent(q))
        lines = [
            ax.plot(
                [at, at],
                [0, 1.04 * peak],
                color=COLOURS["ink"],
                linewidth=0.7,
                linestyle=(0, (2, 2)),
                zorder=4,
            )[0]
            for at in named
        ]
        low, high = ax.get_xlim()
        least = 0.14 * (high - low)
        places = _apart(list(named), least, (low + least / 2, high - least / 2))
        texts = [
            ax.text(
                x, up * peak, text, ha="center", va="bottom", size=SIZES["small"], weight=weight
            )
            for x, (at, shares) in zip(places, named.items(), strict=True)
            for up, text, weight in (
                (1.06, ", ".join(shares), "normal"),
                (1.19, typeset(number(at, 2)), "bold"),
            )
        ]
        return {"quantiles": [*lines], "texts": [*texts]}

    def _add_key(self) -> None:
        add_key(self.figure_, [self.known], also=["quantile"])

    def _title(self) -> str:
        return f"law of the {in_words(self.known.measure)}, {known_tip(self.known)}"


def _apart(places: list[float], least: float, limits: tuple[float, float]) -> list[float]:
    """Move places in increasing order apart until none are closer than ``least``."""
    steps: Floats = least * np.arange(len(places), dtype=np.float64)
    shifted: Floats = np.array(places, dtype=np.float64) - steps
    rising: Floats = np.maximum.accumulate(shifted) + np.minimum.accumulate(shifted[::-1])[::-1]
    low, high = limits[0], max(limits[0], limits[1] - steps[-1])
    return (np.clip(rising / 2, low, high) + steps).tolist()
