"""Draw what is known of a value. Only this module imports matplotlib."""

# pyright: reportUnknownMemberType=false

from typing import TYPE_CHECKING, cast

import numpy as np

from sfumato._optional import require
from sfumato._typing import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_interval", "plot_steps"]


def _axes(ax: "Axes | None") -> "Axes":
    if ax is not None:
        return ax
    pyplot = require("matplotlib.pyplot", extra="plot", needed_by="plot")
    return cast("Axes", pyplot.subplots(figsize=(6, 3.2), layout="constrained")[1])


def plot_interval(
    ends: tuple[float, float],
    outer: tuple[float, float],
    *,
    label: str,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw an interval as a thick bar, and the outer sides of its brackets as a thin bar."""
    axes = _axes(ax)
    finite = [end if np.isfinite(end) else near for end, near in zip(outer, ends, strict=True)]
    axes.plot(finite, [0, 0], color="0.6", linewidth=2, zorder=1)
    axes.plot(ends, [0, 0], color="C0", linewidth=8, solid_capstyle="butt", zorder=2)
    axes.plot(ends, [0, 0], "|", color="C0", markersize=18, zorder=3)
    axes.set_yticks([])
    axes.set_xlabel(label)
    return axes


def plot_steps(
    lows: Floats, highs: Floats, masses: Floats, *, label: str, ax: "Axes | None" = None
) -> "Axes":
    """Draw the plausibility and the belief that the value is at most t (a p-box)."""
    axes = _axes(ax)
    low_order, high_order = np.argsort(lows), np.argsort(highs)
    left, right = float(lows.min()), float(highs.max())
    margin = 0.05 * (right - left) or 0.05
    grid = np.unique(np.concatenate([lows, highs, [left - margin, right + margin]]))
    plausible = _cumulative(lows[low_order], masses[low_order], grid)
    believed = _cumulative(highs[high_order], masses[high_order], grid)
    axes.fill_between(grid, believed, plausible, step="post", alpha=0.25, color="C0", linewidth=0)
    axes.step(grid, plausible, where="post", color="C0", label="plausibility")
    axes.step(grid, believed, where="post", color="C1", label="belief")
    axes.set_xlabel(label)
    axes.set_ylabel("at most")
    axes.legend()
    return axes


def _cumulative(values: Floats, masses: Floats, grid: Floats) -> Floats:
    total = np.concatenate([[0.0], np.cumsum(masses)])
    return total[np.searchsorted(values, grid, side="right")]
