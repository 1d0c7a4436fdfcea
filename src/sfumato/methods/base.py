"""What a method is: one way to answer one class of questions."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias, final, get_args

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


@final
@dataclass(frozen=True, slots=True)
class Scope:
    """Which questions a method answers, as data. Where nothing is said, all."""

    theories: tuple[Theory, ...]
    guarantees: tuple[Guarantee, ...]  # that its plans may have, the best first
    quantities: tuple[Quantity, ...] = get_args(Quantity)
    families: tuple[Structure, ...] | None = None  # "other": measures without a known structure
    t_norms: tuple[TNorm, ...] | None = None  # of possibilistic questions
    needs_hard_side: bool = False  # whether one of the two partitions must be hard
    most_clusters: int | None = None  # on either side
    is_last_resort: bool = False  # whether it is asked only where no other has a plan that fits
    needs: Need = "objects"  # of the objects at least: themselves, or what a `Summary` keeps

    def holds(self, query: Query) -> bool:
        """Whether the question is one of these."""
        if query.theory not in self.theories:
            return False
        objective = query.objective
        structure = "other" if objective.family is None else objective.family.kind
        is_hard = not self.needs_hard_side or query.joint.has_hard_columns
        has_needs = (
            self.needs != "draws"  # of objects that are gone
            if query.kept is None
            else query.kept.has(self.needs)
        )
        return (
            self.covers(query.theory, query.quantity, structure, has_hard_side=is_hard)
            and has_needs
            and (self.t_norms is None or query.t_norm in self.t_norms)
            and (self.most_clusters is None or max(objective.shape) <= self.most_clusters)
        )

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
    """One way to answer one class of questions: those that one of its scopes holds."""

    name: str  # in results
    cost: str  # in words, for the documentation
    scopes: tuple[Scope, ...]
    asks_others: bool = False  # whether it reduces a question to others, which others answer

    @abstractmethod
    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Say what it would do and what that would cost, one plan for each effort.

        The question is within the scope; still there may be no plan, where one would cost too much.
        A plan holds what was found while making it, so that nothing is computed again.
        """
