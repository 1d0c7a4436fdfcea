"""One glyph for everything that can be known of a number.

From back to front: a pale band (spread, from partial assignment), a bar (width, from ambiguity), a
dot (a single value), ink whiskers (the computer's error) and a pin with a hollow head (the value
after hardening). What is zero is not drawn, so that the kinds tell themselves apart. Caps carry the
guarantee.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from collections.abc import Callable, Iterable
from math import inf, isfinite, isinf
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, cast, final

from matplotlib.legend_handler import HandlerBase
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.transforms import offset_copy

from sfumato.display.known import Known
from sfumato.display.plot.base import Artists
from sfumato.display.plot.style import COLOURS, SIZES
from sfumato.display.plot.svg import tip
from sfumato.display.text import number, typeset

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

__all__ = ["Role", "add_key", "draw_known", "known_tip", "roles_of", "span_of"]

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
_CAPS: Final = {
    "confidence": Path([(0, -1), (0, 1)]),
    "certified": Path([(0.55, -1), (0, -1), (0, 1), (0.55, 1)]),
    "inner": Path(
        [(0, 0), (-2.6, 0), (-1.7, 0.8), (-2.6, 0), (-1.7, -0.8)],
        [Path.MOVETO, Path.LINETO, Path.MOVETO, Path.LINETO, Path.LINETO],
    ),
}
_TEXTS: Final[dict[Role, str]] = {
    "dot": "value, or mean",
    "band": "± std (partial assignment)",
    "bar": "[lower, upper] (ambiguity)",
    "closed": "[min, max]: nothing beyond",
    "cuts": "levels of possibility",
    "confidence": "error, at {confidence} confidence",
    "certified": "error, certified",
    "inner": "may lie further out",
    "beyond": "runs off the axis",
    "hollow": "after hardening",
    "reach": "worse end of the best",
    "quantile": "quantiles",
}


def draw_known(ax: "Axes", y: float, known: Known, *, size: float = 1.0) -> Artists:
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
        artists.setdefault(role, []).extend(
            ax.plot(
                stops,
                [y, y],
                color=colour,
                linewidth=width * size,
                zorder=z,
                solid_capstyle="butt",
            )
        )

    if known.cuts:
        for level, low, high in sorted(known.cuts):
            thick = SIZES["band"] * (0.25 + 0.75 * level)
            line("cuts", (low, high), thick, COLOURS["spread"], 2)
    elif _has_band(known):
        below, above = (std if isfinite(std) else 0.0 for std in known.stds)
        ends = known.lower - below, known.upper + above
        line("band", ends, SIZES["band"], COLOURS["spread"], 2)
    if _has_bar(known):
        line("bar", (known.lower, known.upper), SIZES["bar"], COLOURS["width"], 3)
        if known.is_closed:
            ends = [end for end in (known.lower, known.upper) if isfinite(end)]
            artists["closed"] = _marks(ax, ends, y, size)
        beyond = _arrows(ax, y, known, size)
        if beyond:
            artists["beyond"] = beyond
    if _error_role(known) is not None:
        artists["error"] = _errors(ax, y, known, size)
    if known.is_single:
        artists["dot"] = list(
            ax.plot(
                [known.lower],
                [y],
                "o",
                color=COLOURS["ink"],
                markersize=SIZES["dot"] * size,
                markeredgewidth=0,
                zorder=5,
            )
        )
    if known.hardened is not None:
        artists["hollow"] = _pin(ax, known.hardened, y, size)
    for each in artists.values():
        for artist in each:
            tip(artist, known_tip(known))
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


def roles_of(rows: Iterable[Known]) -> set[Role]:
    """The marks that occur, for a key."""
    found: set[Role] = set()
    for row in rows:
        if row.is_single:
            found.add("dot")
        elif _has_bar(row):
            found.add("closed" if row.is_closed else "bar")
        if row.cuts:
            found.add("cuts")
        elif _has_band(row):
            found.add("band")
        error = _error_role(row)
        if error is not None:
            found.add(error)
        if row.hardened is not None:
            found.add("hollow")
    return found


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
        if _error_role(row) in ("confidence", "certified"):
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


def add_key(
    target: "Figure | Axes",
    rows: Iterable[Known],
    *,
    also: Iterable[Role] = (),
    columns: int = 2,
    loc: Any = "outside lower left",
) -> "Legend | None":
    """A legend of the marks that occur, and of no others; none if only a dot does."""
    rows = list(rows)
    found = roles_of(rows) | set(also)
    if found <= {"dot"}:
        return None
    levels = {row.confidence for row in rows if row.confidence is not None}
    sure = f"{min(levels):.0%}".replace("%", "\N{THIN SPACE}%") if levels else "the stated"
    roles: list[Role] = [role for role in _TEXTS if role in found]
    handles = [Line2D([], []) for _ in roles]
    return target.legend(
        handles,
        [_TEXTS[role].format(confidence=sure) for role in roles],
        handler_map={handle: _KeyMark(role) for handle, role in zip(handles, roles, strict=True)},
        loc=loc,
        ncols=columns,
        handlelength=1.9,
        handletextpad=0.6,
        columnspacing=1.3,
        labelspacing=0.45,
        borderaxespad=0.2,
        borderpad=0.2,
    )


def _has_bar(known: Known) -> bool:
    """An interval of a precise value is no ambiguity: only the computer left it open."""
    return not known.is_single and not known.is_precise


def _has_band(known: Known) -> bool:
    return any(isfinite(std) and std > 0 for std in known.stds)


def _error_role(known: Known) -> Role | None:
    """The kind of the whisker; None where there is nothing to draw."""
    if known.guarantee == "inner":
        return "inner"
    if known.brackets is None or known.guarantee == "exact":
        return None
    if not any(high - low > _LEAST_ERROR for low, high in known.brackets):
        return None
    return "certified" if known.guarantee == "certified" else "confidence"


def _errors(ax: "Axes", y: float, known: Known, size: float) -> "list[Artist]":
    role = cast("Role", _error_role(known))
    cap = _CAPS[role]
    if role == "inner":  # nothing is known of how far out, so the arrows have no length in data
        ends = [(known.lower, cap), (known.upper, _mirrored(cap))]
        return [_cap(ax, at, y, path, size) for at, path in ends]
    drawn: list[Artist] = []
    brackets = dict.fromkeys(known.brackets or ())  # once, if both ends have the same
    for low, high in brackets:
        ends = [(end, each) for end, each in ((low, cap), (high, _mirrored(cap))) if isfinite(end)]
        stops = [
            end if isfinite(end) else near
            for end, near in ((low, known.lower), (high, known.upper))
        ]
        if high - low <= _LEAST_ERROR:
            continue
        drawn += ax.plot(stops, [y, y], color=COLOURS["ink"], linewidth=SIZES["error"], zorder=4)
        drawn += [_cap(ax, at, y, path, size) for at, path in ends]
    return drawn


def _cap(ax: "Axes", x: float, y: float, path: Path, size: float) -> "Artist":
    return ax.plot([x], [y], **_cap_look(path, size), zorder=4)[0]


def _cap_look(path: Path, size: float = 1.0) -> dict[str, Any]:
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


def _mirrored(path: Path) -> Path:
    return Path(
        [(-x, y) for x, y in cast("Iterable[tuple[float, float]]", path.vertices)], path.codes
    )


def _marks(ax: "Axes", xs: list[float], y: float, size: float) -> "list[Artist]":
    look: dict[str, Any] = {
        "color": COLOURS["width"],
        "markersize": SIZES["band"] * size,
        "markeredgewidth": 1.4,
    }
    return list(ax.plot(xs, [y] * len(xs), "|", zorder=3, **look))


def _arrows(ax: "Axes", y: float, known: Known, size: float) -> "list[Artist]":
    """Where the bar runs off the axis."""
    low, high = ax.get_xlim()
    look: dict[str, Any] = {"color": COLOURS["deep"], "markersize": SIZES["hollow"] * size}
    ends = ((low, "<", known.lower < low), (high, ">", known.upper > high))
    return [
        ax.plot([x], [y], mark, clip_on=False, zorder=6, **look)[0]
        for x, mark, is_beyond in ends
        if is_beyond
    ]


def _pin(ax: "Axes", x: float, y: float, size: float) -> "list[Artist]":
    """A pin on the line, its head above the band, so that it never hides the dot."""
    lift, figure = SIZES["lift"] * size, cast("Figure", ax.figure)
    half, whole = (
        offset_copy(ax.transData, figure, y=up, units="points") for up in (lift / 2, lift)
    )
    stem = ax.plot(
        [x], [y], "|", markersize=lift, transform=half, color=COLOURS["ink"], markeredgewidth=0.7
    )
    head = ax.plot([x], [y], transform=whole, **_head_look(size))
    for artist in (*stem, *head):
        artist.set_zorder(6)
    return [*head, *stem]


def _head_look(size: float = 1.0) -> dict[str, Any]:
    return {
        "marker": "v",
        "linestyle": "none",
        "markersize": SIZES["hollow"] * size,
        "markerfacecolor": COLOURS["paper"],
        "markeredgecolor": COLOURS["ink"],
        "markeredgewidth": 0.8,
    }


@final
class _KeyMark(HandlerBase):
    """Draws a small glyph in a legend."""

    def __init__(self, role: Role) -> None:
        super().__init__()
        self._make = _KEY_MARKS[role]

    def create_artists(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, *arguments: Any
    ) -> "list[Artist]":
        _, _, x, y, width, height, _, transform = arguments
        made = self._make(-x, width - x, (height - y) / 2)
        for artist in made:
            artist.set_transform(transform)
        return list(made)


def _stroke(a: float, b: float, y: float, width: float, colour: str) -> Line2D:
    return Line2D([a, b], [y, y], linewidth=width, color=colour, solid_capstyle="butt")


def _capped(a: float, b: float, y: float, role: Role) -> list[Line2D]:
    cap = _CAPS[role]
    return [
        _stroke(a, b, y, SIZES["error"], COLOURS["ink"]),
        Line2D([a], [y], **_cap_look(cap)),
        Line2D([b], [y], **_cap_look(_mirrored(cap))),
    ]


def _middle(a: float, b: float) -> float:
    return (a + b) / 2


_KEY_MARKS: Final[dict[Role, Callable[[float, float, float], list[Line2D]]]] = {
    "dot": lambda a, b, y: [
        Line2D(
            [_middle(a, b)],
            [y],
            marker="o",
            markersize=SIZES["dot"],
            color=COLOURS["ink"],
            markeredgewidth=0,
        )
    ],
    "band": lambda a, b, y: [_stroke(a, b, y, SIZES["band"] * 0.8, COLOURS["spread"])],
    "bar": lambda a, b, y: [_stroke(a, b, y, SIZES["bar"], COLOURS["width"])],
    "closed": lambda a, b, y: [
        _stroke(a, b, y, SIZES["bar"], COLOURS["width"]),
        Line2D(
            [a, b],
            [y, y],
            marker="|",
            linestyle="none",
            markersize=SIZES["band"] * 0.85,
            color=COLOURS["width"],
            markeredgewidth=1.4,
        ),
    ],
    "cuts": lambda a, b, y: [
        _stroke(
            a + (b - a) * inset, b - (b - a) * inset, y, SIZES["band"] * high, COLOURS["spread"]
        )
        for inset, high in ((0.0, 0.3), (0.15, 0.6), (0.3, 0.9))
    ],
    "confidence": lambda a, b, y: _capped(a, b, y, "confidence"),
    "certified": lambda a, b, y: _capped(a, b, y, "certified"),
    "inner": lambda a, b, y: [
        _stroke(a, _middle(a, b), y, SIZES["bar"], COLOURS["width"]),
        Line2D([_middle(a, b)], [y], **_cap_look(_mirrored(_CAPS["inner"]))),
    ],
    "beyond": lambda a, b, y: [
        _stroke(a, b, y, SIZES["bar"], COLOURS["width"]),
        Line2D([a], [y], marker="<", markersize=SIZES["hollow"], color=COLOURS["deep"]),
    ],
    "hollow": lambda a, b, y: [
        Line2D(
            [_middle(a, b)],
            [y - 1],
            marker="|",
            markersize=6,
            color=COLOURS["ink"],
            markeredgewidth=0.7,
        ),
        Line2D([_middle(a, b)], [y + 2], **_head_look()),
    ],
    "reach": lambda a, b, y: [
        Line2D(
            [_middle(a, b)] * 2,
            [y - 4, y + 4],
            color=COLOURS["deep"],
            linewidth=0.8,
            linestyle=(0, (3, 2)),
        )
    ],
    "quantile": lambda a, b, y: [
        Line2D(
            [_middle(a, b)] * 2,
            [y - 4, y + 4],
            color=COLOURS["ink"],
            linewidth=0.7,
            linestyle=(0, (2, 2)),
        )
    ],
}
