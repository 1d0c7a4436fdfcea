"""What is no number, or no random source, is refused in one line that shows it."""

import numpy as np
import pytest

import sfumato as sf

TRUTH = [0, 0, 1]
ROUGH = sf.RoughPartition([[1, 1], [1, 0], [0, 1]])
FUZZY = sf.FuzzyPartition([[0.5, 0.5], [1, 0], [0, 1]])
POSSIBILISTIC = sf.PossibilisticPartition([[1, 0.5], [1, 0], [0.25, 1]], t_norm="min")
EVIDENTIAL = sf.EvidentialPartition([[0.5, 0.5], [1, 0], [0, 1]], [[1, 0], [1, 1]])
SOFT = [ROUGH, FUZZY, POSSIBILISTIC, EVIDENTIAL]
NO_NUMBERS = ["x", None, [0.5], True, 0.5j]


def distribution(partition):
    return sf.compare(partition, TRUTH, quantity="distribution").distribution


@pytest.mark.parametrize("value", NO_NUMBERS)
@pytest.mark.parametrize("partition", SOFT)
def test_quantiles_need_a_number(partition, value):
    with pytest.raises(sf.InputError, match="A quantile needs a probability from 0 to 1, got"):
        distribution(partition).quantile(value)


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_levels_are_numbers(value):
    with pytest.raises(sf.InputError, match="A level must be above 0 and at most 1, got"):
        distribution(POSSIBILISTIC).cut(value)
    with pytest.raises(sf.InputError, match="levels lie above 0 and up to 1"):
        POSSIBILISTIC.cut(value)


@pytest.mark.parametrize("value", [value for value in NO_NUMBERS if value is not None])
@pytest.mark.parametrize("name", ["belief", "plausibility"])
def test_thresholds_are_numbers(name, value):
    with pytest.raises(sf.InputError, match="A threshold must be a number, got"):
        getattr(distribution(FUZZY), name)(at_most=value)


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_pessimism_is_a_number(value):
    with pytest.raises(sf.InputError, match="pessimism must lie between 0 and 1, got"):
        sf.compare(ROUGH, TRUTH).hurwicz(value)


@pytest.mark.parametrize("value", ["x", 1.5, True, -1])
@pytest.mark.parametrize("partition", SOFT)
def test_samples_need_a_random_source(partition, value):
    with pytest.raises(sf.InputError, match="rng must be a Generator"):
        partition.sample(value)


@pytest.mark.parametrize("value", [True, "x", [1]])
@pytest.mark.parametrize("name", ["tolerance", "confidence", "max_seconds", "max_lost_mass"])
def test_options_of_engines_are_numbers(name, value):
    with pytest.raises(sf.InputError, match=f"{name} must"):
        sf.Auto(**{name: value})


def test_numbers_of_numpy_are_numbers():
    found = distribution(POSSIBILISTIC)
    assert found.quantile(np.float32(0.5)) == found.quantile(0.5)
    assert found.cut(np.int64(1)).values.tolist() == found.cut(1.0).values.tolist()
    assert sf.Auto(tolerance=np.float64(0.5)).tolerance == 0.5
