"""The possibility of every value, with its level cuts."""

from dataclasses import dataclass, replace
from typing import Literal, final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sfumato._typing import Floats
from sfumato.display.known import Known
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import known_tip
from sfumato.display.plot.key import add_key, key_height
from sfumato.display.plot.style import COLOURS, SIZES, thinned
from sfumato.display.plot.value import draw_under
from sfumato.display.text import ends, typeset
from sfumato.display.words import in_words

__all__ = ["PossibilityDisplay"]

_FEW = 60  # values


@final
@dataclass(eq=False)
class PossibilityDisplay(Display):
    """The possibility of every value (possibilistic partitions read with a t-norm).

    Each level cut, from the smallest to the largest value that is at least so possible, is a line
    with its ends written to the right of the axes. The curve is the possibility; the filled steps
    hold all cuts.

    Parameters
    ----------
    values, possibilities : ndarray of shape (m,)
        Values in increasing order.
    known : Known
        Lower and upper (Choquet) expectation; its ``cuts`` are the levels that are drawn.
    is_complete : bool
        Whether all possible values are given, not only the ends of the cuts. A few values are
        drawn as single lines.
    """

    values: Floats
    possibilities: Floats
    known: Known
    is_complete: bool = True

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        figure.set_size_inches(SIZES["one"], 2.2 + key_height([self.known]))
        return (figure.add_subplot(),)

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
        (ax,) = axes
        artists: Artists = {**self._draw_curve(ax), "cut lines": [], "texts": []}
        shown = [float(self.values[0]), float(self.values[-1])]
        if self.known.hardened is not None:
            shown.append(self.known.hardened)
        span = max(shown) - min(shown) or 0.1
        ax.set_xlim(min(shown) - 0.05 * span, max(shown) + 0.05 * span)
        for level, low, high in self.known.cuts:
            artists["cut lines"] += ax.plot(
                [low, high],
                [level, level],
                "|-",
                color=COLOURS["ink"],
                linewidth=0.8,
                markersize=5,
                markeredgewidth=0.9,
                zorder=4,
            )
            text = f"{low:z.2f}" if high - low < 1e-9 else f"{low:z.2f} to {high:z.2f}"
            artists["texts"].append(
                ax.annotate(  # beside the axes, where no curve is
                    typeset(text),
                    (1, level),
                    xycoords=("axes fraction", "data"),
                    xytext=(3, 0),
                    textcoords="offset points",
                    va="center",
                    size=SIZES["small"],
                    annotation_clip=False,
                )
            )
        artists["texts"].append(
            ax.annotate(
                "level cut",
                (1, 1),
                xycoords="axes fraction",
                xytext=(3, 3),
                textcoords="offset points",
                size=SIZES["small"],
                color=COLOURS["muted"],
            )
        )
        known = replace(self.known, name=self._text(self.known.name))
        artists |= draw_under(ax, known, top=1.1)
        levels = [level for level, _, _ in self.known.cuts]
        ax.set_yticks([0, *levels], [f"{level:g}" for level in (0, *levels)])
        ax.set_ylabel("possibility", y=0.6)
        return artists

    def _draw_curve(self, ax: Axes) -> Artists:
        if self.is_complete and len(self.values) <= _FEW:  # nothing between them is possible
            stems = ax.vlines(self.values, 0, self.possibilities, color=COLOURS["width"])
            stems.set(linewidth=2.2, zorder=3)
            return {"possibility": [stems]}
        peak = int(np.argmax(self.possibilities))
        rising = np.maximum.accumulate(self.possibilities[: peak + 1])
        falling = np.maximum.accumulate(self.possibilities[peak:][::-1])[::-1]
        sides: list[tuple[Floats, Floats, Literal["post", "pre"]]] = [
            (self.values[: peak + 1], rising, "post"),
            (self.values[peak:], falling, "pre"),
        ]
        hull = [
            ax.fill_between(places, 0, heights, step=step, color=COLOURS["spread"], linewidth=0)
            for places, heights, step in sides
        ]
        if self.is_complete:
            kept = thinned(len(self.values))
            curve = ax.plot(self.values[kept], self.possibilities[kept])
        else:  # between the ends of cuts nothing more is known
            curve = [line for x, y, step in sides for line in ax.step(x, y, where=step)]
        for line in curve:
            line.set(color=COLOURS["width"], linewidth=0.9, zorder=3)
        return {"hull": [*hull], "possibility": [*curve]}

    def _add_key(self) -> None:
        add_key(self.figure_, [self.known])

    def _title(self) -> str:
        trust = self.known.guarantee
        cuts = "; ".join(
            f"at least {level:g} possible: {' to '.join(ends(*cut, guarantee=trust, digits=3))}"
            for level, *cut in self.known.cuts
        )
        return f"possibility of the {in_words(self.known.measure)}, {known_tip(self.known)}; {cuts}"
