"""Tables and clusterings listed one by one: slow, plain, and independent of the package.

A set of clusters is a bit mask here, and a type of objects a pair of such sets, one for the rows
and one for the columns of the table. ``oracle`` holds the definitions of the theory.
"""

from collections.abc import Iterable
from itertools import permutations, product

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

Shape = tuple[int, int]


def xlogx(x) -> np.ndarray:
    x = np.asarray(x, dtype=float)
    return x * np.log(np.where(x > 0, x, 1.0))


PSI = {"square": lambda x: np.asarray(x, dtype=float) ** 2, "xlogx": xlogx}


def three_sums(tables: np.ndarray, psi: str) -> np.ndarray:
    """Sums of psi over the rows, the columns and the cells of tables, of shape (3, m)."""
    of = PSI[psi]
    sums = of(tables.sum(2)).sum(1), of(tables.sum(1)).sum(1), of(tables).sum((1, 2))
    return np.stack(sums)


# --- Sets: every table that they allow -------------------------------------------------------


def bit_masks(mask: np.ndarray) -> np.ndarray:
    """One integer for each row of zeros and ones."""
    return np.asarray(mask, dtype=np.int64) @ (1 << np.arange(np.shape(mask)[1]))


def cells_of(row_set: int, column_set: int, shape: Shape) -> list[int]:
    """Numbers of the cells that are in a row of the one set and in a column of the other."""
    return [
        i * shape[1] + j
        for i, j in product(range(shape[0]), range(shape[1]))
        if int(row_set) >> i & 1 and int(column_set) >> j & 1
    ]


def all_tables(row_sets: Iterable, column_sets: Iterable, counts, shape: Shape) -> np.ndarray:
    """Every compatible table, once, by placing one object after the other."""
    tables = np.zeros((1, shape[0] * shape[1]), dtype=np.int64)
    units = np.eye(tables.shape[1], dtype=np.int64)
    for row_set, column_set, count in zip(row_sets, column_sets, counts, strict=True):
        own = units[cells_of(row_set, column_set, shape)]
        for _ in range(int(count)):
            sums = (tables[:, None] + own).reshape(-1, tables.shape[1])
            tables = sums[_firsts(sums)[0]]
    return tables.reshape(-1, *shape)


def _firsts(tables: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each of the distinct rows is first, in order, and which of them every row is.

    One number stands for each row where it can: numbers are sorted many times as fast.
    """
    base, axis = int(tables.max()) + 1, 0
    if base ** tables.shape[1] < 2**63:
        tables, axis = tables @ base ** np.arange(tables.shape[1])[::-1], None
    _, first, which = np.unique(tables, return_index=True, return_inverse=True, axis=axis)
    return first, which.ravel()


def as_set(tables: Iterable[np.ndarray]) -> set[tuple[int, ...]]:
    """Tables as tuples, to look one up."""
    return {tuple(np.ravel(table).tolist()) for table in tables}


def is_compatible(table: np.ndarray, row_sets, column_sets, counts) -> bool:
    """Whether the table is a sum of one share-out per type: a flow from types to cells."""
    n_types, n_cells = len(counts), table.size
    source, sink = n_types + n_cells, n_types + n_cells + 1
    pipes = [(source, t, n) for t, n in enumerate(counts)]
    pipes += [(n_types + cell, sink, n) for cell, n in enumerate(table.ravel())]
    for t, sets in enumerate(zip(row_sets, column_sets, strict=True)):
        pipes += [(t, n_types + cell, counts[t]) for cell in cells_of(*sets, table.shape)]
    ends, others, sizes = np.array(pipes, dtype=np.int32).T
    network = csr_array((sizes, (ends, others)), shape=(sink + 1, sink + 1))
    flow = maximum_flow(network, source, sink).flow_value
    return flow == table.sum() == np.sum(counts)


# --- Probabilities: every table with its mass ------------------------------------------------


def law_of_count(events: np.ndarray) -> np.ndarray:
    """Probabilities of 0, 1, ..., n of n independent events, put together from two halves."""
    if len(events) < 2:
        return np.concatenate([1 - events, events]) if len(events) else np.ones(1)
    half = len(events) // 2
    return np.convolve(law_of_count(events[:half]), law_of_count(events[half:]))


def law_of_tables(p: np.ndarray, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Every table of two fuzzy partitions, (m, k1, k2), and its probability, object by object."""
    shape = p.shape[1], q.shape[1]
    tables, masses = np.zeros((1, shape[0] * shape[1]), dtype=np.int64), np.ones(1)
    units = np.eye(tables.shape[1], dtype=np.int64)
    for own, other in zip(p, q, strict=True):
        chances = np.outer(own, other).ravel()
        cells = np.flatnonzero(chances)
        sums = (tables[:, None] + units[cells]).reshape(-1, tables.shape[1])
        first, which = _firsts(sums)
        tables = sums[first]
        masses = np.bincount(which, np.outer(masses, chances[cells]).ravel())
    return tables.reshape(-1, *shape), masses


# --- Matchings: the best of all of them ------------------------------------------------------


def matchings_of(tables: np.ndarray) -> np.ndarray:
    """The largest total of a one-to-one matching in each table of shape (..., k1, k2)."""
    tables = np.asarray(tables)
    if tables.shape[-2] > tables.shape[-1]:
        tables = tables.swapaxes(-1, -2)
    rows = np.arange(tables.shape[-2])
    choices = permutations(range(tables.shape[-1]), len(rows))
    return np.max([tables[..., rows, list(columns)].sum(axis=-1) for columns in choices], axis=0)


def law_of_matchings(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Probability of every total 0, ..., n of the largest matching of two fuzzy partitions."""
    tables, masses = law_of_tables(a, b)
    return np.bincount(matchings_of(tables), masses, len(a) + 1)


def mean_and_variance(law: np.ndarray) -> tuple[float, float]:
    """Of a law on 0, 1, 2, ..."""
    totals = np.arange(len(law))
    mean = float(totals @ law)
    return mean, float((totals - mean) ** 2 @ law)
