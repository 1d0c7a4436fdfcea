"""List, count and draw the tables that objects can make when each chooses one of several cells."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sfumato import _core
from sfumato._typing import Floats, Ints, TNorm
from sfumato.algorithms.tables.ragged import gather

__all__ = [
    "Choices",
    "Compact",
    "bound_tables",
    "draw_tables",
    "likely_most",
    "merge_likely",
    "merge_tables",
    "split_certain",
]

Compact: TypeAlias = NDArray[np.int32]  # (m, c): tables on a few cells

_MERGE = {
    "min": _core.merge_max_min,
    "product": _core.merge_max_product,
    "lukasiewicz": _core.merge_max_lukasiewicz,
}


class Choices(NamedTuple):
    """Types of objects, and the cells that an object of each type may choose.

    Each of the ``counts[t]`` objects of type ``t`` adds one to one cell of list ``t``. List ``t``
    is the entries ``starts[t]`` to ``starts[t + 1]`` of ``cells``, with their ``weights``.
    Cell ``c`` of the lists stands for cell ``labels[c]`` of a larger table.
    """

    counts: Ints  # (t,)
    starts: Ints  # (t + 1,)
    cells: Ints  # (starts[t],)
    weights: Floats  # (starts[t],)
    labels: Ints  # (c,)


def _arrays(choices: Choices) -> tuple[Ints, Ints, Ints, Floats, int]:
    """What the kernels take. They need the number of cells, not their labels."""
    return choices.counts, choices.starts, choices.cells, choices.weights, len(choices.labels)


def split_certain(choices: Choices) -> tuple[Ints, Choices]:
    """Separate the types that have one cell from the types that have several.

    First the objects in each cell that have no other, of shape (c,). Then the other types, those
    with few objects first; cells that they cannot choose are dropped.
    """
    sizes = np.diff(choices.starts)
    certain = sizes == 1
    fixed = np.zeros(len(choices.labels), dtype=np.int64)
    np.add.at(fixed, choices.cells[choices.starts[:-1][certain]], choices.counts[certain])
    types = np.flatnonzero(~certain)
    types = types[np.lexsort((sizes[types], choices.counts[types]))]
    starts, entries = gather(choices.starts, types)
    used, cells = np.unique(choices.cells[entries], return_inverse=True)
    return fixed, Choices(
        counts=choices.counts[types],
        starts=starts,
        cells=cells.astype(np.int64),
        weights=choices.weights[entries],
        labels=choices.labels[used],
    )


def bound_tables(choices: Choices, max_lost_mass: float = 0.0) -> tuple[float, float]:
    """Upper bounds of the number of distinct tables and of the merges that list them.

    If ``max_lost_mass`` is above 0 the bounds are those of `merge_likely`. The weights must then
    be probabilities.
    """
    return _core.bound_tables(*_arrays(choices), max_lost_mass)


def merge_tables(choices: Choices, t_norm: TNorm) -> tuple[Compact, Floats]:
    """List all tables that the choices can make, of shape (m, c), each once, with its possibility.

    The weights of the objects combine by the t-norm. If several choices make the same table, the
    largest possibility counts. `bound_tables` gives the cost. Cells that share a type form a group.
    A dynamic program over types lists the tables of each group, then all groups are combined.

    Examples
    --------
    Two objects, each possible in cell 0 with degree 1 and in cell 1 with degree a half:

    >>> two = Choices(*map(np.array, ([2], [0, 2], [0, 1], [1.0, 0.5], [0, 1])))
    >>> tables, possibilities = merge_tables(two, "product")
    >>> tables.tolist(), possibilities.tolist()
    ([[0, 2], [1, 1], [2, 0]], [0.25, 0.5, 1.0])
    """
    return _MERGE[t_norm](*_arrays(choices), 0.0)[:2]


def merge_likely(choices: Choices, max_lost_mass: float) -> tuple[Compact, Floats, float]:
    """List the likely tables of random choices, their probabilities, and the probability lost.

    Types are merged one after the other. After each type, tables with a count beyond its limit
    are dropped. By Bennett's inequality a count rarely crosses its limit: the tables dropped have
    a probability of at most ``max_lost_mass`` in all.

    Examples
    --------
    Ten objects that are nearly sure of cell 0:

    >>> ten = Choices(*map(np.array, ([10], [0, 2], [0, 1], [0.999, 0.001], [0, 1])))
    >>> tables, weights, lost = merge_likely(ten, 1e-3)
    >>> len(tables) < 5, 0 < lost < 1e-3
    (True, True)
    """
    return _core.merge_likely(*_arrays(choices), max_lost_mass)


def likely_most(choices: Choices, max_lost_mass: float) -> Ints:
    """Upper limit of the objects in each cell over the tables of `merge_likely`, shape (c,)."""
    return _core.likely_most(*_arrays(choices), max_lost_mass)


def draw_tables(
    choices: Choices, *, counts: Ints, n_repeats: int, seed: np.random.SeedSequence
) -> Compact:
    """Draw random tables. Every object chooses on its own, in proportion to the weights.

    ``counts`` of shape (r, t) are the objects of each type in each of r populations; those of the
    choices are not used. There are ``n_repeats`` tables of each population, those of the first one
    first, of shape (r * n_repeats, c).
    """
    lists = choices.starts, choices.cells, choices.weights, len(choices.labels)
    state = np.asarray(seed.generate_state(4, np.uint64), dtype=np.uint64)
    return _core.draw_tables(np.ascontiguousarray(counts), *lists, n_repeats, state)
