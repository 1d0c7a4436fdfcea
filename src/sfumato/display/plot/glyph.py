"""One glyph for everything that can be known of a number.

From back to front: a pale band (spread, from partial assignment), a bar (width, from ambiguity), a
dot (a single value), ink whiskers (the computer's error) and a pin with a hollow head (the value
after hardening). What is zero is not drawn, so that the kinds tell themselves apart. Caps carry the
guarantee.
"""

from collections.abc import Iterable, Sequence
from math import inf, isfinite, isinf
from typing import Any, Final, Literal, TypeAlias, cast

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.path import Path
from matplotlib.transforms import offset_copy

from sfumato.display.known import Known
from sfumato.display.plot.base import Artists
from sfumato.display.plot.style import COLOURS, SIZES
from sfumato.display.plot.svg import tip
from sfumato.display.text import number, typeset

__all__ = [
    "CAPS",
    "Role",
    "cap_look",
    "draw_known",
    "draw_rows",
    "error_role",
    "has_band",
    "has_bar",
    "head_look",
    "known_tip",
    "mirrored",
    "span_of",
]

Role: TypeAlias = Literal[
    "dot",
    "band",
    "bar",
    "closed",
    "cuts",
    "confidence",
    "certified",
    "inner",
    "beyond",
    "hollow",
    "reach",
    "quantile",
]
_LEAST_ERROR = 1e-6  # a narrower bracket is rounding, and its caps would stand on one another
_REACH = 2.0  # an axis without a bound goes so much further than the ends nearest to the others
_NARROW_CUT = 0.25  # the axis shows cuts at this level and above; the foot may run off its edge

# Caps as left ends; right ends are their mirror images. 1 is half of the height of a cap.
CAPS: Final = {
    "confidence": Path([(0, -1), (0, 1)]),
    "certified": Path([(0.55, -1), (0, -1), (0, 1), (0.55, 1)]),
    "inner": Path(
        [(0, 0), (-2.6, 0), (-1.7, 0.8), (-2.6, 0), (-1.7, -0.8)],
        [Path.MOVETO, Path.LINETO, Path.MOVETO, Path.LINETO, Path.LINETO],
    ),
}


def draw_known(ax: Axes, y: float, known: Known, *, size: float = 1.0) -> Artists:
    """Draw what is known of one number at height y; ``size`` scales all thicknesses.

    The limits of the axis must be set: what lies beyond them ends there, with an arrow.
    """
    artists: Artists = {}
    edges = ax.get_xlim()
    least, most = known.bounds

    def line(role: str, ends: tuple[float, float], width: float, colour: str, z: float) -> None:
        stops = [
            edge if isinf(end) else min(max(end, least), most)
            for end, edge in zip(ends, edges, strict=True)
        ]
        look: dict[str, Any] = {"linewidth": width * size, "zorder": z, "solid_capstyle": "butt"}
        artists.setdefault(role, []).extend(ax.plot(stops, [y, y], color=colour, **look))

    if known.cuts:
        for level, low, high in sorted(known.cuts):
            thick = SIZES["band"] * (0.25 + 0.75 * level)
            line("cuts", (low, high), thick, COLOURS["spread"], 2)
    elif has_band(known):
        below, above = (std if isfinite(std) else 0.0 for std in known.stds)
        ends = known.lower - below, known.upper + above
        line("band", ends, SIZES["band"], COLOURS["spread"], 2)
    if has_bar(known):
        line("bar", (known.lower, known.upper), SIZES["bar"], COLOURS["width"], 3)
        if known.is_closed:
            ends = [end for end in (known.lower, known.upper) if isfinite(end)]
            artists["closed"] = _marks(ax, ends, y, size)
        beyond = _arrows(ax, y, known, size)
        if beyond:
            artists["beyond"] = beyond
    if error_role(known) is not None:
        artists["error"] = _errors(ax, y, known, size)
    if known.is_single:
        look: dict[str, Any] = {"markersize": SIZES["dot"] * size, "markeredgewidth": 0}
        artists["dot"] = [*ax.plot([known.lower], [y], "o", color=COLOURS["ink"], zorder=5, **look)]
    if known.hardened is not None:
        artists["hollow"] = _pin(ax, known.hardened, y, size)
    for each in artists.values():
        for artist in each:
            tip(artist, known_tip(known))
    return artists


def draw_rows(ax: Axes, rows: Sequence[Known]) -> Artists:
    """Draw what is known of several numbers at the heights 0, 1, ..., each on a faint line."""
    artists: Artists = {}
    for y, row in enumerate(rows):
        for role, drawn in draw_known(ax, y, row).items():
            artists.setdefault(role, []).extend(drawn)
    look: dict[str, Any] = {"color": COLOURS["rule"], "linewidth": 0.5, "zorder": 0}
    ax.hlines(range(len(rows)), 0, 1, transform=ax.get_yaxis_transform(), **look)
    return artists


def known_tip(known: Known) -> str:
    """What a tooltip says."""
    std = known.std_text()
    parts = [
        f"{known.name}: " * bool(known.name) + typeset(known.value_text()),
        f"std {std}" * bool(std),
        typeset(f"error {known.error_text()}") * (known.error_text() != "0"),
        known.trust_text(),
        "" if known.hardened is None else typeset(f"after hardening {number(known.hardened, 3)}"),
    ]
    return ", ".join(filter(None, parts))


def span_of(rows: Iterable[Known]) -> tuple[float, float]:
    """What an axis must show of the rows, with a margin.

    Where a measure has no bound, far ends run off the axis: they would squeeze all other rows.
    """
    rows = list(rows)
    seen: list[float] = []
    for row in rows:
        least, most = row.bounds
        values = [row.lower, row.upper]
        if row.cuts:
            values += [end for level, *ends in row.cuts if level >= _NARROW_CUT for end in ends]
        else:
            below, above = row.stds
            values += [row.lower - below, row.upper + above]
        if error_role(row) in ("confidence", "certified"):
            values += row.outer
        seen += [min(max(value, least), most) for value in values if isfinite(value)]
        seen += [] if row.hardened is None else [row.hardened]
    low, high = (min(seen), max(seen)) if seen else (0.0, 1.0)
    low = max(low, -_farthest([-row.upper for row in rows if isinf(row.bounds[0])]))
    high = min(high, _farthest([row.lower for row in rows if isinf(row.bounds[1])]))
    margin = 0.05 * (high - low) or 0.05
    return low - margin, high + margin


def _farthest(nearest: list[float]) -> float:
    """How far an axis goes whose rows end, on their near sides, at these places."""
    ends = [end for end in nearest if isfinite(end)]
    if not ends:
        return inf
    return max(ends) + _REACH * max(1.0, max(ends) - min(ends), *map(abs, ends))


def has_bar(known: Known) -> bool:
    """An interval of a precise value is no ambiguity: only the computer left it open."""
    return not known.is_single and not known.is_precise


def has_band(known: Known) -> bool:
    """Whether partial assignment spreads the value, as far as that is known."""
    return any(isfinite(std) and std > 0 for std in known.stds)


def error_role(known: Known) -> Role | None:
    """The kind of the whisker; None where there is nothing to draw."""
    if known.guarantee == "inner":
        return "inner"
    if known.brackets is None or known.guarantee == "exact":
        return None
    if not any(high - low > _LEAST_ERROR for low, high in known.brackets):
        return None
    return "certified" if known.guarantee == "certified" else "confidence"


def _errors(ax: Axes, y: float, known: Known, size: float) -> list[Artist]:
    role = cast("Role", error_role(known))
    cap = CAPS[role]
    if role == "inner":  # nothing is known of how far out, so the arrows have no length in data
        ends = [(known.lower, cap), (known.upper, mirrored(cap))]
        return [_cap(ax, at, y, path, size) for at, path in ends]
    drawn: list[Artist] = []
    for low, high in dict.fromkeys(known.brackets or ()):  # once, if both ends have the same
        if high - low <= _LEAST_ERROR:
            continue
        stops = [low if isfinite(low) else known.lower, high if isfinite(high) else known.upper]
        drawn += ax.plot(stops, [y, y], color=COLOURS["ink"], linewidth=SIZES["error"], zorder=4)
        ends = [(low, cap), (high, mirrored(cap))]
        drawn += [_cap(ax, at, y, path, size) for at, path in ends if isfinite(at)]
    return drawn


def _cap(ax: Axes, x: float, y: float, path: Path, size: float) -> Artist:
    return ax.plot([x], [y], **cap_look(path, size), zorder=4)[0]


def cap_look(path: Path, size: float = 1.0) -> dict[str, Any]:
    """How a cap is drawn."""
    # matplotlib scales a path so that its farthest coordinate is half of the marker's size
    far = float(abs(path.vertices).max())  # pyright: ignore[reportArgumentType]
    return {
        "marker": path,
        "markersize": SIZES["cap"] * far * size,
        "color": COLOURS["ink"],
        "markerfacecolor": "none",
        "markeredgewidth": SIZES["error"],
        "linestyle": "none",
    }


def mirrored(path: Path) -> Path:
    """A cap for the right end."""
    return Path(
        [(-x, y) for x, y in cast("Iterable[tuple[float, float]]", path.vertices)], path.codes
    )


def _marks(ax: Axes, xs: list[float], y: float, size: float) -> list[Artist]:
    look: dict[str, Any] = {
        "color": COLOURS["width"],
        "markersize": SIZES["band"] * size,
        "markeredgewidth": 1.4,
    }
    return list(ax.plot(xs, [y] * len(xs), "|", zorder=3, **look))


def _arrows(ax: Axes, y: float, known: Known, size: float) -> list[Artist]:
    """Where the bar runs off the axis."""
    low, high = ax.get_xlim()
    look: dict[str, Any] = {"color": COLOURS["deep"], "markersize": SIZES["hollow"] * size}
    ends = ((low, "<", known.lower < low), (high, ">", known.upper > high))
    return [
        ax.plot([x], [y], mark, clip_on=False, zorder=6, **look)[0]
        for x, mark, is_beyond in ends
        if is_beyond
    ]


def _pin(ax: Axes, x: float, y: float, size: float) -> list[Artist]:
    """A pin on the line, its head above the band, so that it never hides the dot."""
    lift, figure = SIZES["lift"] * size, cast("Figure", ax.figure)
    half, whole = (
        offset_copy(ax.transData, figure, y=up, units="points") for up in (lift / 2, lift)
    )
    stem = ax.plot(
        [x], [y], "|", markersize=lift, transform=half, color=COLOURS["ink"], markeredgewidth=0.7
    )
    head = ax.plot([x], [y], transform=whole, **head_look(size))
    for artist in (*stem, *head):
        artist.set_zorder(6)
    return [*head, *stem]


def head_look(size: float = 1.0) -> dict[str, Any]:
    """How the head of a pin is drawn."""
    return {
        "marker": "v",
        "linestyle": "none",
        "markersize": SIZES["hollow"] * size,
        "markerfacecolor": COLOURS["paper"],
        "markeredgecolor": COLOURS["ink"],
        "markeredgewidth": 0.8,
    }
