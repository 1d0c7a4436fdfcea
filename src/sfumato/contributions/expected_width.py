"""Find how much narrower an evidential or possibilistic interval gets by knowing one object."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato._wording import option
from sfumato.algorithms.ends.found_ends import Budget
from sfumato.algorithms.ends.solve import has_brackets, solve_seconds, solve_types
from sfumato.algorithms.possibility.t_norms import combine
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.contributions.drawn_sets import DrawnSets
from sfumato.contributions.revealed import Compare
from sfumato.display.progress import progress_bar
from sfumato.errors import CostError
from sfumato.partitions.base import IndependentPartition
from sfumato.partitions.evidential import EvidentialPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition, degrees_of
from sfumato.planner import choose
from sfumato.question.plan import Policy
from sfumato.question.query import Query
from sfumato.question.search_nodes import search_nodes
from sfumato.results.comparison import Comparison

__all__ = ["shares_of_expected_width"]

_FEWEST_DRAWS, _MOST_DRAWS = 32, 256
_SECONDS = 2.0  # planned time; draws are added up to this
_MOST_SECONDS = 60.0  # more is refused
_SECONDS_PER_COMPARISON = 2e-3
_SECONDS_PER_DRAW = 1e-3
_SECONDS_PER_CELL = 3e-8  # of the table of targets of each object
_MOST_CELLS = 5e7  # objects times pairs of clusters
_MOST_CLUSTERS = 62  # of a side: sets are bit masks
_ROWS_AT_ONCE = 256
_ROUNDING = 1e-9  # smaller shares are none
_NODES = 100  # of each search: there are many, and a bracket will do


def shares_of_expected_width(
    query: Query, whole: Comparison, policy: Policy, compare: Compare, *, rng: np.random.Generator
) -> Floats:
    r"""Share of the expected width that goes away, in lower expectation, with each object known.

    Let :math:`W_{ij}` be the width of the comparison in which object x is known to be in the
    clusters i and j. Its upper expectation takes the widest outcome in each focal set of the
    object. So for rough partitions this is the guaranteed share, for an object whose masses are
    probabilities it is the mean one.

    .. math:: 1 - \frac{1}{W} \sum_{A, B} m_x(A) m'_x(B) \max_{i \in A, j \in B} W_{ij}
    """
    if whole.width == 0.0:
        return np.zeros(query.n_objects)
    plan = choose(replace(query, quantity="expectation"), policy)
    seconds = _n_outcomes(query) * (_SECONDS_PER_COMPARISON + plan.seconds)
    is_cheap = plan.guarantee == "exact" and seconds <= _SECONDS / 2
    if _is_drawable(query, policy) and not is_cheap:
        found = _by_draws(query, policy, rng)
    else:
        found = _by_comparisons(query, whole, seconds, compare)
    return found[query.joint.types.type_of_objects()]


def _is_drawable(query: Query, policy: Policy) -> bool:
    """Whether draws are welcome, and whether rough partitions can be drawn and solved at all."""
    if "confidence" not in policy.guarantees or max(query.objective.shape) > _MOST_CLUSTERS:
        return False
    if query.theory == "possibilistic" and query.t_norm != "min":
        return False
    joint = query.joint
    one_cluster, two_clusters = np.array([1]), np.array([3])
    rows, columns = (
        one_cluster if isinstance(side, HardPartition) else two_clusters
        for side in (joint.row_side, joint.column_side)
    )
    return has_brackets(query.objective, SetTypes(rows, columns, np.array([[query.n_objects]])))


def _n_outcomes(query: Query) -> int:
    """Pairs of clusters that one object of each type may have, in all."""
    one = np.unique(query.joint.types.type_of_objects(), return_index=True)[1]
    first, second = (side.support().mask[one].sum(axis=1) for side in query.sides)
    return int((first * second).sum())


class _Sides(NamedTuple):
    """Both sides, and the type of each object: what both say of it."""

    rows: DrawnSets
    columns: DrawnSets
    types: Ints  # (n,)

    @property
    def has_set_targets(self) -> bool:
        """Whether objects are moved to sets too: one side is hard, the other has no levels."""
        return self.columns.is_hard and not self.rows.has_common_level

    def draws(self, n_draws: int, rng: np.random.Generator) -> Iterator[tuple[float, Ints, Ints]]:
        """Weights, and the sets of each object on each side.

        All objects of a side that is read with min are cut at one level; levels are spread evenly,
        or are all that there are, if only they are random.
        """
        sides = self.rows, self.columns
        free = [side.is_random and not side.has_common_level for side in sides]
        if any(free):
            for at in range(n_draws):
                level = (at + float(rng.random())) / n_draws
                first, second = (
                    side.draw(rng.random(len(self.types)) if is_free else level)
                    for side, is_free in zip(sides, free, strict=True)
                )
                yield 1.0 / n_draws, first, second
            return
        edges: Floats = np.unique(np.concatenate([side.levels for side in sides]))
        if len(edges) > n_draws + 1:
            edges = np.linspace(0.0, 1.0, n_draws + 1)
        for low, high in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
            level = (low + high) / 2
            yield high - low, self.rows.draw(level), self.columns.draw(level)


def _by_draws(query: Query, policy: Policy, rng: np.random.Generator) -> Floats:
    joint = query.joint
    types = joint.types.type_of_objects()
    sides = _Sides(DrawnSets.of(joint.row_side), DrawnSets.of(joint.column_side), types)
    targets = _Targets.of(sides)
    n_types, shape = int(types.max()) + 1, (len(targets.rows), len(targets.columns))
    if n_types * shape[0] * shape[1] > _MOST_CELLS:
        raise CostError(
            f"Shares of the width would need {n_types:,} tables of {shape[0]} by {shape[1]} sets: "
            "merge or drop small clusters, or take a sample of the objects."
        )
    n_draws = _n_draws(query, sides, targets)
    seed = int(rng.integers(1 << 62))
    left = np.zeros((n_types, *shape))  # width with an object of each type moved to each target
    counts = np.bincount(types)
    width = done = 0.0
    with progress_bar("contributions", _SECONDS) as progress:
        for weight, first, second in sides.draws(n_draws, np.random.default_rng(seed)):
            before, after, drawn = _moved_widths(query, policy, sides, targets, (first, second))
            width += weight * before
            _add_means(left, types, weight / counts, after, drawn)
            done += weight
            progress(min(1.0, done))
    if width <= 0.0:
        return np.zeros(n_types)
    if query.theory == "possibilistic":
        gained = np.full(n_types, width)
        one = np.unique(types, return_index=True)[1]
        for weight, first, second in sides.draws(n_draws, np.random.default_rng(seed)):
            gained -= weight * _largest(left, sides, first[one], second[one])
    else:
        gained = _lower_expectation(left, width, sides, targets)
    return np.where(gained > _ROUNDING * width, gained / width, 0.0)


class _Targets(NamedTuple):
    """What an object may be moved to on each side, as bit masks: clusters first, then sets.

    Sets are targets where objects are independent and they are few. Then the width of the whole
    comparison is, for every object, a mean over its sets; taken from the same draws as the widths
    with the object known, it differs from these by little noise.
    """

    rows: Ints
    columns: Ints
    place_of_row_set: Ints
    place_of_column_set: Ints

    @classmethod
    def of(cls, sides: _Sides) -> "_Targets":
        rows, row_places = sides.rows.targets(with_sets=sides.has_set_targets)
        columns, column_places = sides.columns.targets(with_sets=sides.has_set_targets)
        return cls(rows, columns, row_places, column_places)


def _add_means(left: Floats, types: Ints, weights: Floats, after: Floats, drawn: Ints) -> None:
    """Add the mean over the objects of each type of the widths for what they drew."""
    pairs, counts = np.unique(types * len(after) + drawn, return_counts=True)
    owners, which = pairs // len(after), pairs % len(after)
    starts = np.searchsorted(owners, np.arange(len(left)))
    shares: Floats = (weights[owners] * counts)[:, None, None]
    left += np.add.reduceat(after[which] * shares, starts, axis=0)


def _n_draws(query: Query, sides: _Sides, targets: _Targets) -> int:
    """As many draws as fit the planned time, by the number of searches in each."""
    family = sides.rows.statements.family, sides.columns.statements.family
    n_types = min(len(sides.types), len(family[0].sizes) * len(family[1].sizes))
    n_moves = len(targets.rows) * (1 if sides.columns.is_hard else len(targets.columns))
    seconds = solve_seconds(query.objective, has_hard_side=query.has_hard_side)
    each = _SECONDS_PER_DRAW + n_types * n_moves * seconds
    each += _SECONDS_PER_CELL * len(sides.types) * len(targets.rows) * len(targets.columns)
    if _FEWEST_DRAWS * each > _MOST_SECONDS:
        raise CostError(
            f"Shares of the width would take about {_FEWEST_DRAWS * each:.1e} s "
            f"({_MOST_SECONDS:.0f} s at most): merge or drop small clusters."
        )
    return int(np.clip(_SECONDS / each, _FEWEST_DRAWS, _MOST_DRAWS))


def _moved_widths(
    query: Query, policy: Policy, sides: _Sides, targets: _Targets, sets: tuple[Ints, Ints]
) -> tuple[float, Floats, Ints]:
    """Width of one rough comparison, and widths with an object moved to each pair of targets.

    Objects that drew the same two sets are alike. The widths are of shape (t, targets, targets),
    for each pair of drawn sets, followed by the pair of drawn sets of each object.
    """
    n_sets, shape = len(targets.place_of_column_set), (len(targets.rows), len(targets.columns))
    pairs, drawn, counts = np.unique(
        sets[0] * n_sets + sets[1], return_inverse=True, return_counts=True
    )
    column_masks = sides.columns.statements.set_masks()[pairs % n_sets]
    may_move = np.ones((len(pairs), *shape), dtype=bool)
    if sides.columns.is_hard:
        may_move &= (column_masks[:, None] == targets.columns)[:, None, :]
    owners, rows, columns = np.nonzero(may_move)
    cells, place = np.unique(rows * shape[1] + columns, return_inverse=True)
    row_masks = sides.rows.statements.set_masks()[pairs // n_sets]
    row_sets = np.concatenate([row_masks, targets.rows[cells // shape[1]]])
    column_sets = np.concatenate([column_masks, targets.columns[cells % shape[1]]])
    moved = np.zeros((len(owners) + 1, len(row_sets)), dtype=np.int64)
    moved[:, : len(pairs)] = counts
    every = np.arange(len(owners))
    moved[every, owners] -= 1
    moved[every, len(pairs) + place.ravel()] += 1
    budget = Budget(min(_NODES, search_nodes(query, policy)), policy.n_threads)
    widths = np.empty(len(moved))
    for at in range(0, len(moved), _ROWS_AT_ONCE):
        block = slice(at, at + _ROWS_AT_ONCE)
        types = SetTypes(row_sets, column_sets, moved[block])
        found = solve_types(query.objective, types, budget)
        widths[block] = found.high_bounds - found.low_bounds
    after = np.zeros((len(pairs), *shape))
    after[owners, rows, columns] = widths[:-1]
    return float(widths[-1]), after, drawn


def _largest(left: Floats, sides: _Sides, first: Ints, second: Ints) -> Floats:
    """Largest of the widths in the two sets of each type."""
    inside = sides.rows.members()[first][:, :, None] & sides.columns.members()[second][:, None, :]
    return (left * inside).max(axis=(1, 2))


def _lower_expectation(left: Floats, width: float, sides: _Sides, targets: _Targets) -> Floats:
    """Mean over the focal sets of each type of the width that surely goes away in them."""
    one = np.unique(sides.types, return_index=True)[1]
    row_masses, column_masses = (
        side.masses()[side.statements.codes[one]] for side in (sides.rows, sides.columns)
    )
    rows, columns = sides.rows.members(), sides.columns.members()
    clusters = left[:, : rows.shape[1], : columns.shape[1]]
    gained = np.zeros(len(left))
    for a, at_row in enumerate(targets.place_of_row_set.tolist()):
        for b, at_column in enumerate(targets.place_of_column_set.tolist()):
            used = np.flatnonzero(row_masses[:, a] * column_masses[:, b])
            if len(used):
                worst = clusters[used][:, rows[a]][:, :, columns[b]].max(axis=(1, 2))
                before = left[used, at_row, at_column] if sides.has_set_targets else width
                gained[used] += row_masses[used, a] * column_masses[used, b] * (before - worst)
    return gained


def _by_comparisons(query: Query, whole: Comparison, seconds: float, compare: Compare) -> Floats:
    """Repeat the comparison with one object of each type known, for each of its outcomes."""
    if seconds > _MOST_SECONDS:
        raise CostError(
            f"Shares of the width would take {_n_outcomes(query):,} comparisons, about "
            f"{seconds:.1e} s ({_MOST_SECONDS:.0f} s at most): take a sample of the objects, or "
            f"{option('engine', 'auto')} by a measure and a theory that can be drawn."
        )
    a, b = query.sides
    supports = [side.support().mask for side in (a, b)]
    one = np.unique(query.joint.types.type_of_objects(), return_index=True)[1]
    found: list[float] = []
    with progress_bar("contributions", seconds) as progress:
        for x in one.tolist():
            left = np.zeros((a.n_clusters, b.n_clusters))
            open_pairs = np.argwhere(supports[0][x][:, None] & supports[1][x])
            if len(open_pairs) == 1:
                found.append(0.0)
                continue
            for i, j in open_pairs.tolist():
                left[i, j] = compare(_with_known(a, x, i), _with_known(b, x, j)).width
            worst = _choquet(query, x, left)
            gained = 1.0 - worst / whole.width
            found.append(gained if gained > _ROUNDING else 0.0)
            progress(len(found) / len(one))
    return np.array(found)


def _choquet(query: Query, x: int, left: Floats) -> float:
    """Upper expectation of the width that is left, by what both sides say of object x."""
    if query.theory == "possibilistic":
        assert query.t_norm is not None
        u, v = (degrees_of(side)[x] for side in query.sides)
        degrees = combine(query.t_norm, u[:, None], v)
        order = np.argsort(-degrees, axis=None, kind="stable")
        levels = degrees.ravel()[order]
        drops = levels - np.append(levels[1:], 0.0)
        return float(drops @ np.maximum.accumulate(left.ravel()[order]))
    sides = [DrawnSets.of(side) for side in query.sides]
    masses = [side.masses()[side.statements.codes[x]] for side in sides]
    inside = [side.members() for side in sides]
    return float(
        sum(
            masses[0][s] * masses[1][t] * left[np.ix_(inside[0][s], inside[1][t])].max()
            for s in np.flatnonzero(masses[0])
            for t in np.flatnonzero(masses[1])
        )
    )


def _with_known(side: IndependentPartition, x: int, cluster: int) -> IndependentPartition:
    """The same side with the cluster of one object fixed."""
    if isinstance(side, HardPartition):
        return side
    if isinstance(side, PossibilisticPartition):
        memberships = side.memberships.copy()
        memberships[x] = np.arange(side.n_clusters) == cluster
        return PossibilisticPartition(memberships, t_norm=side.t_norm)
    given = side.to_evidential()
    sets, masses = given.focal_sets, given.masses
    alone = np.arange(side.n_clusters) == cluster
    if not (sets == alone).all(axis=1).any():
        sets = np.vstack([sets, alone])
        masses = np.column_stack([masses, np.zeros(side.n_objects)])
    known = masses.copy()
    known[x] = (sets == alone).all(axis=1)
    return EvidentialPartition(known, sets)
