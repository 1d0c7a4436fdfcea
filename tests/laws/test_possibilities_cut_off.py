"""The cheapest tables against the definitions, with budgets so small that most are left out."""

from itertools import islice

import pytest

import oracle
import sfumato as sf
from by_method import answer
from oracle import compare_literally
from strategies import build, random_pairs

INSTANCES = 20  # per ordered pair of readings
MAX_PAIRS = 800
MEASURES = tuple(measure.name for measure in sf.measures().values())
BUDGETS = (1, 6, 30, 1_000)
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
    """The answers to the three quantities, where the method gives one; all of them are right."""
    found = {
        quantity: answer("cheapest_tables", a, b, measure, quantity, max_tables=max_tables)
        for quantity in ("distribution", "expectation", "range")
    }
    for quantity, own in found.items():
        if own is not None:
            ends = expected.range if quantity == "range" else (expected.lower, expected.upper)
            check_brackets(own, ends)
        if own is not None and quantity == "distribution":
            check_possibilities(own.distribution, expected.distribution)
            assert own.is_exact or own.distribution.lost_mass > ROUNDING
    return [own for own in found.values() if own is not None]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_stated_possibilities_are_right_and_brackets_hold(first, second):
    seed = PAIRS.index((first, second))
    pairs = random_pairs(seed, first, second, n_objects=range(3, 8), most_pairs=MAX_PAIRS)
    listed, cut_off, exact = 0, 0, 0
    for turn, (a, b) in enumerate(islice(pairs, INSTANCES)):
        measure = MEASURES[(turn + seed) % len(MEASURES)]
        expected = compare_literally(a, b, measure)
        if expected.theory not in oracle.T_NORMS:
            continue  # possibilities of 0 and 1 alone are rough
        one, other = build(a), build(b)
        try:
            for max_tables in BUDGETS:
                found = check(one, other, measure, expected, max_tables)
                listed += any(own.distribution is not None for own in found)
                cut_off += any(not own.is_exact for own in found)
                exact += bool(found) and all(own.is_exact for own in found)
        except Exception as error:
            error.add_note(f"{measure}, max_tables={max_tables}\na = {a}\nb = {b}")
            raise
    assert listed >= 25
    assert cut_off >= 12
    assert exact >= 19
