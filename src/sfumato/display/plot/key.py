"""The key of a picture: a small glyph and its meaning for each mark that occurs."""

from collections.abc import Callable, Iterable
from typing import Any, Final, final

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend_handler import HandlerBase
from matplotlib.lines import Line2D

from sfumato.display.known import Known
from sfumato.display.plot.glyph import (
    CAPS,
    Role,
    cap_look,
    error_role,
    has_band,
    has_bar,
    head_look,
    mirrored,
)
from sfumato.display.plot.style import COLOURS, SIZES

__all__ = ["add_key", "in_inches", "key_height", "with_key_below"]

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


def key_height(rows: Iterable[Known], *, n_more: int = 0, columns: int = 2) -> float:
    """Inches that `add_key` takes, with so many marks besides those of the rows."""
    return 0.16 * -(-(len(_roles_of(rows)) + n_more) // columns)


def add_key(
    figure: Figure,
    rows: Iterable[Known],
    *,
    also: Iterable[Role] = (),
    columns: int = 2,
) -> None:
    """Add a legend of the marks that occur, and of no others; none if only a dot does."""
    rows = list(rows)
    found = _roles_of(rows) | set(also)
    if found <= {"dot"}:
        return
    levels = {row.confidence for row in rows if row.confidence is not None}
    sure = f"{min(levels):.0%}".replace("%", "\N{THIN SPACE}%") if levels else "the stated"
    roles: list[Role] = [role for role in _TEXTS if role in found]
    handles = [Line2D([], []) for _ in roles]
    figure.legend(
        handles,
        [_TEXTS[role].format(confidence=sure) for role in roles],
        handler_map={handle: _KeyMark(role) for handle, role in zip(handles, roles, strict=True)},
        loc="outside lower left",
        ncols=columns,
        handlelength=1.9,
        handletextpad=0.6,
        columnspacing=1.3,
        labelspacing=0.45,
        borderaxespad=0.2,
        borderpad=0.2,
    )


def with_key_below(figure: Figure, height: float, foot: float) -> tuple[Axes, Axes]:
    """A panel, and a key over the whole width below it; heights in inches."""
    parts = figure.subfigures(2, 1, squeeze=False, height_ratios=(height, foot))
    top, below = parts[:, 0]
    return top.add_subplot(), below.add_axes((0, 0, 1, 1))


def in_inches(ax: Axes) -> float:
    """Hide the axes and give them coordinates in inches from the lower left; return their width."""
    dpi = ax.figure.dpi
    box = ax.get_window_extent()
    ax.axis("off")
    ax.set_xlim(0, box.width / dpi)
    ax.set_ylim(0, box.height / dpi)
    return box.width / dpi


def _roles_of(rows: Iterable[Known]) -> set[Role]:
    """The marks that occur, for a key."""
    found: set[Role] = set()
    for row in rows:
        if row.is_single:
            found.add("dot")
        elif has_bar(row):
            found.add("closed" if row.is_closed else "bar")
        if row.cuts:
            found.add("cuts")
        elif has_band(row):
            found.add("band")
        error = error_role(row)
        if error is not None:
            found.add(error)
        if row.hardened is not None:
            found.add("hollow")
    return found


@final
class _KeyMark(HandlerBase):
    """Draws a small glyph in a legend."""

    def __init__(self, role: Role) -> None:
        super().__init__()
        self._make = _KEY_MARKS[role]

    def create_artists(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, *arguments: Any
    ) -> list[Artist]:
        _, _, x, y, width, height, _, transform = arguments
        left, right = -x, width - x
        made = self._make(left, right, (left + right) / 2, (height - y) / 2)
        for artist in made:
            artist.set_transform(transform)
        return list(made)


def _stroke(a: float, b: float, y: float, width: float, colour: str) -> Line2D:
    return Line2D([a, b], [y, y], linewidth=width, color=colour, solid_capstyle="butt")


def _bar(a: float, b: float, y: float) -> Line2D:
    return _stroke(a, b, y, SIZES["bar"], COLOURS["width"])


def _mark(marker: str, x: float, y: float, size: float, colour: str, edge: float = 1.0) -> Line2D:
    look: dict[str, Any] = {"markersize": size, "markeredgewidth": edge}
    return Line2D([x], [y], marker=marker, linestyle="none", color=colour, **look)


def _upright(x: float, y: float, width: float, colour: str, dash: int) -> Line2D:
    look: dict[str, Any] = {"linewidth": width, "linestyle": (0, (dash, 2))}
    return Line2D([x, x], [y - 4, y + 4], color=colour, **look)


def _capped(a: float, b: float, y: float, role: Role) -> list[Line2D]:
    return [
        _stroke(a, b, y, SIZES["error"], COLOURS["ink"]),
        Line2D([a], [y], **cap_look(CAPS[role])),
        Line2D([b], [y], **cap_look(mirrored(CAPS[role]))),
    ]


# From the left end a, the right end b, the middle m and the height y.
_KEY_MARKS: Final[dict[Role, Callable[[float, float, float, float], list[Line2D]]]] = {
    "dot": lambda a, b, m, y: [_mark("o", m, y, SIZES["dot"], COLOURS["ink"], 0)],
    "band": lambda a, b, m, y: [_stroke(a, b, y, SIZES["band"] * 0.8, COLOURS["spread"])],
    "bar": lambda a, b, m, y: [_bar(a, b, y)],
    "closed": lambda a, b, m, y: [
        _bar(a, b, y),
        *(_mark("|", x, y, SIZES["band"] * 0.85, COLOURS["width"], 1.4) for x in (a, b)),
    ],
    "cuts": lambda a, b, m, y: [
        _stroke(
            m - share * (m - a), m + share * (b - m), y, SIZES["band"] * high, COLOURS["spread"]
        )
        for share, high in ((1.0, 0.3), (0.7, 0.6), (0.4, 0.9))
    ],
    "confidence": lambda a, b, m, y: _capped(a, b, y, "confidence"),
    "certified": lambda a, b, m, y: _capped(a, b, y, "certified"),
    "inner": lambda a, b, m, y: [
        _bar(a, m, y),
        Line2D([m], [y], **cap_look(mirrored(CAPS["inner"]))),
    ],
    "beyond": lambda a, b, m, y: [
        _bar(a, b, y),
        _mark("<", a, y, SIZES["hollow"], COLOURS["deep"]),
    ],
    "hollow": lambda a, b, m, y: [
        _mark("|", m, y - 1, 6, COLOURS["ink"], 0.7),
        Line2D([m], [y + 2], **head_look()),
    ],
    "reach": lambda a, b, m, y: [_upright(m, y, 0.8, COLOURS["deep"], 3)],
    "quantile": lambda a, b, m, y: [_upright(m, y, 0.7, COLOURS["ink"], 2)],
}
