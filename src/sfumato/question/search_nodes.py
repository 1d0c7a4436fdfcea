"""How many nodes the search for one end may visit."""

from sfumato.families import Adjusted, Psi, Ratio, Separable
from sfumato.question.plan import Policy
from sfumato.question.query import Query

__all__ = ["search_nodes", "search_seconds"]

# A search is not timed: a limit of time becomes one of nodes, at the pace of large problems.
_NODES_PER_SECOND = 2000
# Seconds that a node takes with two rough sides, for each cell and type, and what every further
# type adds to that: the chains of exchanges grow with the types.
_NODE_SECONDS: dict[Psi, tuple[float, float]] = {"square": (3e-8, 6e-11), "xlogx": (5e-9, 2e-12)}
_ROUNDS = 4.0  # about the searches that a ratio takes for an end
_MANY_CLUSTERS, _MANY_TYPES, _USED_SHARE = 4, 100, 0.5
_MOST_SECONDS = 4.0  # for a search, where a bracket is welcome and no time is given
_USUAL_NODES, _FEWEST_NODES = 20_000, 10  # what is allowed by default where a bracket is welcome


def search_nodes(query: Query, policy: Policy) -> int:
    """Nodes of each search: fewer than the policy allows where each takes long.

    By operation counts alone, and only where a bracket is an acceptable answer; twice the nodes
    in the policy are worth twice the time.
    """
    seconds = _node_seconds(query)
    if policy.max_seconds is not None:
        pace = _NODES_PER_SECOND if seconds is None else 1 / seconds
        return min(policy.max_nodes, int(pace * policy.max_seconds / 2))
    if seconds is None or "certified" not in policy.guarantees:
        return policy.max_nodes
    affordable = max(_FEWEST_NODES, _MOST_SECONDS / seconds)
    return int(policy.max_nodes * min(1.0, affordable / _USUAL_NODES))


def search_seconds(query: Query, policy: Policy) -> float:
    """About the time of both searches between two rough sides; 0 where these are quick.

    Searches of many types seldom close, so a good part of their nodes counts.
    """
    seconds = _node_seconds(query)
    if seconds is None or max(query.objective.shape) < _MANY_CLUSTERS:
        return 0.0
    if query.joint.types.n_types < _MANY_TYPES:
        return 0.0
    return _USED_SHARE * search_nodes(query, policy) * seconds


def _node_seconds(query: Query) -> float | None:
    """Seconds that a node takes, about, between two rough sides; None for other searches."""
    objective = query.objective
    if isinstance(objective.family, Adjusted):
        objective = objective.unadjusted()
    family = objective.family
    if query.has_hard_side or not isinstance(family, Separable | Ratio):
        return None
    n_types = query.joint.types.n_types
    each, more = _NODE_SECONDS[family.psi]
    rounds = _ROUNDS if isinstance(family, Ratio) else 1.0
    return rounds * objective.n_cells * n_types * (each + more * n_types)
