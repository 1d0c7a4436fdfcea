import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings

import literal_pairs
import sfumato as sf
from indices.variants import recorded
from sfumato.indices import denoeux
from sfumato.indices.denoeux import credal_rand
from sfumato.partitions import Relational, relational
from strategies import build, evidential_sides, groups_of_sides, sides

DISTANCES = ("conflict", "belief", "jousselme", "belief_interval")
METRICS = DISTANCES[1:]
SETS = np.array([[code >> cluster & 1 for cluster in range(3)] for code in range(8)])


def view_of(inputs):
    """The pairs as evclust sees them, also for objects that no partition would take."""
    if inputs["kind"] == "hard":
        return relational(sf.HardPartition(inputs["labels"]))
    if inputs["kind"] == "fuzzy":  # what a row lacks is the empty set's
        memberships, k = np.array(inputs["memberships"]), inputs["k"]
        masses = np.column_stack([1 - memberships.sum(axis=1), memberships]).clip(min=0)
        sets = np.vstack([np.zeros(k), np.eye(k)])
    else:
        masses, sets = np.array(inputs["masses"]), np.array(inputs["focal_sets"])
    is_empty = ~sets.any(axis=1)
    empty = masses[:, is_empty].sum(axis=1)
    masses[empty >= 1 - 1e-15] = np.eye(len(sets))[-1]  # any set: it will get no mass
    view = relational(sf.EvidentialPartition(masses, sets))
    return Relational(view.statements, empty, ())


@pytest.mark.parametrize(("inputs", "expected"), recorded("evclust_credal_ri"))
def test_values_are_those_of_evclust(inputs, expected):
    first, second = (view_of(inputs[side]) for side in ("first", "second"))
    for name, distance in (("c", "conflict"), ("b", "belief"), ("j", "jousselme")):
        found = credal_rand(first, second, distance)
        assert found == pytest.approx(expected[f"credal_ri_{name}"], rel=0, abs=1e-12)


@pytest.mark.parametrize("distance", DISTANCES)
@settings(max_examples=60, deadline=None)
@given(groups_of_sides(sides, sides))
def test_values_are_those_of_the_double_loop(distance, pair):
    first, second = pair
    found = denoeux(build(first), build(second), distance=distance)
    if len(first[1]) == 1:
        assert found == 1.0
        return
    expected = 1 - literal_pairs.mean_over_pairs(first, second, getattr(literal_pairs, distance))
    assert found == pytest.approx(expected, rel=0, abs=1e-12)
    assert -1e-12 <= found <= 1 + 1e-12
    swapped = denoeux(build(second), build(first), distance=distance)
    assert swapped == pytest.approx(found, rel=0, abs=1e-12)


@pytest.mark.parametrize("distance", METRICS)
@settings(max_examples=60, deadline=None)
@given(groups_of_sides(sides, sides, sides))
def test_one_less_similarity_is_a_pseudometric(distance, three):
    a, b, c = map(build, three)

    def apart(first, second):
        return 1 - denoeux(first, second, distance=distance)

    assert apart(a, a) == pytest.approx(0, abs=1e-12)
    assert apart(a, c) <= apart(a, b) + apart(b, c) + 1e-12


def test_conflict_is_no_metric():
    uniform = sf.FuzzyPartition(np.full((4, 2), 0.5))
    assert denoeux(uniform, uniform) == 0.5
    vacuous = sf.RoughPartition(np.ones((4, 2)))
    a, b = [0, 0, 1, 1], [0, 1, 0, 1]
    # Nothing contradicts a vacuous partition, so it is at distance 0 from two that differ.
    assert denoeux(a, vacuous) == denoeux(vacuous, b) == 1.0
    assert denoeux(a, b) < 1.0


@settings(max_examples=30, deadline=None)
@given(groups_of_sides(sides, sides))
def test_consistency_is_no_less_than_the_upper_end(pair):
    if any(side[0] == "possibilistic" and side[2] for side in pair):
        return  # read object by object here, as a whole by compare
    if any(m.get(frozenset()) for side in pair for m in literal_pairs.object_masses(side)):
        return
    a, b = map(build, pair)
    assert sf.compare(a, b, engine="exact").upper <= denoeux(a, b) + 1e-9


def test_consistency_of_fuzzy_partitions_is_the_mean_of_compare():
    rng = np.random.default_rng(0)
    a, b = rng.dirichlet(np.ones(3), 50), rng.dirichlet(np.ones(4), 50)
    assert denoeux(a, b) == pytest.approx(sf.compare(a, b).mean, rel=0, abs=1e-12)


@pytest.mark.parametrize("distance", DISTANCES)
@settings(max_examples=30, deadline=None)
@given(groups_of_sides(evidential_sides, sides))
def test_names_of_clusters_do_not_matter(distance, pair):
    first, second = map(build, pair)
    turned = np.arange(first.n_clusters)[::-1]
    relabelled = sf.EvidentialPartition(first.masses, first.focal_sets[:, turned])
    plain = sf.EvidentialPartition(first.masses, first.focal_sets)
    found = denoeux(relabelled, second, distance=distance)
    expected = denoeux(plain, second, distance=distance)
    assert found == pytest.approx(expected, rel=0, abs=1e-12)


def masses_of(n, seed, *, with_empty=True):
    rng = np.random.default_rng(seed)
    kept = SETS if with_empty else SETS[1:]
    return sf.EvidentialPartition(rng.dirichlet(np.ones(len(kept)), n), kept)


def whole_matrices(partition):
    masses = relational(partition).block(slice(None), slice(None))
    return {
        "empty": masses.conflict,
        "same": masses.same,
        "different": masses.different,
        "either": masses.either,
    }


@pytest.mark.parametrize("distance", DISTANCES)
def test_blocks_add_up_to_the_whole_matrix(distance):
    n = 530  # two whole blocks and a bit
    a, b = masses_of(n, 0), masses_of(n, 1)
    first, second = whole_matrices(a), whole_matrices(b)
    kept = (1 - first["empty"]) * (1 - second["empty"])
    s, d, e = (first[key] - second[key] for key in ("same", "different", "empty"))
    values = {
        "conflict": 1
        - kept
        + first["same"] * second["different"]
        + first["different"] * second["same"],
        "belief": (abs(s) + abs(d) + abs(e)) / 2,
        "jousselme": np.sqrt((2 * e**2 + e * (s + d) + s**2 + d**2) / 2),
        "belief_interval": np.sqrt(
            e**2 / 2
            + (s**2 - s * (d + e) + (d + e) ** 2) / 6
            + (d**2 - d * (s + e) + (s + e) ** 2) / 6
        ),
    }[distance]
    expected = 1 - values[np.triu_indices(n, 1)].mean()
    assert denoeux(a, b, distance=distance) == pytest.approx(expected, rel=0, abs=1e-12)


@pytest.mark.parametrize("distance", DISTANCES)
def test_equal_objects_are_counted_not_compared(distance):
    a, b = masses_of(40, 2), masses_of(40, 3)
    order = np.repeat(np.arange(40), np.arange(40) % 4 + 1)
    many_a, many_b = a.take(order), b.take(order)
    first, second = (
        [dict(zip(map(frozenset, map(np.flatnonzero, SETS)), row, strict=True)) for row in rows]
        for rows in (raw_masses(many_a), raw_masses(many_b))
    )
    sides_ = [("evidential", tuple(rows), "dempster", 3) for rows in (first, second)]
    expected = 1 - literal_pairs.mean_over_pairs(*sides_, getattr(literal_pairs, distance))
    assert denoeux(many_a, many_b, distance=distance) == pytest.approx(expected, rel=0, abs=1e-12)


def raw_masses(partition):
    kept = partition.masses * (1 - partition.empty_mass)[:, None]
    return np.column_stack([partition.empty_mass, kept])


@pytest.mark.parametrize("distance", METRICS)
def test_no_matrix_of_all_pairs_is_built(distance):
    a, b = masses_of(2000, 4), masses_of(2000, 5)
    a.statements(), b.statements()
    tracemalloc.start()
    denoeux(a, b, distance=distance)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000_000  # a matrix of all pairs takes 32 MB


@pytest.mark.parametrize("distance", ["belief", "jousselme", "belief_interval"])
def test_a_fuzzy_side_against_a_hard_one_needs_no_pairs(distance):
    rng = np.random.default_rng(6)
    memberships, truth = rng.dirichlet(np.ones(3), 60), rng.integers(0, 4, 60)
    same = (memberships @ memberships.T)[np.triu_indices(60, 1)]
    together = (truth[:, None] == truth)[np.triu_indices(60, 1)]
    expected = 1 - np.abs(same - together).mean()
    found = denoeux(memberships, truth, distance=distance)
    assert found == pytest.approx(expected, rel=0, abs=1e-12)


def test_mass_on_the_empty_set_counts_as_conflict_from_the_first_object_on():
    masses = [[0.5, 0.5, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    a = sf.EvidentialPartition(masses, [[0, 0], [1, 0], [0, 1]])
    assert denoeux(a, [0, 0, 1]) == pytest.approx(1 - (0.5 + 0.5) / 3, rel=0, abs=1e-15)
    moved = sf.EvidentialPartition(masses, [[0, 0], [1, 0], [0, 1]], empty="yager")
    assert denoeux(moved, [0, 0, 1]) == 1.0


@pytest.mark.parametrize("distance", DISTANCES)
def test_clusters_by_the_hundred_thousand_are_no_table(distance):
    labels = np.arange(200_000)  # a table of them has 40 billion cells
    assert denoeux(labels, labels, distance=distance) == 1.0


def test_many_clusters_do_not_build_a_table_of_clusters():
    labels = np.arange(30_000)
    a = sf.FuzzyPartition(np.tile([0.5, 0.5], (30_000, 1)))
    assert denoeux(a, labels) == pytest.approx(0.5, rel=0, abs=1e-12)


@pytest.mark.parametrize("distance", DISTANCES)
def test_where_a_table_of_sets_would_be_too_large_pairs_give_the_same(distance, monkeypatch):
    a, b = masses_of(50, 8), sf.HardPartition(np.arange(50) % 7)
    by_table = denoeux(a, b, distance=distance)
    monkeypatch.setattr("sfumato.indices.formulas.mass_products.MOST_CELLS", 0)
    assert denoeux(a, b, distance=distance) == pytest.approx(by_table, rel=0, abs=1e-12)


def test_possibilities_below_one_are_divided_by_their_maximum():
    low = sf.PossibilisticPartition([[0.5, 0.25], [0.1, 0.2]])
    high = sf.PossibilisticPartition([[1.0, 0.5], [0.5, 1.0]])
    assert denoeux(low, high, distance="jousselme") == pytest.approx(1, abs=1e-15)
