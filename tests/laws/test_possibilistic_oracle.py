"""Possibilistic comparisons against the definitions, enumerated: t-norms, pairs, quantities."""

from itertools import islice, product

import numpy as np
import pytest

import oracle
import sfumato as sf
from by_method import answer, planned
from oracle import compare_literally
from sfumato.results.values import ValuePossibility
from strategies import build, random_pairs

INSTANCES = 16  # per ordered pair of readings
MAX_PAIRS = 1_500
MEASURES = ("rand", "partition_distance", "adjusted_rand", "mutual_information")
PARTNERS = {
    "min": ("hard", "rough", "min", "fuzzy", "evidential"),
    "product": ("hard", "rough", "product"),
    "lukasiewicz": ("hard", "rough", "lukasiewicz"),
}
PAIRS = sorted(
    {
        pair
        for t_norm, partners in PARTNERS.items()
        for partner in partners
        for pair in ((t_norm, partner), (partner, t_norm))
    }
)


def close(expected):
    return pytest.approx(expected, abs=1e-12, rel=0)


def instances(first, second, seed):
    return random_pairs(seed, first, second, n_objects=range(1, 7), most_pairs=MAX_PAIRS)


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


def check(found, expected, quantity):
    ends = expected.range if quantity == "range" else (expected.lower, expected.upper)
    assert (found.lower, found.upper) == close(ends)
    assert found.lower_bracket == close((ends[0], ends[0]))
    assert found.upper_bracket == close((ends[1], ends[1]))
    if quantity == "expectation":
        # A square root turns rounding of 1e-16 into 1e-8.
        assert found.lower_std**2 == close(expected.lower_std**2)
        assert found.upper_std**2 == close(expected.upper_std**2)
    if quantity == "distribution" and expected.theory in oracle.T_NORMS:
        check_cuts(found.distribution, expected)


def check_brackets(found, expected, quantity):
    assert found.guarantee == "certified"
    ends = expected.range if quantity == "range" else (expected.lower, expected.upper)
    for bracket, end in zip((found.lower_bracket, found.upper_bracket), ends, strict=True):
        assert bracket[0] - 1e-12 <= end <= bracket[1] + 1e-12


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_comparisons_are_what_the_definitions_say(first, second):
    seed = PAIRS.index((first, second))
    for turn, (a, b) in enumerate(islice(instances(first, second, seed), INSTANCES)):
        measure = MEASURES[(turn + seed) % len(MEASURES)]
        expected = compare_literally(a, b, measure)
        try:
            for quantity in ("expectation", "range", "distribution"):
                sides = build(a), build(b), measure, quantity
                by_any = sf.compare(
                    sides[0], sides[1], measure=measure, quantity=quantity, engine="exact"
                )
                assert by_any.is_exact
                check(by_any, expected, quantity)
                for method in ("level_sweep", "cheapest_tables"):
                    found = answer(method, *sides)
                    if found is not None:
                        is_exact = found.guarantee == "exact"
                        (check if is_exact else check_brackets)(found, expected, quantity)
        except Exception as error:
            error.add_note(f"{measure}\na = {a}\nb = {b}")
            raise


SWEPT, PROFILED = "nested rough comparisons", "costs add over the classes of a hard truth"


@pytest.mark.parametrize(
    ("method", "why", "t_norm", "partner", "measure", "least"),
    [
        *(
            ("level_sweep", SWEPT, "min", partner, measure, 30)
            for partner, measure in product(("hard", "min"), MEASURES[:2])
        ),
        *(
            ("cheapest_tables", PROFILED, t_norm, "hard", measure, 15)
            for t_norm, measure in product(("product", "lukasiewicz"), MEASURES[:3])
        ),
    ],
)
def test_the_new_methods_answer_most_of_what_they_are_for(
    method, why, t_norm, partner, measure, least
):
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
