"""Engines: what they accept, what they refuse, and how they say so."""

from itertools import product

import numpy as np
import pytest

import sfumato as sf
from strategies import SHARE

FUZZY = np.random.default_rng(0).dirichlet(np.ones(3), size=60)
TRUTH = FUZZY.argmax(axis=1)
SMALL, SMALL_TRUTH = [[0.5, 0.5], [0.1, 0.9], [1.0, 0.0]], [0, 1, 0]


def test_auto_is_exact_up_to_max_tables_and_samples_beyond():
    n_tables = round(sf.explain(SMALL, SMALL_TRUTH, measure=SHARE).tables)
    within, beyond = (
        sf.compare(
            SMALL,
            SMALL_TRUTH,
            measure=SHARE,
            engine=sf.Auto(max_tables=limit, tolerance=0.1),
            rng=0,
        )
        for limit in (n_tables, n_tables - 1)
    )
    assert (within.guarantee, within.method) == ("exact", "enumerate_tables")
    assert (beyond.guarantee, beyond.method) == ("confidence", "sample")
    assert beyond.error <= 0.1
    assert abs(beyond.mean - within.mean) <= beyond.error


def test_auto_says_when_its_estimate_misses_the_tolerance():
    found = sf.compare(FUZZY, TRUTH, measure=SHARE, engine=sf.Auto(tolerance=1e-6), rng=0)
    assert found.guarantee == "confidence"
    assert found.error > 1e-6
    assert (
        f"The error {found.error:.2g} is above the tolerance 1e-06: engine=Sampled(tolerance=...) "
        "draws until chance adds no more than that." in found.notes
    )


def test_the_usual_tolerance_falls_with_many_objects_and_a_given_one_stays():
    usual, given = sf.Auto().policy(), sf.Auto(tolerance=1e-3).policy()
    for n_objects, tolerance in ((10, 1e-3), (1000, 1e-3), (64_000, 5e-4), (10**9, 1e-4)):
        assert usual.for_objects(n_objects).tolerance == pytest.approx(tolerance)
        assert given.for_objects(n_objects).tolerance == 1e-3


def test_draws_aim_at_the_tolerance_for_the_number_of_objects():
    fuzzy = np.random.default_rng(0).dirichlet(np.ones(3), size=8000)
    usual, given = (
        sf.compare(fuzzy, fuzzy.argmax(axis=1), measure=SHARE, engine=engine, rng=0)
        for engine in (sf.Auto(), sf.Auto(tolerance=1e-3))
    )
    assert usual.error < 1e-3 / 8 ** (1 / 6) < given.error < 1e-3


def test_exact_over_budget_names_the_cost_and_the_way_out():
    with pytest.raises(
        sf.CostError,
        match=r"^Exact would visit up to .* tables \(max_tables=1e\+06\)\. "
        r"Raise max_tables or use engine=.sampled.\.$",
    ):
        sf.compare(FUZZY, TRUTH, measure=SHARE, engine="exact")


def test_exact_just_within_its_budget_answers():
    n_tables = round(sf.explain(SMALL, SMALL_TRUTH, measure=SHARE).tables)
    found = sf.compare(SMALL, SMALL_TRUTH, measure=SHARE, engine=sf.Exact(max_tables=n_tables))
    assert found.is_exact
    with pytest.raises(
        sf.CostError, match=rf"up to {n_tables} tables \(max_tables={n_tables - 1}\)"
    ):
        sf.compare(SMALL, SMALL_TRUTH, measure=SHARE, engine=sf.Exact(max_tables=n_tables - 1))


def test_closed_form_answers_hard_partitions_and_refuses_without_a_formula():
    assert sf.compare([0, 0, 1], [0, 1, 1], engine=sf.ClosedForm()).mean == 1 / 3
    with pytest.raises(
        sf.UnsupportedError, match=r"no formula for share .* fuzzy against hard: use engine=.exact"
    ):
        sf.compare(SMALL, SMALL_TRUTH, measure=SHARE, engine="closed_form")


def test_every_engine_is_known_by_name():
    names = {"auto": "Auto", "exact": "Exact", "closed_form": "ClosedForm", "sampled": "Sampled"}
    for name, engine in names.items():
        assert sf.compare([0, 1], [0, 1], engine=name).engine == engine


@pytest.mark.parametrize(
    ("engine", "message"),
    [
        ("exat", r"Unknown engine 'exat'.*did you mean 'exact'\?$"),
        ("closedform", r"did you mean 'closed_form'\?$"),
        (
            "zzz",
            r"Unknown engine 'zzz': pass one of 'auto', 'exact', .*Sampled\(n_samples=1000\)\.$",
        ),
        (3, "Unknown engine 3"),
        (None, "Unknown engine None"),
        (sf.Exact, r"Exact is a class; pass an instance: Exact\(\)\.$"),
    ],
)
def test_an_unknown_engine_is_an_error_with_a_hint(engine, message):
    with pytest.raises(sf.InputError, match=message):
        sf.compare([0, 1], [0, 1], engine=engine)


NAN, INF = float("nan"), float("inf")
DRAWN = (sf.Auto, sf.Sampled)
COUNTS = [0, -1, 1.5, 2.0, True, "many"]
OPTIONS = {  # who has the option, what it cannot be, and what is said
    "tolerance": (
        DRAWN,
        [0, -0.1, NAN, INF, "small", True, [1]],
        r"no number .* use engine=.exact",
    ),
    "confidence": (
        DRAWN,
        [0, 1, 1.5, -1, NAN, "high", None, True, [1]],
        "must lie strictly between 0 and 1, got",
    ),
    "n_samples": ([sf.Sampled], COUNTS, "must be an integer of at least 1, got"),
    "n_inner": ([sf.Sampled], COUNTS, "must be an integer of at least 1, got"),
    "max_tables": ([sf.Exact, sf.Auto], COUNTS, "must be an integer of at least 1, got"),
    "threads": ([sf.Auto], COUNTS, "must be an integer of at least 1, got"),
    "max_seconds": ([sf.Auto], [0, -1.0, "long", NAN, True, [1]], "must be a positive number, got"),
    "max_lost_mass": (
        [sf.Auto],
        [-1e-9, 1, "little", NAN, True, [1]],
        "must lie from 0 to below 1, got",
    ),
    "bound": ([sf.Sampled], ["bernstein"], "must be 'best' or 'hoeffding', got 'bernstein'"),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_out_of_its_range_is_refused(option):
    engines, values, said = OPTIONS[option]
    for engine, value in product(engines, values):
        with pytest.raises(sf.InputError, match=rf"{option}.*{said}") as caught:
            engine(**{option: value})
        assert f"got {value!r}" in str(caught.value)


def test_counts_of_numpy_are_integers_too():
    engine = sf.Sampled(n_samples=np.int64(7))
    assert sf.compare(SMALL, SMALL_TRUTH, engine=engine, rng=0).n_samples == 7


def test_samples_and_tolerance_exclude_each_other():
    with pytest.raises(sf.InputError, match="Give n_samples or tolerance, not both"):
        sf.Sampled(n_samples=10, tolerance=0.1)


def test_engines_are_values():
    assert sf.Auto(max_tables=5) == sf.Auto(max_tables=5)
    with pytest.raises(AttributeError):
        sf.Exact().max_tables = 3
