"""Ten thousand million objects: nothing overflows, nothing cancels."""

import math
from fractions import Fraction

import numpy as np
import pytest

from sfumato.measures import (
    AdjustedRand,
    Dice,
    FowlkesMallows,
    Jaccard,
    MutualInformation,
    Rand,
    VariationOfInformation,
    measures,
)

TABLE = np.array([[4_000_000_001, 17, 999_999_983], [1_234_567, 3_000_000_007, 1_998_765_425]])
N = 10_000_000_000


def pairs(counts):
    return sum(int(x) * (int(x) - 1) // 2 for x in np.ravel(counts))


BOTH, FIRST, SECOND = pairs(TABLE), pairs(TABLE.sum(axis=1)), pairs(TABLE.sum(axis=0))
ALL = pairs(N)

EXACT = {
    Rand(): Fraction(ALL - FIRST - SECOND + 2 * BOTH, ALL),
    Rand(pairs="all"): Fraction(2 * (ALL - FIRST - SECOND + 2 * BOTH) + N, N * N),
    AdjustedRand(): (BOTH - Fraction(FIRST * SECOND, ALL))
    / (Fraction(FIRST + SECOND, 2) - Fraction(FIRST * SECOND, ALL)),
    Jaccard(): Fraction(BOTH, FIRST + SECOND - BOTH),
    Dice(): Fraction(2 * BOTH, FIRST + SECOND),
}


def test_the_table_holds_what_it_should():
    assert int(TABLE.sum()) == N
    assert ALL > 2**63


@pytest.mark.parametrize("measure", EXACT, ids=repr)
def test_pair_counting_is_exact(measure):
    assert float(measure.of_tables(TABLE)) == float(EXACT[measure])  # correctly rounded
    batch = measure.of_tables(np.array([TABLE, TABLE // 10**9]))
    assert batch[0] == float(EXACT[measure])


def test_fowlkes_mallows_takes_the_root_of_exact_counts():
    exact = math.sqrt(Fraction(BOTH, FIRST)) * math.sqrt(Fraction(BOTH, SECOND))
    assert float(FowlkesMallows().of_tables(TABLE)) == exact


@pytest.mark.parametrize("n", [60_000, 65_000, 65_001, 3_000_000_000, 3_000_000_001])
def test_the_change_of_integer_type_is_not_seen(n):
    table = np.array([[n // 2, n // 7], [n // 11, 0]])
    table[1, 1] = n - table.sum()
    both, first, second, total = map(pairs, (table, table.sum(axis=1), table.sum(axis=0), n))
    chance = Fraction(first * second, total)
    exact = (both - chance) / (Fraction(first + second, 2) - chance)
    # Three roundings in float64: of the numerator, the denominator and the quotient.
    assert float(AdjustedRand().of_tables(table)) == pytest.approx(float(exact), rel=4e-16)
    exact_rand = Fraction(total - first - second + 2 * both, total)
    assert float(Rand().of_tables(table)) == pytest.approx(float(exact_rand), rel=4e-16)


def test_information_does_not_overflow():
    cells = TABLE / N
    rows, columns = cells.sum(axis=1, keepdims=True), cells.sum(axis=0, keepdims=True)
    expected = math.fsum((cells * np.log(cells / rows / columns)).ravel())
    assert float(MutualInformation().of_tables(TABLE)) == pytest.approx(expected, rel=1e-14)
    variation = -math.fsum((cells * (np.log(cells / rows) + np.log(cells / columns))).ravel())
    assert float(VariationOfInformation().of_tables(TABLE)) == pytest.approx(variation, rel=1e-14)


@pytest.mark.parametrize("name", measures())
def test_equivalent_clusterings_are_recognised_at_any_size(name):
    measure = measures()[name]
    value = float(measure.of_tables(np.array([[0, 6_999_999_999], [3_000_000_001, 0]])))
    if name == "mutual_information":
        assert value == pytest.approx(0.7 * math.log(10 / 7) + 0.3 * math.log(10 / 3), rel=1e-9)
    else:
        assert value == (1.0 if measure.better == "higher" else 0.0)
