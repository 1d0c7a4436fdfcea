"""Visit every table that the two partitions allow, each once."""

from collections.abc import Iterator
from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.algorithms.deadline import look
from sfumato.algorithms.possibility.t_norms import combine, settled
from sfumato.algorithms.sampling.blocks import Progress, Run
from sfumato.algorithms.tables.choices import bound_tables, merge_tables, split_certain
from sfumato.algorithms.tables.focal_model import (
    bound_focal_tables,
    list_focal_tables,
    reach_tables,
)
from sfumato.algorithms.tables.ragged import starts_of
from sfumato.algorithms.tables.table_values import fill_tables, values_of
from sfumato.measures.conventions import convention_notes
from sfumato.methods.base import Method, Scope
from sfumato.question.joint import Joint
from sfumato.question.levels import at_levels, widest_level
from sfumato.question.plan import Plan, Policy, plan_within_budget
from sfumato.question.query import Query
from sfumato.question.witness import witness_of_end
from sfumato.results.answers import (
    Answer,
    Reached,
    ends_of,
    exact_answer,
    lossy_answer,
    possibilities_of_values,
    sets_of_values,
)

__all__ = ["EnumerateTables"]

# Every type, and every further option of one, adds a table at least; with more of them planning
# would cost more than it brings.
_MOST_TYPES = 4096
_MOST_OPEN_CELLS = 1 << 17  # over all types and their pairs of sets: the same
_SECONDS_PER_MERGE, _SECONDS_PER_VALUE = 1e-7, 4e-7
_QUICK = 0.1  # seconds to list all tables


@final
class EnumerateTables(Method):
    """List all tables with their masses or possibilities and evaluate the measure on each.

    Objects of which both partitions say the same are exchangeable, and clusterings with the same
    table have the same value, so tables are merged as the types of objects are added one by one;
    the k^n clusterings are never listed.
    """

    name = "enumerate_tables"
    cost = "at most `max_tables` tables"
    scopes = (
        Scope(theories=("rough", "possibilistic", "levels"), guarantees=("exact",), needs="counts"),
        Scope(theories=("fuzzy", "evidential"), guarantees=("exact", "certified")),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """List the tables, evaluate the measure, collect the values."""
        tables, merges = _bound(query, 0.0)
        seconds = _seconds(query, merges)
        # Leaving out the least likely tables is for laws, where it saves time.
        may_lose = query.theory in ("fuzzy", "evidential") and not _has_many_choices(query.joint)
        if not may_lose or (tables <= policy.max_tables and seconds <= _QUICK):
            yield _plan(query, 0.0, "exact", tables, seconds)
            return

        def make(loss: float, guarantee: Guarantee) -> Plan:
            tables, merges = _bound(query, loss)
            return _plan(query, loss, guarantee, tables, _seconds(query, merges))

        plan = plan_within_budget(query.objective, policy, make)
        if plan is not None:
            yield plan


def _plan(query: Query, loss: float, guarantee: Guarantee, tables: float, seconds: float) -> Plan:
    return Plan(
        guarantee=guarantee,
        tables=tables,
        lists_tables=True,
        bytes=tables * (4 * min(query.objective.n_cells, 64) + 24),
        seconds=seconds + _SECONDS_PER_VALUE * tables,
        why="all tables that the partitions allow can be listed"
        if loss == 0.0
        else "all but the least likely tables can be listed",
        work=partial(_answer, query, guarantee, loss),
    )


def _answer(query: Query, guarantee: Guarantee, loss: float, run: Run) -> Answer:
    if query.theory == "possibilistic":
        return _possibilities(query)
    reached = (
        _reach_at_levels(query, run.progress) if query.theory == "levels" else _reach(query, loss)
    )
    ends = ends_of(reached, is_precise=query.is_precise)
    distribution = None
    if query.quantity == "distribution":
        is_rough = query.theory == "rough"
        distribution = sets_of_values(reached, is_precise=query.is_precise, is_rough=is_rough)
    if guarantee != "exact":
        return lossy_answer(
            guarantee,
            ends,
            reached.lost_mass,
            query.objective.bounds,
            is_precise=query.is_precise,
            distribution=distribution,
        )
    return exact_answer(
        query.quantity,
        ends,
        distribution=distribution,
        notes=reached.notes,
        find_witness=reached.find_witness,
    )


def _seconds(query: Query, merges: float) -> float:
    return _SECONDS_PER_MERGE * merges * max(1.0, query.objective.n_cells / 16)


def _has_many_choices(joint: Joint) -> bool:
    is_plain = joint.class_masses is not None and joint.n_objects > 2 * _MOST_TYPES
    if is_plain or joint.has_more_types_than(_MOST_TYPES):
        return True
    return joint.n_open_cells > _MOST_OPEN_CELLS


def _bound(query: Query, max_lost_mass: float) -> tuple[float, float]:
    """Upper bounds of the tables and of the merges."""
    if query.theory == "levels":
        n_levels, widest = widest_level(query)
        tables, merges = (1.0, 1.0) if widest.theory == "hard" else _bound(widest, 0.0)
        return n_levels * tables, n_levels * merges
    if _has_many_choices(query.joint):
        return float("inf"), float("inf")
    if query.theory == "possibilistic":
        choices = query.joint.cell_choices(partial(combine, query.t_norm))
        return bound_tables(split_certain(choices)[1])
    return bound_focal_tables(query.joint.focal_model, max_lost_mass)


def _reach(query: Query, max_lost_mass: float = 0.0) -> Reached:
    """Hard, rough, fuzzy and evidential partitions: focal tables and what they reach."""
    objective, model = query.objective, query.joint.focal_model
    counts, masses, lost_mass = list_focal_tables(model, max_lost_mass)
    tables, starts, ids = reach_tables(model, counts)
    cells = model.pairs.labels
    values = values_of(objective, model.base, cells, tables)
    if query.theory != "rough":
        return Reached(values, starts, ids, masses, lost_mass)
    at_ends = tables[[values.argmin(), values.argmax()]]
    lowest, highest = fill_tables(model.base, cells, at_ends, objective.shape)
    find_witness = partial(witness_of_end, query, lowest, highest)
    notes = convention_notes(objective, values, model.base, cells, tables)
    return Reached(values, starts, ids, masses, lost_mass, notes, find_witness)


def _reach_at_levels(query: Query, progress: Progress) -> Reached:
    """A possibilistic partition read with min against masses: a mixture over its levels."""
    parts: list[Reached] = []
    done = 0.0
    for mass, level in at_levels(query):
        look()
        part = _reach(level)
        parts.append(part._replace(masses=mass * part.masses))
        done += mass
        progress(done)
    first_ids = starts_of(np.array([len(part.ids) for part in parts]))
    first_tables = starts_of(np.array([len(part.values) for part in parts]))
    return Reached(
        values=np.concatenate([part.values for part in parts]),
        starts=np.concatenate(
            [part.starts[:-1] + at for part, at in zip(parts, first_ids[:-1], strict=True)]
            + [first_ids[-1:]]
        ),
        ids=np.concatenate(
            [part.ids + at for part, at in zip(parts, first_tables[:-1], strict=True)]
        ),
        masses=np.concatenate([part.masses for part in parts]),
    )


def _possibilities(query: Query) -> Answer:
    """One joint possibility distribution: the possibility of each table by the t-norm."""
    objective = query.objective
    choices = query.joint.cell_choices(partial(combine, query.t_norm))
    fixed, open_choices = split_certain(choices)
    base = np.zeros(objective.n_cells, dtype=np.int64)
    base[choices.labels] = fixed
    tables, possibilities = merge_tables(open_choices, query.t_norm)
    possibilities = settled(query.t_norm, possibilities)
    tables, possibilities = tables[possibilities > 0.0], possibilities[possibilities > 0.0]
    values = values_of(objective, base, open_choices.labels, tables)
    found = possibilities_of_values(values, possibilities)
    return exact_answer(query.quantity, found.ends, distribution=found)
