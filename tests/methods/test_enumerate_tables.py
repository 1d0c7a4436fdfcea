"""Enumeration: what it predicts, what it visits, and how far it reaches."""

import numpy as np
import pytest

import sfumato as sf
from by_method import answer, planned
from literal import law_of_count
from memory import peak_of
from strategies import READINGS, is_answered, random_partition


def counting_measure(seen: list) -> sf.Measure:
    """A measure without structure that keeps every table it is asked about."""

    def function(table):
        seen.append(table.tolist())
        return table.max() / table.sum()

    return sf.Measure.from_function(function, name="share", better="higher", bounds=(0, 1))


PAIRS = [
    (a, b) for a in READINGS for b in READINGS if is_answered(a, b) and (a, b) != ("hard",) * 2
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_it_visits_no_more_tables_than_it_predicts(first, second):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        a, b = (random_partition(rng, kind, 4, 3) for kind in (first, second))
        seen: list = []
        measure = counting_measure(seen)
        plan = sf.explain(a, b, measure=measure, engine=sf.Exact(max_tables=10**9))
        assert not seen
        sf.compare(a, b, measure=measure, engine=sf.Exact(max_tables=10**9))
        assert 1 <= len(seen) <= plan.tables * (1 + 1e-9)


def test_ten_uncertain_objects_among_a_hundred_thousand_are_enumerated():
    rng = np.random.default_rng(0)
    labels = rng.integers(4, size=100_000)
    memberships = np.eye(4)[rng.integers(4, size=100_000)]
    memberships[:10] = rng.dirichlet(np.ones(4), size=10)
    found = answer("enumerate_tables", memberships, labels)
    assert found.guarantee == "exact"
    # The closed form sums squares of 1e5 objects in another order.
    closed = sf.compare(memberships, labels, engine="closed_form")
    assert found.lower == pytest.approx(closed.mean, rel=1e-12)


def test_ten_ambiguous_objects_among_a_hundred_thousand_give_attained_ends():
    rng = np.random.default_rng(1)
    truth = rng.integers(3, size=100_000)
    mask = np.eye(3, dtype=bool)[truth]
    mask[:10] = True
    found = sf.compare(sf.RoughPartition(mask), truth, engine="exact")
    assert found.upper == 1.0
    worst = truth.copy()
    worst[:10] = (truth[:10] + 1) % 3
    assert found.lower <= sf.compare(worst, truth).mean < 1.0
    # Ten objects take part in fewer than 10 n pairs.
    assert found.lower > 1 - 10 * 100_000 / (100_000 * 99_999 / 2)


def test_five_hundred_equal_objects_are_a_binomial():
    memberships = np.tile([0.25, 0.75], (500, 1))
    measure = sf.Measure.from_function(
        lambda table: table[0, 0] / 500, name="share", better="higher", bounds=(0, 1)
    )
    found = sf.compare(
        memberships, np.zeros(500, int), measure=measure, quantity="distribution", engine="exact"
    )
    assert found.mean == pytest.approx(0.25, rel=1e-12)
    assert found.std == pytest.approx((0.25 * 0.75 / 500) ** 0.5, rel=1e-10)


def test_predictions_without_limit_are_refused_and_not_attempted():
    rng = np.random.default_rng(2)
    memberships = rng.dirichlet(np.ones(3), size=300)
    seen: list = []
    with pytest.raises(sf.CostError, match=r"^Exact would visit up to \d\.?\d*e\+\d+ tables"):
        sf.compare(
            memberships, rng.integers(3, size=300), measure=counting_measure(seen), engine="exact"
        )
    assert not seen


def test_very_many_options_are_refused_without_listing_them():
    n, k = 100, 200
    a, b = np.random.default_rng(3).dirichlet(np.ones(k), size=(2, n))
    plan, peak = peak_of(lambda: planned("enumerate_tables", a, b, "jaccard"))
    assert plan.tables == np.inf
    assert peak < 8 * n * k * k  # one number for each pair of clusters that an object may choose


def nearly_sure(seed, n, doubt):
    """Masses on three sets, most of it on the true cluster, and the truth."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n)
    masses = np.full((n, 3), doubt / 2)
    masses[np.arange(n), truth] = 1 - doubt
    masses[:, 2] *= rng.random(n)
    masses /= masses.sum(axis=1, keepdims=True)
    return sf.EvidentialPartition(masses, [[1, 0], [0, 1], [1, 1]]), truth


def enumerated(a, truth, measure, **budget):
    """What enumeration alone says under a budget, and the number of tables that it plans for."""
    asked = ("enumerate_tables", a, truth, measure, "distribution")
    return answer(*asked, **budget), round(planned(*asked, **budget).tables)


@pytest.mark.parametrize(
    ("max_lost_mass", "max_tables"), [(1e-12, 10**6), (1e-6, 10**5), (1e-3, 20_000)]
)
@pytest.mark.parametrize("measure", ["rand", "mutual_information", "jaccard"])
def test_leaving_out_unlikely_tables_keeps_the_true_ends_in_the_brackets(
    measure, max_lost_mass, max_tables
):
    a, truth = nearly_sure(3, 24, 0.02)
    whole, n_tables = enumerated(a, truth, measure, max_tables=10**9, max_lost_mass=0.0)
    found, n_likely = enumerated(
        a, truth, measure, max_tables=max_tables, max_lost_mass=max_lost_mass
    )
    assert n_likely <= max_tables < n_tables
    assert found.distribution.lost_mass <= max_lost_mass
    assert found.guarantee == ("exact" if max_lost_mass == 1e-12 else "certified")
    for bracket, end in ((found.lower_bracket, whole.lower), (found.upper_bracket, whole.upper)):
        assert bracket[0] - 1e-11 <= end <= bracket[1] + 1e-11
        assert bracket[1] - bracket[0] <= 3 * max_lost_mass
    was_noted = any("was left out of the distribution" in note for note in found.notes)
    assert was_noted == (found.distribution.lost_mass > 1e-12)


def test_belief_and_plausibility_hold_the_truth_whatever_was_left_out():
    a, truth = nearly_sure(4, 24, 0.02)
    whole, _ = enumerated(a, truth, "rand", max_tables=10**9, max_lost_mass=0.0)
    found, _ = enumerated(a, truth, "rand", max_tables=20_000, max_lost_mass=1e-2)
    exact, kept = whole.distribution, found.distribution
    assert 1e-6 < kept.lost_mass <= 1e-2
    for t in (0.8, 0.9, 0.95, 1.0):
        assert kept.belief(at_least=t) <= exact.belief(at_least=t) + 1e-12
        assert kept.plausibility(at_least=t) >= exact.plausibility(at_least=t) - 1e-12


def test_leaving_out_what_takes_long_to_list_moves_no_mean():
    rng = np.random.default_rng(4)
    a, b = (sf.FuzzyPartition(rng.dirichlet(np.ones(2), 60), normalize=True) for _ in range(2))
    found = answer("enumerate_tables", a, b, "rand")
    assert found.guarantee == "exact"
    assert found.lower == pytest.approx(sf.compare(a, b, engine="closed_form").lower, abs=1e-12)


def spike(at_least, q):
    """A measure that is 0 unless many objects are in the last cluster, with mean 1."""
    height = 1 / law_of_count(q)[at_least:].sum()

    def function(tables):
        return np.where(tables[..., -1, :].sum(axis=-1) >= at_least, height, 0.0)

    return function, height


@pytest.mark.parametrize("is_bounded", [False, True])
def test_what_is_unlikely_is_not_left_out_where_it_may_count(is_bounded):
    n = 40
    rng = np.random.default_rng(0)
    memberships = np.stack([np.full(n, 0.6), np.full(n, 0.39), np.full(n, 0.01)], axis=1)
    memberships += rng.uniform(0, 0.001, (n, 3))
    memberships /= memberships.sum(axis=1, keepdims=True)
    function, height = spike(11, memberships[:, 2])
    assert height > 1e12
    bounds = (0.0, height) if is_bounded else (-np.inf, np.inf)
    measure = sf.Measure.from_function(
        function, name="spike", better="higher", on="batch", bounds=bounds
    )
    found = answer("enumerate_tables", memberships, np.arange(n) % 2, measure)
    assert found.guarantee == "exact"
    assert found.lower == pytest.approx(1.0, abs=1e-12 if is_bounded else 1e-13)
