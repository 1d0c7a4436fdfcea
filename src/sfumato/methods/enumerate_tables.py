"""Visit every table that the two partitions allow, each once."""

from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Guarantee
from sfumato.algorithms.possibility.t_norms import combine
from sfumato.algorithms.tables.choices import Semiring, bound_tables, merge_tables, split_certain
from sfumato.algorithms.tables.focal_model import (
    bound_focal_tables,
    list_focal_tables,
    reach_tables,
)
from sfumato.algorithms.tables.ragged import starts_of
from sfumato.methods.answers import (
    Reached,
    ends_of,
    exact_answer,
    possibilities_of_values,
    sets_of_values,
)
from sfumato.methods.base import Method, Plan, Policy, Progress
from sfumato.methods.conventions import convention_notes
from sfumato.methods.law_answers import allowed_loss, answer_with_loss, plan_within_budget
from sfumato.methods.witness import witness_of_end
from sfumato.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.values import ValuePossibility

__all__ = ["EnumerateTables"]

# Every type, and every further option of one, adds a table at least; with more of them planning
# would cost more than it brings.
_MOST_TYPES = 4096
_MOST_OPEN_CELLS = 1 << 17  # over all types and their pairs of sets: the same
_SECONDS_PER_MERGE = 1e-7
_QUICK = 0.1  # seconds to list all tables
_SEMIRINGS: dict[str, Semiring] = {
    "min": "max_min",
    "product": "max_product",
    "lukasiewicz": "max_lukasiewicz",
}


@final
class EnumerateTables(Method):
    """List all tables with their masses or possibilities and evaluate the measure on each.

    Objects of which both partitions say the same are exchangeable, and clusterings with the same
    table have the same value, so tables are merged as the types of objects are added one by one;
    the k^n clusterings are never listed.
    """

    name = "enumerate_tables"

    def plan(self, query: Query, policy: Policy) -> Plan | None:
        """Applies to all partitions that leave anything open."""
        if query.theory == "hard":
            return None

        def make(loss: float, guarantee: Guarantee) -> Plan:
            tables, merges = _bound(query, loss)
            return Plan(
                query,
                policy,
                method=self.name,
                guarantee=guarantee,
                tables=tables,
                lists_tables=True,
                bytes=tables * (4 * min(query.shape[0] * query.shape[1], 64) + 24),
                seconds=_seconds(query, merges),
                why="all tables that the partitions allow can be listed"
                if loss == 0.0
                else "all but the least likely tables can be listed",
            )

        if _lists_all(query, policy):
            return make(0.0, "exact")
        return plan_within_budget(policy, make)

    def run(
        self,
        plan: Plan,
        *,
        rng: np.random.Generator,
        deadline: float | None,
        progress: Progress,
    ) -> Comparison:
        """List the tables, evaluate the measure, collect the values."""
        query = plan.query
        if query.theory == "possibilistic":
            found = _possibilities(query)
            return exact_answer(plan, found.ends, distribution=found)
        reached = (
            _reach_at_levels(query, progress)
            if query.theory == "levels"
            else _reach(query, 0.0 if _lists_all(query, plan.policy) else allowed_loss(plan))
        )
        ends = ends_of(reached, is_precise=query.is_precise)
        wants_all = query.quantity == "distribution"
        distribution = sets_of_values(query, reached) if wants_all else None
        if plan.guarantee != "exact":
            return answer_with_loss(plan, ends, reached.lost_mass, distribution=distribution)
        return exact_answer(
            plan,
            ends,
            distribution=distribution,
            notes=reached.notes,
            find_witness=reached.find_witness,
        )


def _may_lose(query: Query) -> bool:
    """Whether tables have probabilities, of which the least may be left out."""
    return query.theory in ("fuzzy", "evidential") and not _has_many_choices(query)


def _lists_all(query: Query, policy: Policy) -> bool:
    """Whether to leave out no table: where none may be, or where that would save little time."""
    if not _may_lose(query):
        return True
    tables, merges = _bound(query, 0.0)
    return tables <= policy.max_tables and _seconds(query, merges) <= _QUICK


def _seconds(query: Query, merges: float) -> float:
    return _SECONDS_PER_MERGE * merges * max(1.0, query.shape[0] * query.shape[1] / 16)


def _has_many_choices(query: Query) -> bool:
    is_plain = query.class_masses is not None and query.n_objects > 2 * _MOST_TYPES
    return is_plain or query.joint.n_types > _MOST_TYPES or query.n_open_cells > _MOST_OPEN_CELLS


def _bound(query: Query, max_lost_mass: float) -> tuple[float, float]:
    """Upper bounds of the tables and of the merges."""
    if query.theory == "levels":
        n_levels, widest = query.widest_level()
        tables, merges = (1.0, 1.0) if widest.theory == "hard" else _bound(widest, 0.0)
        return n_levels * tables, n_levels * merges
    if _has_many_choices(query):
        return float("inf"), float("inf")
    if query.theory == "possibilistic":
        choices = query.joint.cell_choices(partial(combine, query.t_norm))
        return bound_tables(split_certain(choices)[1])
    return bound_focal_tables(query.focal_model, max_lost_mass)


def _reach(query: Query, max_lost_mass: float = 0.0) -> Reached:
    """Hard, rough, fuzzy and evidential partitions: focal tables and what they reach."""
    model = query.focal_model
    counts, masses, lost_mass = list_focal_tables(model, max_lost_mass)
    tables, starts, ids = reach_tables(model, counts)
    cells = model.pairs.labels
    values = query.values(model.base, cells, tables)
    if query.theory != "rough":
        return Reached(values, starts, ids, masses, lost_mass)

    ends = np.repeat(model.base[None, :], 2, axis=0)
    ends[:, cells] += tables[[values.argmin(), values.argmax()]]
    find_witness = partial(witness_of_end, query, *ends)
    notes = convention_notes(query, values, model.base, cells, tables)
    return Reached(values, starts, ids, masses, lost_mass, notes, find_witness)


def _reach_at_levels(query: Query, progress: Progress) -> Reached:
    """A possibilistic partition read with min against masses: a mixture over its levels."""
    parts: list[Reached] = []
    done = 0.0
    for mass, at_level in query.at_levels():
        part = _reach(at_level)
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


def _possibilities(query: Query) -> ValuePossibility:
    """One joint possibility distribution: the possibility of each table by the t-norm."""
    choices = query.joint.cell_choices(partial(combine, query.t_norm))
    fixed, open_choices = split_certain(choices)
    base = np.zeros(query.shape[0] * query.shape[1], dtype=np.int64)
    base[choices.labels] = fixed
    tables, possibilities = merge_tables(open_choices, _SEMIRINGS[query.t_norm])
    return possibilities_of_values(query.values(base, open_choices.labels, tables), possibilities)
