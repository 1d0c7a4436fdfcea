"""Rough partitions of any size: a certified bracket for each end."""

from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Floats, Tables
from sfumato.algorithms.ends.climb import climb, fill_greedily
from sfumato.algorithms.tables.ragged import gather
from sfumato.methods.answers import bracketed_answer
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.batches import batch_of_rough
from sfumato.methods.bracketed_ends import bracket_ends
from sfumato.methods.extremes import has_brackets, is_solvable, solve_ends
from sfumato.methods.outer_bounds import outer_bounds
from sfumato.methods.witness import witness_of_end
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValueSet

__all__ = ["RoughBracket"]

# Hill climbing evaluates a table per move; beyond these sizes tables are filled greedily only.
_MOST_CLIMBED_ENTRIES = 2000
_MOST_CLIMBED_CELLS = 400


@final
class RoughBracket(Method):
    """Bound each end from outside by relaxation, and from inside by an attained value.

    From outside: limits of every row sum, column sum and cell give limits of the sums of psi,
    pairs of objects that are forced to agree or to disagree give limits of pair counts, and lines
    below each term leave a problem that each object solves by itself; between two rough sides the
    ends of a distance say something of many other measures. From inside: greedy filling and hill
    climbing.
    """

    name = "rough_bracket"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to rough comparisons by a measure with a known structure."""
        if query.theory != "rough" or query.measure.family(query.n_objects) is None:
            return None
        n_types = query.joint.n_types
        n_cells = query.shape[0] * query.shape[1]
        return Plan(
            query,
            policy,
            method=self.name,
            guarantee="certified",
            tables=2,
            bytes=32.0 * n_cells + 8.0 * n_types**2,
            seconds=1e-2 + 1e-8 * (n_cells + 64.0 * n_types),
            why="limits of the table's margins and cells bound both ends",
        )

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """Bound both ends from outside and from inside."""
        query = plan.query
        outers = [outer_bounds(query)]
        attained = [_attained(query)]
        if (batch := batch_of_rough(query)) is not None:
            found = bracket_ends(query.measure, batch, query.bounds)
            flat = [batch.fill(sent).ravel() for sent in (found.low_sent, found.high_sent)]
            outers.append((float(found.low_bounds[0]), float(found.high_bounds[0])))
            attained.append(((flat[0], flat[1]), (float(found.lows[0]), float(found.highs[0]))))
        if has_brackets(query) and not is_solvable(query):
            policy = plan.policy
            near = solve_ends(query, max_nodes=policy.max_nodes, threads=policy.n_threads)
            ends = near.low_tables[0].ravel(), near.high_tables[0].ravel()
            outers.append((float(near.low_bounds[0]), float(near.high_bounds[0])))
            attained.append((ends, (float(near.lows[0]), float(near.highs[0]))))
        outer = max(low for low, _ in outers), min(high for _, high in outers)
        lowest = min(attained, key=lambda one: one[1][0])
        highest = max(attained, key=lambda one: one[1][1])
        tables, inner = (lowest[0][0], highest[0][1]), (lowest[1][0], highest[1][1])
        low, high = (min(outer[0], inner[0]), inner[0]), (inner[1], max(outer[1], inner[1]))

        notes: tuple[str, ...] = ()
        if query.quantity == "distribution":
            notes = ("Only a range that holds the set of values is known.",)
        return bracketed_answer(
            plan,
            low,
            high,
            distribution=ValueSet(np.unique([low[0], high[1]]), is_complete=False),
            notes=notes,
            find_witness=partial(witness_of_end, query, *tables),
        )


def _attained(query: Query) -> tuple[tuple[Tables, Tables], tuple[float, float]]:
    """Tables, flat, that attain a small and a large value, and these values."""
    joint = query.joint
    choices = joint.set_choices(np.multiply)  # rough: one pair of sets per type
    pair_starts, pair_cells = joint.pair_cells(choices.labels)
    starts, entries = gather(pair_starts, choices.cells)
    cells = pair_cells[entries]
    n_cells = query.shape[0] * query.shape[1]

    def evaluate(tables: Tables) -> Floats:
        return query.measure.of_tables(tables.reshape(len(tables), *query.shape))

    can_climb = len(cells) <= _MOST_CLIMBED_ENTRIES and n_cells <= _MOST_CLIMBED_CELLS
    found: list[tuple[float, Tables]] = []
    for mass_together in (True, False):
        sent = fill_greedily(joint.counts, starts, cells, n_cells, gather=mass_together)
        for sense in ("min", "max") if can_climb else ():
            table, value = climb(evaluate, starts, cells, sent, n_cells, sense=sense)
            found.append((value, table))
        if not can_climb:
            table = np.bincount(cells, weights=sent, minlength=n_cells).astype(np.int64)
            found.append((float(evaluate(table[None, :])[0]), table))
    low, high = (end(found, key=lambda pair: pair[0]) for end in (min, max))
    return (low[1], high[1]), (low[0], high[0])
