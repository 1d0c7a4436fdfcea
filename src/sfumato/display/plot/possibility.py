"""The possibility of every value, with its level cuts."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import numpy as np
from matplotlib.figure import Figure

from sfumato._typing import Floats
from sfumato.display.known import Known
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import known_tip
from sfumato.display.plot.style import COLOURS, SIZES, thinned
from sfumato.display.plot.under import draw_under
from sfumato.display.words import in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["PossibilityDisplay"]


@final
@dataclass(eq=False)
class PossibilityDisplay(Display):
    """The possibility of every value (possibilistic partitions read with a t-norm).

    Each level cut, from the smallest to the largest value that is at least so possible, is a line
    with its ends written. The curve is the possibility; the filled hull holds all cuts.

    Parameters
    ----------
    values, possibilities : ndarray of shape (m,)
        Values in increasing order.
    known : Known
        Lower and upper (Choquet) expectation; its ``cuts`` are the levels that are drawn.
    """

    values: Floats
    possibilities: Floats
    known: Known

    def _panels(self) -> tuple[int, int]:
        return 1, 1

    def _set_out(self, figure: Figure) -> "tuple[Axes, ...]":
        figure.set_size_inches(SIZES["one"], 2.2)
        return (figure.add_subplot(),)

    def _draw(self, axes: "tuple[Axes, ...]") -> Artists:
        (ax,) = axes
        rising = np.maximum.accumulate(self.possibilities)
        falling = np.maximum.accumulate(self.possibilities[::-1])[::-1]
        hull = np.minimum(rising, falling)
        kept = thinned(len(self.values))
        artists: Artists = {
            "hull": [
                ax.fill_between(
                    self.values[kept], 0, hull[kept], color=COLOURS["spread"], linewidth=0
                )
            ],
            "possibility": [
                *ax.plot(
                    self.values[kept],
                    self.possibilities[kept],
                    color=COLOURS["width"],
                    linewidth=0.9,
                    zorder=3,
                )
            ],
            "cut lines": [],
            "texts": [],
        }
        shown = [float(self.values[0]), float(self.values[-1])]
        if self.known.hardened is not None:
            shown.append(self.known.hardened)
        span = max(shown) - min(shown) or 0.1
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
            text = f"{low:.2f}" if high - low < 1e-9 else f"{low:.2f} to {high:.2f}"
            is_narrow = high - low < 0.3 * span
            artists["texts"].append(
                ax.annotate(
                    text.replace("-", "\N{MINUS SIGN}"),
                    (low if is_narrow else (low + high) / 2, level),
                    xytext=(-4, 0) if is_narrow else (0, 1),
                    textcoords="offset points",
                    ha="right" if is_narrow else "center",
                    va="center" if is_narrow else "bottom",
                    size=SIZES["small"],
                    zorder=5,
                )
            )
        artists |= draw_under(ax, self.known, top=1.1)
        levels = [level for level, _, _ in self.known.cuts]
        ax.set_yticks([0, *levels], [f"{level:g}" for level in (0, *levels)])
        ax.set_ylabel("possibility", y=0.6)
        ax.set_xlim(min(shown) - 0.05 * span, max(shown) + 0.05 * span)
        return artists

    def _add_key(self) -> None:
        """Nothing needs a key: the cuts are written."""

    def _title(self) -> str:
        cuts = "; ".join(
            f"at least {level:g} possible: {low:.3f} to {high:.3f}"
            for level, low, high in self.known.cuts
        )
        return f"possibility of the {in_words(self.known.measure)}, {known_tip(self.known)}; {cuts}"
