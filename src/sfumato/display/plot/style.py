"""Colours, sizes and fonts of all pictures.

Colour is what the data leave open; ink is what the computer leaves open. One role has one colour,
so that a page can replace each by a variable and follow its light or dark mode.
"""

from collections.abc import Generator
from contextlib import contextmanager
from functools import cache
from typing import Any, Final, cast, final

import matplotlib as mpl
import numpy as np
from matplotlib import font_manager
from matplotlib.axes import Axes
from matplotlib.ft2font import FT2Font
from matplotlib.ticker import MaxNLocator

from sfumato._typing import Floats, Ints
from sfumato.display.text import typeset
from sfumato.errors import InputError

__all__ = [
    "COLOURS",
    "RAMP",
    "SIZES",
    "check_width",
    "drawable",
    "dress",
    "number_axis",
    "percent",
    "plain",
    "ramp",
    "styled",
    "thinned",
]

COLOURS: Final = {
    "ink": "#1b1f24",  # text, single values, and the computer's error
    "muted": "#5f6770",  # text of second rank, axes
    "rule": "#d5d9de",  # grid, tracks, what is empty
    "paper": "#fffffd",  # ground, and the inside of hollow marks
    "width": "#4c8fc4",  # ambiguity: from lower to upper
    "spread": "#c3dcef",  # partial assignment: standard deviation, density
    "deep": "#0f4c81",  # decided, best, matched
    "accent": "#c4540a",  # against: disagreement, the zero line
}
# Nine steps of one hue, each darker than the one before: they survive greyscale.
RAMP: Final = (
    "#eef4f9",
    "#d4e4f1",
    "#b7d2e8",
    "#95bcdc",
    "#6fa3cf",
    "#4a88bd",
    "#2b6ca5",
    "#155089",
    "#07305f",
)
SIZES: Final = {
    "one": 3.35,  # inches: one column of a journal, 85 mm
    "two": 7.0,  # inches: two columns
    "row": 0.225,  # inches: one row of a forest
    "bar": 4.2,  # points, as all below: ambiguity
    "band": 8.0,  # partial assignment
    "dot": 4.6,  # a single value
    "hollow": 4.0,  # head of the pin at the hardened value
    "lift": 5.8,  # its height above the line
    "cap": 5.5,  # height of an error cap
    "error": 0.9,  # line of an error
    "small": 6.5,  # text of second rank; the smallest allowed
    "text": 7.5,
    "title": 8.5,
}
# These have equal widths, so that live text in an SVG fits wherever one of them is installed.
_FONTS = ("Arial", "Helvetica", "Liberation Sans")
# For letters that the others lack, where installed.
_MORE_FONTS = (
    "Noto Sans CJK JP",
    "Noto Sans CJK SC",
    "Hiragino Sans",
    "PingFang SC",
    "Yu Gothic",
    "Microsoft YaHei",
    "Malgun Gothic",
    "WenQuanYi Zen Hei",
    "Arial Unicode MS",
)
_STYLE: Final = {
    "font.size": SIZES["text"],
    "axes.titlesize": SIZES["title"],
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 5.0,
    "axes.titlecolor": COLOURS["ink"],
    "axes.labelsize": SIZES["text"],
    "axes.labelcolor": COLOURS["ink"],
    "axes.labelweight": "normal",
    "axes.labelpad": 3.0,
    "axes.facecolor": "none",
    "axes.grid": False,
    "figure.facecolor": COLOURS["paper"],
    "figure.dpi": 150.0,
    "figure.constrained_layout.w_pad": 0.04,
    "figure.constrained_layout.h_pad": 0.04,
    "text.color": COLOURS["ink"],
    "text.parse_math": False,  # a label with a dollar sign is a label, not a formula
    "text.usetex": False,
    "lines.solid_capstyle": "butt",
    "lines.linestyle": "-",
    "legend.frameon": False,
    "legend.fontsize": SIZES["small"],
    "svg.fonttype": "none",
    "svg.hashsalt": "sfumato",
}
_MOST_TICKS = 12


@cache
def _families() -> list[str]:
    """Installed fonts, in order of preference; what one has not, the next one draws."""
    installed = set(font_manager.get_font_names())
    first, last = ([font for font in fonts if font in installed] for fonts in (_FONTS, _MORE_FONTS))
    return [*first, "DejaVu Sans", *last]


@cache
def _letters() -> frozenset[int]:
    """The letters of the installed fonts."""
    found = (font_manager.findfont(family) for family in _families())
    return frozenset(code for path in found for code in FT2Font(path).get_charmap())


def drawable(text: str) -> str:
    """A text with a box for each letter that no font has, which matplotlib would warn of.

    >>> drawable("a" + chr(0xE000))
    'a□'
    """
    if text.isascii():
        return text
    known = _letters()
    return "".join(letter if ord(letter) in known else "□" for letter in text)


@contextmanager
def styled() -> Generator[None]:
    """The style of one picture; nothing of it stays in the user's session."""
    with mpl.rc_context(cast("Any", {**_STYLE, "font.family": _families()})):
        yield


def check_width(width: object) -> None:
    """Refuse a width that is not that of one or two columns of a journal."""
    if width not in ("one", "two"):
        raise InputError(f"width is 'one' or 'two' columns of a journal, got {width!r}.")


def dress(ax: Axes, *, left: bool = True) -> None:
    """Give axes the style, also those that were made without it. ``left``: draw a left axis."""
    for side, spine in ax.spines.items():
        spine.set_visible(side == "bottom" or (side == "left" and left))
        spine.set_color(COLOURS["muted"])
        spine.set_linewidth(0.6)
    ax.tick_params(
        axis="both",
        which="both",
        color=COLOURS["muted"],
        labelcolor=COLOURS["ink"],
        labelsize=SIZES["small"],
        labelfontfamily=_families(),
        length=2.5,
        width=0.6,
        top=False,
        right=False,
    )
    ax.tick_params(axis="y", length=0, left=left)
    ax.set_axisbelow(True)
    for label in (ax.xaxis.label, ax.yaxis.label):
        label.set(color=COLOURS["ink"], size=SIZES["text"], family=_families())
    for axis in (ax.xaxis, ax.yaxis):  # ticks made later would take the user's style
        axis.get_major_ticks(_MOST_TICKS)


@final
class _Within(MaxNLocator):
    """Ticks where a value can be: none beyond the range of a measure."""

    def __init__(self, nbins: int, bounds: tuple[float, float]) -> None:
        super().__init__(nbins=nbins, steps=[1, 2, 2.5, 5, 10])
        self._bounds = bounds

    def tick_values(self, vmin: float, vmax: float) -> Any:
        ticks = np.asarray(super().tick_values(vmin, vmax))
        room = 1e-9 * (vmax - vmin)
        return ticks[(ticks >= self._bounds[0] - room) & (ticks <= self._bounds[1] + room)]


def number_axis(ax: Axes, nbins: int, bounds: tuple[float, float]) -> None:
    """Number the horizontal axis, within the range of a measure."""
    ax.xaxis.set_major_locator(_Within(nbins, bounds))
    ax.xaxis.set_major_formatter(plain)


def ramp(share: float) -> str:
    """The step of the ramp for a share of the range, from 0 to 1."""
    return RAMP[min(len(RAMP) - 1, max(0, int(share * len(RAMP))))]


def plain(value: float, _: object = None) -> str:
    """A number for an axis, with a true minus sign, which zero never has."""
    return typeset(f"{value:zg}")


def percent(share: float, _: object = None) -> str:
    """A share as a percentage, with a thin space before the sign."""
    return f"{100 * share:g}\N{THIN SPACE}%"


def thinned(n_points: int, most: int = 400) -> Ints:
    """Places of at most so many points of a long curve, first and last kept: for drawing only."""
    places: Floats = np.linspace(0, n_points - 1, min(n_points, most))
    return np.unique(places.round().astype(np.int64))
