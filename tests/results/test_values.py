"""What is known of a value: sets, distributions, possibilities, mass functions."""

from itertools import product

import numpy as np
import pytest

from sfumato.errors import InputError
from sfumato.results.values import ValueDistribution, ValueMass, ValuePossibility, ValueSet

SET = ValueSet([0.2, 0.5, 1.0])
LAW = ValueDistribution([0.2, 0.5, 1.0], [0.1, 0.6, 0.3])
POSSIBILITY = ValuePossibility([0.2, 0.5, 1.0], [0.4, 1.0, 0.7])
MASS = ValueMass(([0.5], [0.2, 0.5], [0.5, 1.0]), [0.5, 0.2, 0.3])
ALL = (SET, LAW, POSSIBILITY, MASS)
NAN, SIDES = float("nan"), ("at_most", "at_least")
NO_NUMBERS = ("x", None, [0.5], True, 0.5j)
every_kind = pytest.mark.parametrize("values", ALL, ids=lambda v: type(v).__name__)


def test_a_set_believes_only_what_holds_for_all_its_values():
    assert (SET.lower, SET.upper) == (0.2, 1.0)
    assert (SET.belief(at_most=1.0), SET.belief(at_most=0.9)) == (1.0, 0.0)
    assert (SET.belief(at_least=0.2), SET.belief(at_least=0.3)) == (1.0, 0.0)
    assert (SET.plausibility(at_most=0.2), SET.plausibility(at_most=0.1)) == (1.0, 0.0)
    assert SET.quantile(0.5) == (0.2, 1.0)
    assert (SET.lower_std, SET.upper_std) == (0.0, 0.0)


def test_a_distribution_has_one_mean_and_belief_equals_plausibility():
    mean = 0.02 + 0.3 + 0.3
    assert LAW.lower == LAW.upper == pytest.approx(mean, abs=1e-15)
    spread = (0.1 * (0.2 - mean) ** 2 + 0.6 * (0.5 - mean) ** 2 + 0.3 * (1 - mean) ** 2) ** 0.5
    assert LAW.lower_std == LAW.upper_std == pytest.approx(spread, abs=1e-15)
    assert LAW.belief(at_most=0.5) == LAW.plausibility(at_most=0.5) == pytest.approx(0.7)
    assert LAW.belief(at_least=0.5) == LAW.plausibility(at_least=0.5) == pytest.approx(0.9)
    steps = {0.0: 0.2, 0.1: 0.2, 0.11: 0.5, 0.7: 0.5, 0.71: 1.0, 1.0: 1.0}
    assert {q: LAW.quantile(q) for q in steps} == steps


def test_a_possibility_has_choquet_expectations_and_nested_cuts():
    # Cuts: {0.5} above 0.7, {0.5, 1} above 0.4, all below.
    assert POSSIBILITY.lower == pytest.approx(0.3 * 0.5 + 0.3 * 0.5 + 0.4 * 0.2, abs=1e-15)
    assert POSSIBILITY.upper == pytest.approx(0.3 * 0.5 + 0.3 * 1.0 + 0.4 * 1.0, abs=1e-15)
    assert POSSIBILITY.cut(1.0).values.tolist() == [0.5]
    assert POSSIBILITY.cut(0.7).values.tolist() == [0.5, 1.0]
    assert POSSIBILITY.cut(0.1).values.tolist() == [0.2, 0.5, 1.0]
    # Possibility and necessity of an event.
    assert POSSIBILITY.plausibility(at_least=0.6) == pytest.approx(0.7)
    assert POSSIBILITY.belief(at_least=0.4) == pytest.approx(1 - 0.4)
    assert POSSIBILITY.plausibility(at_most=0.3) == pytest.approx(0.4)
    assert POSSIBILITY.belief(at_most=0.6) == pytest.approx(1 - 0.7)
    assert POSSIBILITY.quantile(0.5) == (0.5, 1.0)


@pytest.mark.parametrize("alpha", [0.0, -0.1, 1.1, *NO_NUMBERS])
def test_a_level_outside_its_range_is_refused(alpha):
    with pytest.raises(InputError, match="A level must be above 0 and at most 1"):
        POSSIBILITY.cut(alpha)


def test_a_cut_above_all_drawn_possibilities_is_refused():
    with pytest.raises(InputError, match=r"No value has a possibility of 0\.9 or more"):
        ValuePossibility([0.5], [0.8]).cut(0.9)


def test_a_mass_function_averages_the_ends_of_its_sets():
    assert MASS.lower == pytest.approx(0.5 * 0.5 + 0.2 * 0.2 + 0.3 * 0.5, abs=1e-15)
    assert MASS.upper == pytest.approx(0.5 * 0.5 + 0.2 * 0.5 + 0.3 * 1.0, abs=1e-15)
    assert MASS.belief(at_most=0.5) == pytest.approx(0.7)
    assert MASS.plausibility(at_most=0.5) == 1.0
    assert MASS.belief(at_least=0.5) == pytest.approx(0.8)
    assert MASS.plausibility(at_least=1.0) == pytest.approx(0.3)
    assert MASS.quantile(0.1) == (0.2, 0.5)
    assert MASS.quantile(0.9) == (0.5, 1.0)


@every_kind
def test_the_support_holds_every_value_in_order(values):
    assert values.support.tolist() == [0.2, 0.5, 1.0]
    assert values.lost_mass == 0.0


@every_kind
def test_belief_and_plausibility_are_dual_between_the_values(values):
    for t in (0.1, 0.3, 0.7, 1.1):
        assert values.belief(at_most=t) == pytest.approx(1 - values.plausibility(at_least=t))
        assert values.plausibility(at_most=t) == pytest.approx(1 - values.belief(at_least=t))
        assert values.belief(at_most=t) <= values.plausibility(at_most=t)


@every_kind
def test_a_threshold_that_differs_by_rounding_is_the_value(values):
    below, above = np.nextafter(0.5, 0.0), np.nextafter(0.5, 1.0)
    for ask in (values.belief, values.plausibility):
        assert ask(at_most=below) == ask(at_most=0.5)
        assert ask(at_least=above) == ask(at_least=0.5)


@every_kind
@pytest.mark.parametrize("thresholds", [{}, {"at_most": 0.5, "at_least": 0.5}])
def test_exactly_one_threshold_is_asked_for(values, thresholds):
    for ask in (values.belief, values.plausibility):
        with pytest.raises(InputError, match="Give exactly one of at_most=t, at_least=t and"):
            ask(**thresholds)


@every_kind
def test_a_quantile_needs_a_probability_and_a_threshold_is_a_number(values):
    for q in (-0.1, 1.1, NAN, *NO_NUMBERS):
        with pytest.raises(InputError, match="A quantile needs a probability from 0 to 1, got"):
            values.quantile(q)
    thresholds = NAN, "x", [0.5], True, 0.5j  # rather than answered with zero
    for ask, side, t in product((values.belief, values.plausibility), SIDES, thresholds):
        with pytest.raises(InputError, match="threshold must be a number, got"):
            ask(**{side: t})


@every_kind
def test_numbers_leave_as_python_floats(values):
    quantile = values.quantile(0.5)
    numbers = (
        values.lower,
        values.upper,
        values.lower_std,
        values.belief(at_most=0.5),
        *(quantile if isinstance(quantile, tuple) else (quantile,)),
    )
    assert {type(number) for number in numbers} == {float}


def test_content_is_copied_and_never_changes():
    given = np.array([0.2, 0.5])
    kept = ValueSet(given)
    given[0] = 0.9
    assert kept.values.tolist() == [0.2, 0.5]
    with pytest.raises(ValueError, match="read-only"):
        kept.values[0] = 0.9


def test_numbers_of_numpy_are_numbers():
    assert POSSIBILITY.quantile(np.float32(0.5)) == POSSIBILITY.quantile(0.5)
    assert POSSIBILITY.cut(np.int64(1)).values.tolist() == POSSIBILITY.cut(1.0).values.tolist()
