"""The objects that make a comparison uncertain, ranked by their shares."""

from dataclasses import dataclass
from textwrap import fill
from typing import Literal, final

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sfumato._typing import Floats
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.style import COLOURS, SIZES, dress, percent, thinned
from sfumato.display.plot.svg import tip
from sfumato.display.words import in_words

__all__ = ["SharesDisplay"]


@final
@dataclass(eq=False)
class SharesDisplay(Display):
    """Objects ranked by their share of the uncertainty.

    Shares of a variance add up, so a second panel shows how much the first objects explain
    together. Shares of a width do not add up: there is no such panel.

    Parameters
    ----------
    shares : ndarray of shape (n,)
    labels : tuple of str
        One for each object.
    of : {"variance", "width"}
        What the shares are of.
    most : int
        Objects that are drawn.
    measure : str
        Whose variance or interval is shared out.
    """

    shares: Floats
    labels: tuple[str, ...]
    of: Literal["variance", "width"]
    most: int = 20
    measure: str = ""

    @property
    def order(self) -> list[int]:
        """The drawn objects, largest share first; those without a share are left out."""
        ranked = np.argsort(-self.shares, kind="stable")[: self.most]
        return ranked[self.shares[ranked] > 0].tolist()

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        figure.set_size_inches(SIZES["one"], 0.14 * max(4, len(self.order)) + 0.9)
        if self.of == "width":
            return (figure.add_subplot(),)
        return tuple(figure.subplots(1, 2, width_ratios=(1.15, 1)))

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
        ax, order = axes[0], self.order
        dress(ax, left=False)
        places = np.arange(len(order))
        bars = ax.barh(places, self.shares[order], height=0.66, color=COLOURS["width"])
        for bar, at in zip(bars, order, strict=True):
            tip(bar, f"object {self.labels[at]}: {self.shares[at]:.2%}")
        most = 18 if self.of == "variance" else 30
        ax.set_yticks(places, self._names([self.labels[at] for at in order], most))
        ax.set_ylabel("object", size=SIZES["small"])
        ax.set_ylim(max(len(order), 4) - 0.4, -0.6)
        ax.set_xlim(0, None if order else 1)
        ax.xaxis.set_major_formatter(percent)
        ax.locator_params(axis="x", nbins=3)
        ax.set_xlabel(fill(self._meaning, 30 if len(axes) > 1 else 60), size=SIZES["small"])
        n_open = int((self.shares > 0).sum())
        title = "all shares"
        if n_open > len(order):
            title = f"largest of {n_open:,} shares"
        ax.set_title(title if n_open else "no object is uncertain", size=SIZES["text"])
        artists: Artists = {"bars": [*bars]}
        if len(axes) > 1:
            artists |= self._draw_sum(axes[1])
        return artists

    @property
    def _meaning(self) -> str:
        of = f" of the {in_words(self.measure)}" if self.measure else ""
        if self.of == "variance":
            return f"share of the variance{of}"
        return f"by how much the interval{of} narrows, at least, once the object is known"

    def _draw_sum(self, ax: Axes) -> Artists:
        dress(ax)
        n = len(self.shares)
        total = np.concatenate([[0.0], np.cumsum(np.sort(self.shares)[::-1])])
        kept, shown = thinned(len(total)), len(self.order)
        is_part = 0 < shown < n  # else there is nothing to point at
        even = ax.plot([0, n], [0, total[-1]], color=COLOURS["muted"], linewidth=0.6, zorder=2)
        even[0].set_linestyle((0, (2, 2)))
        drawn = ax.fill_between(
            np.arange(shown + 1), 0, total[: shown + 1], color=COLOURS["spread"], linewidth=0
        )
        curve = ax.plot(kept, total[kept], color=COLOURS["deep"], linewidth=1.4, zorder=3)
        is_left = 2 * shown <= n
        together = ax.annotate(
            f"first {shown}: {percent(round(total[shown], 2))}" if is_part else "",
            (shown, total[shown]),
            xytext=(5 if is_left else -5, -4),
            textcoords="offset points",
            ha="left" if is_left else "right",
            va="top",
            size=SIZES["small"],
            weight="bold",
            bbox={"facecolor": COLOURS["paper"], "edgecolor": "none", "pad": 0.8},
            zorder=4,
        )
        ax.set_xlim(0, n)
        ax.set_ylim(0, 1.04)
        ax.set_yticks([0, 0.5, 1], [percent(share) for share in (0, 0.5, 1)])
        ax.locator_params(axis="x", nbins=4, integer=True)
        words = "objects, largest share\nfirst; dashed: all alike"
        ax.set_xlabel(words, size=SIZES["small"])
        half = int(np.searchsorted(total, total[-1] / 2))
        words = f"{half:,} make half" if half > 1 else "one makes half"
        ax.set_title(words if total[-1] > 0 else "", size=SIZES["text"])
        return {"sum": [*curve], "even": [*even], "first": [drawn, together]}

    def _add_key(self) -> None:
        """Nothing needs a key: the lines are named."""

    def _title(self) -> str:
        first = ", ".join(f"{self.labels[at]} {self.shares[at]:.1%}" for at in self.order[:5])
        return f"objects, largest first, by {self._meaning}: {first or 'none'}"
