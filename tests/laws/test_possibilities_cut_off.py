"""The cheapest tables against the definitions, with budgets so small that most are left out."""

from itertools import islice

import numpy as np
import pytest

import oracle
import sfumato as sf
from by_method import answer
from oracle import compare_literally
from strategies import build, random_side

INSTANCES = 32  # per ordered pair of readings
MAX_PAIRS = 800
MEASURES = tuple(measure.name for measure in sf.measures().values())
BUDGETS = (1, 6, 1_000)
PAIRS = [
    pair
    for t_norm in ("product", "lukasiewicz")
    for pair in (
        (t_norm, "hard"),
        ("hard", t_norm),
        (t_norm, "rough"),
        ("rough", t_norm),
        (t_norm, t_norm),
    )
]
ROUNDING = 1e-12


@pytest.fixture(autouse=True)
def _lists_of_any_length_count(monkeypatch):
    """Otherwise nothing is planned where too little would be listed."""
    monkeypatch.setattr("sfumato.methods.cheapest_tables._HIGHEST_CUT_OFF", 1.0)


def instances(first, second, seed):
    rng = np.random.default_rng(seed)
    while True:
        n, (k1, k2) = int(rng.integers(2, 7)), rng.integers(1, 5, size=2).tolist()
        a, b = random_side(rng, first, n, k1), random_side(rng, second, n, k2)
        if oracle.n_pairs(a, b) <= MAX_PAIRS:
            yield a, b


def check_possibilities(found, expected):
    """What is stated is right, and what is not stated is at most as possible as is said."""
    lost = found.lost_mass
    stated = dict(zip(found.values.tolist(), found.possibilities.tolist(), strict=True))
    for value, possibility in expected.items():
        near = [p for v, p in stated.items() if abs(v - value) <= 1e-9]
        assert near or possibility <= lost + ROUNDING
        assert not near or near == [pytest.approx(possibility, abs=ROUNDING)]
    for value in stated:
        assert min(abs(value - true) for true in expected) <= 1e-9


def check_brackets(found, ends):
    for bracket, end in zip((found.lower_bracket, found.upper_bracket), ends, strict=True):
        assert bracket[0] - ROUNDING <= end <= bracket[1] + ROUNDING
    assert found.guarantee == "certified" or found.error == 0.0


def check(a, b, measure, expected, max_tables):
    """Whether the method answers; a list is checked value by value."""
    sides, budget = (build(a), build(b), measure), {"max_tables": max_tables}
    found = answer("cheapest_tables", *sides, "distribution", **budget)
    if found is None:
        return None
    check_brackets(found, (expected.lower, expected.upper))
    check_possibilities(found.distribution, expected.distribution)
    lost = found.distribution.lost_mass
    assert found.is_exact or lost > ROUNDING
    if "rough" in (a[0], b[0]):  # then the ends alone are found in another way
        found = answer("cheapest_tables", *sides, "expectation", **budget)
        check_brackets(found, (expected.lower, expected.upper))
    spanned = answer("cheapest_tables", *sides, "range", **budget)
    if spanned is not None:  # that of product is the range of the supports
        check_brackets(spanned, expected.range)
    return found, lost


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_stated_possibilities_are_right_and_brackets_hold(first, second):
    seed = PAIRS.index((first, second))
    answered, cut_off, exact = 0, 0, 0
    for turn, (a, b) in enumerate(islice(instances(first, second, seed), INSTANCES)):
        measure = MEASURES[(turn + seed) % len(MEASURES)]
        expected = compare_literally(a, b, measure)
        if expected.theory not in oracle.T_NORMS:
            continue  # possibilities of 0 and 1 alone are rough
        try:
            for max_tables in BUDGETS:
                found = check(a, b, measure, expected, max_tables)
                answered += found is not None
                cut_off += found is not None and found[1] > ROUNDING
                exact += found is not None and max_tables == BUDGETS[-1] and found[0].is_exact
        except Exception as error:
            error.add_note(f"{measure}, max_tables={max_tables}\na = {a}\nb = {b}")
            raise
    assert answered >= 40
    assert cut_off >= 20
    assert exact >= 10


def test_enough_instances_are_compared():
    assert len(PAIRS) * INSTANCES >= 300
    assert 2 * len(MEASURES) <= INSTANCES
