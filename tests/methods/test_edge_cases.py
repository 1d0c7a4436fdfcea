"""Small, odd and extreme inputs through every theory and engine."""

from itertools import product
from math import isfinite

import numpy as np
import pytest

import sfumato as sf
from brackets import assert_held

ENGINES = {
    "exact": sf.Exact(),
    "auto": sf.Auto(),
    "sampled": sf.Sampled(n_samples=60),
    "nested": sf.Sampled(n_samples=20, nested=True, n_inner=5),
}
QUANTITIES = ("expectation", "range", "distribution")
every_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)


def one_of_each(rows, sets):
    """The same memberships read in every way; zeros become impossible clusters."""
    rows = np.array(rows, dtype=float)
    possible = rows / rows.max(axis=1, keepdims=True)
    masses = np.zeros((len(rows), len(sets)))
    masses[:, -1] = 0.75
    masses[:, 0] += 1 - masses.sum(axis=1)
    return {
        "hard": sf.HardPartition(rows.argmax(axis=1)),
        "rough": sf.RoughPartition(rows > 0),
        "fuzzy": sf.FuzzyPartition(rows, normalize=True),
        "consonant": sf.PossibilisticPartition(possible),
        "min": sf.PossibilisticPartition(possible, t_norm="min"),
        "product": sf.PossibilisticPartition(possible, t_norm="product"),
        "lukasiewicz": sf.PossibilisticPartition(possible, t_norm="lukasiewicz"),
        "evidential": sf.EvidentialPartition(masses, sets),
    }


def joined(sides):
    """Every pair of readings that a theory joins."""
    refused = {"product", "lukasiewicz"}
    for first, second in product(sides, sides):
        t_norms = {first, second} & {"min", *refused}
        others = {first, second} - t_norms
        if len(t_norms) > 1 or (
            t_norms & refused and others & {"fuzzy", "consonant", "evidential"}
        ):
            continue
        if t_norms and "consonant" in others:  # a possibilistic reading of its own
            continue
        yield sides[first], sides[second]


@every_engine
def test_a_single_object_has_the_values_of_scikit_learn(engine):
    sides = one_of_each([[1.0, 0.5]], [[1, 0], [1, 1]])
    expected = {"rand": 1.0, "mutual_information": 0.0, "adjusted_mutual_information": 1.0}
    for (a, b), (measure, value), quantity in product(joined(sides), expected.items(), QUANTITIES):
        found = sf.compare(a, b, measure=measure, quantity=quantity, engine=engine, rng=0)
        assert (found.lower, found.upper) == (value, value)


@every_engine
def test_one_cluster_on_both_sides_agrees_with_itself(engine):
    sides = one_of_each(np.ones((5, 1)), [[1]])
    for (a, b), quantity in product(joined(sides), QUANTITIES):
        found = sf.compare(a, b, quantity=quantity, engine=engine, rng=0)
        assert (found.lower, found.upper, found.guarantee) == (1.0, 1.0, "exact")


@every_engine
def test_clusters_that_no_object_can_take_change_nothing(engine):
    rows = np.array([[1, 0.5], [0.25, 1], [1, 1], [0, 1]])
    wide = np.insert(rows, [0, 1, 2], 0.0, axis=1)  # before, between and after
    plain = one_of_each(rows, [[1, 0], [1, 1]])
    padded = one_of_each(wide, [[0, 1, 0, 0, 0], [0, 1, 0, 1, 0]])
    truth = [0, 1, 1, 1]
    for reading in plain:
        expected, found = (
            sf.compare(side[reading], truth, engine=engine, rng=0) for side in (plain, padded)
        )
        # The bounds of the measure are the same, so even the draws and the brackets are.
        assert (found.lower, found.upper) == pytest.approx(
            (expected.lower, expected.upper), abs=1e-14
        )


def test_soft_partitions_without_doubt_are_answered_as_hard_ones():
    rows = np.eye(3)[[0, 1, 2, 2]]
    for side in (
        sf.FuzzyPartition(rows),
        sf.RoughPartition(rows > 0),
        sf.PossibilisticPartition(rows, t_norm="product"),
        sf.PossibilisticPartition(rows),
        sf.EvidentialPartition(rows, np.eye(3)),
    ):
        found = sf.compare(side, [0, 0, 1, 1], engine=sf.Sampled(n_samples=10))
        assert (found.method, found.guarantee) == ("hard_value", "exact")
        assert found.kinds == (side.kind, "hard")
        assert float(found) == sf.compare([0, 1, 2, 2], [0, 0, 1, 1]).mean


def test_a_single_focal_set_is_a_rough_partition():
    evidential = sf.EvidentialPartition(np.ones((3, 1)), [[1, 1]])
    rough = sf.RoughPartition(np.ones((3, 2), dtype=bool))
    found, expected = (
        sf.compare(side, [0, 0, 1], quantity="distribution", engine="exact")
        for side in (evidential, rough)
    )
    assert found.distribution.values.tolist() == expected.distribution.values.tolist()


@pytest.mark.parametrize("column", [0, 1])
def test_a_membership_of_1e_300_counts_wherever_it_stands(column):
    rows = np.array([[1.0, 1.0], [1.0, 1.0]])
    rows[:, column] = [1e-300, 0.0]
    fuzzy = sf.FuzzyPartition(rows)
    found = sf.compare(fuzzy, [0, 0], quantity="distribution", engine="exact")
    assert found.distribution.support.tolist() == [0.0, 1.0]
    assert found.distribution.belief(at_most=0.5) == pytest.approx(1e-300, rel=1e-12)
    assert found.mean == 1.0
    spread = sf.compare(fuzzy, [0, 0], quantity="range")
    assert (spread.lower, spread.upper) == (0.0, 1.0)


@every_engine
@pytest.mark.parametrize("t_norm", [None, "min", "product", "lukasiewicz"])
def test_possibilities_of_1e_300_on_both_sides_neither_crash_nor_warn(engine, t_norm):
    tiny = sf.PossibilisticPartition([[1, 1e-300], [1e-300, 1]], t_norm=t_norm)
    found = sf.compare(tiny, tiny, quantity="distribution", engine=engine, rng=0)
    assert (found.lower, found.upper) == (1.0, 1.0)


def test_the_range_is_that_of_what_is_possible_at_all():
    rows = [[1, 0.5], [0.25, 1], [1, 1], [0, 1]]
    truth = [0, 1, 1, 1]
    for reading, side in one_of_each(rows, [[1, 0], [1, 1]]).items():
        found = sf.compare(side, truth, quantity="range", engine="exact")
        values = sf.compare(side, truth, quantity="distribution", engine="exact").distribution
        assert (found.lower, found.upper) == pytest.approx(
            (values.support[0], values.support[-1]), abs=1e-12
        ), reading
        assert (found.lower_std, found.upper_std) == (0.0, 0.0)


def test_objects_that_are_impossible_together_do_not_stretch_the_lukasiewicz_range():
    # Apart from object 0 at most one may move: two would cost 0.6 + 0.6 > 1.
    rows = [[1, 0]] + [[1, 0.4]] * 3
    free, bound = (
        sf.compare(sf.PossibilisticPartition(rows, t_norm=t_norm), [0] * 4, quantity="range")
        for t_norm in ("product", "lukasiewicz")
    )
    assert free.lower == pytest.approx(1 / 3)  # two against two
    assert bound.lower == pytest.approx(1 / 2)  # one against three


def test_the_distribution_of_two_hard_partitions_is_one_value():
    found = sf.compare([0, 0, 1], [0, 1, 1], quantity="distribution").distribution
    assert found.values.tolist() == [1 / 3]
    assert found.probabilities.tolist() == [1.0]
    assert found.quantile(0.5) == 1 / 3


def corner(table):
    return table[0, 0] / table.sum()


CORNER = sf.Measure.from_function(corner, name="corner", better="higher", bounds=(0, 1))
ROWS = [[1, 0.5], [0.25, 1], [1, 1]]


@every_engine
def test_a_measure_of_ones_own_goes_through_every_method(engine):
    for side in one_of_each(ROWS, [[1, 0], [1, 1]]).values():
        exact = sf.compare(side, [0, 0, 0], measure=CORNER, engine="exact")
        found = sf.compare(side, [0, 0, 0], measure=CORNER, engine=engine, rng=0)
        assert_held(found, exact)


@every_engine
def test_a_measure_that_returns_nan_is_an_error_that_names_the_table(engine):
    broken = sf.Measure.from_function(
        lambda table: float("nan") if table[0, 0] == 2 else 0.5,
        name="broken",
        better="higher",
        bounds=(0, 1),
    )
    for side in one_of_each(ROWS, [[1, 0], [1, 1]]).values():
        with pytest.raises(
            sf.InputError, match=r"Measure 'broken' returned nan for the table \[\[2"
        ):
            sf.compare(side, [0, 0, 0], measure=broken, engine=engine, rng=0)


@pytest.mark.parametrize("name", sf.measures())
def test_memberships_of_1e_300_are_as_good_as_none(name):
    labels, codes = np.arange(12) % 3, np.arange(12) % 4
    tiny = np.where(np.eye(4)[codes] > 0, 1.0, 1e-300)
    for sides, hard in (((tiny, labels), (codes, labels)), ((labels, tiny), (labels, codes))):
        sides = [sf.FuzzyPartition(side) if side.ndim == 2 else side for side in sides]
        expected = sf.compare(*hard, measure=name).mean
        found = sf.compare(*sides, measure=name, engine=sf.Auto(tolerance=0.05), rng=0)
        assert found.mean == pytest.approx(expected, rel=0, abs=1e-12)
        assert isfinite(found.std)
        assert found.std < 1e-7


@pytest.mark.parametrize("name", sf.measures())
@pytest.mark.parametrize("is_hard", [False, True])
def test_time_that_runs_out_leaves_the_best_answer_and_says_so(name, is_hard):
    rng, n, k = np.random.default_rng(0), 400, 8
    a = sf.FuzzyPartition(rng.dirichlet(np.ones(k), n))
    b = np.arange(n) % k if is_hard else sf.FuzzyPartition(rng.dirichlet(np.ones(k), n))
    found = sf.compare(a, b, measure=name, rng=0, engine=sf.Auto(max_seconds=1e-4))
    if found.guarantee == "exact":
        assert found.error == 0.0
        return
    if found.n_samples is None:  # on a slow machine there is no time for a single draw
        assert found.guarantee == "certified"
        assert any("max_seconds=0.0001" in note for note in found.notes)
        return
    low, high = found.lower_bracket
    assert low <= found.mean <= high
    assert any("Stopped by max_seconds=0.0001" in note for note in found.notes)
    # An error is stated, and it is that of the draws made.
    assert found.guarantee == "confidence"
    assert isfinite(found.error)
    assert any("above the tolerance" in n for n in found.notes)


@pytest.mark.parametrize("measure", ["adjusted_rand", "variation_of_information", "purity"])
def test_bounds_hold_for_every_kind(measure):
    for side in one_of_each([[1, 0.5], [0.25, 1], [1, 1], [0, 1]], [[1, 0], [1, 1]]).values():
        exact, found = (
            sf.compare(side, [0, 0, 1, 1], measure=measure, engine=engine)
            for engine in ("exact", "bounds")
        )
        assert found.guarantee in ("exact", "certified")
        assert_held(found, exact)
