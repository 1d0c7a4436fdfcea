"""Focal tables and the tables within their reach, against every choice of every object."""

from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest

from chances import assert_drawn_by
from random_choices import make_choices
from sfumato.algorithms.tables.focal_model import (
    bound_focal_tables,
    bound_reach,
    draw_within,
    focal_model,
    list_focal_tables,
    reach_tables,
)

N_CELLS = 4
SEEDS = range(60)


def random_problem(seed):
    """Types of objects with masses on pairs, and the cells that each pair leaves open."""
    rng = np.random.default_rng(seed)
    n_pairs = int(rng.integers(1, 5))
    pairs = [
        sorted(rng.choice(N_CELLS, size=int(rng.integers(1, 4)), replace=False).tolist())
        for _ in range(n_pairs)
    ]
    types = []
    for _ in range(int(rng.integers(1, 4))):
        chosen = rng.choice(n_pairs, size=int(rng.integers(1, n_pairs + 1)), replace=False)
        masses = rng.dirichlet(np.ones(len(chosen)))
        types.append(
            (int(rng.integers(1, 3)), dict(zip(chosen.tolist(), masses.tolist(), strict=True)))
        )
    return types, pairs


def model_of(types, pairs):
    starts = np.cumsum([0, *map(len, pairs)], dtype=np.int64)
    cells = np.array([cell for pair in pairs for cell in pair], dtype=np.int64)
    return focal_model(make_choices(types, len(pairs)), starts, cells, N_CELLS)


def literal(types, pairs):
    """Mass and reached tables of every way to choose pairs, keyed by how often each is chosen."""
    objects = [masses for count, masses in types for _ in range(count)]
    masses: Counter = Counter()
    reached: dict[tuple[int, ...], set] = {}
    for chosen in product(*objects):
        key = tuple(np.bincount(chosen, minlength=len(pairs)).tolist())
        masses[key] += float(np.prod([row[p] for row, p in zip(objects, chosen, strict=True)]))
        reached.setdefault(key, set()).update(
            tuple(np.bincount(cells, minlength=N_CELLS).tolist())
            for cells in product(*(pairs[p] for p in chosen))
        )
    return masses, reached


def listed(model):
    """Reached tables, in full, and mass of every focal table."""
    counts, masses, _ = list_focal_tables(model)
    tables, starts, ids = reach_tables(model, counts)
    whole = np.repeat(model.base[None, :], len(tables), axis=0)
    whole[:, model.pairs.labels] += tables
    rows = list(map(tuple, whole.tolist()))
    assert len(set(rows)) == len(rows), "a table is stored twice"
    reached = [[rows[i] for i in ids[a:b]] for a, b in pairwise(starts)]
    return masses, reached


@pytest.mark.parametrize("seed", SEEDS)
def test_every_focal_table_is_listed_once_with_its_mass_and_its_reach(seed):
    problem = random_problem(seed)
    true_masses, true_reached = literal(*problem)
    masses, reached = listed(model_of(*problem))
    assert len(masses) == len(true_masses)
    assert all(len(set(tables)) == len(tables) for tables in reached)
    found: Counter = Counter()
    for mass, tables in zip(masses.tolist(), reached, strict=True):
        found[frozenset(tables)] += mass
    expected: Counter = Counter()
    for key, mass in true_masses.items():
        expected[frozenset(true_reached[key])] += mass
    assert dict(found) == pytest.approx(dict(expected), rel=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_predicted_sizes_are_never_too_small(seed):
    model = model_of(*random_problem(seed))
    _, reached = listed(model)
    sizes = list(map(len, reached))
    slack = 1 + 1e-9  # the bounds go through logarithms
    assert max(sizes) <= bound_reach(model) * slack
    visited, merges = bound_focal_tables(model)
    assert sum(sizes) <= visited * slack
    assert visited <= merges * slack


def test_nothing_open_is_one_table():
    model = model_of([(3, {0: 1.0}), (2, {1: 1.0})], [[0], [3]])
    assert bound_focal_tables(model) == (1.0, 1.0)
    assert bound_reach(model) == 1.0
    masses, reached = listed(model)
    assert masses.tolist() == [1.0]
    assert reached == [[(3, 0, 0, 2)]]


def test_tables_are_drawn_uniformly_among_the_clusterings_of_each_focal_table():
    # Two objects in cells {0, 1}: four clusterings, three tables; one object in {1, 2, 3}.
    model = model_of([(2, {0: 1.0}), (1, {1: 1.0})], [[0, 1], [1, 2, 3]])
    counts, _, _ = list_focal_tables(model)
    ways = Counter(
        tuple(np.bincount(cells, minlength=N_CELLS).tolist())
        for cells in product([0, 1], [0, 1], [1, 2, 3])
    )
    law = {table: count / 12 for table, count in ways.items()}
    assert_drawn_by(law, draw_within(model, counts, 36_000, np.random.SeedSequence(6)))


def test_draws_within_come_focal_table_by_focal_table():
    model = model_of([(2, {0: 0.5, 1: 0.5})], [[0, 1], [2, 3]])
    counts = np.array([[2, 0], [0, 2], [1, 1]])
    tables = draw_within(model, counts, 5, np.random.SeedSequence(1))
    assert tables[:, :2].sum(axis=1).tolist() == [2] * 5 + [0] * 5 + [1] * 5
    assert tables[:, 2:].sum(axis=1).tolist() == [0] * 5 + [2] * 5 + [1] * 5


def test_pairs_of_one_cell_leave_nothing_to_draw():
    model = model_of([(3, {0: 0.5, 1: 0.5})], [[2], [0]])
    tables = draw_within(model, np.array([[3, 0], [1, 2]]), 2, np.random.SeedSequence(1))
    whole = np.zeros((4, N_CELLS), dtype=int)
    whole[:, model.pairs.labels] = tables
    assert whole.tolist() == [[0, 0, 3, 0]] * 2 + [[2, 0, 1, 0]] * 2
