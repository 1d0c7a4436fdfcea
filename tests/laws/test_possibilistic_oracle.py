"""Methods of possibilistic comparisons against the definitions, with and without cut-offs.

What the exact engine says of such pairs is compared in ``test_exact_equals_oracle``.
"""

from itertools import islice, product

import numpy as np
import pytest

import oracle
import sfumato as sf
from by_method import answer, planned
from oracle import compare_literally
from sfumato.results.values import ValuePossibility
from strategies import build, random_pairs

ROUNDING = 1e-12
QUANTITIES = ("expectation", "range", "distribution")
MEASURES = ("rand", "partition_distance", "adjusted_rand", "mutual_information")
EVERY_MEASURE = tuple(sf.measures())
BUDGETS = (1, 6, 30, 1_000)
LISTED = [
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
SWEPT = [
    (a, b)
    for a, b in product(("min", "hard", "rough", "fuzzy", "evidential"), repeat=2)
    if "min" in (a, b)
]
PAIRS = sorted(LISTED + SWEPT)


def close(expected):
    return pytest.approx(expected, abs=ROUNDING, rel=0)


def instances(first, second, seed):
    return random_pairs(seed, first, second, n_objects=range(1, 7), most_pairs=1_500)


def ends_of(expected, quantity):
    return expected.range if quantity == "range" else (expected.lower, expected.upper)


def check_cuts(distribution, expected):
    """Ends of the cut at every level, and belief and plausibility between the values."""
    # Possibilities of 0 and 1 alone are a set, or a single value.
    is_graded = isinstance(distribution, ValuePossibility)
    for level in sorted(set(expected.distribution.values())) if is_graded else ():
        true = [v for v, p in expected.distribution.items() if p >= level]
        # Levels are sums or products in another order: ask a little below.
        cut = distribution.cut(level * (1 - 1e-12))
        assert (cut.lower, cut.upper) == close((min(true), max(true)))
    for t in np.linspace(*expected.range, 4)[1:-1] + 1e-6:
        for found, true in (
            (distribution.belief, expected.belief),
            (distribution.plausibility, expected.plausibility),
        ):
            assert found(at_most=t) == close(true(lambda v, t=t: v <= t))
            assert found(at_least=t) == close(true(lambda v, t=t: v >= t))


def check_exact(found, expected, quantity):
    assert (found.lower, found.upper) == close(ends_of(expected, quantity))
    assert found.error == 0.0
    if quantity == "expectation":
        # A square root turns rounding of 1e-16 into 1e-8.
        stds = found.lower_std**2, found.upper_std**2
        assert stds == close((expected.lower_std**2, expected.upper_std**2))
    if quantity == "distribution" and expected.theory in oracle.T_NORMS:
        check_cuts(found.distribution, expected)


def check_brackets(found, expected, quantity):
    ends = ends_of(expected, quantity)
    for bracket, end in zip((found.lower_bracket, found.upper_bracket), ends, strict=True):
        assert bracket[0] - ROUNDING <= end <= bracket[1] + ROUNDING
    assert found.guarantee == "certified" or found.error == 0.0


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


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_methods_give_what_the_definitions_say(first, second):
    seed = PAIRS.index((first, second))
    for turn, (a, b) in enumerate(islice(instances(first, second, seed), 16)):
        measure = MEASURES[(turn + seed) % len(MEASURES)]
        expected = compare_literally(a, b, measure)
        for method, quantity in product(("level_sweep", "cheapest_tables"), QUANTITIES):
            found = answer(method, build(a), build(b), measure, quantity)
            if found is not None:
                check = check_exact if found.guarantee == "exact" else check_brackets
                check(found, expected, quantity)


@pytest.mark.parametrize(("first", "second"), LISTED)
def test_possibilities_are_right_and_brackets_hold_where_most_tables_are_left_out(first, second):
    seed = LISTED.index((first, second))
    pairs = random_pairs(seed, first, second, n_objects=range(3, 8), most_pairs=800)
    listed, cut_off, exact = 0, 0, 0
    for turn, (a, b) in enumerate(islice(pairs, 20)):
        measure = EVERY_MEASURE[(turn + seed) % len(EVERY_MEASURE)]
        expected = compare_literally(a, b, measure)
        if expected.theory not in oracle.T_NORMS:
            continue  # possibilities of 0 and 1 alone are rough
        asked = build(a), build(b), measure
        for max_tables in BUDGETS:
            answers = {
                quantity: answer("cheapest_tables", *asked, quantity, max_tables=max_tables)
                for quantity in QUANTITIES
            }
            found = {quantity: own for quantity, own in answers.items() if own is not None}
            for quantity, own in found.items():
                check_brackets(own, expected, quantity)
            whole = found.get("distribution")
            if whole is not None:
                check_possibilities(whole.distribution, expected.distribution)
                assert whole.is_exact or whole.distribution.lost_mass > ROUNDING
            listed += any(own.distribution is not None for own in found.values())
            cut_off += any(not own.is_exact for own in found.values())
            exact += bool(found) and all(own.is_exact for own in found.values())
    assert listed >= 25
    assert cut_off >= 12
    assert exact >= 19


NESTED, PROFILED = "nested rough comparisons", "costs add over the classes of a hard truth"


@pytest.mark.parametrize(
    ("method", "why", "t_norm", "partner", "measure", "least"),
    [
        *(
            ("level_sweep", NESTED, "min", partner, measure, 30)
            for partner, measure in product(("hard", "min"), MEASURES[:2])
        ),
        *(
            ("cheapest_tables", PROFILED, t_norm, "hard", measure, 15)
            for t_norm, measure in product(("product", "lukasiewicz"), MEASURES[:3])
        ),
    ],
)
def test_the_methods_answer_most_of_what_they_are_for(method, why, t_norm, partner, measure, least):
    answered = 0
    for a, b in islice(instances(t_norm, partner, 7), 80):
        asked = method, build(a), build(b), measure
        plan = planned(*asked)
        answered += plan is not None and why in plan.why and answer(*asked) is not None
    assert answered >= least


@pytest.mark.parametrize("method", ["enumerate_tables", "cheapest_tables", "sample"])
def test_every_method_calls_the_same_clusterings_impossible(method):
    # All objects in the first cluster cost 0.6 + 0.2 + 0.2 = 1: impossible, but for rounding.
    rows = [[1, 0.1, 1], [1, 0.4, 0.8], [0.4, 1, 0], [0.8, 1, 0.3], [0.8, 0.3, 1]]
    for order in ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [3, 4, 2, 0, 1]):
        side = sf.PossibilisticPartition([rows[x] for x in order], t_norm="lukasiewicz")
        truth = [[0, 1, 0, 0, 1][x] for x in order]
        found = answer(method, side, truth, "mutual_information", "range")
        assert found.lower == pytest.approx(0.013844293808390657, abs=1e-14)
        assert found.upper == pytest.approx(0.6730116670092565, abs=1e-14)
