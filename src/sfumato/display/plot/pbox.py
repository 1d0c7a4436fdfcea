"""Belief and plausibility that a value is at most t, named at their curves."""

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from sfumato._typing import Floats
from sfumato.display.known import Known
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import known_tip
from sfumato.display.plot.key import add_key, key_height
from sfumato.display.plot.style import COLOURS, SIZES, thinned
from sfumato.display.plot.value import draw_under
from sfumato.display.words import in_words

__all__ = ["PBoxDisplay"]

_ROOM = 0.2  # of the width, for the name of a curve


@final
@dataclass(eq=False)
class PBoxDisplay(Display):
    """A p-box: what is believed and what is plausible of "the value is at most t".

    Between the two curves lies what the ambiguity leaves open.

    Parameters
    ----------
    lows, highs, masses : ndarray of shape (m,)
        Smallest and largest value of each focal set, and its mass.
    known : Known
        Lower and upper expectation.
    at : float or None
        A threshold t, whose belief and plausibility are written on the curves.
    """

    lows: Floats
    highs: Floats
    masses: Floats
    known: Known
    at: float | None = None

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        figure.set_size_inches(SIZES["one"], 2.2 + key_height([self.known]))
        return (figure.add_subplot(),)

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
        (ax,) = axes
        left, right = float(self.lows.min()), float(self.highs.max())
        if self.known.hardened is not None:
            left, right = min(left, self.known.hardened), max(right, self.known.hardened)
        margin = 0.06 * (right - left) or 0.05
        limits = left - margin, right + margin
        known = replace(self.known, name=self._text(self.known.name))
        ax.set_xlim(*limits)
        plausible = _curve(self.lows, self.masses, limits)
        believed = _curve(self.highs, self.masses, limits)
        grid: Floats = np.unique(np.concatenate([plausible[0], believed[0]]))
        upper, lower = (
            heights[np.searchsorted(places, grid, side="right") - 1]
            for places, heights in (plausible, believed)
        )
        look: dict[str, Any] = {
            "where": "post",
            "color": COLOURS["deep"],
            "linewidth": 1.3,
            "zorder": 3,
        }
        artists: Artists = {
            "between": [
                ax.fill_between(
                    grid, lower, upper, step="post", color=COLOURS["width"], linewidth=0
                )
            ],
            "plausibility": list(ax.step(*plausible, label="plausibility", **look)),
            "belief": list(ax.step(*believed, label="belief", **look)),
            "texts": [
                _name(ax, plausible, 0.8, "plausible", -1),
                _name(ax, believed, 0.2, "believed", 1),
            ],
        }
        if self.at is not None:
            artists |= self._draw_reading(ax, self.at)
        artists |= draw_under(ax, known, top=1.06 if self.at is None else 1.17)
        ax.set_yticks([0, 0.5, 1], ["0", "½", "1"])
        ax.set_ylabel("degree of “at most t”", y=0.6)
        return artists

    def _draw_reading(self, ax: Axes, at: float) -> Artists:
        belief = float(self.masses[self.highs <= at].sum())
        plausibility = float(self.masses[self.lows <= at].sum())
        line = ax.plot([at, at], [belief, plausibility], "o-", color=COLOURS["ink"], zorder=5)
        line[0].set(markersize=3, linewidth=0.9)
        texts = [
            ax.annotate(
                f"{name}(≤ {at:g}) = {degree:.2f}",
                (at, degree),
                xytext=shift,
                textcoords="offset points",
                ha=ha,
                va=va,
                size=SIZES["small"],
                zorder=5,
            )
            for name, degree, shift, ha, va in (
                ("Pl", plausibility, (0, 4), "center", "bottom"),
                ("Bel", belief, (5, -1), "left", "top"),
            )
        ]
        return {"reading": [*line, *texts]}

    def _add_key(self) -> None:
        add_key(self.figure_, [self.known])

    def _title(self) -> str:
        return (
            f"belief and plausibility of the {in_words(self.known.measure)}, "
            f"{known_tip(self.known)}"
        )


def _curve(ends: Floats, masses: Floats, limits: tuple[float, float]) -> tuple[Floats, Floats]:
    """Steps of the mass of ends at or below each place, from 0 to 1 over the limits."""
    order = np.argsort(ends, kind="stable")
    cumulative = np.cumsum(masses[order])
    last = np.append(np.diff(ends[order]) > 0, True)  # where several ends are equal, the last
    places, heights = ends[order][last], cumulative[last]
    kept = thinned(len(places))
    places = np.concatenate([limits[:1], places[kept], limits[1:]])
    return places, np.concatenate([[0.0], heights[kept], [heights[-1]]])


def _name(
    ax: Axes, curve: tuple[Floats, Floats], height: float, text: str, side: int
) -> Annotation:
    """Name a curve beside it, to the left (-1) or right (1); on the other side at an edge."""
    places, heights = curve
    at = float(places[np.searchsorted(heights, height)])
    low, high = ax.get_xlim()
    room = (at - low if side < 0 else high - at) / (high - low)
    is_outside = room > _ROOM
    side = side if is_outside else -side
    return ax.annotate(
        text,
        (at, height),
        xytext=(4 * side, 0),
        textcoords="offset points",
        ha="right" if side < 0 else "left",
        va="center",
        size=SIZES["small"],
        color=COLOURS["deep"] if is_outside else COLOURS["paper"],
        weight="bold",
        zorder=5,
    )
