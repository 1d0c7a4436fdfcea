"""Hold the comparisons of several candidates with one truth."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import TYPE_CHECKING, Literal, cast, final

from sfumato._arguments import check_text
from sfumato._files import check_target, write_text
from sfumato.display.dataframe import Frame, FrameLibrary, frame
from sfumato.display.finite import fields_of, finite
from sfumato.display.html import html_notes, html_table, with_picture
from sfumato.display.known import Known
from sfumato.display.latex import latex_table
from sfumato.display.markdown import markdown_table
from sfumato.display.paper import paper_table
from sfumato.display.text import duration, table
from sfumato.display.words import short_names
from sfumato.errors import InputError, UnsupportedError
from sfumato.measures import full_name
from sfumato.partitions.reading.checks import shown
from sfumato.results.comparison import Comparison
from sfumato.results.index_value import Row, row_text
from sfumato.results.ranking import Ranking

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sfumato.display.plot import ForestDisplay

__all__ = ["Report"]

_FIELDS = (  # of each row
    *("better", "lower", "upper", "mean", "std", "guarantee", "error", "hardened", "method"),
    "seconds",
)


@final
@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """Candidates evaluated against one truth: one row for each candidate and measure.

    Attributes
    ----------
    comparisons : mapping from (candidate, measure) to Comparison or IndexValue
    notes : tuple of str
        Those of all comparisons, with the candidate and the measures that each is about.
    """

    comparisons: Mapping[tuple[str, str], Row]
    notes: tuple[str, ...] = ()
    find_provenance: Callable[[], Mapping[str, str]] | None = None
    find_ranking: Callable[..., Ranking] | None = None

    def rank(
        self, measure: str | None = None, *, margin: float = 0.0, confidence: float = 0.95
    ) -> Ranking:
        """Which candidate is better, and how sure: `sfumato.rank` of the same inputs.

        Parameters
        ----------
        measure : str or None
            One of the report's, also by its short name; by default the first that is no index.
        margin, confidence : float
            As in `sfumato.rank`.

        Raises
        ------
        UnsupportedError
            If the report no longer knows its partitions.
        InputError
            If the measure is not one of the report's, or is an index.

        Examples
        --------
        >>> import sfumato as sf
        >>> report = sf.evaluate({"a": [0, 0, 1], "b": [0, 1, 1]}, [0, 0, 1], measures=["rand"])
        >>> report.rank().order
        (('a', 'b'),)
        """
        if self.find_ranking is None:
            raise UnsupportedError("This report no longer knows its partitions.")
        found = self.comparisons.items()
        rankable = dict.fromkeys(name for (_, name), row in found if isinstance(row, Comparison))
        chosen = next(iter(rankable), None) if measure is None else self._row_name(measure)
        if chosen not in rankable:
            known = (
                f"its measures are {', '.join(map(repr, rankable))}" if rankable else "it has none"
            )
            what = "a measure" if measure is None else f"a measure {measure!r}"
            raise InputError(f"This report has no ranking by {what}: {known}.")
        return self.find_ranking(chosen, margin=margin, confidence=confidence)

    def __getitem__(self, key: tuple[str, str]) -> Row:
        """The comparison of one candidate by one measure; short names as in `evaluate`."""
        try:
            name, measure = key
            return self.comparisons[name, self._row_name(measure)]
        except (KeyError, TypeError, ValueError):
            known = ", ".join(f"({name!r}, {measure!r})" for name, measure in self.comparisons)
            raise InputError(f"No comparison {key!r} in this report; there are {known}.") from None

    def _row_name(self, measure: str) -> str:
        """What the rows call the measure; a name that they use stands for itself."""
        is_known = any(measure == known for _, known in self.comparisons)
        return measure if is_known else full_name(str(measure))

    def __len__(self) -> int:
        return len(self.comparisons)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.comparisons)

    @property
    def rows(self) -> list[dict[str, object]]:
        """One plain dictionary per candidate and measure."""
        return [
            {
                "name": name,
                "kind": result.kinds[0],
                "measure": measure,
                **fields_of(result, _FIELDS),
            }
            for (name, measure), result in self.comparisons.items()
        ]

    def to_dict(self) -> dict[str, object]:
        """All rows and notes as values that JSON can hold.

        None stands for what is not known, and for what has no bound.
        """
        return finite({"rows": self.rows, "notes": list(self.notes)})

    def to_frame(self, library: FrameLibrary = "pandas") -> "Frame":
        """All rows as a frame of pandas or polars."""
        return frame(self.rows, library, needed_by="Report.to_frame")

    def to_latex(self, *, caption: str | None = None, label: str | None = None) -> str:
        r"""All rows as a LaTeX table with booktabs; notes stand in it as comments.

        ``std`` is the spread from partial assignment, ``error`` that of the computation. Where one
        candidate surely has the best value by a measure, its row is bold: its worse end beats the
        better ends of all others, brackets included.

        Parameters
        ----------
        caption, label : str or None
            With either, the table stands in a ``table`` environment.

        Examples
        --------
        >>> import sfumato as sf
        >>> report = sf.evaluate({"a": [0, 0, 1], "b": [0, 1, 1]}, [0, 0, 1], measures=["rand"])
        >>> print(report.to_latex())
        % needs \usepackage{booktabs}
        \begin{tabular}{lllllll}
        \toprule
        candidate & kind & measure & better & value & error & guarantee \\
        \midrule
        \textbf{a} & \textbf{hard} & \textbf{Rand index} & \textbf{higher} & \textbf{1.000} &
        \textbf{0} & \textbf{exact} \\
        b & hard & Rand index & higher & 0.333 & 0 & exact \\
        \bottomrule
        \end{tabular}
        """
        cells = paper_table(self.known())
        return latex_table(*cells, caption=caption, label=label, notes=self.notes)

    def to_markdown(self) -> str:
        """All rows as a Markdown table, bold as in `to_latex`, with the notes below."""
        return markdown_table(*paper_table(self.known()), notes=self.notes)

    def known(self, *, at_once: bool = False) -> list[Known]:
        """All rows as plain data for tables and pictures; ``at_once`` as in `Comparison.known`."""
        return [
            replace(result.known(name, at_once=at_once), measure=measure)
            for (name, measure), result in self.comparisons.items()
        ]

    def display(
        self, *, width: Literal["one", "two"] = "two", at_once: bool = False
    ) -> "ForestDisplay":
        """The picture that `plot` draws, not yet drawn."""
        from sfumato.display.plot import ForestDisplay

        panels: dict[str, list[Known]] = {}
        for row in self.known(at_once=at_once):
            panels.setdefault(row.measure, []).append(row)
        return ForestDisplay(panels, width)

    def plot(
        self, ax: "Axes | Sequence[Axes] | None" = None, *, width: Literal["one", "two"] = "two"
    ) -> "ForestDisplay":
        """Draw a forest plot: a row for each candidate, a panel for each measure.

        Parameters
        ----------
        ax : Axes, sequence of Axes, or None
            One for each measure; a new figure by default.
        width : {"one", "two"}
            Columns of a journal; values are written beside the rows on the wide one.

        Returns
        -------
        ForestDisplay
            With ``axes_``, ``figure_`` and ``artists_``.
        """
        return self.display(width=width).plot(ax)

    def to_html(
        self,
        path: str | PathLike[str],
        *,
        title: str = "Soft clusterings against a reference",
        labels: Sequence[object] | None = None,
        provenance: Mapping[str, str] | None = None,
    ) -> None:
        """Write one self-contained page: verdict, tables, pictures, sentences, provenance.

        It needs no network, works without scripts, and shows names of users as text, whatever they
        hold. Pictures are left out if matplotlib is not installed. Laws, tables and objects are
        drawn of the six candidates that come first by the first measure; shares of objects up to
        20,000 objects.

        Parameters
        ----------
        path : str or path
            Written whole or not at all.
        title : str
        labels : sequence of n, optional
            Names of the objects, in the order of the candidates' rows; by default their ids or,
            without ids, their rows.
        provenance : mapping from str to str, optional
            Facts to add to what is known of the inputs, such as their files.

        Raises
        ------
        InputError
            If the file cannot be written there, or there are not as many labels as objects, or the
            candidates have them in different orders.

        Examples
        --------
        >>> import sfumato as sf
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> report = sf.evaluate({"a": [0, 0, 1], "b": [0, 1, 1]}, [0, 0, 1], measures=["rand"])
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder) / "report.html"
        ...     report.to_html(path)
        ...     "a comes first by the Rand index: 1.000 (exact)" in path.read_text("utf-8")
        True
        """
        from sfumato.results.report_page import report_page

        target = check_target(path)
        check_text(title=title)
        if not isinstance(cast(object, provenance), Mapping | None):
            raise InputError(
                f"provenance is {shown(provenance)}; pass a mapping of names to facts."
            )
        facts = {} if self.find_provenance is None else dict(self.find_provenance())
        facts |= {str(name): str(fact) for name, fact in (provenance or {}).items()}
        write_text(target, report_page(self, title=title, provenance=facts, labels=labels))

    def _cells(self, shown: Sequence[str] | None = None) -> tuple[list[str], list[list[str]]]:
        """Headers and rows, with the names as they are or as they are to be ``shown``."""
        shown = [str(name) for name, _ in self.comparisons] if shown is None else shown
        headers = ["name", "kind", "measure", "better", "value", "guarantee", "error", "time"]
        return headers, [
            [
                short,
                result.kinds[0],
                measure,
                result.better,
                row_text(result),
                result.guarantee,
                "0" if result.is_exact else f"{result.error:.2g}",
                duration(result.seconds),
            ]
            for short, ((_, measure), result) in zip(shown, self.comparisons.items(), strict=True)
        ]

    def __repr__(self) -> str:
        shown = short_names([str(name) for name, _ in self.comparisons])
        return table(*self._cells(shown), notes=self.notes)

    def _repr_html_(self) -> str:
        page = html_table(*self._cells()) + html_notes(self.notes)
        return with_picture(page, lambda: self.display(at_once=True), n_marks=5 * len(self))
