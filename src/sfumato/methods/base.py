"""What a method is: one way to answer one class of questions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, final

import numpy as np

from sfumato._typing import Guarantee, Quantity, TNorm
from sfumato.families import FamilyKind
from sfumato.partitions.theories import Theory
from sfumato.question.kept import Need
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["Ask", "Choose", "Method", "Scope"]

Choose: TypeAlias = Callable[[Query, Policy], Plan]
Ask: TypeAlias = Callable[[Query, Policy, Callable[[], np.random.Generator]], Comparison]
Structure: TypeAlias = FamilyKind | Literal["other"]

_EVERY_QUANTITY: tuple[Quantity, ...] = ("expectation", "range", "distribution")


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """Which questions a method answers, as data. Where nothing is said, all.

    Attributes
    ----------
    theories : tuple of str
    guarantees : tuple of str
        That its plans may have, the best first.
    quantities : tuple of str
    families : tuple of str
        Structures of the measure; "other" stands for measures without a known structure.
    t_norms : tuple of str
        Of possibilistic questions.
    needs_hard_side : bool
        Whether one of the two partitions must be hard.
    most_clusters : int or None
        On either side.
    is_last_resort : bool
        Whether the method is asked only where no other has a plan that fits.
    needs : {"objects", "counts", "sums", "powers", "draws"}
        What it needs of the objects at least: themselves, or what a `Summary` keeps of them.
    """

    theories: tuple[Theory, ...]
    guarantees: tuple[Guarantee, ...]
    quantities: tuple[Quantity, ...] = _EVERY_QUANTITY
    families: tuple[Structure, ...] | None = None
    t_norms: tuple[TNorm, ...] | None = None
    needs_hard_side: bool = False
    most_clusters: int | None = None
    is_last_resort: bool = False
    needs: Need = "objects"

    def holds(self, query: Query) -> bool:
        """Whether the question is one of these."""
        if query.theory not in self.theories:
            return False
        objective = query.objective
        structure = "other" if objective.family is None else objective.family.kind
        is_hard = not self.needs_hard_side or query.joint.has_hard_columns
        if not self.covers(query.theory, query.quantity, structure, has_hard_side=is_hard):
            return False
        if query.kept is None and self.needs == "draws":  # of objects that are gone
            return False
        if query.kept is not None and not query.kept.has(self.needs):
            return False
        if self.t_norms is not None and query.t_norm not in self.t_norms:
            return False
        return self.most_clusters is None or max(objective.shape) <= self.most_clusters

    def covers(
        self, theory: Theory, quantity: Quantity, structure: Structure, *, has_hard_side: bool
    ) -> bool:
        """Whether such questions are among these, as far as can be told without the partitions."""
        return (
            theory in self.theories
            and quantity in self.quantities
            and (has_hard_side or not self.needs_hard_side)
            and (self.families is None or structure in self.families)
        )


class Method(ABC):
    """One way to answer one class of questions.

    Attributes
    ----------
    name, cost : str
        The name in results, and the cost in words for the documentation.
    scopes : tuple of Scope
        A question is the method's if one of them holds.
    asks_others : bool
        Whether it reduces a question to others, which other methods answer.
    """

    name: str
    cost: str
    scopes: tuple[Scope, ...]
    asks_others: bool = False

    @abstractmethod
    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Say what it would do and what that would cost, one plan for each effort.

        The question is within the scope; still there may be no plan, where one would cost too much.
        A plan holds what was found while making it, so that nothing is computed again.
        """
