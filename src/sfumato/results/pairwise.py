"""Hold the comparisons of every partition with every other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, final

from sfumato._typing import Floats
from sfumato.display.dataframe import Frame, FrameLibrary, frame
from sfumato.display.html import html_notes, html_table, with_picture
from sfumato.display.latex import latex_table
from sfumato.display.markdown import markdown_table
from sfumato.display.paper import legend, mark
from sfumato.display.text import table
from sfumato.display.words import in_words, short_names
from sfumato.errors import InputError
from sfumato.results.index_value import Row, row_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sfumato.display.plot import PairwiseDisplay

__all__ = ["Pairwise"]


@final
@dataclass(frozen=True, eq=False, repr=False)
class Pairwise:
    """Every partition compared with every other, and with itself.

    The distance of a soft partition from itself is not 0, because the two sides are independent.

    Attributes
    ----------
    names : tuple of str
    measure : str
    lower, upper : ndarray of shape (m, m)
        Row i, column j compares partition i with partition j as the reference.
    comparisons : mapping from (name, name) to Comparison or IndexValue
    notes : tuple of str
        What was done to the partitions on the way in, and what single comparisons say, with the
        pairs that each is about.
    """

    names: tuple[str, ...]
    measure: str
    lower: Floats
    upper: Floats
    comparisons: Mapping[tuple[str, str], Row]
    notes: tuple[str, ...] = ()

    def __getitem__(self, key: tuple[str, str]) -> Row:
        """The comparison of one partition with another as the reference."""
        try:
            return self.comparisons[key]
        except KeyError:
            raise InputError(
                f"No comparison {key!r}; the partitions are {', '.join(map(repr, self.names))}."
            ) from None

    @property
    def better(self) -> Literal["higher", "lower"]:
        """Which direction means more agreement."""
        return next(iter(self.comparisons.values())).better

    def to_frame(self, library: FrameLibrary = "pandas") -> "Frame":
        """One row per ordered pair, as a frame of pandas or polars."""
        rows = [{"a": a, "b": b, **result.to_dict()} for (a, b), result in self.comparisons.items()]
        return frame(rows, library, needed_by="Pairwise.to_frame")

    def to_latex(self, *, caption: str | None = None, label: str | None = None) -> str:
        """The matrix of values as a LaTeX table with booktabs; rows against columns.

        Values that are not exact bear marks, whose meaning is printed below with the largest
        error. Notes stand in it as comments.
        """
        return latex_table(
            *self._cells(), caption=caption, label=label, legend=self._legend(), notes=self.notes
        )

    def to_markdown(self) -> str:
        """The matrix of values as a Markdown table, marked as in `to_latex`, with notes below."""
        return markdown_table(*self._cells(), notes=self._remarks())

    def display(self, *, width: Literal["one", "two"] = "one") -> "PairwiseDisplay":
        """The picture that `plot` draws, not yet drawn."""
        from sfumato.display.plot import PairwiseDisplay

        guarantees = {pair: found.guarantee for pair, found in self.comparisons.items()}
        return PairwiseDisplay(
            self.lower, self.upper, self.names, self.measure, self.better, width, guarantees
        )

    def plot(
        self, ax: "Axes | Sequence[Axes] | None" = None, *, width: Literal["one", "two"] = "one"
    ) -> "PairwiseDisplay":
        """Draw a heat map in which similar partitions stand side by side.

        The darker, the more alike: the colour is that of the middle of the interval. The area of a
        white hole is its width.

        Parameters
        ----------
        ax : Axes, sequence of two Axes, or None
            The second, if given, takes the key.
        width : {"one", "two"}
            Columns of a journal; numbers are written above the diagonal where there is room.
        """
        return self.display(width=width).plot(ax)

    def _cells(self, shown: Sequence[str] | None = None) -> tuple[list[str], list[list[str]]]:
        """Headers and rows, with the names as they are or as they are to be ``shown``."""
        shown = self.names if shown is None else shown
        return [f"{in_words(self.measure)} ({self.better} is better)", *shown], [
            [short, *(_cell_text(self.comparisons[name, other]) for other in self.names)]
            for name, short in zip(self.names, shown, strict=True)
        ]

    def _legend(self) -> list[str]:
        return legend(found.known(at_once=True) for found in self.comparisons.values())

    def _remarks(self) -> tuple[str, ...]:
        return *self._legend(), *self.notes

    def __repr__(self) -> str:
        return table(*self._cells(short_names(self.names)), notes=self._remarks())

    def _repr_html_(self) -> str:
        page = html_table(*self._cells()) + html_notes(self._remarks())
        return with_picture(page, self.display, n_marks=self.lower.size)


def _cell_text(found: Row) -> str:
    return row_text(found) + mark(found.known(at_once=True))
