"""One value, in a picture of its own or under the curve of a whole answer."""

from dataclasses import dataclass, replace
from textwrap import fill
from typing import final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sfumato.display.known import Known
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import draw_known, known_tip, span_of
from sfumato.display.plot.key import add_key, key_height
from sfumato.display.plot.style import SIZES, dress, number_axis
from sfumato.display.text import typeset
from sfumato.display.words import direction, in_words, shortened

__all__ = ["ValueDisplay", "draw_under"]

_FOOT = -0.17  # height of the glyph, in units of the highest point of the curve
_LINE = 38  # letters of a heading that fit on one line of a column


def _axis_label(known: Known) -> str:
    """Name of the measure in words, and which way is better."""
    return fill(f"{in_words(known.measure)}, {direction(known.better)}", 50)


def _heading(known: Known) -> str:
    """The name and what is known, for the title of a picture; ± is a standard deviation.

    Both stand on one line of a column if they fit there.
    """
    value, std = typeset(known.value_text()), known.std_text()
    value = f"{value} ± {std}" if std and known.is_single else value
    if not known.name:
        return value
    end = " " if len(known.name) + len(value) <= _LINE else "\n"
    return f"{shortened(known.name, _LINE)}:{end}{value}"


def draw_under(ax: Axes, known: Known, *, top: float, peak: float = 1.0) -> Artists:
    """Draw the glyph under a curve that goes from 0 to ``peak``; label the axes.

    The horizontal limits must be set.
    """
    artists = draw_known(ax, _FOOT * peak, known)
    dress(ax)
    ax.set_ylim(2 * _FOOT * peak, top * peak)
    ax.spines["left"].set_bounds(0, peak)
    number_axis(ax, 6, known.bounds)
    ax.set_xlabel(_axis_label(known))
    ax.set_title(_heading(known))
    return artists


@final
@dataclass(eq=False)
class ValueDisplay(Display):
    """A mean with its spread and error told apart, or an interval with its brackets.

    The pale band is the spread from partial assignment, the bar the width from ambiguity, an ink
    whisker the error of the computation; a pin with a hollow head marks the hardened value.

    Parameters
    ----------
    known : Known
    """

    known: Known

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        more = _heading(self.known).count("\n") + _axis_label(self.known).count("\n")
        figure.set_size_inches(SIZES["one"], 0.95 + key_height([self.known]) + 0.16 * more)
        return (figure.add_subplot(),)

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
        (ax,) = axes
        known = replace(self.known, name=self._text(self.known.name))
        dress(ax, left=False)
        ax.set_xlim(*span_of([known]))
        artists = draw_known(ax, 0.0, known)
        ax.set_ylim(-1, 1)
        ax.set_yticks([])
        number_axis(ax, 5, known.bounds)
        ax.set_xlabel(_axis_label(known))
        ax.set_title(_heading(known))
        return artists

    def _add_key(self) -> None:
        add_key(self.figure_, [self.known], also=["beyond"] if "beyond" in self.artists_ else [])

    def _title(self) -> str:
        return f"{in_words(self.known.measure)}, {known_tip(self.known)}"
