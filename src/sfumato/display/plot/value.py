"""One value: a mean with its spread and error told apart, or an interval with its brackets."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

from matplotlib.figure import Figure

from sfumato.display.known import Known
from sfumato.display.plot.base import Artists, Display
from sfumato.display.plot.glyph import add_key, draw_known, known_tip, roles_of, span_of
from sfumato.display.plot.style import SIZES, dress, plain
from sfumato.display.words import direction, in_words, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["ValueDisplay", "axis_label", "heading"]


def axis_label(known: Known) -> str:
    """Name of the measure in words, and which way is better."""
    return f"{in_words(known.measure)}, {direction(known.better)}"


def heading(known: Known) -> str:
    """The name and what is known, for the title of a picture; ± is a standard deviation."""
    value, std = known.value_text().replace("-", "\N{MINUS SIGN}"), known.std_text()
    value = f"{value} ± {std}" if std and known.is_single else value
    return f"{shortened(known.name, 28)}: {value}" if known.name else value


@final
@dataclass(eq=False)
class ValueDisplay(Display):
    """A mean with its spread and error told apart, or an interval with its brackets.

    The pale band is the spread from partial assignment, the bar the width from ambiguity, an ink
    whisker the error of the computation; a pin with a hollow head marks the hardened value.

    Parameters
    ----------
    known : Known
    """

    known: Known

    def _panels(self) -> tuple[int, int]:
        return 1, 1

    def _set_out(self, figure: Figure) -> "tuple[Axes, ...]":
        rows = -(-len(roles_of([self.known])) // 2)
        figure.set_size_inches(SIZES["one"], 0.95 + 0.16 * rows)
        return (figure.add_subplot(),)

    def _draw(self, axes: "tuple[Axes, ...]") -> Artists:
        (ax,) = axes
        dress(ax, left=False)
        artists = draw_known(ax, 0.0, self.known)
        ax.set_xlim(*span_of([self.known]))
        ax.set_ylim(-1, 1)
        ax.set_yticks([])
        ax.locator_params(axis="x", nbins=5)
        ax.xaxis.set_major_formatter(plain)
        ax.set_xlabel(axis_label(self.known))
        ax.set_title(heading(self.known))
        return artists

    def _add_key(self) -> None:
        add_key(self.figure_, [self.known])

    def _title(self) -> str:
        return f"{in_words(self.known.measure)}, {known_tip(self.known)}"
