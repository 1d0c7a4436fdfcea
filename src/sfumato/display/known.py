"""What is known of one number, as plain data for tables, sentences and pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, isfinite, isnan
from typing import Literal, TypeAlias, final

from sfumato.display.text import interval

__all__ = ["Cut", "Known", "by_worse_end", "largest_error", "surely_best"]

_Bracket: TypeAlias = tuple[float, float]
Cut: TypeAlias = tuple[float, float, float]  # level, and ends of the values at least so possible

_SAME = 1e-12  # ends that are closer than this are one value


@final
@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one number."""

    name: str  # of the candidate; user text, escaped only where it is written
    kind: str
    measure: str
    better: Literal["higher", "lower"]
    lower: float
    upper: float
    is_precise: bool = True  # theory gives a single value: other ends are left open by the computer
    stds: tuple[float, float] = (0.0, 0.0)  # of the two ends; nan where it is not known
    brackets: tuple[_Bracket, _Bracket] | None = None  # hold the two true ends
    guarantee: str = "exact"
    confidence: float | None = None
    hardened: float | None = None  # None for hard partitions, and where it was not asked for
    cuts: tuple[Cut, ...] = ()  # of a possibility
    is_closed: bool = False  # no value lies beyond the ends, as for rough partitions
    bounds: tuple[float, float] = (-inf, inf)  # range of the measure

    @property
    def is_single(self) -> bool:
        """Whether both ends are the same value."""
        return self.lower == self.upper or abs(self.upper - self.lower) < _SAME

    @property
    def worse_end(self) -> float:
        """The end that counts against a candidate; larger is always better."""
        return self.lower if self.better == "higher" else -self.upper

    @property
    def outer(self) -> tuple[float, float]:
        """The two ends with their brackets: what the true ends surely, or likely, lie within."""
        if self.brackets is None:
            return self.lower, self.upper
        return min(self.lower, self.brackets[0][0]), max(self.upper, self.brackets[1][1])

    @property
    def ends(self) -> tuple[float, float]:
        """The worse and the better of them, turned so that larger is better."""
        low, high = self.outer
        return (low, high) if self.better == "higher" else (-high, -low)

    @property
    def error(self) -> float:
        """Largest distance from an end to a side of its bracket."""
        if self.brackets is None:
            return 0.0
        return largest_error((self.lower, self.upper), self.brackets)

    def value_text(self, digits: int = 3) -> str:
        """The value, or both ends of the interval; bounds are rounded outwards.

        >>> Known("a", "rough", "rand", "higher", 0.5, 1.0, is_precise=False).value_text()
        '[0.500, 1.000]'
        """
        return interval(
            self.lower,
            self.upper,
            is_precise=self.is_single,
            guarantee=self.guarantee,
            digits=digits,
        )

    def std_text(self, digits: int = 3) -> str:
        """The standard deviations: one of a value, two of an interval; empty where there is none.

        >>> Known("a", "fuzzy", "rand", "higher", 0.5, 0.5, stds=(0.25, 0.25)).std_text()
        '0.250'
        """
        if self.stds == (0.0, 0.0):
            return ""
        each = ["?" if isnan(std) else f"{std:.{digits}f}" for std in self.stds]
        return each[0] if self.is_precise or each[0] == each[1] == "?" else ", ".join(each)

    def error_text(self) -> str:
        """The error with two digits; 0 for an exact answer."""
        if self.guarantee == "exact" or self.error == 0:
            return "0"
        return f"{self.error:.2g}" if isfinite(self.error) else "unbounded"

    def trust_text(self) -> str:
        """The guarantee, with the probability where there is one."""
        if self.guarantee == "confidence" and self.confidence is not None:
            return f"{self.confidence:.0%} confidence"
        return self.guarantee


def largest_error(ends: tuple[float, float], brackets: tuple[_Bracket, _Bracket]) -> float:
    """Largest distance from an end to a side of its bracket."""
    pairs = zip(ends, brackets, strict=True)
    return max(0.0 if end == side else abs(end - side) for end, b in pairs for side in b)


def by_worse_end(rows: Sequence[Known]) -> list[Known]:
    """Sort so that the best comes first; vagueness buys no place."""
    return sorted(rows, key=lambda row: row.worse_end, reverse=True)


def surely_best(rows: Sequence[Known]) -> Known | None:
    """The row whose worse end beats the better ends of all others, brackets included; or None.

    >>> low, high, wide = (Known("", "rough", "rand", "higher", *ends)
    ...                    for ends in ((0.1, 0.2), (0.8, 0.9), (0.1, 0.85)))
    >>> surely_best([low, high]) is high, surely_best([low, high, wide])
    (True, None)
    """
    if len(rows) < 2:
        return None
    best = max(rows, key=lambda row: row.ends[0])
    rest = max(row.ends[1] for row in rows if row is not best)
    return best if best.ends[0] > rest else None
