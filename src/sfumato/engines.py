"""Policies over methods: which guarantees are acceptable, and what may be spent."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from typing import Literal, TypeGuard, cast, final

from sfumato._arguments import is_count, is_number
from sfumato._wording import option
from sfumato.errors import InputError
from sfumato.question.plan import Policy

__all__ = ["Auto", "Bounds", "ClosedForm", "Engine", "Exact", "Sampled", "as_engine"]

_USUAL_TOLERANCE = 1e-3


class Engine(ABC):
    """A policy: which guarantees are acceptable, which budget may be spent."""

    @abstractmethod
    def policy(self) -> Policy:
        """The policy as plain data, for the planner."""


@final
@dataclass(frozen=True, slots=True)
class Auto(Engine):
    """Exact where affordable, else the best estimate that is, and the result says which.

    Parameters
    ----------
    tolerance : float or None
        Error that estimates aim at. None: 0.001, and less for n > 1,000 objects, whose answers have
        smaller errors: 0.001 (1,000 / n)^(1/6).
    confidence : float
        Probability that an estimate's brackets hold.
    max_seconds : float or None
        Time that an answer may take, planning included: overrun by a fifth and 0.2 s at most. What
        it cuts short has a wider bracket; the result then depends on the machine and says so.
    max_tables : int
        Most tables an exact method may visit.
    max_nodes : int
        Most nodes a search may visit; fewer, and in proportion, where nodes take long.
    threads : int or None
        None uses all cores; the result does not depend on it.
    max_lost_mass : float
        Probability that a distribution may leave out to be cheaper. What is lost is reported and
        widens the brackets; up to 1e-12 an answer counts as exact.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.compare([0, 0, 1], [0, 1, 1], engine=sf.Auto(tolerance=0.01)).guarantee
    'exact'
    """

    tolerance: float | None = None
    confidence: float = 0.95
    max_seconds: float | None = None
    max_tables: int = 1_000_000
    max_nodes: int = 20_000
    threads: int | None = None
    max_lost_mass: float = 1e-12

    def __post_init__(self) -> None:
        if self.tolerance is not None:
            _check_tolerance(self.tolerance)
        _check_confidence(self.confidence)
        _check_count("max_tables", self.max_tables)
        _check_count("max_nodes", self.max_nodes, least=0)
        if not (is_number(self.max_lost_mass) and 0 <= self.max_lost_mass < 1):
            raise InputError(
                f"max_lost_mass must lie from 0 to below 1, got {self.max_lost_mass!r}."
            )
        if self.max_seconds is not None and not _is_above_zero(self.max_seconds):
            raise InputError(f"max_seconds must be a positive number, got {self.max_seconds!r}.")
        if self.threads is not None:
            _check_count("threads", self.threads)

    def policy(self) -> Policy:
        """Everything goes, the best guarantee first."""
        return Policy(
            engine="Auto",
            guarantees=("exact", "certified", "confidence", "inner"),
            max_tables=self.max_tables,
            can_raise_tables=True,
            max_nodes=self.max_nodes,
            max_lost_mass=self.max_lost_mass,
            tolerance=_USUAL_TOLERANCE if self.tolerance is None else self.tolerance,
            confidence=self.confidence,
            tolerance_is_demand=False,
            tolerance_falls=self.tolerance is None,
            max_draws_of_objects=1e8,
            max_seconds=self.max_seconds,
            threads=self.threads,
        )


@final
@dataclass(frozen=True, slots=True)
class Exact(Engine):
    """Exact or not at all: over budget it raises `CostError` with the predicted cost.

    Parameters
    ----------
    max_tables : int
        Most tables to visit.
    max_nodes : int
        Most nodes a search may visit.
    """

    max_tables: int = 1_000_000
    max_nodes: int = 1_000_000

    def __post_init__(self) -> None:
        _check_count("max_tables", self.max_tables)
        _check_count("max_nodes", self.max_nodes, least=0)

    def policy(self) -> Policy:
        """Exact guarantees only."""
        return Policy(
            engine="Exact",
            guarantees=("exact",),
            max_tables=self.max_tables,
            can_raise_tables=True,
            max_nodes=self.max_nodes,
        )


@final
@dataclass(frozen=True, slots=True)
class ClosedForm(Engine):
    """Formulas only: exact answers that visit one table at most."""

    def policy(self) -> Policy:
        """Exact guarantees without enumeration."""
        return Policy(engine="ClosedForm", guarantees=("exact",), max_tables=1, formulas_only=True)


@final
@dataclass(frozen=True, slots=True)
class Bounds(Engine):
    """Deterministic brackets that surely hold the true ends: no sampling, no long search."""

    def policy(self) -> Policy:
        """Certified brackets, or better where that costs next to nothing."""
        return Policy(
            engine="Bounds", guarantees=("exact", "certified"), max_tables=1000, max_nodes=0
        )


@final
@dataclass(frozen=True, slots=True)
class Sampled(Engine):
    """Random draws, as in the paper's section 3.3, with the error stated.

    Parameters
    ----------
    n_samples : int or None
        Draws to make; None: as many as ``tolerance`` needs, or a default.
    tolerance : float or None
        Error to reach: draws are made until the brackets are that narrow.
    confidence : float
        Probability that the brackets hold.
    nested : bool
        Evidential partitions: draw rough partitions and then clusterings from each, as the paper
        does where solving each is too dear. The result is biased inward and says so.
    n_inner : int
        Clusterings drawn from each rough partition when nested.
    bound : {"best", "hoeffding"}
        How the error is bounded. "best" takes the smallest of several bounds: that of Hoeffding,
        those of McDiarmid and Freedman where one object can move the value by little only, and
        one by betting on the values drawn. "hoeffding" is the paper's own.
    """

    n_samples: int | None = None
    tolerance: float | None = None
    confidence: float = 0.95
    nested: bool = False
    n_inner: int = 100
    bound: Literal["best", "hoeffding"] = "best"

    def __post_init__(self) -> None:
        if self.n_samples is not None:
            _check_count("n_samples", self.n_samples)
        if self.tolerance is not None:
            _check_tolerance(self.tolerance)
        if self.n_samples is not None and self.tolerance is not None:
            raise InputError("Give n_samples or tolerance, not both: each fixes the other.")
        _check_confidence(self.confidence)
        if not isinstance(cast(object, self.nested), bool):
            raise InputError(f"nested must be True or False, got {self.nested!r}.")
        _check_count("n_inner", self.n_inner)
        if self.bound not in ("best", "hoeffding"):
            raise InputError(f"bound must be 'best' or 'hoeffding', got {self.bound!r}.")

    def policy(self) -> Policy:
        """Estimates first; a formula where there is nothing to draw."""
        return Policy(
            engine="Sampled",
            guarantees=("confidence", "inner", "exact"),
            n_samples=self.n_samples,
            tolerance=self.tolerance,
            confidence=self.confidence,
            bound=self.bound,
            nested=self.nested,
            n_inner=self.n_inner,
        )


def _is_above_zero(value: object) -> TypeGuard[float]:
    return is_number(value) and value > 0


def _check_tolerance(tolerance: object) -> None:
    if not (_is_above_zero(tolerance) and isfinite(tolerance)):
        raise InputError(
            f"tolerance must be positive and finite, got {tolerance!r}: no number of draws makes "
            f"the error 0; use {option('engine', 'exact')} for an exact answer."
        )


def _check_confidence(confidence: object) -> None:
    if not (is_number(confidence) and 0 < confidence < 1):
        raise InputError(f"confidence must lie strictly between 0 and 1, got {confidence!r}.")


def _check_count(name: str, value: object, *, least: int = 1) -> None:
    if not is_count(value, least=least):
        raise InputError(f"{name} must be an integer of at least {least}, got {value!r}.")


_NAMED: dict[str, Engine] = {
    "auto": Auto(),
    "exact": Exact(),
    "closed_form": ClosedForm(),
    "bounds": Bounds(),
    "sampled": Sampled(),
}


def as_engine(engine: object) -> Engine:
    """The engine itself, or the one of that name with its defaults."""
    if isinstance(engine, Engine):
        return engine
    if isinstance(engine, str) and engine in _NAMED:
        return _NAMED[engine]
    if isinstance(engine, type) and issubclass(engine, Engine):
        raise InputError(f"{engine.__name__} is a class; pass an instance: {engine.__name__}().")
    close = get_close_matches(engine, _NAMED, n=1) if isinstance(engine, str) else []
    hint = f"; did you mean {close[0]!r}?" if close else "."
    raise InputError(
        f"Unknown engine {engine!r}: pass one of {', '.join(map(repr, _NAMED))}, or an object "
        f"such as Sampled(n_samples=1000){hint}"
    )
