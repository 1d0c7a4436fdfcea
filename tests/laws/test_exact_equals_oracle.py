"""The exact engine against the definitions, enumerated: every kind, measure and quantity."""

from collections import Counter
from dataclasses import fields
from itertools import chain, islice, product

import pytest

import oracle
import sfumato as sf
from oracle import SAME_VALUE, Answer, Side, compare_literally
from sfumato.errors import UnsupportedError
from sfumato.results.values import ValueDistribution, ValuePossibility, ValueSet
from strategies import READINGS, T_NORMS, build, is_answered, random_pairs
from variants import VARIANTS

INSTANCES = 24  # per pair of readings: 46 pairs, 1,104 instances; 15 measures take turns
MAX_PAIRS = 4_000
TOLERANCE = 1e-12
# Adjusted mutual information needs no wider tolerance here: up to 6 objects in 4 clusters its
# normaliser is either 0/0 or at least 0.17, so the differences of logarithms lose no digits.
MEASURES = tuple(oracle.MEASURES)
ANSWERED = [pair for pair in product(READINGS, READINGS) if is_answered(*pair)]
REFUSED = [pair for pair in product(READINGS, READINGS) if not is_answered(*pair)]


def instances(first: str, second: str, seed: int):
    sizes = (1, 2, 2, *[3] * 4, *[4] * 5, *[5] * 4, *[6] * 4)
    return random_pairs(seed, first, second, n_objects=sizes, most_pairs=MAX_PAIRS)


def close(expected):
    return pytest.approx(expected, abs=TOLERANCE, rel=0)


def mass_of(distribution) -> list[tuple[tuple[float, ...], float]]:
    """Any distribution as sets of values with masses, sorted; rounding dust is left out."""
    match distribution:
        case ValueSet():
            pairs = [(distribution.values, 1.0)]
        case ValueDistribution():
            values = zip(distribution.values, distribution.probabilities, strict=True)
            pairs = [((v,), p) for v, p in values]
        case ValuePossibility():
            levels = zip(distribution.values, distribution.possibilities, strict=True)
            pairs = oracle.cuts(dict(levels)).items()
        case _:
            pairs = zip(distribution.sets, distribution.masses, strict=True)
    return in_order([(tuple(sorted(map(float, s))), float(m)) for s, m in pairs if m > TOLERANCE])


def in_order(pairs):
    return sorted(pairs, key=lambda pair: (len(pair[0]), [round(v, 7) for v in pair[0]]))


def check_content(distribution, expected: Answer) -> None:
    if isinstance(distribution, ValuePossibility) and expected.theory in oracle.T_NORMS:
        values = sorted(expected.distribution)
        assert distribution.values == close(values)
        assert distribution.possibilities == close([expected.distribution[v] for v in values])
        return
    wanted = [(tuple(sorted(s)), m) for s, m in expected.mass.items() if m > TOLERANCE]
    found = mass_of(distribution)
    assert len(found) == len(wanted)
    for (values, mass), (true_values, true_mass) in zip(found, in_order(wanted), strict=True):
        assert values == close(true_values)
        assert mass == close(true_mass)


def check_events(distribution, expected: Answer) -> None:
    """Belief, plausibility and quantiles between the values and between the steps."""
    low, high = expected.range
    for t in (low - 0.1, low + 0.31 * (high - low) + 1e-6, high + 0.1):
        for found, true in (
            (distribution.belief, expected.belief),
            (distribution.plausibility, expected.plausibility),
        ):
            assert found(at_most=t) == close(true(lambda v, t=t: v <= t))
            assert found(at_least=t) == close(true(lambda v, t=t: v >= t))
    if distribution.is_complete:
        first, last = low + 0.23 * (high - low), low + 0.71 * (high - low)
        event, literally = (lambda v: (v > first) & (v < last)), (lambda v: first < v < last)
        assert distribution.belief(where=event) == close(expected.belief(literally))
        assert distribution.plausibility(where=event) == close(expected.plausibility(literally))
    steps = [
        chance(lambda v, t=t: v <= t)
        for t in set().union(*expected.mass)
        for chance in (expected.plausibility, expected.belief)
    ]
    for q in (0.137, 0.5317, 0.861):
        if min(abs(step - q) for step in steps) > SAME_VALUE:
            found = distribution.quantile(q)
            pair = found if isinstance(found, tuple) else (found, found)
            assert pair == close(expected.quantile(q))


def check(a: Side, b: Side, measure: str) -> None:
    expected = compare_literally(a, b, measure)
    one, other = build(a), build(b)
    found = sf.compare(one, other, measure=measure, engine="exact")
    assert found.is_exact
    assert found.guarantee == "exact"
    assert (found.lower, found.upper) == close((expected.lower, expected.upper))
    assert found.pignistic == close(expected.pignistic)
    # A standard deviation is a square root: rounding of 1e-16 in a zero variance shows as 1e-8.
    variances = found.lower_std**2, found.upper_std**2
    assert variances == close((expected.lower_std**2, expected.upper_std**2))
    found = sf.compare(one, other, measure=measure, quantity="range", engine="exact")
    assert (found.lower, found.upper) == close(expected.range)
    found = sf.compare(one, other, measure=measure, quantity="distribution", engine="exact")
    assert (found.lower, found.upper) == close((expected.lower, expected.upper))
    check_content(found.distribution, expected)
    check_events(found.distribution, expected)


@pytest.mark.parametrize(("first", "second"), ANSWERED)
def test_the_exact_engine_gives_what_the_definitions_give(first, second):
    seed = 1_000 * READINGS.index(first) + READINGS.index(second)
    for turn, (a, b) in enumerate(islice(instances(first, second, seed), INSTANCES)):
        measure = MEASURES[(seed + turn) % len(MEASURES)]
        try:
            check(a, b, measure)
        except Exception as error:
            error.add_note(f"{measure}\na = {a}\nb = {b}")
            raise


@pytest.mark.parametrize("measure", [own for own in VARIANTS if fields(own)], ids=str)
def test_options_of_measures_mean_what_the_definitions_say(measure):
    literal = measure.name, *(getattr(measure, option.name) for option in fields(measure))
    for a, b in islice(instances("rough", "hard", 7), 20):
        expected = compare_literally(a, b, literal)
        found = sf.compare(build(a), build(b), measure=measure, engine="exact")
        assert (found.lower, found.upper) == close((expected.lower, expected.upper))


def test_enough_instances_are_compared():
    assert len(ANSWERED) * INSTANCES >= 1_000
    assert {name for pair in ANSWERED for name in pair} == set(READINGS)
    # Every pair of kinds, in both orders; only t-norms that theory does not join are missing.
    t_norms = set(oracle.T_NORMS)
    assert all(t_norms & set(pair) for pair in REFUSED)
    assert all(pair in ANSWERED for pair in product(READINGS, ("hard", "rough")))


def test_every_treatment_of_the_empty_set_is_among_the_instances():
    # "raise" accepts no mass on the empty set; the others are counted where they have some.
    seen = Counter()
    for first, second in ANSWERED:
        seed = 1_000 * READINGS.index(first) + READINGS.index(second)
        for side in chain(*islice(instances(first, second, seed), INSTANCES)):
            if side[0] == "evidential":
                has_empty = any(row.get(frozenset(), 0.0) > 0 for row in side[1])
                seen[side[2], has_empty] += 1
    assert seen["raise", True] == 0
    assert min(seen["dempster", True], seen["yager", True], seen["raise", False]) >= 40


@pytest.mark.parametrize(("first", "second"), REFUSED)
def test_pairs_without_a_joint_theory_are_refused_with_the_way_out(first, second):
    masses, rows = {frozenset({0}): 0.5, frozenset({0, 1}): 0.5}, ((1.0, 0.5), (0.25, 1.0))
    sides = {  # nothing here is secretly a simpler kind
        "fuzzy": ("fuzzy", ((0.5, 0.5), (0.25, 0.75))),
        "evidential": ("evidential", (masses,) * 2, "yager", 2),
    }
    sides |= {name: ("possibilistic", rows, t_norm) for name, t_norm in T_NORMS.items()}
    a, b = (build(sides[name]) for name in (first, second))
    with pytest.raises(UnsupportedError, match="with_t_norm"):
        sf.compare(a, b)
