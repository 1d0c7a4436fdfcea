"""Partitions of every kind for the tests: hypothesis strategies, and a fast random generator.

Both make the plain data of ``oracle`` first, so that a test can hand the same numbers to the
package and to the definitions; ``build`` turns them into a partition. Weights come mostly from
small integers, so that ties, zeros and ones occur, and sometimes from generic floats.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import prod
from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

import sfumato as sf
from oracle import RefusedError, Side, n_choices, n_pairs, theory

T_NORMS = {"consonant": None, "min": "min", "product": "product", "lukasiewicz": "lukasiewicz"}
READINGS = ("hard", "rough", "fuzzy", *T_NORMS, "evidential")
N_OBJECTS = st.integers(1, 6)
N_CLUSTERS = st.integers(1, 4)
MAX_CHOICES = 20_000  # clusterings inside focal partitions, two sides multiplied


# A measure that no formula knows: only enumeration and sampling can answer.
SHARE = sf.Measure.from_function(
    lambda tables: tables.max(axis=(-2, -1)) / tables.sum(axis=(-2, -1)),
    name="share",
    better="higher",
    bounds=(0, 1),
    on="batch",
)


def build(side: Side) -> Any:
    """The partition that holds this plain data."""
    match side[0]:
        case "hard":
            return sf.HardPartition(list(side[1]))
        case "rough":
            n_clusters = 1 + max(max(s) for s in side[1])
            return sf.RoughPartition(
                np.array([[i in s for i in range(n_clusters)] for s in side[1]])
            )
        case "fuzzy":
            return sf.FuzzyPartition(np.array(side[1]))
        case "possibilistic":
            return sf.PossibilisticPartition(np.array(side[1]), t_norm=side[2])
        case _:
            _, rows, empty, n_clusters = side
            sets = sorted({s for row in rows for s in row}, key=lambda s: (len(s), sorted(s)))
            masses = np.array([[row.get(s, 0.0) for s in sets] for row in rows])
            focal_sets = np.array([[i in s for i in range(n_clusters)] for s in sets])
            return sf.EvidentialPartition(masses, focal_sets, empty=empty)


def subsets(n_clusters: int) -> list[frozenset[int]]:
    """Every non-empty set of clusters."""
    return [
        frozenset(chosen)
        for size in range(1, n_clusters + 1)
        for chosen in combinations(range(n_clusters), size)
    ]


def shares(weights: list[Any]) -> tuple[float, ...]:
    """Weights that sum to one."""
    total = sum(weights)
    return tuple(
        float(Fraction(w, total)) if isinstance(total, int) else float(w / total) for w in weights
    )


# --- Hypothesis ------------------------------------------------------------------------------


@st.composite
def weight_rows(draw: st.DrawFn, size: int) -> list[Any]:
    """Non-negative weights, one of them positive at least: small integers or generic floats."""
    entry = draw(st.sampled_from([st.integers(0, 4), st.floats(0.01, 1.0)]))
    row = draw(st.lists(entry, min_size=size, max_size=size))
    if not any(row):
        row[draw(st.integers(0, size - 1))] = 1
    return row


@st.composite
def hard_sides(draw: st.DrawFn, n_objects: Any = N_OBJECTS, n_clusters: Any = N_CLUSTERS) -> Side:
    n, k = draw(n_objects), draw(n_clusters)
    return ("hard", tuple(draw(st.lists(st.integers(0, k - 1), min_size=n, max_size=n))))


@st.composite
def rough_sides(draw: st.DrawFn, n_objects: Any = N_OBJECTS, n_clusters: Any = N_CLUSTERS) -> Side:
    n, k = draw(n_objects), draw(n_clusters)
    sets = st.lists(st.sampled_from(subsets(k)), min_size=n, max_size=n)
    return ("rough", tuple(draw(sets)))


@st.composite
def fuzzy_sides(draw: st.DrawFn, n_objects: Any = N_OBJECTS, n_clusters: Any = N_CLUSTERS) -> Side:
    n, k = draw(n_objects), draw(n_clusters)
    return ("fuzzy", tuple(shares(draw(weight_rows(k))) for _ in range(n)))


@st.composite
def possibilistic_sides(
    draw: st.DrawFn,
    n_objects: Any = N_OBJECTS,
    n_clusters: Any = N_CLUSTERS,
    t_norm: str | None = None,
) -> Side:
    n, k = draw(n_objects), draw(n_clusters)
    # Multiples of 1/4 that reach 1 in every row: sums and products of them carry no rounding,
    # so a possibility that should be 0 under the Lukasiewicz t-norm is 0.
    entry = draw(st.sampled_from([st.integers(0, 4).map(lambda w: w / 4), st.floats(0.01, 1.0)]))
    rows = [draw(st.lists(entry, min_size=k, max_size=k)) for _ in range(n)]
    for row in rows:
        row[draw(st.integers(0, k - 1))] = 1.0
    return ("possibilistic", tuple(map(tuple, rows)), t_norm)


@st.composite
def evidential_sides(
    draw: st.DrawFn,
    n_objects: Any = N_OBJECTS,
    n_clusters: Any = N_CLUSTERS,
    empty: str | None = None,
) -> Side:
    n, k = draw(n_objects), draw(n_clusters)
    family = draw(st.lists(st.sampled_from(subsets(k)), min_size=1, max_size=4, unique=True))
    rows = [draw(weight_rows(len(family))) for _ in range(n)]
    if draw(st.booleans()):
        family = [frozenset(), *family]
        rows = [[draw(st.sampled_from([0, 1, 3])), *row] for row in rows]
    policy = empty or draw(st.sampled_from(["dempster", "yager"]))
    masses = tuple(dict(zip(family, shares(row), strict=True)) for row in rows)
    return ("evidential", masses, policy, k)


def sides(n_objects: Any = N_OBJECTS, n_clusters: Any = N_CLUSTERS) -> Any:
    """Plain data of any kind, whose answer the theory always has: no product, no Lukasiewicz."""
    sizes = {"n_objects": n_objects, "n_clusters": n_clusters}
    return st.one_of(
        hard_sides(**sizes),
        rough_sides(**sizes),
        fuzzy_sides(**sizes),
        possibilistic_sides(**sizes),
        possibilistic_sides(**sizes, t_norm="min"),
        evidential_sides(**sizes),
    )


def _built(of_sides: Any) -> Any:
    """The strategy of the partitions that hold such sides."""
    return lambda **sizes: of_sides(**sizes).map(build)


hard_partitions, rough_partitions = _built(hard_sides), _built(rough_sides)
fuzzy_partitions, possibilistic_partitions = _built(fuzzy_sides), _built(possibilistic_sides)
evidential_partitions = _built(evidential_sides)


def partitions(**sizes: Any) -> Any:
    """Partitions of any kind."""
    return sides(**sizes).map(build)


@st.composite
def groups_of_sides(
    draw: st.DrawFn,
    *kinds: Any,
    n_objects: Any = N_OBJECTS,
    n_clusters: Any = N_CLUSTERS,
) -> tuple[Side, ...]:
    """One side of each kind of strategy, all of the same objects, small enough to enumerate."""
    n = st.just(draw(n_objects))
    group = tuple(draw(kind(n_objects=n, n_clusters=n_clusters)) for kind in kinds)
    sizes = sorted(map(n_choices, group))
    assume(prod(sizes[-2:]) <= MAX_CHOICES)
    return group


def pairs_of_partitions(**sizes: Any) -> Any:
    """Two partitions of the same objects, each of any kind."""
    return groups_of_sides(sides, sides, **sizes).map(lambda both: tuple(map(build, both)))


# --- Loops of thousands ----------------------------------------------------------------------


def random_side(rng: np.random.Generator, kind: str, n_objects: int, n_clusters: int) -> Side:
    """Plain data for one of ``READINGS``, or "vacuous": masses on one cluster and on all.

    The integer-weighted and the generic cases alternate.
    """
    n, k = n_objects, n_clusters
    if kind == "hard":
        return ("hard", tuple(rng.integers(k, size=n).tolist()))
    if kind == "rough":
        every = subsets(k)
        # Half of the objects are certain, so that larger n stay enumerable.
        chosen = rng.integers(k if rng.random() < 0.5 else len(every), size=n)
        chosen = np.where(rng.random(n) < 0.5, rng.integers(k, size=n), chosen)
        return ("rough", tuple(every[i] for i in chosen))
    if kind == "fuzzy":
        return ("fuzzy", tuple(shares(row) for row in _random_weights(rng, n, k)))
    if kind in T_NORMS:
        rows = rng.choice([0.0, 0.0, 0.25, 0.5, 0.75, 1.0], size=(n, k))
        if rng.random() < 0.4:
            rows = np.where(rows > 0, rng.random((n, k)), 0.0)
        rows[np.arange(n), rng.integers(k, size=n)] = 1.0
        return ("possibilistic", tuple(map(tuple, rows.tolist())), T_NORMS[kind])
    if kind == "vacuous":
        everything, one = frozenset(range(max(k, 2))), frozenset({0})
        rows = tuple({everything: 1 - m, one: m} for m in rng.choice([0.0, 0.5], size=n).tolist())
        return ("evidential", rows, "dempster", max(k, 2))
    return _random_evidential_side(rng, n, k)


def random_pairs(
    seed: int,
    first: str,
    second: str,
    *,
    n_objects: Sequence[int] = range(2, 7),
    n_clusters: Sequence[int] = range(1, 5),
    most_pairs: int = 1_000,
) -> Iterator[tuple[Side, Side]]:
    """Endless random pairs of sides, with few enough pairs of clusterings to list them."""
    rng = np.random.default_rng(seed)
    while True:
        n, k1, k2 = (int(rng.choice(sizes)) for sizes in (n_objects, n_clusters, n_clusters))
        a, b = random_side(rng, first, n, k1), random_side(rng, second, n, k2)
        if n_pairs(a, b) <= most_pairs:
            yield a, b


def _random_evidential_side(rng: np.random.Generator, n: int, k: int) -> Side:
    every = subsets(k)
    size = int(rng.integers(1, min(4, len(every)) + 1))
    family = [every[i] for i in rng.choice(len(every), size=size, replace=False)]
    rows = _random_weights(rng, n, size)
    empty = "yager" if rng.random() < 0.4 else "dempster"
    if rng.random() < 0.5:
        family = [frozenset(), *family]
        rows = [[type(row[0])(rng.integers(3)), *row] for row in rows]
        if empty == "yager" and rng.random() < 0.2:
            rows[0] = [1] + [0] * size  # an object of which nothing at all is known
    elif empty == "dempster":
        empty = "raise"
    masses = tuple(dict(zip(family, shares(row), strict=True)) for row in rows)
    return ("evidential", masses, empty, k)


def _random_weights(rng: np.random.Generator, n: int, size: int) -> list[list[Any]]:
    integers = rng.random() < 0.6
    rows = rng.integers(0, 4, size=(n, size)) * (rng.random((n, size)) < 0.6)
    rows[np.arange(n), rng.integers(size, size=n)] += 1
    return (rows if integers else rows * rng.random((n, size)) + 1e-3 * (rows > 0)).tolist()


def is_answered(first: str, second: str) -> bool:
    """Whether the theory joins these two of ``READINGS``."""
    rng = np.random.default_rng(0)
    try:
        theory(random_side(rng, first, 2, 2), random_side(rng, second, 2, 2))
    except RefusedError:
        return False
    return True


def random_partition(rng: np.random.Generator, kind: str, n_objects: int, n_clusters: int) -> Any:
    """A random partition; ``kind`` is one of ``READINGS``."""
    return build(random_side(rng, kind, n_objects, n_clusters))


# --- Arrays of any size ----------------------------------------------------------------------


def random_memberships(
    rng: np.random.Generator, n: int, k: int, *, sparse: float = 0.2
) -> np.ndarray:
    """Rows that sum to one, even or uneven, some of them with zeros, some certain."""
    rows = rng.dirichlet(np.full(k, rng.choice([0.3, 1.0, 5.0])), n)
    rows[rng.random((n, k)) < sparse] = 0.0
    empty = rows.sum(axis=1) == 0
    rows[empty] = one_hot(rng, int(empty.sum()), k)
    return rows / rows.sum(axis=1, keepdims=True)


def one_hot(rng: np.random.Generator, n: int, k: int) -> np.ndarray:
    """Rows with a single one."""
    return np.eye(k)[rng.integers(k, size=n)]


def memberships_around(
    rng: np.random.Generator, labels: Any, k: int, *, share: float = 0.5, evenness: float = 1.0
) -> np.ndarray:
    """Rows with a share for the own label; the rest is at random, even if ``evenness`` is large."""
    rest = rng.dirichlet(np.full(k, evenness), len(labels))
    return share * np.eye(k)[labels] + (1 - share) * rest


def random_degrees(
    rng: np.random.Generator,
    n: int,
    k: int,
    *,
    labels: Any = None,
    power: float = 1.0,
    zeros: float = 0.0,
    n_values: int | None = None,
) -> np.ndarray:
    """Degrees of possibility: 1 for the own label, the others small if ``power`` is large."""
    rows = rng.random((n, k)) ** power
    if n_values is not None:
        rows = np.ceil(n_values * rows) / n_values
    rows[rng.random((n, k)) < zeros] = 0.0
    rows[np.arange(n), rng.integers(k, size=n) if labels is None else labels] = 1.0
    return rows


def random_rough(
    rng: np.random.Generator, n: int, k: int, share: float, *, labels: Any = None, n_open: int = 0
) -> sf.RoughPartition:
    """Each object may be in its own cluster, and in others with probability ``share``.

    The first ``n_open`` objects surely have a choice.
    """
    mask = rng.random((n, k)) < share
    mask[np.arange(n), rng.integers(k, size=n) if labels is None else labels] = True
    mask[:n_open, :2] = True
    return sf.RoughPartition(mask)


def random_set_types(
    rng: np.random.Generator,
    n_types: int,
    shape: tuple[int, int],
    *,
    certain_rows: bool = False,
    certain_columns: bool = False,
) -> tuple[np.ndarray, np.ndarray]:
    """Sets of rows and sets of columns as bit masks, single ones where a side is certain."""

    def sets(n_clusters: int, certain: bool) -> np.ndarray:
        if certain:
            return (1 << rng.integers(0, n_clusters, n_types)).astype(np.uint32)
        return rng.integers(1, 1 << n_clusters, n_types).astype(np.uint32)

    return sets(shape[0], certain_rows), sets(shape[1], certain_columns)


def set_types_around(
    rng: np.random.Generator, n_objects: int, n_clusters: int, ambiguous: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Types and counts of two rough sides that mostly agree, as ``random_set_types``."""
    truth = rng.integers(0, n_clusters, n_objects)
    guess = np.where(rng.random(n_objects) < 0.9, truth, rng.integers(0, n_clusters, n_objects))
    sides = []
    for labels in (guess, truth):
        extra = rng.integers(0, 1 << n_clusters, n_objects)
        sides.append((1 << labels) | np.where(rng.random(n_objects) < ambiguous, extra, 0))
    pairs, counts = np.unique(np.stack(sides), axis=1, return_counts=True)
    return pairs[0].astype(np.uint32), pairs[1].astype(np.uint32), counts


def certain_but(n: int, k: int, share: float, seed: int) -> tuple[Any, np.ndarray]:
    """Objects that are in one cluster but for some mass on two; every seventh in a wrong one."""
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % k
    own = np.where(np.arange(n) % 7 == 0, (truth + 1) % k, truth)
    sets = np.vstack([np.eye(k), np.eye(k) + np.roll(np.eye(k), 1, axis=1)])
    masses = np.zeros((n, 2 * k))
    open_masses = share * rng.random(n)
    masses[np.arange(n), own] = 1 - open_masses
    masses[np.arange(n), k + own] = open_masses
    return sf.EvidentialPartition(masses, sets), truth
