"""What every picture is: plain data that can be drawn, and the artists that it kept."""

import warnings
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from copy import copy
from html import escape
from typing import Self, TypeAlias, cast

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from sfumato.display.plot.style import drawable, styled
from sfumato.display.plot.svg import inline_svg
from sfumato.display.words import one_line, short_names
from sfumato.errors import InputError

__all__ = ["Artists", "Display"]

Artists: TypeAlias = dict[str, list[Artist]]


class Display(ABC):
    """A picture in the manner of scikit-learn: it holds its data, and after `plot` its artists.

    Attributes
    ----------
    axes_ : tuple of Axes
        The panels that were drawn; ``ax_`` is the first.
    figure_ : Figure
    artists_ : dict from role to list of artists
        So that colours and texts can be changed after drawing.
    """

    axes_: tuple[Axes, ...]
    figure_: Figure
    artists_: Artists
    _needs_all = False  # whether a user must give axes for all panels, not only for the first
    _has_all_letters = False  # a page that shows the SVG finds fonts for letters that we lack

    @property
    def ax_(self) -> Axes:
        """The first panel."""
        return self.axes_[0]

    def plot(self, ax: Axes | Sequence[Axes] | None = None) -> Self:
        """Draw, on axes of its own or on those given; the colours are meant for a light ground.

        Parameters
        ----------
        ax : Axes, sequence or array of Axes, or None
            One for each panel; panels that only explain, such as a key, may be left out.

        Returns
        -------
        Display
            Itself, with ``ax_``, ``figure_`` and ``artists_``.

        Raises
        ------
        InputError
            If there are too few or too many axes, or what is given are none.
        """
        if ax is None:
            from matplotlib import pyplot  # only here: pyplot picks a window system

            # Loads that system now: what it sets, as in notebooks, must outlive our style.
            pyplot.draw_if_interactive()
            with styled():
                return self._fill(pyplot.figure())
        given = _listed(ax)
        most = len(self._set_out(Figure()))
        least = most if self._needs_all else 1
        if not least <= len(given) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            raise InputError(f"This picture needs {wanted} axes, got {len(given)}: pass ax=[...].")
        self.axes_, self.figure_ = given, cast("Figure", given[0].get_figure(root=True))
        with styled():
            self.artists_ = self._draw(given)
        return self

    def to_svg(self, *, name: str = "sfumato", title: str | None = None) -> str:
        """The picture as SVG text that can stand in a page.

        Its colours are CSS variables with the printed colours as their defaults, its texts stay
        texts. Shapes carry tooltips.

        Parameters
        ----------
        name : str
            Starts all ids, so that several pictures can stand in one page.
        title : str or None
            Read aloud by screen readers; by default what the picture says of itself.
        """
        with styled(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Glyph .* missing", UserWarning)
            drawn = copy(self)
            drawn._has_all_letters = True
            drawn._fill(Figure())
            return inline_svg(drawn.figure_, name, self._title() if title is None else title)

    def _repr_html_(self) -> str:
        return f'<div aria-label="{escape(self._title())}">{self.to_svg(name=f"d{id(self)}")}</div>'

    def _fill(self, figure: Figure) -> Self:
        """Set out the panels on an empty figure and draw them."""
        figure.set_layout_engine("constrained")
        self.figure_, self.axes_ = figure, self._set_out(figure)
        self.artists_ = self._draw(self.axes_)
        self._add_key()
        return self

    def _text(self, text: str) -> str:
        """A text of the user as it can be drawn: on one line, of letters that there are."""
        text = one_line(text)
        return text if self._has_all_letters else drawable(text)

    def _names(self, names: Sequence[str], most: int) -> list[str]:
        """Names as labels of at most so many letters; different ones stay different."""
        shown: dict[str, str] = {}
        n_alike: Counter[str] = Counter()
        for name in dict.fromkeys(names):
            text = self._text(name)
            n_alike[text] += 1
            shown[name] = text if n_alike[text] == 1 else f"{text} ({n_alike[text]})"
        return short_names([shown[name] for name in names], most)

    @abstractmethod
    def _set_out(self, figure: Figure) -> "tuple[Axes, ...]":
        """Size an empty figure and make its panels."""

    @abstractmethod
    def _draw(self, axes: "tuple[Axes, ...]") -> Artists:
        """Draw on the panels; the style is set."""

    @abstractmethod
    def _add_key(self) -> None:
        """Explain the marks, below a figure of its own; nothing where none needs it."""

    @abstractmethod
    def _title(self) -> str:
        """What the picture says, in one line for those who do not see it."""


def _listed(ax: object) -> "tuple[Axes, ...]":
    """Axes as they are given: one, several, or an array of ``pyplot.subplots``."""
    if isinstance(ax, np.ndarray):
        ax = cast("list[object]", ax.ravel().tolist())
    given = tuple(cast("Sequence[object]", ax)) if isinstance(ax, Sequence) else (ax,)
    for each in given:
        if not isinstance(each, Axes):
            raise InputError(f"ax is one or several matplotlib Axes, got {type(each).__name__}.")
    return cast("tuple[Axes, ...]", given)
