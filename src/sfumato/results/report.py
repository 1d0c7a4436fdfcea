"""Hold many comparisons: candidates against one truth, or every partition against every other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, final

from sfumato._optional import require
from sfumato._typing import Floats
from sfumato.display.finite import finite
from sfumato.display.html import html_table
from sfumato.display.text import duration, interval, table
from sfumato.errors import InputError
from sfumato.results.comparison import Comparison
from sfumato.results.index_value import IndexValue

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["Pairwise", "Report", "Row"]

Row: TypeAlias = Comparison | IndexValue


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

    def __getitem__(self, key: tuple[str, str]) -> Row:
        """The comparison of one candidate by one measure."""
        try:
            return self.comparisons[key]
        except KeyError:
            known = ", ".join(f"({name!r}, {measure!r})" for name, measure in self.comparisons)
            raise InputError(f"No comparison {key!r} in this report; there are {known}.") from None

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
                "lower": result.lower,
                "upper": result.upper,
                "mean": result.mean,
                "std": result.std,
                "guarantee": result.guarantee,
                "error": result.error,
                "method": result.method,
                "seconds": result.seconds,
            }
            for (name, measure), result in self.comparisons.items()
        ]

    def to_dict(self) -> dict[str, object]:
        """All rows and notes as values that JSON can hold.

        None stands for what is not known, and for what has no bound.
        """
        return finite({"rows": self.rows, "notes": list(self.notes)})

    def to_frame(self) -> "DataFrame":
        """All rows as a pandas frame."""
        pandas = require("pandas", extra="all", needed_by="Report.to_frame")
        return pandas.DataFrame(self.rows)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        headers = ["name", "kind", "measure", "value", "guarantee", "error", "time"]
        return headers, [
            [
                str(name),
                result.kinds[0],
                measure,
                interval(result.lower, result.upper, is_precise=result.mean is not None),
                result.guarantee,
                "0" if result.is_exact else f"{result.error:.2g}",
                duration(result.seconds),
            ]
            for (name, measure), result in self.comparisons.items()
        ]

    def __repr__(self) -> str:
        return "\n".join([table(*self._cells()), *(f"note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        return html_table(*self._cells())


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
    """

    names: tuple[str, ...]
    measure: str
    lower: Floats
    upper: Floats
    comparisons: Mapping[tuple[str, str], Row]

    def __getitem__(self, key: tuple[str, str]) -> Row:
        """The comparison of one partition with another as the reference."""
        try:
            return self.comparisons[key]
        except KeyError:
            raise InputError(
                f"No comparison {key!r}; the partitions are {', '.join(map(repr, self.names))}."
            ) from None

    def to_frame(self) -> "DataFrame":
        """One row per ordered pair, as a pandas frame."""
        pandas = require("pandas", extra="all", needed_by="Pairwise.to_frame")
        rows = [{"a": a, "b": b, **result.to_dict()} for (a, b), result in self.comparisons.items()]
        return pandas.DataFrame(rows)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        return [self.measure, *self.names], [
            [
                name,
                *(
                    interval(
                        self.comparisons[name, other].lower,
                        self.comparisons[name, other].upper,
                        is_precise=self.comparisons[name, other].mean is not None,
                    )
                    for other in self.names
                ),
            ]
            for name in self.names
        ]

    def __repr__(self) -> str:
        return table(*self._cells())

    def _repr_html_(self) -> str:
        return html_table(*self._cells())
