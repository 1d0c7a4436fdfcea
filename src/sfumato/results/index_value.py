"""Hold the value of a classical index, so that it can stand beside comparisons in a report."""

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, final

from sfumato._typing import Kind
from sfumato.display.finite import fields_of
from sfumato.display.known import Known
from sfumato.display.text import duration, interval, number
from sfumato.results.comparison import Comparison

__all__ = ["IndexValue", "Row", "row_text"]

_FIELDS = (  # as plain data
    *("measure", "better", "kinds", "lower", "upper", "mean", "guarantee", "confidence", "error"),
    *("method", "seconds", "notes"),
)


@final
@dataclass(frozen=True, eq=False, repr=False)
class IndexValue:
    """A number that an index gives to two partitions. It can stand beside comparisons in a report.

    An index does not say what else the value could be. So its ``guarantee`` is "index", which no
    `Comparison` has.

    Attributes
    ----------
    measure : str
        For example ``"indices.campello"``.
    better : {"higher", "lower"}
    kinds : (str, str)
        Kinds of the two partitions.
    value : float
    error : float
        0 for a formula. For draws, a bound of the error that holds with probability ``confidence``.
    confidence : float or None
        None for a formula.
    seconds : float
    notes : tuple of str
    """

    measure: str
    better: Literal["higher", "lower"]
    kinds: tuple[Kind, Kind]
    value: float
    error: float = 0.0
    confidence: float | None = None
    seconds: float = 0.0
    notes: tuple[str, ...] = ()

    guarantee: ClassVar[str] = "index"
    method: ClassVar[str] = "index"
    is_precise: ClassVar[bool] = True
    std: ClassVar[None] = None
    hardened: ClassVar[None] = None

    @property
    def lower(self) -> float:
        """The value."""
        return self.value

    upper = mean = lower

    @property
    def is_exact(self) -> bool:
        """Whether the value comes from a formula, not from draws."""
        return self.confidence is None

    def __float__(self) -> float:
        return self.value

    def to_dict(self) -> dict[str, object]:
        """The answer as plain Python values."""
        return fields_of(self, _FIELDS)

    def known(self, name: str = "", *, at_once: bool = False) -> Known:
        """The value as plain data for tables and pictures; all of it is there ``at_once``."""
        bracket = self.value - self.error, self.value + self.error
        return Known(
            name,
            self.kinds[0],
            self.measure,
            self.better,
            self.value,
            self.value,
            brackets=(bracket, bracket),
            guarantee=self.guarantee,
            confidence=self.confidence,
        )

    def __repr__(self) -> str:
        error = "" if self.confidence is None else f" +-{self.error:.2g}"
        return (
            f"<{self.measure} of {self.kinds[0]} against {self.kinds[1]}: {number(self.value)}"
            f"{error} (index; {duration(self.seconds)})>"
        )


Row: TypeAlias = Comparison | IndexValue  # of a report


def row_text(row: Row) -> str:
    """The value of a row, or both ends of its interval."""
    is_precise = row.mean is not None
    return interval(row.lower, row.upper, is_precise=is_precise, guarantee=row.guarantee)
