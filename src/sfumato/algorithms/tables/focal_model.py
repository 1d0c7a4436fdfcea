"""List, count and draw the focal tables of a comparison, and the tables within their reach.

Each object chooses a pair of focal sets, one for each side, by its masses. A pair of sets leaves
some cells open to the object. A *focal table* counts how many objects chose each pair. The tables
*within its reach* are those that these objects can make if each takes one of its open cells. Hard,
rough, fuzzy and evidential comparisons all fit this model.
"""

from math import exp, lgamma
from typing import NamedTuple

import numpy as np

from sfumato import _core
from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.choices import (
    Choices,
    Compact,
    bound_tables,
    draw_tables,
    likely_most,
    merge_likely,
    split_certain,
)
from sfumato.algorithms.tables.ragged import gather, owners_of, starts_of

__all__ = [
    "FocalModel",
    "SetTypes",
    "bound_focal_tables",
    "bound_reach",
    "draw_within",
    "focal_model",
    "list_focal_tables",
    "reach_tables",
    "set_types",
]


class FocalModel(NamedTuple):
    """The masses of the pairs of sets, and the cells that each pair leaves open.

    A pair is *in use* if an object whose cell is not certain can choose it. The labels of
    ``masses`` are numbers of pairs in use, those of ``pairs`` are cells of the whole table. The
    counts of ``pairs`` are not used and its weights are 1.
    """

    masses: Choices  # the types that can choose among several pairs
    fixed: Ints  # (p,): for each pair in use, the objects that can choose no other pair
    pairs: Choices  # for each pair in use, the cells it leaves open
    base: Ints  # (n_cells,): objects whose cell is certain


def focal_model(choices: Choices, pair_starts: Ints, pair_cells: Ints, n_cells: int) -> FocalModel:
    """Build the model: separate the objects whose cell is certain from the others.

    ``choices`` are the pairs of sets that each type can choose; its labels are not used. The lists
    have the cells of the table that each pair of sets leaves open.
    """
    fixed, masses = split_certain(choices._replace(labels=np.arange(len(choices.labels))))
    sizes = np.diff(pair_starts)
    base = np.zeros(n_cells, dtype=np.int64)
    certain = np.flatnonzero((sizes == 1) & (fixed > 0))
    np.add.at(base, pair_cells[pair_starts[certain]], fixed[certain])
    fixed[certain] = 0

    used = fixed > 0
    used[masses.labels] = True
    in_use = np.flatnonzero(used)
    starts, entries = gather(pair_starts, in_use)
    labels, cells = np.unique(pair_cells[entries], return_inverse=True)
    pairs = Choices(
        counts=np.zeros(len(in_use), dtype=np.int64),
        starts=starts,
        cells=cells.astype(np.int64),
        weights=np.ones(len(cells)),
        labels=labels,
    )
    position = np.searchsorted(in_use, masses.labels)
    return FocalModel(masses._replace(labels=position), fixed[in_use], pairs, base)


def list_focal_tables(model: FocalModel, max_lost_mass: float = 0.0) -> tuple[Ints, Floats, float]:
    """List the focal tables, of shape (f, p), their masses, and the mass lost.

    Unlikely focal tables with a mass of at most ``max_lost_mass`` in all are left out.
    """
    chosen, masses, lost = merge_likely(model.masses, max_lost_mass)
    counts = np.repeat(model.fixed[None, :], len(chosen), axis=0)
    counts[:, model.masses.labels] += chosen
    return counts, masses, lost


def reach_tables(model: FocalModel, counts: Ints) -> tuple[Compact, Ints, Ints]:
    """List the tables within reach of each focal table, as tables, starts and ids.

    The distinct tables have shape (m, c), on the cells ``model.pairs.labels``; ``model.base`` is
    not added. Those that focal table ``i`` reaches are ``ids[starts[i]:starts[i + 1]]``.
    """
    pairs = model.pairs
    return _core.reachable_tables(
        np.ascontiguousarray(counts), pairs.starts, pairs.cells, pairs.weights, len(pairs.labels)
    )


class SetTypes(NamedTuple):
    """Types of objects by the rows and columns they may go to, as bit masks.

    Bit i is set where row or column i is open to the objects of a type. No set is empty.
    """

    row_sets: Ints  # (t,)
    column_sets: Ints  # (t,)
    counts: Ints  # (batch, t): objects of each type, for each of a batch of rough comparisons

    @property
    def classes(self) -> Ints:
        """The one column of each type, where no type has a choice of columns."""
        return np.log2(self.column_sets).astype(np.int64)

    @property
    def has_hard_columns(self) -> bool:
        """Whether no type has a choice of columns."""
        return not (self.column_sets & (self.column_sets - 1)).any()

    def turned(self) -> "SetTypes":
        """The same with rows and columns swapped."""
        return SetTypes(self.column_sets, self.row_sets, self.counts)


def set_types(model: FocalModel, counts: Ints, n_columns: int) -> SetTypes:
    """Bring focal tables, as objects per pair in use, into the form that solvers of ends take.

    There are at most 62 rows and 62 columns.
    """
    cells = model.pairs.labels[model.pairs.cells]
    certain = np.flatnonzero(model.base)
    starts = model.pairs.starts[:-1]

    def masks(index: Ints, certain_index: Ints) -> Ints:
        bits = np.left_shift(np.int64(1), index)
        merged = np.bitwise_or.reduceat(bits, starts) if len(starts) else bits
        return np.concatenate([merged, np.left_shift(np.int64(1), certain_index)])

    return SetTypes(
        masks(cells // n_columns, certain // n_columns),
        masks(cells % n_columns, certain % n_columns),
        np.concatenate([counts, np.repeat(model.base[None, certain], len(counts), axis=0)], axis=1),
    )


def draw_within(
    model: FocalModel, counts: Ints, n_repeats: int, seed: np.random.SeedSequence
) -> Compact:
    """Draw tables within reach of each focal table: each object takes a random open cell.

    Returns shape (f * n_repeats, c), the tables of the first focal table first.
    """
    if len(model.pairs.cells) == len(model.fixed):  # one cell per pair: nothing left to choose
        tables = np.zeros((len(counts), len(model.pairs.labels)), dtype=np.int32)
        tables[:, model.pairs.cells] = counts
        return np.repeat(tables, n_repeats, axis=0)
    return draw_tables(model.pairs, counts=counts, n_repeats=n_repeats, seed=seed)


def bound_reach(model: FocalModel) -> float:
    """Upper bound of the number of tables that a single focal table reaches.

    The smaller of two bounds. First: let each type go to all cells of all its pairs. Second: let
    all pairs of a type be as large as its largest pair. Then its objects reach most tables if they
    are spread evenly over the pairs, because the ways to share out c objects are log-concave in c.
    """
    counts, starts, pairs = _all_types(model)
    sizes = np.diff(model.pairs.starts)[pairs]
    n_pairs, largest = np.diff(starts), np.maximum.reduceat(sizes, starts[:-1])
    if (largest <= 1).all():  # nothing is open once a pair is chosen
        return 1.0
    union, _ = bound_tables(_support_choices(model))
    each, with_one_more = np.divmod(counts, n_pairs)
    log_spread = _log_compositions(each, largest, n_pairs - with_one_more)
    log_spread += _log_compositions(each + 1, largest, with_one_more)
    return min(union, _exp(log_spread))


def bound_focal_tables(model: FocalModel, max_lost_mass: float = 0.0) -> tuple[float, float]:
    """Upper bounds of the tables to visit, summed over all focal tables, and of the merges.

    Every object takes a pair and then a cell of this pair. Let a type have c objects and pairs of
    sizes s_1, s_2, ... By Vandermonde's identity its objects make at most C(c + s - 1, s - 1)
    combinations, with s = s_1 + s_2 + ...
    """
    counts, starts, pairs = _all_types(model)
    if len(counts) == 0:
        return 1.0, 1.0
    focal, merges = bound_tables(model.masses, max_lost_mass)
    reach = bound_reach(model)
    if max_lost_mass > 0 and reach > 1.0:
        likely = model.fixed.copy()  # a likely focal table has no more of each pair
        likely[model.masses.labels] += likely_most(model.masses, max_lost_mass)
        sizes = np.diff(model.pairs.starts)
        reach = min(reach, _exp(_log_compositions(likely, sizes, np.ones_like(likely))))
    sums = np.add.reduceat(np.diff(model.pairs.starts)[pairs], starts[:-1])
    visited = min(_exp(_log_compositions(counts, sums, np.ones_like(counts))), focal * reach)
    return visited, merges + visited


def _all_types(model: FocalModel) -> tuple[Ints, Ints, Ints]:
    """Objects of each type, and lists of the pairs in use that it can choose: one if fixed."""
    masses, fixed = model.masses, np.flatnonzero(model.fixed)
    return (
        np.concatenate([masses.counts, model.fixed[fixed]]),
        np.concatenate([masses.starts, masses.starts[-1] + 1 + np.arange(len(fixed))]),
        np.concatenate([masses.labels[masses.cells], fixed]),
    )


def _support_choices(model: FocalModel) -> Choices:
    """Let every type choose among all cells that any of its pairs leaves open."""
    counts, starts, pairs = _all_types(model)
    offsets, entries = gather(model.pairs.starts, pairs)
    n_cells = len(model.pairs.labels)
    owners = np.repeat(owners_of(starts), np.diff(offsets))
    keys = np.unique(owners * n_cells + model.pairs.cells[entries])
    return Choices(
        counts=counts,
        starts=starts_of(np.bincount(keys // n_cells, minlength=len(counts))),
        cells=keys % n_cells,
        weights=np.ones(len(keys)),
        labels=model.pairs.labels,
    )


def _log_compositions(counts: Ints, options: Ints, times: Ints) -> float:
    """Log of the number of ways to share out counts[i] objects over options[i] cells.

    Each i counts times[i] times.
    """
    if len(counts) == 0:
        return 0.0
    width = int(options.max()) + 1
    pairs, which = np.unique(counts * width + options, return_inverse=True)
    total = np.bincount(which, weights=times)
    return sum(
        m * (lgamma(c + s) - lgamma(c + 1) - lgamma(s))
        for c, s, m in zip(
            (pairs // width).tolist(), (pairs % width).tolist(), total.tolist(), strict=True
        )
    )


def _exp(exponent: float) -> float:
    return exp(exponent) if exponent < 700 else float("inf")
