"""Brackets of both ends of rough comparisons of any size, many at a time."""

import numpy as np
import pytest

from literal import all_tables, three_sums
from objectives import objective_of
from sfumato.algorithms.ends.relax import relaxed_ends
from sfumato.algorithms.ends.relaxed_sums import climb_down, least_sums, round_shares
from sfumato.algorithms.ends.rough_batch import batch_of_types, rough_batch
from sfumato.algorithms.tables.focal_model import SetTypes
from sfumato.measures import as_measure

MEASURES = [
    "rand",
    "variation_of_information",
    "mutual_information",
    "partition_distance",
    "adjusted_rand",
    "normalized_mutual_information",
    "fowlkes_mallows",
    "jaccard",
    "dice",
    "homogeneity",
    "completeness",
    "purity",
]
N_TABLES = 10
# Ends that the search inside should find: of every measure, and of Rand.
FOUND = {
    "hard truth": (0.9, 0.98),
    "two soft sides": (0.85, 0.98),
    "many objects share their sets": (0.65, 0.9),
}


def random_types(rng, n_objects, shape, is_hard, share_single=0.5, share_full=0.0):
    """Sets of some objects as bit masks, about half of them single clusters, one row per table."""

    def masks(n_clusters, is_single):
        single = 1 << rng.integers(0, n_clusters, (N_TABLES, n_objects))
        some = rng.integers(1, 1 << n_clusters, (N_TABLES, n_objects))
        some[rng.random(some.shape) < share_full] = (1 << n_clusters) - 1
        return np.where(is_single | (rng.random(single.shape) < share_single), single, some)

    columns = masks(shape[1], is_hard)
    if is_hard:
        columns = np.repeat(columns[:1], N_TABLES, axis=0)
    return masks(shape[0], False), columns


def batch_of(rows, columns, shape):
    """Objects with the same sets are of one type."""
    pairs, which = np.unique(np.stack([rows.ravel(), columns.ravel()]), axis=1, return_inverse=True)
    counts = np.zeros((len(rows), pairs.shape[1]), dtype=np.int64)
    np.add.at(counts, (np.repeat(np.arange(len(rows)), rows.shape[1]), which.ravel()), 1)
    return batch_of_types(SetTypes(pairs[0], pairs[1], counts), shape)


@pytest.mark.parametrize("case", FOUND)
def test_the_bracket_of_each_end_holds_it(case):
    rng = np.random.default_rng(0)
    attained = {name: [] for name in MEASURES}
    for _ in range(20):
        if case == "many objects share their sets":
            shape, n_objects = tuple(rng.integers(2, 4, 2).tolist()), int(rng.integers(5, 8))
            rows, columns = random_types(rng, n_objects, shape, False, 0.3, 0.8)
        else:
            shape, n_objects = tuple(rng.integers(1, 5, 2).tolist()), int(rng.integers(2, 7))
            rows, columns = random_types(rng, n_objects, shape, case == "hard truth")
        batch = batch_of(rows, columns, shape)
        tables = [
            all_tables(*types, [1] * n_objects, shape) for types in zip(rows, columns, strict=True)
        ]
        starts = np.cumsum([0, *map(len, tables[:-1])])
        for name in MEASURES:
            objective = objective_of(name, n_objects, shape)
            found = relaxed_ends(objective, batch)
            values = objective.of_tables(np.concatenate(tables))
            lows, highs = (end.reduceat(values, starts) for end in (np.minimum, np.maximum))
            assert (found.low_bounds <= lows + 1e-12).all(), name
            assert (found.lows >= lows - 1e-12).all(), name
            assert (found.high_bounds >= highs - 1e-12).all(), name
            assert (found.highs <= highs + 1e-12).all(), name
            attained[name] += [*(found.lows - lows), *(highs - found.highs)]
    # The search inside finds most ends of such small problems.
    shares = {name: np.mean(np.array(missed) < 1e-9) for name, missed in attained.items()}
    least, least_of_rand = FOUND[case]
    assert min(shares.values()) > least, shares
    assert shares["rand"] > least_of_rand, shares


@pytest.mark.parametrize("name", MEASURES)
def test_most_objects_may_be_certain_of_a_column_that_others_never_meet(name):
    # 12 of 16 objects are sure of column 0; the other 4 share sets that are open on both sides.
    rows, columns = np.full((1, 16), 0b11), np.array([[0b1110] * 4 + [0b0001] * 12])
    objective = objective_of(name, 16, (2, 4))
    found = relaxed_ends(objective, batch_of(rows, columns, (2, 4)))
    values = objective.of_tables(all_tables(rows[0], columns[0], [1] * 16, (2, 4)))
    assert found.low_bounds[0] <= values.min() <= found.lows[0] + 1e-12
    assert found.highs[0] - 1e-12 <= values.max() <= found.high_bounds[0]


def test_attained_values_are_those_of_the_tables_that_are_filled():
    rng = np.random.default_rng(1)
    rows, columns = random_types(rng, 9, (4, 3), False)
    batch = batch_of(rows, columns, (4, 3))
    for name in MEASURES:
        objective = objective_of(name, 9, (4, 3))
        found = relaxed_ends(objective, batch)
        for sent, values in ((found.low_sent, found.lows), (found.high_sent, found.highs)):
            assert np.array_equal(np.add.reduceat(sent, batch.cells.starts[:-1]), batch.counts)
            assert np.array_equal(objective.of_tables(batch.fill(sent)), values)


@pytest.mark.parametrize("name", MEASURES)
def test_a_batch_gives_what_each_of_its_tables_gives_alone(name):
    rng = np.random.default_rng(2)
    objective = objective_of(name, 12, (5, 4))
    rows, columns = random_types(rng, 12, (5, 4), False)
    together = relaxed_ends(objective, batch_of(rows, columns, (5, 4)))
    for at in range(N_TABLES):
        alone = relaxed_ends(objective, batch_of(rows[[at]], columns[[at]], (5, 4)))
        for end in ("lows", "low_bounds", "highs", "high_bounds"):
            whole, part = getattr(together, end), getattr(alone, end)
            assert whole[at] == pytest.approx(part[0], abs=1e-9)


def test_the_near_end_of_the_partition_distance_is_exact_where_one_side_is_certain():
    rng = np.random.default_rng(3)
    for shape in ((40, 30), (30, 40)):
        rows, columns = random_types(rng, 200, shape, True)
        objective = objective_of("partition_distance", 200, shape)
        found = relaxed_ends(objective, batch_of(rows, columns, shape))
        assert np.array_equal(found.lows, found.low_bounds)
        turned = batch_of(columns, rows, shape[::-1])
        assert np.array_equal(relaxed_ends(objective.turned(), turned).lows, found.lows)


@pytest.mark.parametrize("psi", ["square", "xlogx"])
def test_relaxed_sums_bound_those_of_any_table(psi):
    rng = np.random.default_rng(4)
    for _ in range(40):
        shape = tuple(rng.integers(2, 7, 2).tolist())
        batch = batch_of(*random_types(rng, 30, shape, False), shape)
        weights = rng.normal(size=(N_TABLES, 3))
        relaxed = least_sums(batch, psi, weights)
        sent = round_shares(batch, relaxed.shares)
        for some in (sent, batch.send_to(relaxed.chosen), climb_down(batch, psi, weights, sent)):
            sums = three_sums(batch.fill(some), psi)
            assert ((weights.T * sums).sum(axis=0) >= relaxed.bounds - 1e-9).all()


def test_climbing_never_ends_above_its_start():
    rng = np.random.default_rng(5)
    measure, shape = as_measure("rand"), (6, 6)
    value = measure.family(40).value
    batch = batch_of(*random_types(rng, 40, shape, False), shape)
    weights = np.tile([value.rows, value.columns, value.cells], (N_TABLES, 1))
    start = round_shares(batch, batch.equal_shares())
    down, up = (climb_down(batch, "square", sense * weights, start) for sense in (1, -1))
    before, least, most = (measure.of_tables(batch.fill(sent)) for sent in (start, down, up))
    assert (least < before).all()
    assert (most > before).all()


def test_many_clusters_keep_their_brackets_narrow_where_little_is_open():
    # 100 clusters, one object in ten free: the relaxation is nearly tight for Rand.
    rng = np.random.default_rng(6)
    n, k = 1000, 100
    truth = rng.integers(0, k, n)
    sets = np.where(rng.random(n) < 0.1, k, truth)
    lists = np.concatenate([np.arange(k + 1), [2 * k]]), np.concatenate([np.arange(k)] * 2)
    batch = rough_batch(
        np.zeros(n, dtype=np.int64),
        (sets, truth),
        np.ones(n, dtype=np.int64),
        lists,
        (np.arange(k + 1), np.arange(k)),
        n_tables=1,
        shape=(k, k),
    )
    found = relaxed_ends(objective_of("rand", n, (k, k)), batch)
    assert found.highs[0] == 1.0
    assert found.high_bounds[0] == pytest.approx(1.0, abs=1e-9)
    assert 0 <= found.lows[0] - found.low_bounds[0] < 1e-3


@pytest.mark.parametrize("is_hard", [True, False])
def test_slopes_bound_convex_sums_of_all_tables(is_hard):
    # Checked against every table, with weights at which conditional entropies are added up.
    rng = np.random.default_rng(7)
    for _ in range(6):
        rows, columns = random_types(rng, 6, (3, 2), is_hard)
        batch = batch_of(rows, columns, (3, 2))
        first, second, rest = rng.random((3, N_TABLES, 1)) * [[[1]], [[1]], [[0.2]]]
        weights = np.concatenate([-first, -second, first + second + rest], axis=1)
        relaxed = least_sums(batch, "xlogx", weights)
        for at in range(N_TABLES):
            tables = all_tables(rows[at], columns[at], [1] * 6, (3, 2))
            sums = three_sums(tables, "xlogx")
            assert (weights[at] @ sums).min() >= relaxed.bounds[at] - 1e-9


@pytest.mark.parametrize(
    ("name", "is_hard"),
    [
        ("variation_of_information", True),
        ("variation_of_information", False),
        ("mutual_information", True),
    ],
)
def test_the_far_end_of_information_is_sharp_with_many_objects(name, is_hard):
    rng = np.random.default_rng(8)
    gaps = []
    for n in (100, 1000):
        batch = batch_of(*random_types(rng, n, (5, 4), is_hard), (5, 4))
        found = relaxed_ends(objective_of(name, n, (5, 4)), batch)
        far = (found.high_bounds - found.highs, found.lows - found.low_bounds)
        gaps.append(float(far[name == "mutual_information"].mean()))
    assert gaps[1] < 1e-3
    assert gaps[1] < gaps[0] / 3


@pytest.mark.parametrize("n_shared", [0, 5])
def test_with_two_cells_open_in_a_row_no_pairs_are_lost(n_shared):
    # Sets of two clusters, each row open to two classes: the far end is that of a convex sum.
    k = 6
    types = [(1 << j, j, 70) for j in range(k)]
    types += [(1 << j | 1 << (j + 1) % k, j, 25 + n_shared) for j in range(k)]
    rows, columns, counts = np.array(types).T
    batch = batch_of_types(SetTypes(rows, 1 << columns, counts[None, :]), (k, k))
    found = relaxed_ends(objective_of("rand", int(counts.sum()), (k, k)), batch)
    assert found.lows[0] - found.low_bounds[0] < 2e-5
