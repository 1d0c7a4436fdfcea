"""Set out a panel with a key below it."""

from typing import TYPE_CHECKING

from matplotlib.figure import Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["in_inches", "with_key_below"]


def with_key_below(figure: Figure, height: float, foot: float) -> "tuple[Axes, Axes]":
    """A panel, and a key over the whole width below it; heights in inches."""
    parts = figure.subfigures(2, 1, squeeze=False, height_ratios=(height, foot))
    top, below = parts[:, 0]
    return top.add_subplot(), below.add_axes((0, 0, 1, 1))


def in_inches(ax: "Axes") -> float:
    """Hide the axes and give them coordinates in inches from the lower left; return their width."""
    dpi = ax.figure.dpi
    box = ax.get_window_extent()
    ax.axis("off")
    ax.set_xlim(0, box.width / dpi)
    ax.set_ylim(0, box.height / dpi)
    return box.width / dpi
