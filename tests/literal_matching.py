"""The largest matching of two fuzzy partitions by listing every pair of clusterings."""

from itertools import permutations

import numpy as np


def memberships(rng, n: int, k: int, *, sparse: float = 0.2) -> np.ndarray:
    """Random rows, some of them with zeros, some certain."""
    rows = rng.dirichlet(np.full(k, rng.choice([0.3, 1.0, 5.0])), n)
    rows[rng.random((n, k)) < sparse] = 0.0
    empty = rows.sum(axis=1) == 0
    rows[empty] = np.eye(k)[rng.integers(k, size=int(empty.sum()))]
    return rows / rows.sum(axis=1, keepdims=True)


def one_hot(rng, n: int, k: int) -> np.ndarray:
    return np.eye(k)[rng.integers(k, size=n)]


def literal_law(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Probability of every total 0, ..., n: no two clusterings are merged."""
    n, k = len(a), max(a.shape[1], b.shape[1])
    masses, tables = np.ones(1), np.zeros((1, k, k), dtype=np.int64)
    for p, q in zip(a, b, strict=True):
        cells = [(i, j) for i in np.flatnonzero(p) for j in np.flatnonzero(q)]
        tables = np.repeat(tables, len(cells), axis=0)
        turns = np.arange(len(tables)) % len(cells)
        rows, columns = np.array(cells).T
        tables[np.arange(len(tables)), rows[turns], columns[turns]] += 1
        masses = np.repeat(masses, len(cells)) * (p[rows] * q[columns])[turns]
    best = np.max(
        [tables[:, np.arange(k), order].sum(axis=1) for order in permutations(range(k))], axis=0
    )
    return np.bincount(best, masses, n + 1)


def mean_and_variance(law: np.ndarray) -> tuple[float, float]:
    totals = np.arange(len(law))
    mean = float(totals @ law)
    return mean, float((totals - mean) ** 2 @ law)
