"""Rough partitions drawn from a question: how both ends of each are found, and in what time."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, final

from sfumato.algorithms.deadline import Deadline
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.solve import has_brackets, is_solvable, solve_seconds
from sfumato.algorithms.sampling.mean import Source
from sfumato.algorithms.sampling.sources.bracketed import (
    bracket_seconds,
    bracket_source,
    is_bracketable,
)
from sfumato.algorithms.sampling.sources.solved import ends_by_list, ends_by_search, solved_source
from sfumato.algorithms.tables.focal_model import bound_reach
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.families import Separable
from sfumato.question.plan import Policy
from sfumato.question.query import Query

__all__ = ["ENOUGH_DRAWS", "NODES_SHARE", "RoughDraws", "budget_each", "search_seconds"]

_Way: TypeAlias = Literal["solve", "list", "distance", "bracket"]

ENOUGH_DRAWS = 100  # where each is dear
NODES_SHARE = 100  # each of many searches gets this part of the nodes of a single one
_LONG = 10.0  # seconds, about, for enough draws
_SECONDS_PER_TABLE = 1e-7  # that is listed
_SECONDS_PER_BLOCK = 0.1  # a limit of time is looked at between blocks
_BLOCK, _BLOCK_OF_MANY, _MANY_OBJECTS = 512, 128, 2000
_MOST_OPEN_CELLS = 1e5  # over all types and their pairs of sets; beyond, no tables are counted


def search_seconds(query: Query, policy: Policy) -> float:
    """About the time of the searches of one draw, which end with their nodes."""
    nodes = max(1, policy.max_nodes // NODES_SHARE)
    return solve_seconds(query.objective, has_hard_side=query.has_hard_side, max_nodes=nodes)


def budget_each(policy: Policy, deadline: Deadline) -> Budget:
    """What the searches of one draw may spend."""
    return Budget(policy.max_nodes // NODES_SHARE, 1, deadline)


@final
@dataclass(frozen=True, slots=True)
class RoughDraws:
    """Draws of rough partitions whose ends are solved, listed, or bracketed."""

    query: Query
    policy: Policy
    way: _Way

    @classmethod
    def of(cls, query: Query, policy: Policy) -> "RoughDraws | None":
        """None where there is only a list, and it is too long."""
        found = cls(query, policy, _way(query, policy))
        return None if found.is_listed and query.joint.is_wide else found

    @property
    def is_listed(self) -> bool:
        """Whether all tables of a draw are listed."""
        return self.way == "list"

    @property
    def is_solved(self) -> bool:
        """Whether the ends are known, not bracketed."""
        return self.way in ("solve", "list")

    @property
    def is_searched(self) -> bool:
        """Whether ends are searched for: searches look at the deadline."""
        return self.way in ("solve", "distance")

    @property
    def reach(self) -> float:
        """Tables of a draw that are looked at, at most."""
        return bound_reach(self.query.joint.focal_model) if self.is_listed else 2.0

    @property
    def seconds_each(self) -> float:
        """About the time of one draw."""
        if self.is_listed:
            return _SECONDS_PER_TABLE * self.reach
        seconds = search_seconds(self.query, self.policy) if self.is_searched else 0.0
        if self.way != "solve":
            seconds += bracket_seconds(self.query.objective, self.query.joint.drawn_sides)
        return seconds

    def source(self, n_draws: int, deadline: Deadline) -> Source:
        """What draws them, about so many."""
        query, policy = self.query, self.policy
        joint, objective = query.joint, query.objective
        if self.way == "bracket":
            source = bracket_source(objective, joint.drawn_sides)
            return source._replace(block=policy.block(source.block, self.seconds_each))
        block = _BLOCK if query.n_objects < _MANY_OBJECTS else _BLOCK_OF_MANY
        if self.is_listed:
            sampler = FocalSampler(joint.focal_model, n_draws)
            find_ends = ends_by_list(objective, joint.focal_model)
            return solved_source(sampler, find_ends, policy.block(block, self.seconds_each))
        block = max(1, min(block, int(_SECONDS_PER_BLOCK / self.seconds_each)))
        find_ends = ends_by_search(objective, joint.types_of, budget_each(policy, deadline))
        return solved_source(joint.sampler(n_draws), find_ends, block)


def _way(query: Query, policy: Policy) -> _Way:
    """A solver where there is one, a list of all tables where it is short, else brackets.

    These are better where a distance between the two sides can be solved.
    """
    objective, joint = query.objective, query.joint
    if is_solvable(objective, joint.kinds_of_sets):
        # A few draws say less, solved, than many do that are bracketed.
        is_wish = policy.n_samples is None and not policy.tolerance_is_demand
        # Brackets are nearly sharp for information, and for pairs where one side is certain.
        is_sharp = isinstance(objective.family, Separable) and (
            objective.family.psi == "xlogx" or query.has_hard_side
        )
        enough = (10 if is_sharp else 1) * ENOUGH_DRAWS
        is_dear = is_wish and enough * search_seconds(query, policy) > _LONG
        return "bracket" if is_dear and is_bracketable(objective, joint.drawn_sides) else "solve"
    if not is_bracketable(objective, joint.drawn_sides):
        return "list"
    if joint.n_open_cells > _MOST_OPEN_CELLS:
        return "bracket"
    draws = policy.n_samples or ENOUGH_DRAWS
    if draws * bound_reach(joint.focal_model) <= policy.max_tables:
        return "list"
    return "distance" if has_brackets(objective, joint.kinds_of_sets) else "bracket"
