"""How many objects each cluster has, as far as a partition says."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import final

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sfumato.display.known import Known
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import draw_rows, known_tip, span_of
from sfumato.display.plot.key import add_key, key_height
from sfumato.display.plot.style import SIZES, dress, number_axis

__all__ = ["SizesDisplay"]


@final
@dataclass(eq=False)
class SizesDisplay(Display):
    """The expected number of objects of each cluster, in the order of the clusters.

    Parameters
    ----------
    sizes : sequence of Known
        One for each cluster.
    most : int
        Clusters that are drawn; how many are left out is said.
    """

    sizes: Sequence[Known]
    most: int = 20

    def _set_out(self, figure: Figure) -> tuple[Axes, ...]:
        rows = SIZES["row"] * min(len(self.sizes), self.most)
        figure.set_size_inches(SIZES["one"], 0.5 + rows + key_height(self.sizes))
        return (figure.add_subplot(),)

    def _draw(self, axes: tuple[Axes, ...]) -> Artists:
        (ax,) = axes
        dress(ax, left=False)
        shown = self.sizes[: self.most]
        most = 1.02 * span_of(shown)[1]  # equal sizes stand at the end of the axis
        ax.set_xlim(-0.02 * most, most)
        artists = draw_rows(ax, shown)
        ax.set_yticks(range(len(shown)), self._names([size.name for size in shown], 28))
        ax.set_ylim(len(shown) - 0.4, -0.6)
        number_axis(ax, 6, (0.0, inf))
        left_out = len(self.sizes) - len(shown)
        ax.set_xlabel("objects" + f", {left_out} more clusters not drawn" * bool(left_out))
        return artists

    def _add_key(self) -> None:
        add_key(self.figure_, self.sizes)

    def _title(self) -> str:
        return f"objects in each cluster: {'; '.join(known_tip(size) for size in self.sizes)}"
