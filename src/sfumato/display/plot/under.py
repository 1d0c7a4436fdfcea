"""The glyph that sums up a whole answer, drawn under its curve on the same axes."""

from typing import TYPE_CHECKING

from sfumato.display.known import Known
from sfumato.display.plot.base import Artists
from sfumato.display.plot.glyph import draw_known
from sfumato.display.plot.style import dress, number_axis
from sfumato.display.plot.value import axis_label, heading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FOOT", "draw_under"]

FOOT = -0.17  # height of the glyph, in units of the highest point of the curve


def draw_under(ax: "Axes", known: Known, *, top: float, peak: float = 1.0) -> Artists:
    """Draw the glyph under a curve that goes from 0 to ``peak``; label the axes.

    The horizontal limits must be set.
    """
    artists = draw_known(ax, FOOT * peak, known)
    dress(ax)
    ax.set_ylim(2 * FOOT * peak, top * peak)
    ax.spines["left"].set_bounds(0, peak)
    number_axis(ax, 6, known.bounds)
    ax.set_xlabel(axis_label(known))
    ax.set_title(heading(known))
    return artists
