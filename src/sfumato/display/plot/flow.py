"""Where objects go from one partition to another."""

from dataclasses import dataclass
from textwrap import fill
from typing import Any, NamedTuple, final

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import PathPatch, Rectangle
from matplotlib.path import Path

from sfumato._typing import Floats
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.key import in_inches, with_key_below
from sfumato.display.plot.style import COLOURS, SIZES, percent
from sfumato.display.plot.svg import tip
from sfumato.display.plot.table import matched_rows
from sfumato.display.words import shortened

__all__ = ["FlowDisplay"]

_GAP = 0.05  # between clusters, as a share of all objects
_NODE = 0.02  # width of a cluster's bar; the axes are 1 wide
_FAINT = 0.12  # opacity of a band that nothing is sure of
_COLOURS = {"matched": "deep", "unmatched": "accent", "merged": "muted"}
_WORDS = {"matched": "matched clusters", "unmatched": "other clusters", "merged": "drawn as one"}
_KEY = 0.48  # inches
_LONGEST = 24  # letters of a name
_LEAST = 0.002  # smaller bands, as a share of all objects, are not drawn but counted


class _Side(NamedTuple):
    """Clusters of one side as drawn: names, sizes, and where each begins."""

    names: list[str]
    sizes: Floats
    starts: Floats


@final
@dataclass(eq=False)
class FlowDisplay(Display):
    """Bands between the clusters of two partitions, as thick as the expected number of objects.

    Blue bands join matched clusters, orange ones are disagreement, grey ones go to or from clusters
    that are drawn as one. The more opaque a band, the
    surer its objects are to be in it.

    Parameters
    ----------
    expected : ndarray of shape (k1, k2)
        Expected number of objects in each pair of clusters, with sets shared out equally.
    certainty : ndarray of shape (k1, k2)
        How sure the objects of a band are of it, from 0 to 1.
    row_names, column_names : tuple of str
    row_title, column_title : str
    largest : int
        Clusters of a side that are drawn at most; the rest are drawn as one.
    """

    expected: Floats
    certainty: Floats
    row_names: tuple[str, ...]
    column_names: tuple[str, ...]
    row_title: str = "candidate"
    column_title: str = "reference"
    largest: int = 8

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        n_rows = min(max(self.expected.shape), self.largest + 1)
        height = max(1.7, 0.42 * n_rows + 0.7)
        names = [max(map(len, self._names(names, _LONGEST))) for names in self._merged()[2:]]
        wide = max(SIZES["one"], 1.9 + 0.062 * sum(names))
        figure.set_size_inches(wide, height + _KEY)
        return with_key_below(figure, height, _KEY)

    def _merged(self) -> tuple[Floats, Floats, list[str], list[str]]:
        """Small clusters as one, rows in the order that matches the columns."""
        sure = self.certainty * self.expected
        expected, sure, row_names = _merge(self.expected, sure, self.row_names, self.largest)
        turned = _merge(expected.T, sure.T, self.column_names, self.largest)
        expected, sure, column_names = turned[0].T, turned[1].T, turned[2]
        n_kept = len(row_names) - (len(self.row_names) > self.largest + 1)
        order = np.append(matched_rows(expected[:n_kept]), np.arange(n_kept, len(row_names)))
        expected, sure = expected[order], sure[order]
        certainty = np.divide(sure, expected, out=np.zeros_like(sure), where=expected > 0)
        return expected, certainty, [row_names[i] for i in order], column_names

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
        ax = axes[0]
        expected, certainty, row_names, column_names = self._merged()
        total = float(expected.sum())
        sides = [
            _Side(names, sizes, np.concatenate([[0.0], np.cumsum(sizes[:-1] + _GAP * total)]))
            for names, sizes in (
                (row_names, expected.sum(axis=1)),
                (column_names, expected.sum(axis=0)),
            )
        ]
        artists: Artists = {role: [] for role in (*_COLOURS, "clusters", "texts")}
        at_left, at_right = (side.starts.copy() for side in sides)
        hidden = 0.0
        for i in range(len(row_names)):
            for j in range(len(column_names)):
                size = float(expected[i, j])
                band = _band(at_left[i], at_right[j], size)
                at_left[i] += size
                at_right[j] += size
                if size < _LEAST * total:
                    hidden += size
                    continue
                role = self._role(i, j, expected.shape)
                patch = _patch(band, float(certainty[i, j]), role)
                names = f"{row_names[i]} to {column_names[j]}"
                tip(patch, f"{names}: {size:.1f} objects, certainty {certainty[i, j]:.0%}")
                artists[role].append(ax.add_patch(patch))
        for side, x in zip(sides, (0.0, 1.0 - _NODE), strict=True):
            shown = side._replace(names=self._names(side.names, _LONGEST))
            for role, drawn in _draw_side(ax, shown, x).items():
                artists[role] += drawn
        ax.set_xlim(0, 1)
        ax.set_ylim(max(float(s.starts[-1] + s.sizes[-1]) for s in sides), 0)
        for spine in ax.spines.values():
            spine.set_visible(False)
        ax.set_xticks([])
        ax.set_yticks([])
        left, right = (
            fill(shortened(self._text(title), 36), 13)
            for title in (self.row_title, self.column_title)
        )
        ax.set_title(left, loc="left", size=SIZES["text"])
        ax.set_title(right, loc="right", size=SIZES["text"])
        if len(axes) > 1:
            roles = [role for role in _COLOURS if artists[role]]
            artists["key"] = _draw_key(axes[1], roles, hidden)
        return artists

    def _role(self, i: int, j: int, shape: tuple[int, ...]) -> str:
        """Which kind of band joins the drawn clusters; merged ones match none."""
        is_merged = (
            len(self.row_names) > self.largest + 1 and i == shape[0] - 1,
            len(self.column_names) > self.largest + 1 and j == shape[1] - 1,
        )
        return "merged" if any(is_merged) else "matched" if i == j else "unmatched"

    def _add_key(self) -> None:
        """The key is the second panel."""

    def _title(self) -> str:
        expected, _, row_names, column_names = self._merged()
        bands = "; ".join(
            f"{row} to {column} {expected[i, j]:.1f}"
            for i, row in enumerate(row_names)
            for j, column in enumerate(column_names)
        )
        return f"objects from {self.row_title} to {self.column_title}: {bands}"


def _merge(
    expected: Floats, sure: Floats, names: tuple[str, ...], largest: int
) -> tuple[Floats, Floats, list[str]]:
    """The heaviest rows, and one row for all others."""
    if len(names) <= largest + 1:
        return expected, sure, list(names)
    ranked = np.argsort(-expected.sum(axis=1), kind="stable")
    kept, rest = np.sort(ranked[:largest]), ranked[largest:]
    merged = [np.vstack([each[kept], each[rest].sum(axis=0)]) for each in (expected, sure)]
    return merged[0], merged[1], [*(names[i] for i in kept), f"{len(rest)} others"]


def _band(left: float, right: float, size: float) -> Path:
    """A ribbon with level ends."""
    x0, x1, m = _NODE, 1 - _NODE, 0.5
    points = [(x0, left), (m, left), (m, right), (x1, right), (x1, right + size)]
    points += [(m, right + size), (m, left + size), (x0, left + size), (x0, left)]
    codes = [Path.MOVETO, *[Path.CURVE4] * 3, Path.LINETO, *[Path.CURVE4] * 3, Path.CLOSEPOLY]
    return Path(points, codes)


def _patch(band: Path, certainty: float, role: str) -> PathPatch:
    return PathPatch(
        band,
        facecolor=COLOURS[_COLOURS[role]],
        alpha=_FAINT + (0.85 - _FAINT) * certainty,
        edgecolor=COLOURS["paper"],
        linewidth=0.5,
        zorder=2 if role == "unmatched" else 1,
    )


def _draw_side(ax: Axes, side: _Side, x: float) -> Artists:
    artists: Artists = {"clusters": [], "texts": []}
    ha, shift = ("right", -4) if x == 0 else ("left", 4)
    for name, size, start in zip(side.names, side.sizes, side.starts, strict=True):
        box = Rectangle((x, start), _NODE, size, facecolor=COLOURS["ink"], edgecolor="none")
        box.set_zorder(3)
        artists["clusters"].append(ax.add_patch(box))
        for words, up, letters, colour in (
            (name, 4.5, SIZES["text"], COLOURS["ink"]),
            (f"{size:,.1f}", -4.5, SIZES["small"], COLOURS["muted"]),
        ):
            artists["texts"].append(
                ax.annotate(
                    words,
                    (0.0 if x == 0 else 1.0, start + size / 2),
                    xytext=(shift, up),
                    textcoords="offset points",
                    ha=ha,
                    va="center",
                    annotation_clip=False,
                    size=letters,
                    color=colour,
                )
            )
    return artists


def _draw_key(ax: Axes, roles: list[str], hidden: float) -> list[Artist]:
    """What the colours mean, and below what their strength means; in inches."""
    in_inches(ax)
    small: dict[str, Any] = {"size": SIZES["small"], "va": "center"}
    made: list[Artist] = []

    def swatch(x: float, y: float, colour: str, share: float) -> None:
        alpha = _FAINT + (0.85 - _FAINT) * share
        look: dict[str, Any] = {"facecolor": COLOURS[colour], "alpha": alpha, "edgecolor": "none"}
        made.append(ax.add_patch(Rectangle((x, y - 0.045), 0.1, 0.09, **look)))

    for at, role in enumerate(roles):
        swatch(0.02 + 1.12 * at, 0.39, _COLOURS[role], 1.0)
        made.append(ax.text(0.16 + 1.12 * at, 0.39, _WORDS[role], **small))
    made.append(ax.text(0.02, 0.23, "certainty", **small))
    for at, share in enumerate((0.25, 0.5, 0.75, 1.0)):
        for shift, role in enumerate(role for role in roles if role != "merged"):
            swatch(0.62 + 0.62 * at + 0.1 * shift, 0.23, _COLOURS[role], share)
        made.append(ax.text(0.85 + 0.62 * at, 0.23, percent(share), **small))
    if hidden >= 0.05:
        words = f"not drawn: {hidden:,.1f} objects in thin bands"
        made.append(ax.text(0.02, 0.07, words, color=COLOURS["muted"], **small))
    return made
