"""Large memberships in float32 stay so, and give what their copies in float64 give."""

import pickle

import numpy as np
import pytest

import sfumato as sf
from memory import peak_of
from sfumato.algorithms.tables import rows as rows_module
from sfumato.errors import InputError
from sfumato.partitions.reading import probabilities


@pytest.fixture
def _few_are_many(monkeypatch):
    monkeypatch.setattr(probabilities, "MANY_NUMBERS", 1)
    monkeypatch.setattr(rows_module, "NUMBERS_AT_ONCE", 64)  # several blocks


def in_single(n, k, seed):
    rng = np.random.default_rng(seed)
    values = rng.dirichlet(np.full(k, 0.3), n).astype(np.float32)
    values[values < 0.01] = -0.0
    return values / values.sum(axis=1, keepdims=True), rng.integers(k, size=n)


def in_double(values, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(probabilities, "MANY_NUMBERS", 1 << 60)
        return sf.FuzzyPartition(values)


@pytest.mark.usefixtures("_few_are_many")
@pytest.mark.parametrize("order", ["C", "F"])
def test_it_is_the_partition_that_double_precision_makes(order, monkeypatch):
    values, _ = in_single(200, 4, 0)
    single = sf.FuzzyPartition(np.asarray(values, order=order))
    double = in_double(values, monkeypatch)
    assert single.rows.is_single
    assert not double.rows.is_single
    assert single == double
    assert single.notes == double.notes
    assert single.notes[0].startswith("memberships: 1")
    assert np.array_equal(single.memberships, double.memberships)
    assert not np.signbit(single.memberships).any()
    assert single.memberships is single.memberships
    assert not single.memberships.flags.writeable
    assert single.take([5, 3]) == double.take([5, 3])
    assert pickle.loads(pickle.dumps(single)) == double
    assert single.harden() == double.harden()
    assert repr(single) == repr(double)
    assert single.statements().weights.tolist() == double.statements().weights.tolist()


@pytest.mark.usefixtures("_few_are_many")
@pytest.mark.parametrize("measure", sf.measures())
@pytest.mark.parametrize("other", ["hard", "single", "double"])
def test_answers_are_those_of_double_precision(measure, other, monkeypatch):
    values, labels = in_single(60, 3, 1)
    more, _ = in_single(60, 3, 2)
    double, second = in_double(values, monkeypatch), in_double(more, monkeypatch)
    rivals = {"hard": (labels, labels), "single": (more, second), "double": (second, second)}
    single_side, double_side = rivals[other]
    budget = sf.Auto(tolerance=0.05)
    found = sf.compare(values, single_side, measure=measure, engine=budget, rng=0)
    expected = sf.compare(double, double_side, measure=measure, engine=budget, rng=0)
    assert found.method == expected.method
    assert found.lower == pytest.approx(expected.lower, abs=1e-12)
    assert found.error == pytest.approx(expected.error, rel=1e-6, abs=1e-12)


@pytest.mark.usefixtures("_few_are_many")
def test_what_is_nearly_hard_is_hard():
    values = np.zeros((50, 2), dtype=np.float32)
    values[np.arange(50), np.arange(50) % 2] = np.float32(1 - 1e-6)
    assert sf.FuzzyPartition(values).simplest() == sf.HardPartition(np.arange(50) % 2)


@pytest.mark.usefixtures("_few_are_many")
@pytest.mark.parametrize(
    ("row", "column", "value", "message"),
    [
        (70, 1, np.nan, "row 70, column 1 is nan"),
        (70, 1, -0.5, "row 70, column 1 is -0.5, negative"),
        (3, 0, 1.5, "row 3, column 0 is 1.5, above 1"),
        (90, 2, 0.9, r"row 90 sums to 1\.\d+; pass normalize=True"),
    ],
)
def test_bad_rows_are_named_in_any_block(row, column, value, message):
    values = np.full((100, 4), 0.25, dtype=np.float32)
    values[row, column] = value
    with pytest.raises(InputError, match=message):
        sf.FuzzyPartition(values)


@pytest.mark.usefixtures("_few_are_many")
def test_weights_are_divided_by_their_sums(monkeypatch):
    values = np.random.default_rng(3).random((100, 4), dtype=np.float32) * 7
    with monkeypatch.context() as patch:
        patch.setattr(probabilities, "MANY_NUMBERS", 1 << 60)
        double = sf.FuzzyPartition(values, normalize=True)
    assert sf.FuzzyPartition(values, normalize=True) == double


@pytest.mark.parametrize("measure", ["rand", "adjusted_rand"])
def test_reading_and_comparing_costs_the_input_again(measure):
    values, labels = in_single(400_000, 12, 4)
    sf.compare(values[:100_000], labels[:100_000], measure=measure)  # imports are no cost of it
    found, peak = peak_of(lambda: sf.compare(sf.FuzzyPartition(values), labels, measure=measure))
    assert found.guarantee in ("exact", "certified")
    # The scratch of a few blocks is the same for any number of objects.
    assert peak <= values.nbytes + labels.nbytes + 12e6
