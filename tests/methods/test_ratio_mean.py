"""Means of ratio indices against a hard truth: by enumeration, by other ways, and by size."""

from functools import cache

import numpy as np
import pytest
from scipy import sparse

import oracle
import sfumato as sf
from by_method import answer, planned
from literal import law_of_count, law_of_tables
from strategies import build, memberships_around, one_hot, random_side
from variants import RATIOS_OF_INFORMATION

TOLERANCE = 1e-12
MEASURES = (
    *("adjusted_rand", "fowlkes_mallows", "dice"),
    *RATIOS_OF_INFORMATION,
    "adjusted_mutual_information",
)
OPTIONS = [
    (name, average)
    for name in ("normalized_mutual_information", "adjusted_mutual_information")
    for average in ("geometric", "min", "max")
]


def measure_of(name):
    if isinstance(name, str):
        return sf.measures()[name]
    return type(sf.measures()[name[0]])(average=name[1])


def own_plan(a, b, name, quantity="expectation"):
    return planned("ratio_mean", a, b, measure_of(name), quantity, guarantees=("exact",))


def own_answer(a, b, name, *, max_tables=10**6) -> sf.Comparison | None:
    engine = sf.Exact(max_tables=max_tables)
    return answer("ratio_mean", a, b, measure_of(name), engine=engine)


@pytest.mark.parametrize("name", [*MEASURES, *OPTIONS], ids=str)
def test_the_mean_and_the_spread_equal_enumeration(name):
    rng = np.random.default_rng([*MEASURES, *OPTIONS].index(name))
    compared = 0
    while compared < 40:
        n, k1, k2 = rng.integers(1, 6), rng.integers(1, 5), rng.integers(1, 5)
        fuzzy, hard = random_side(rng, "fuzzy", n, k1), random_side(rng, "hard", n, k2)
        sides = (fuzzy, hard) if compared % 2 else (hard, fuzzy)
        found = own_answer(*map(build, sides), name)
        if found is None:  # a single object, or memberships of 0 and 1 throughout
            assert n == 1 or set(np.ravel(fuzzy[1])) <= {0.0, 1.0}
            continue
        expected = oracle.compare_literally(*sides, name)
        assert found.is_exact
        assert found.mean == pytest.approx(expected.lower, rel=0, abs=TOLERANCE)
        assert found.std**2 == pytest.approx(expected.lower_std**2, rel=0, abs=1e-13)
        compared += 1


@cache
def walks():
    """Memberships, labels, and all tables with their masses; some or nearly all are sure."""
    rng, found = np.random.default_rng(21), []
    for n, k1, k2, n_open in ((20, 2, 3, 15), (14, 3, 2, 11), (12, 3, 3, 9), (3000, 5, 4, 4)):
        a, labels = one_hot(rng, n, k1), rng.permutation(n) % k2
        codes = rng.integers(k1, size=n_open)
        a[:n_open] = memberships_around(rng, codes, k1, share=0.2, evenness=0.5)
        base = a[n_open:].astype(int).T @ np.eye(k2, dtype=int)[labels[n_open:]]
        tables, masses = law_of_tables(a[:n_open], np.eye(k2)[labels[:n_open]])
        found.append((a, labels, base + tables, masses))
    return found


@pytest.mark.parametrize("name", MEASURES)
def test_the_mean_equals_a_walk_over_all_tables(name):
    for a, labels, tables, masses in walks():
        for turned in (False, True):
            values = measure_of(name).of_tables(tables.swapaxes(1, 2) if turned else tables)
            found = own_answer(*((labels, a) if turned else (a, labels)), name)
            mean = float(masses @ values)
            assert found.mean == pytest.approx(mean, rel=0, abs=TOLERANCE)
            variance = float(masses @ (values - mean) ** 2)
            assert found.std == pytest.approx(variance**0.5, rel=1e-9)
    assert own_plan(a, labels, name).tables <= 5**4  # sure objects cost nothing


@pytest.mark.parametrize("name", ["adjusted_rand", "completeness", "adjusted_mutual_information"])
def test_sparse_memberships_give_the_same_mean(name):
    rng = np.random.default_rng(25)
    labels = rng.integers(3, size=60)
    a = np.eye(200)[rng.integers(200, size=60)]
    a[:10] = 0.0
    a[:10, 50:54] = rng.dirichlet(np.ones(4), 10)
    dense, thin = (
        own_answer(sf.FuzzyPartition(form), labels, name) for form in (a, sparse.csr_matrix(a))
    )
    assert dense.mean == thin.mean


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("n_apart", [1, 5000])
def test_ten_thousand_objects_equal_a_sum_over_two_binomials(name, n_apart):
    """Also where the truth is all but one cluster, and the bracket must allow for rounding."""
    rng = np.random.default_rng(31)
    n, p = 10_000, rng.random(10_000) * (1e-3 if n_apart == 1 else 1e-2)
    labels = (np.arange(n) < n_apart).astype(int)
    masses = np.outer(*(law_of_count(p[labels == j])[:300] for j in (0, 1)))
    counts = np.argwhere(masses > 1e-25)
    tables = np.stack([[n - n_apart, n_apart] - counts, counts], axis=1)
    masses = masses[masses > 1e-25] / masses[masses > 1e-25].sum()
    values = measure_of(name).of_tables(tables)
    mean = float(masses @ values)
    found = own_answer(np.column_stack([1 - p, p]), labels, name, max_tables=10**9)
    assert abs(found.mean - mean) <= max(found.error, 1e-12)
    assert found.error < 1e-10
    assert found.is_exact or n_apart == 1
    assert found.std == pytest.approx(float(masses @ (values - mean) ** 2) ** 0.5, rel=1e-7)


def test_mass_that_is_left_out_widens_the_bracket():
    rng = np.random.default_rng(27)
    labels = np.arange(120) % 3
    a = memberships_around(rng, labels, 3, evenness=0.5)
    states = own_plan(a, labels, "adjusted_rand").tables
    engine = sf.Auto(max_lost_mass=1e-4, max_tables=int(states / 2))
    # Possible sizes give adjusted mutual information a floor, and so what is left out a bound.
    for measure in ("adjusted_rand", "adjusted_mutual_information"):
        exact = sf.compare(a, labels, measure=measure)
        found = answer("ratio_mean", a, labels, measure, engine=engine)
        assert found.guarantee == "certified"
        assert 1e-12 < found.error <= 1.5e-4
        assert found.lower_bracket[0] <= exact.mean <= found.lower_bracket[1]


def test_auto_takes_what_is_affordable_and_else_a_bracket():
    rng = np.random.default_rng(28)
    labels = np.arange(60) % 6
    a = rng.dirichlet(np.ones(6), 60)
    plan = sf.explain(a, labels, measure="adjusted_rand")
    assert (plan.method, plan.guarantee) == ("ratio_mean", "certified")
    assert own_plan(a, labels, "adjusted_rand").tables > 1e6
    few = sf.explain(a[:, :2] / a[:, :2].sum(1, keepdims=True), labels, measure="adjusted_rand")
    assert few.method == "ratio_mean"
    assert "linear" in few.why
    with pytest.raises(sf.CostError, match="max_tables"):
        sf.compare(a, labels, measure="adjusted_rand", engine="exact")


def test_enumeration_is_only_taken_where_it_costs_less():
    rng = np.random.default_rng(29)
    for n in (4, 8, 16, 32, 64):
        a, labels = rng.dirichlet(np.ones(3), n), np.arange(n) % 3
        plan = sf.explain(a, labels, measure="adjusted_rand")
        own = own_plan(a, labels, "adjusted_rand")
        assert plan.seconds <= own.seconds
        assert plan.method == ("enumerate_tables" if plan.seconds < own.seconds else "ratio_mean")
        assert sf.compare(a, labels, measure="adjusted_rand").method == plan.method
    assert plan.method == "ratio_mean"


def test_what_is_not_its_own_is_left_alone():
    rng = np.random.default_rng(30)
    a, b, labels = *rng.dirichlet(np.ones(3), (2, 10)), np.arange(10) % 3
    for name in ("jaccard", "rand", "partition_distance", "mutual_information", "purity"):
        assert own_plan(a, labels, name) is None
    assert own_plan(a, b, "adjusted_rand") is None
    assert own_plan(labels, labels, "adjusted_rand") is None
    assert own_plan(a, labels, "adjusted_rand", "distribution") is None
    many = np.full((30, 30), 1 / 30)
    assert own_plan(many, np.arange(30) % 2, "adjusted_rand") is None


@pytest.mark.parametrize("engine", ["auto", "bounds", "exact"])
def test_objects_of_one_cluster_each_may_miss_one_by_rounding(engine):
    a, b = np.array([[0.0, 1 - 1e-16]] * 3), [0, 0, 0]
    for name in MEASURES:
        assert sf.compare(a, b, measure=measure_of(name), engine=engine).mean == 1.0
