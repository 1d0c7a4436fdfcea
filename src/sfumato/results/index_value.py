"""The value of a classical index, in the shape of a comparison's row."""

from dataclasses import dataclass
from typing import ClassVar, Literal, final

from sfumato._typing import Kind
from sfumato.display.text import duration, number

__all__ = ["IndexValue"]


@final
@dataclass(frozen=True, eq=False, repr=False)
class IndexValue:
    """A number that an index gives to two partitions; it stands beside comparisons in reports.

    It says nothing of what else the value could be, so where a `Comparison` has a guarantee it
    says "index".

    Attributes
    ----------
    measure : str
        As in ``"indices.campello"``.
    better : {"higher", "lower"}
    kinds : (str, str)
        Kinds of the two partitions.
    value : float
    error : float
        0 for a formula; how far off draws can be, with probability ``confidence``.
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

    @property
    def lower(self) -> float:
        """The value."""
        return self.value

    @property
    def upper(self) -> float:
        """The value."""
        return self.value

    @property
    def mean(self) -> float:
        """The value."""
        return self.value

    @property
    def is_exact(self) -> bool:
        """Whether the value comes from a formula, not from draws."""
        return self.confidence is None

    def __float__(self) -> float:
        return self.value

    def to_dict(self) -> dict[str, object]:
        """The answer as plain Python values."""
        return {
            "measure": self.measure,
            "kinds": list(self.kinds),
            "lower": self.lower,
            "upper": self.upper,
            "mean": self.mean,
            "guarantee": self.guarantee,
            "confidence": self.confidence,
            "error": self.error,
            "method": self.method,
            "seconds": self.seconds,
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        error = "" if self.confidence is None else f" +-{number(self.error)}"
        return (
            f"<{self.measure} of {self.kinds[0]} against {self.kinds[1]}: {number(self.value)}"
            f"{error} (index; {duration(self.seconds)})>"
        )
