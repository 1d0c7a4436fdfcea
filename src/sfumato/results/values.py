"""Hold what is known of a value: a set, a distribution, a possibility or a mass function."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from math import isnan
from typing import TypeAlias, final

import numpy as np

from sfumato._arguments import is_number
from sfumato._typing import Bools, Floats
from sfumato.algorithms.expectations.mean_ends import Expectations, expectations
from sfumato.algorithms.tables.distinct import ROUNDING, distinct_values
from sfumato.display.known import Cut
from sfumato.errors import InputError, UnsupportedError

Event: TypeAlias = Callable[[Floats], Bools]  # says which of an array of values are in the event

__all__ = [
    "EXACT_LOST_MASS",
    "ValueDistribution",
    "ValueKnowledge",
    "ValueMass",
    "ValuePossibility",
    "ValueSet",
]

EXACT_LOST_MASS = 1e-12  # an answer counts as exact if it leaves out no more mass than this


def _read_only(values: Floats) -> Floats:
    values = np.array(values, dtype=np.float64)
    values.flags.writeable = False
    return values


class ValueKnowledge(ABC):
    """What is known of the value of a measure.

    All four forms are mass functions over sets of values: one set of mass 1 (rough), sets of one
    value (fuzzy), nested sets (possibilistic), any sets (evidential). So belief and plausibility
    of "at most t" and "at least t" need only the two ends of each set. Comparisons with t allow for
    rounding.
    """

    lost_mass: float
    is_complete: bool  # whether all values of each set are listed, not only its ends

    @property
    @abstractmethod
    def support(self) -> Floats:
        """All values that are not ruled out, in increasing order."""

    @cached_property
    @abstractmethod
    def ends(self) -> tuple[Floats, Floats, Floats]:
        """Smallest value, largest value and mass of each focal set."""

    @abstractmethod
    def quantile(self, q: float) -> float | tuple[float, float]:
        """Smallest value that is not exceeded with probability q; its two ends if imprecise."""

    @cached_property
    def _expectations(self) -> Expectations:
        return expectations(*self.ends)

    @property
    def lower(self) -> float:
        """Lower expectation: every focal set counts with its smallest value."""
        return self._expectations.lower

    @property
    def upper(self) -> float:
        """Upper expectation: every focal set counts with its largest value."""
        return self._expectations.upper

    @property
    def lower_std(self) -> float:
        """Standard deviation of the smallest value of a random focal set."""
        return self._expectations.lower_std

    @property
    def upper_std(self) -> float:
        """Standard deviation of the largest value of a random focal set."""
        return self._expectations.upper_std

    def belief(
        self,
        *,
        at_most: float | None = None,
        at_least: float | None = None,
        where: Event | None = None,
    ) -> float:
        """Mass of the focal sets that lie wholly at or below (or at or above) a threshold.

        ``where`` asks for any other event. It is a function that takes an array of values and says
        which of them are in the event.
        """
        return self._mass(self._holds(at_most, at_least, where)[0])

    def plausibility(
        self,
        *,
        at_most: float | None = None,
        at_least: float | None = None,
        where: Event | None = None,
    ) -> float:
        """Mass of the focal sets with a value at or below (or at or above) a threshold.

        ``where`` asks for any other event. The mass that was left out (``lost_mass``) is added,
        because its values are not known.
        """
        return min(1.0, self._mass(self._holds(at_most, at_least, where)[1]) + self.lost_mass)

    def _mass(self, holds: Bools) -> float:
        return min(1.0, float(self.ends[2][holds].sum()))

    def _holds(
        self, at_most: float | None, at_least: float | None, where: Event | None
    ) -> tuple[Bools, Bools]:
        """For each focal set: whether all its values, and whether some, are as asked for."""
        if sum(asked is not None for asked in (at_most, at_least, where)) != 1:
            raise InputError("Give exactly one of at_most=t, at_least=t and where=function.")
        if where is None:
            lows, highs, _ = self.ends
            if at_most is not None:
                highest = _threshold(at_most, 1)
                return highs <= highest, lows <= highest
            lowest = _threshold(at_least, -1)
            return lows >= lowest, highs >= lowest
        if not self.is_complete:
            raise UnsupportedError(
                "Only the ends of the sets of values are known here, so at_most and at_least can "
                "be asked for, but no other event."
            )
        return self._hold(where)

    @abstractmethod
    def _hold(self, where: Event) -> tuple[Bools, Bools]:
        """For each focal set: whether all its values, and whether some, are in the event."""

    def _quantiles(self, q: float) -> tuple[float, float]:
        if not (is_number(q) and 0.0 <= q <= 1.0):
            raise InputError(f"A quantile needs a probability from 0 to 1, got {q!r}.")
        lows, highs, masses = self.ends
        return _weighted_quantile(lows, masses, q), _weighted_quantile(highs, masses, q)


def _threshold(given: object, sense: int) -> float:
    """A threshold, moved by what comparisons with it allow for."""
    if not is_number(given) or isnan(given):
        raise InputError(f"A threshold must be a number, got {given!r}.")
    return float(given) + sense * ROUNDING * max(1.0, abs(given))


def _inside(where: Event, values: Floats) -> Bools:
    if not callable(where):
        raise InputError(f"where must be a function of an array of values, got {where!r}.")
    inside = np.asarray(where(values))
    if inside.shape != values.shape or inside.dtype != np.bool_:
        raise InputError(
            f"where must give one truth value for each of {len(values)} values; it gave "
            f"{inside.dtype} of shape {inside.shape}."
        )
    return inside


def _weighted_quantile(values: Floats, masses: Floats, q: float) -> float:
    order = np.argsort(values, kind="stable")
    cumulative: Floats = np.cumsum(masses[order])
    at = int(np.searchsorted(cumulative, q * float(cumulative[-1]) - ROUNDING))
    return float(values[order][min(at, len(order) - 1)])


@final
@dataclass(frozen=True, eq=False)
class ValueSet(ValueKnowledge):
    """The value is one of these, and nothing more is known (rough partitions).

    Examples
    --------
    >>> found = ValueSet([0.5, 1.0])
    >>> found.lower, found.upper, found.belief(at_least=0.4), found.belief(at_least=0.6)
    (0.5, 1.0, 1.0, 0.0)
    """

    values: Floats
    lost_mass: float = field(default=0.0, init=False)
    is_complete: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", _read_only(self.values))

    @property
    def support(self) -> Floats:
        """All values that are not ruled out, in increasing order."""
        return self.values

    @cached_property
    def ends(self) -> tuple[Floats, Floats, Floats]:
        """Smallest value, largest value and mass of the one focal set."""
        return self.values[:1], self.values[-1:], np.ones(1)

    def _hold(self, where: Event) -> tuple[Bools, Bools]:
        inside = _inside(where, self.values)
        return np.array([inside.all()]), np.array([inside.any()])

    def quantile(self, q: float) -> tuple[float, float]:
        """Smallest and largest value that the quantile can have: the ends of the set."""
        return self._quantiles(q)


@final
@dataclass(frozen=True, eq=False)
class ValueDistribution(ValueKnowledge):
    """The value has a probability distribution (fuzzy partitions).

    Examples
    --------
    >>> found = ValueDistribution([0.5, 1.0], [0.25, 0.75])
    >>> found.lower, found.upper, found.quantile(0.5), found.belief(at_most=0.5)
    (0.875, 0.875, 1.0, 0.25)
    """

    values: Floats
    probabilities: Floats
    lost_mass: float = 0.0
    is_complete: bool = field(default=True, init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", _read_only(self.values))
        object.__setattr__(self, "probabilities", _read_only(self.probabilities))

    @property
    def support(self) -> Floats:
        """All values of positive probability, in increasing order."""
        return self.values

    @cached_property
    def ends(self) -> tuple[Floats, Floats, Floats]:
        """Every value is a focal set of its own, with its probability as mass."""
        return self.values, self.values, self.probabilities

    def _hold(self, where: Event) -> tuple[Bools, Bools]:
        inside = _inside(where, self.values)
        return inside, inside

    def quantile(self, q: float) -> float:
        """Smallest value that is not exceeded with probability q."""
        return self._quantiles(q)[0]


@final
@dataclass(frozen=True, eq=False)
class ValuePossibility(ValueKnowledge):
    """Every value has a possibility (possibilistic partitions read with a t-norm).

    Examples
    --------
    >>> found = ValuePossibility([0.25, 0.5, 1.0], [0.5, 1.0, 0.25])
    >>> found.cut(0.5).values.tolist(), found.lower, found.upper
    ([0.25, 0.5], 0.375, 0.625)
    """

    values: Floats
    possibilities: Floats
    lost_mass: float = 0.0
    is_complete: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", _read_only(self.values))
        object.__setattr__(self, "possibilities", _read_only(self.possibilities))

    @property
    def support(self) -> Floats:
        """All values of positive possibility, in increasing order."""
        return self.values

    def cut(self, alpha: float) -> ValueSet:
        """Values of possibility at least alpha."""
        if not (is_number(alpha) and 0.0 < alpha <= 1.0):
            raise InputError(f"A level must be above 0 and at most 1, got {alpha!r}.")
        kept = self.values[self.possibilities >= alpha - ROUNDING]
        if len(kept) == 0:
            raise InputError(f"No value has a possibility of {alpha!r} or more.")
        return ValueSet(kept, is_complete=self.is_complete)

    def cuts(self, levels: tuple[float, ...] = (0.25, 0.5, 0.75, 1.0)) -> tuple[Cut, ...]:
        """Ends of the cuts at some levels, as (level, smallest, largest)."""
        found = ((level, self.cut(level).values) for level in levels)
        return tuple((level, float(kept[0]), float(kept[-1])) for level, kept in found)

    @cached_property
    def ends(self) -> tuple[Floats, Floats, Floats]:
        """Ends and masses of the cuts. The mass of a cut is the gap to the next lower level."""
        order = np.argsort(-self.possibilities, kind="stable")
        levels = self.possibilities[order]
        lows = np.minimum.accumulate(self.values[order])
        highs = np.maximum.accumulate(self.values[order])
        gaps = levels - np.append(levels[1:], 0.0)
        return lows, highs, gaps

    def _hold(self, where: Event) -> tuple[Bools, Bools]:
        inside = _inside(where, self.values)[np.argsort(-self.possibilities, kind="stable")]
        return np.logical_and.accumulate(inside), np.logical_or.accumulate(inside)

    def quantile(self, q: float) -> tuple[float, float]:
        """Smallest and largest value that the quantile can have."""
        return self._quantiles(q)


@final
@dataclass(frozen=True, eq=False)
class ValueMass(ValueKnowledge):
    """A mass function over sets of values (evidential partitions).

    Examples
    --------
    >>> found = ValueMass(([0.5], [0.5, 1.0]), [0.25, 0.75])
    >>> found.lower, found.upper, found.plausibility(at_least=1.0), found.belief(at_least=1.0)
    (0.5, 0.875, 0.75, 0.0)
    """

    sets: tuple[Floats, ...]
    masses: Floats
    lost_mass: float = 0.0
    is_complete: bool = True
    is_outer: bool = False  # whether ends of sets may lie outside the true ones

    def __post_init__(self) -> None:
        object.__setattr__(self, "sets", tuple(_read_only(values) for values in self.sets))
        object.__setattr__(self, "masses", _read_only(self.masses))

    @property
    def support(self) -> Floats:
        """All values that occur in some focal set, in increasing order."""
        return distinct_values(np.concatenate(self.sets))[0]

    @cached_property
    def ends(self) -> tuple[Floats, Floats, Floats]:
        """Smallest value, largest value and mass of each focal set."""
        lows = np.array([values[0] for values in self.sets])
        highs = np.array([values[-1] for values in self.sets])
        return lows, highs, self.masses

    def _hold(self, where: Event) -> tuple[Bools, Bools]:
        inside = [_inside(where, values) for values in self.sets]
        return np.array([s.all() for s in inside]), np.array([s.any() for s in inside])

    def quantile(self, q: float) -> tuple[float, float]:
        """Smallest and largest value that the quantile can have."""
        return self._quantiles(q)
