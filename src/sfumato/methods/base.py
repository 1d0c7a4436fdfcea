"""What a method is: one way to answer one class of questions."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.display.text import duration
from sfumato.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["Method", "Plan", "Policy", "Progress"]

_CORES = os.cpu_count() or 1  # asking takes longer than a small comparison can spare
Progress: TypeAlias = Callable[[float], None]  # told the share of the work that is done


@final
@dataclass(frozen=True, slots=True)
class Policy:
    """What an engine allows: which guarantees, in order of preference, and which budget.

    Attributes
    ----------
    engine : str
        Name of the engine, for results and messages.
    guarantees : tuple of str
        Acceptable guarantees, the preferred one first.
    max_tables : float
        Most tables that an exact method may visit.
    max_nodes : int
        Most nodes that each search may visit.
    max_lost_mass : float
        Probability that a law may leave out; what is lost is reported and widens the brackets.
    n_samples, tolerance, confidence : number of draws, or the error to reach, and how surely
    max_draws_of_objects : float
        When no number of draws is asked for: most single objects to draw in all.
    bound : {"best", "hoeffding"}
        How the error of a mean of draws is bounded.
    nested : bool or None
        Whether evidential sampling is nested; None: only if nothing better is affordable.
    n_inner : int
        Clusterings drawn from each rough partition when nested.
    max_seconds : float or None
    threads : int or None
    """

    engine: str
    guarantees: tuple[Guarantee, ...]
    max_tables: float = 1_000_000
    max_nodes: int = 1_000_000
    max_lost_mass: float = 1e-12
    n_samples: int | None = None
    tolerance: float | None = None
    confidence: float = 0.95
    max_draws_of_objects: float = float("inf")
    bound: Literal["best", "hoeffding"] = "best"
    nested: bool | None = None
    n_inner: int = 100
    max_seconds: float | None = None
    threads: int | None = None

    @property
    def n_threads(self) -> int:
        """Threads to use: all cores unless told otherwise."""
        return self.threads or _CORES


@final
@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """How a question would be answered, at what cost and with what guarantee.

    Attributes
    ----------
    method : str
    guarantee : str
    tables : float
        Contingency tables to visit, at most.
    bytes : float
        Memory beyond the input, about.
    seconds : float
        Time, roughly: operation counts times a fixed rate, never a timing of this machine.
    why : str
    n_samples : int or None
    lists_tables : bool
        Whether it holds the tables in memory, so that ``max_tables`` limits them; an exact plan is
        limited anyway.
    alternatives : tuple of (str, str)
        The other methods and why they were not chosen.
    """

    query: Query = field(repr=False)
    policy: Policy = field(repr=False)
    method: str
    guarantee: Guarantee
    tables: float
    bytes: float
    seconds: float
    why: str
    n_samples: int | None = None
    lists_tables: bool = False
    alternatives: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        size = f"up to {self.tables:,.0f}" if self.tables < 1e7 else f"up to {self.tables:.1e}"
        lines = [
            f"{self.query.measure.name} ({self.query.quantity}) of {self.query.kinds[0]} against "
            f"{self.query.kinds[1]}",
            f"  method     {self.method}: {self.why}",
            f"  guarantee  {self.guarantee}",
            f"  cost       {size} tables, about {self.bytes / 1e6:.3g} MB and "
            f"{duration(self.seconds)}",
        ]
        lines += [f"  not        {name}: {reason}" for name, reason in self.alternatives]
        return "\n".join(lines)


class Method(ABC):
    """One way to answer one class of questions.

    Attributes
    ----------
    name : str
    """

    name: str

    @abstractmethod
    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Say what it would do and what that would cost; None if it cannot answer."""

    @abstractmethod
    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Answer; ``deadline`` is a value of ``time.monotonic()`` to stop at, if possible."""
