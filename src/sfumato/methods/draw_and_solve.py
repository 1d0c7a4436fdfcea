"""Draw rough partitions from evidential ones and solve each (paper, section 3.3)."""

from math import inf
from typing import Literal, TypeAlias, final

import numpy as np

from sfumato._typing import Ints
from sfumato.algorithms.tables.focal_model import bound_reach, reach_tables
from sfumato.algorithms.tables.sampler import FocalSampler
from sfumato.families import Ratio
from sfumato.methods.answers import Reached, ends_of, estimated_answer, intervals
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.batches import batch_of_types
from sfumato.methods.bracketed_ends import bracket_ends
from sfumato.methods.control_variates import count_controls, together
from sfumato.methods.draw_brackets import (
    OuterEnds,
    bracket_block,
    bracket_seconds,
    draw_brackets,
    is_bracketable,
    outer_ends,
)
from sfumato.methods.estimate import Draws, Source, estimate_means
from sfumato.methods.extremes import Solved, has_brackets, is_solvable, solve_ends, solve_seconds
from sfumato.methods.sampling import gap_notes, half_width, objects_per_draw, planned_draws
from sfumato.query import Query
from sfumato.results.comparison import Comparison

__all__ = ["DrawAndSolve"]

_Way: TypeAlias = Literal["solve", "list", "distance", "bracket"]

_DEFAULT_DRAWS = 10_000
_FEWEST_DRAWS, _ENOUGH_DRAWS = 10, 100  # where each is dear
_SECONDS, _MOST_SECONDS = 5.0, 10.0  # about, where no number of draws is asked for
_BLOCK = 512
_SECONDS_PER_NODE = 1e-4
_SECONDS_PER_BLOCK = 0.1
_MANY_OBJECTS = 2000
_MOST_OPEN_CELLS = 1e5  # over all types and their pairs of sets; beyond, no tables are counted
_NEGLIGIBLE = 1e-6  # distance of a bound to what is attained
_NODES_SHARE = 100  # each of many searches gets this part of the nodes of a single one


@final
class DrawAndSolve(Method):
    """Draw pairs of rough partitions by their masses and find the interval of each.

    Exactly where a solver reaches or the tables are few: then the means of the two ends estimate
    the lower and upper expectation without bias. Else the ends of each draw are bracketed, and
    the means of the brackets bracket the expectations.
    """

    name = "draw_and_solve"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to evidential comparisons, unless nested sampling is asked for."""
        if query.theory != "evidential" or policy.nested:
            return None
        way = _way(query, policy)
        if way == "list" and query.is_wide:
            return None
        is_listed = way == "list"
        reach = bound_reach(query.focal_model) if is_listed else 2.0
        seconds_each = 1e-7 * reach if is_listed else _seconds_each(query, policy, way)
        objects = objects_per_draw(query)
        draws = planned_draws(query, policy, objects=objects, default=_DEFAULT_DRAWS)
        if policy.n_samples is None:
            affordable = policy.max_tables / reach if is_listed else inf
            is_wish = policy.max_draws_of_objects < inf  # the tolerance, if there is one
            if is_wish or (way in ("distance", "bracket") and policy.tolerance is None):
                affordable = min(affordable, _SECONDS / seconds_each)
            fewest = max(_FEWEST_DRAWS, min(_ENOUGH_DRAWS, _MOST_SECONDS / seconds_each))
            draws = int(max(fewest, min(draws, affordable)))
        is_bounded = half_width(query, policy, draws) < inf
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="confidence" if is_bounded else "inner",
            tables=draws * reach,
            lists_tables=is_listed,
            bytes=1024 * min(reach, policy.max_tables) * 64,
            seconds=draws * (1e-8 * objects + seconds_each),
            why=f"{draws:,} random rough partitions stand for all, each "
            + ("solved exactly" if way in ("solve", "list") else "bracketed"),
            n_samples=draws,
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Draw in blocks, solve, and average the two ends."""
        way = _way(plan.query, plan.policy)
        source = _source(plan, way)
        found = estimate_means(plan, source, rng=rng, deadline=deadline, progress=progress)
        is_whole = plan.query.quantity == "distribution"
        return estimated_answer(
            plan,
            found,
            distribution=intervals(*found.values.T) if is_whole else None,
            notes=gap_notes(found.gaps[0], found.gaps[-1], is_solved=way in ("solve", "list")),
        )


def _way(query: Query, policy: Policy) -> _Way:
    """A solver where there is one, a list of all tables where it is short, else brackets.

    These are better where a distance between the two sides can be solved.
    """
    if is_solvable(query):
        # A few draws say less, solved, than many do that are bracketed.
        is_wish = policy.n_samples is None and policy.max_draws_of_objects < inf
        is_dear = is_wish and _ENOUGH_DRAWS * _seconds_each(query, policy, "solve") > _MOST_SECONDS
        return "bracket" if is_dear and is_bracketable(query) else "solve"
    if not is_bracketable(query):
        return "list"
    if query.n_open_cells > _MOST_OPEN_CELLS:
        return "bracket"
    draws = policy.n_samples or _ENOUGH_DRAWS
    if draws * bound_reach(query.focal_model) <= policy.max_tables:
        return "list"
    return "distance" if has_brackets(query) else "bracket"


def _source(plan: Plan, way: _Way) -> Source:
    query = plan.query
    assert plan.n_samples is not None
    if way == "bracket":
        return _bracket_source(query)
    sampler = (
        query.sampler(plan.n_samples)
        if way in ("solve", "distance")
        else FocalSampler(query.focal_model, plan.n_samples)
    )
    counted = None
    if isinstance(sampler, FocalSampler):
        counted = count_controls(query.focal_model, sampler)
    controls = together([] if counted is None else [counted])

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        counts = sampler.draw(size, seed)
        lows, highs, low_gaps, high_gaps = (
            _list(query, counts) if way == "list" else _solve(query, counts, plan.policy, way)
        )
        return Draws(
            np.stack([lows, highs], axis=1),
            controls.of(counts, None),
            np.stack([low_gaps, high_gaps], axis=1),
        )

    block = _BLOCK if query.n_objects < _MANY_OBJECTS else _BLOCK // 4
    if way != "list":  # a limit of time is looked at between blocks
        seconds_each = _seconds_each(query, plan.policy, way)
        block = max(1, min(block, int(_SECONDS_PER_BLOCK / seconds_each)))
    return Source(sample, controls.spread, block)


def _bracket_source(query: Query) -> Source:
    """Draws whose ends are bracketed; without control variates."""

    def sample(size: int, seed: np.random.SeedSequence) -> Draws:
        lows, highs, low_gaps, high_gaps = draw_brackets(query, size, seed)
        return Draws(
            np.stack([lows, highs], axis=1),
            np.zeros((size, 0)),
            np.stack([low_gaps, high_gaps], axis=1),
        )

    return Source(sample, together([]).spread, bracket_block(query))


def _seconds_each(query: Query, policy: Policy, way: _Way) -> float:
    """About the time of one draw: that of its two searches, which end with their nodes."""
    if way == "bracket":
        return bracket_seconds(query)
    nodes = max(1, policy.max_nodes // _NODES_SHARE)
    searches = 2 if way == "distance" else _searches(query)
    seconds = min(solve_seconds(query), searches * nodes * _SECONDS_PER_NODE)
    return seconds + (bracket_seconds(query) if way == "distance" else 0.0)


def _searches(query: Query) -> int:
    """Searches for both ends of one draw: those of a ratio are repeated."""
    match query.measure.family(query.n_objects):
        case Ratio(power=power):
            return 6 if power == 1.0 else 12
        case _:
            return 2


def _list(query: Query, counts: Ints) -> OuterEnds:
    """Both ends of each drawn rough partition from all its tables."""
    model = query.focal_model
    tables, starts, ids = reach_tables(model, counts)
    values = query.values(model.base, model.pairs.labels, tables)
    reached = Reached(values, starts, ids, np.ones(len(counts)))
    lows, highs, _ = ends_of(reached, is_precise=False)
    return lows, highs, np.zeros(len(lows)), np.zeros(len(highs))


def _solve(query: Query, counts: Ints, policy: Policy, way: _Way) -> OuterEnds:
    """Both ends of each drawn rough partition, and by how much each may lie too far out."""
    found = solve_ends(query, counts, max_nodes=policy.max_nodes // _NODES_SHARE, threads=1)
    if way == "distance" or isinstance(query.measure.family(query.n_objects), Ratio):
        found = _sharpened(query, counts, found)
    return outer_ends(found)


def _sharpened(query: Query, counts: Ints, found: Solved) -> Solved:
    """Draws that are not solved exactly, no wider than a relaxation has them."""
    gaps = np.maximum(found.lows - found.low_bounds, found.high_bounds - found.highs)
    is_open = gaps > _NEGLIGIBLE
    if not is_open.any():
        return found
    batch = batch_of_types(query.types_of(counts[is_open]), query.shape)
    other = bracket_ends(query.measure, batch, query.bounds)
    lows, highs = found.lows.copy(), found.highs.copy()
    low_bounds, high_bounds = found.low_bounds.copy(), found.high_bounds.copy()
    lows[is_open] = np.minimum(lows[is_open], other.lows)
    highs[is_open] = np.maximum(highs[is_open], other.highs)
    low_bounds[is_open] = np.maximum(low_bounds[is_open], other.low_bounds)
    high_bounds[is_open] = np.minimum(high_bounds[is_open], other.high_bounds)
    return found._replace(
        lows=lows,
        highs=highs,
        low_bounds=np.minimum(low_bounds, lows),
        high_bounds=np.maximum(high_bounds, highs),
    )
