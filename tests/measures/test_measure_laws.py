"""What every registered measure promises, from one list."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy

import sfumato as sf
from sfumato.measures import CellMeasure, Contingency, value_range
from variants import VARIANTS

# Sums of at most 12 terms of size at most log 48, added in another order.
ROUNDING = 1e-13

every_measure = pytest.mark.parametrize("measure", VARIANTS, ids=repr)
few = settings(max_examples=12, deadline=None, derandomize=True)


@st.composite
def batches(draw, max_clusters=4):
    k1, k2 = (draw(st.integers(1, max_clusters)) for _ in range(2))
    shape = (draw(st.integers(1, 3)), k1, k2)
    tables = draw(st_numpy.arrays(np.int64, shape, elements=st.integers(0, 4)))
    tables[:, 0, 0] += tables.sum(axis=(1, 2)) == 0  # at least one object
    return tables


def labellings(n_objects, max_clusters=4):
    return st.lists(st.integers(0, max_clusters - 1), min_size=n_objects, max_size=n_objects).map(
        np.array
    )


def table_of(a, b, k=4):
    table = np.zeros((k, k), dtype=np.int64)
    np.add.at(table, (a, b), 1)
    return table


def are_same_grouping(a, b):
    return all(
        (a[i] == a[j]) == (b[i] == b[j]) for i, j in itertools.combinations(range(len(a)), 2)
    )


@every_measure
@few
@given(tables=batches())
def test_a_batch_gives_what_a_loop_gives(measure, tables):
    values = measure.of_tables(tables)
    assert values.dtype == np.float64
    assert values.tolist() == [float(measure.of_tables(table)) for table in tables]
    assert measure.of_tables(tables[:, None]).tolist() == [[value] for value in values.tolist()]
    assert measure.of_tables(tables[:0]).shape == (0,)


@every_measure
@few
@given(tables=batches(), data=st.data())
def test_the_order_of_clusters_does_not_matter(measure, tables, data):
    rows = data.draw(st.permutations(range(tables.shape[1])))
    columns = data.draw(st.permutations(range(tables.shape[2])))
    shuffled = tables[:, rows][:, :, columns]
    np.testing.assert_allclose(
        measure.of_tables(shuffled), measure.of_tables(tables), rtol=0, atol=ROUNDING
    )


@every_measure
@few
@given(tables=batches())
def test_empty_clusters_change_nothing(measure, tables):
    padded = np.pad(tables, ((0, 0), (1, 2), (2, 1)))
    np.testing.assert_allclose(
        measure.of_tables(padded), measure.of_tables(tables), rtol=0, atol=ROUNDING
    )


@pytest.mark.parametrize("measure", [m for m in VARIANTS if m.symmetric], ids=repr)
@few
@given(tables=batches())
def test_symmetric_measures_do_not_tell_the_sides_apart(measure, tables):
    np.testing.assert_allclose(
        measure.of_tables(tables.swapaxes(-1, -2)),
        measure.of_tables(tables),
        rtol=0,
        atol=ROUNDING,
    )


@pytest.mark.parametrize("measure", [m for m in VARIANTS if not m.symmetric], ids=repr)
def test_measures_said_to_be_asymmetric_are(measure):
    table = np.array([[2, 2], [0, 1]])
    assert float(measure.of_tables(table)) != float(measure.of_tables(table.T))


@every_measure
@few
@given(tables=batches())
def test_values_lie_within_the_bounds_without_tolerance(measure, tables):
    for table, value in zip(tables, measure.of_tables(tables).tolist(), strict=True):
        lowest, highest = value_range(measure, int(table.sum()), *table.shape)
        assert measure.bounds[0] <= lowest <= value <= highest <= measure.bounds[1]


@every_measure
@few
@given(labels=st.integers(1, 9).flatmap(labellings), data=st.data())
def test_equivalent_clusterings_reach_the_best_value_exactly(measure, labels, data):
    renamed = np.array(data.draw(st.permutations(range(4))))[labels]
    value = float(measure.of_tables(table_of(renamed, labels)))
    sizes = np.unique(labels, return_counts=True)[1]
    match measure:
        case sf.MutualInformation():  # a clustering tells about itself as much as it holds
            shares = sizes / len(labels)
            assert value == pytest.approx(-(shares * np.log(shares)).sum(), abs=ROUNDING)
        case sf.FowlkesMallows() if sizes.max() == 1:  # as in scikit-learn
            assert value == 0.0
        case _:
            assert value == (1.0 if measure.better == "higher" else 0.0)


@pytest.mark.parametrize("measure", [m for m in VARIANTS if m.is_metric], ids=repr)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(labels=st.integers(1, 7).flatmap(lambda n: st.tuples(*[labellings(n)] * 3)))
def test_metrics_are_metrics_up_to_relabelling(measure, labels):
    a, b, c = labels

    def distance(x, y):
        return float(measure.of_tables(table_of(x, y)))

    assert (distance(a, b) == 0.0) == are_same_grouping(a, b)
    assert distance(a, c) <= distance(a, b) + distance(b, c) + ROUNDING


CLAIMED = [sf.Rand(), sf.Jaccard(), sf.NormalizedMutualInformation("max")]


@pytest.mark.parametrize("measure", CLAIMED, ids=repr)
@settings(max_examples=40, deadline=None, derandomize=True)
@given(labels=st.integers(1, 7).flatmap(lambda n: st.tuples(*[labellings(n)] * 3)))
def test_complements_said_to_be_metrics_are(measure, labels):
    a, b, c = labels
    ab, bc, ac = (1 - float(measure.of_tables(table_of(x, y))) for x, y in ((a, b), (b, c), (a, c)))
    assert (ab == 0.0) == are_same_grouping(a, b)
    assert ac <= ab + bc + ROUNDING


@pytest.mark.parametrize("measure", [m for m in VARIANTS if isinstance(m, CellMeasure)], ids=repr)
@few
@given(labels=st.integers(1, 9).flatmap(lambda n: st.tuples(*[labellings(n)] * 2)))
def test_cells_alone_give_what_the_full_table_gives(measure, labels):
    a, b = labels
    sparse = Contingency.from_codes(a, b, n_rows=4, n_columns=4)
    assert float(measure.of_contingency(sparse)) == pytest.approx(
        float(measure.of_tables(table_of(a, b))), abs=ROUNDING
    )
