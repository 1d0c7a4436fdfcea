"""Draw a partial order as a small graph, best on top."""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.patches import FancyArrowPatch
from matplotlib.path import Path

from sfumato._typing import Bools, Ints
from sfumato.display.plot.style import COLOURS, SIZES

__all__ = ["draw_order", "layers_of", "lines_of"]

_Slot: TypeAlias = tuple[int, int, int]  # an edge, and a layer that it crosses
_Node: TypeAlias = "int | _Slot"

_SWEEPS = 8
_BOX = 0.13  # half the height of a box, in layers


def layers_of(wins: Bools) -> Ints:
    """How far below the maximal ones each candidate stands.

    >>> layers_of(np.array([[False, True, True], [False, False, True], [False] * 3])).tolist()
    [0, 1, 2]
    """
    depth = np.zeros(len(wins), dtype=np.int64)
    for _ in range(len(wins)):
        depth = np.where(wins, depth[:, None] + 1, 0).max(axis=0)
    return depth


def lines_of(wins: Bools, most: int) -> Ints:
    """The line of each candidate from the top: layers, cut into lines of at most so many.

    >>> lines_of(np.zeros((5, 5), dtype=bool), 2).tolist()
    [0, 0, 1, 1, 2]
    """
    depth = layers_of(wins)
    lines, first = np.zeros_like(depth), 0
    for level in range(int(depth.max()) + 1):
        (members,) = np.nonzero(depth == level)
        lines[members] = first + np.arange(len(members)) // most
        first = int(lines[members[-1]]) + 1
    return lines


def draw_order(
    ax: Axes,
    names: Sequence[str],
    wins: Bools,
    edges: Sequence[tuple[int, int]],
    *,
    most: int,
) -> dict[str, list[Artist]]:
    """Draw candidates in layers, with an arrow from the better to the worse one.

    ``wins`` says whether the row beats the column, ``edges`` are the pairs (better, worse) that do
    not follow from others, and a line holds at most ``most`` candidates. Edges over several layers
    run through slots that are kept free for them, so that they cross no box.
    """
    is_maximal = layers_of(wins) == 0
    depth = lines_of(wins, most)
    layers: list[list[_Node]] = [
        [*np.flatnonzero(depth == level).tolist()] for level in range(int(depth.max()) + 1)
    ]
    paths: list[list[_Node]] = []
    for i, j in edges:
        slots: list[_Node] = [(i, j, level) for level in range(int(depth[i]) + 1, int(depth[j]))]
        for level, slot in enumerate(slots, start=int(depth[i]) + 1):
            layers[level].append(slot)
        paths.append([i, *slots, j])
    places = _places(layers, paths)
    ax.axis("off")
    ax.set_xlim(0, 1)
    ax.set_ylim(len(layers) - 0.6, -0.4)
    artists: dict[str, list[Artist]] = {"nodes": [], "arrows": []}
    for i, name in enumerate(names):
        is_top = bool(is_maximal[i])
        box = {
            "boxstyle": "round,pad=0.3",
            "facecolor": COLOURS["spread"] if is_top else COLOURS["paper"],
            "edgecolor": COLOURS["deep"] if is_top else COLOURS["muted"],
            "linewidth": 1.0 if is_top else 0.6,
        }
        artists["nodes"].append(
            ax.text(
                places[i],
                int(depth[i]),
                name,
                ha="center",
                va="center",
                size=SIZES["small"],
                fontweight="bold" if is_top else "normal",
                bbox=box,
                zorder=3,
            )
        )
    for path in paths:
        ys = [float(depth[node] if isinstance(node, int) else node[2]) for node in path]
        ys[0], ys[-1] = ys[0] + _BOX, ys[-1] - _BOX
        points = list(zip((places[node] for node in path), ys, strict=True))
        artists["arrows"].append(ax.add_patch(_arrow(points)))
    return artists


def _places(layers: list[list[_Node]], paths: list[list[_Node]]) -> dict[_Node, float]:
    """From left to right between 0 and 1: near what a candidate is linked with."""
    links = [link for path in paths for link in pairwise(path)]
    places: dict[_Node, float] = {node: 0.5 for layer in layers for node in layer}
    for sweep in range(_SWEEPS):
        for layer in layers if sweep % 2 == 0 else layers[::-1]:
            near = {
                node: [places[b if a == node else a] for a, b in links if node in (a, b)]
                for node in layer
            }
            layer.sort(key=lambda node, near=near: float(np.mean(near[node] or [1.0])))
            for at, node in enumerate(layer):
                places[node] = (at + 0.5) / len(layer)
    return places


def _arrow(points: list[tuple[float, float]]) -> FancyArrowPatch:
    """A curve that leaves and arrives upright."""
    vertices, codes = [points[0]], [Path.MOVETO]
    for (x0, y0), (x1, y1) in pairwise(points):
        vertices += [(x0, (y0 + y1) / 2), (x1, (y0 + y1) / 2), (x1, y1)]
        codes += [Path.CURVE4] * 3
    return FancyArrowPatch(
        path=Path(vertices, codes),
        arrowstyle="-|>,head_width=1.6,head_length=3",
        mutation_scale=1,
        color=COLOURS["muted"],
        linewidth=0.7,
        shrinkA=0,
        shrinkB=0,
        zorder=1,
    )
