"""Users' own functions as measures: three ways to be called, and every way to be wrong."""

import math

import numpy as np
import pytest
from sklearn.metrics import fowlkes_mallows_score, v_measure_score

from sfumato.errors import InputError
from sfumato.measures import Measure, Purity, VMeasure

TABLES = np.array([[[2, 1, 0], [0, 1, 3]], [[4, 0, 0], [0, 2, 1]]])


def make(function, **options):
    return Measure.from_function(function, **{"name": "mine", "better": "higher", **options})


def error_of(function, tables=TABLES, **options):
    with pytest.raises(InputError) as caught:
        make(function, **options).of_tables(tables)
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_a_function_of_one_table_is_called_once_per_table():
    seen = []

    def purity(table):
        seen.append(table.shape)
        return table.max(axis=1).sum() / table.sum()

    own = make(purity, bounds=(0, 1))
    assert own.of_tables(TABLES).tolist() == Purity().of_tables(TABLES).tolist()
    assert seen == [(2, 3), (2, 3)]
    assert own.of_tables(TABLES[0]).shape == ()
    assert own.of_tables(TABLES[None]).shape == (1, 2)
    assert own.of_tables(TABLES[:0]).shape == (0,)


def test_a_function_of_a_batch_is_called_once():
    calls = []

    def purity(tables):
        calls.append(tables.shape)
        return tables.max(axis=-1).sum(axis=-1) / tables.sum(axis=(-2, -1))

    assert make(purity, on="batch").of_tables(TABLES).tolist() == [5 / 7, 6 / 7]
    assert calls == [(2, 2, 3)]


def test_a_score_of_scikit_learn_is_a_measure():
    own = make(lambda a, b: v_measure_score(b, a), on="labels", bounds=(0, 1), symmetric=True)
    np.testing.assert_allclose(own.of_tables(TABLES), VMeasure().of_tables(TABLES), atol=1e-14)
    assert own.symmetric


def test_labels_have_the_table_they_were_made_from():
    def check(a, b):
        table = np.zeros((2, 3), dtype=int)
        np.add.at(table, (a, b), 1)
        assert table.tolist() == TABLES[0].tolist()
        return fowlkes_mallows_score(a, b)

    make(check, on="labels").of_tables(TABLES[0])


def test_promises_are_kept_as_given():
    own = make(np.max, better="lower", bounds=(0, 9), is_metric=True)
    assert (own.name, own.better, own.bounds) == ("mine", "lower", (0, 9))
    assert (own.symmetric, own.is_metric, own.reference) == (False, True, "")
    assert own.family(10) is None
    assert make(np.max).bounds == (-math.inf, math.inf)


def test_tables_cannot_be_changed_by_the_function():
    def spoil(table):
        table[0, 0] = 7
        return 0.0

    for on in ("tables", "batch"):
        with pytest.raises(ValueError, match="read-only"):
            make(spoil, on=on).of_tables(TABLES)
    assert TABLES[0, 0, 0] == 2


def test_an_error_inside_the_function_comes_through_unchanged():
    with pytest.raises(ZeroDivisionError):
        make(lambda table: 1 / 0).of_tables(TABLES)


def test_what_is_not_a_number_is_named():
    assert error_of(lambda table: "0.5") == (
        "Measure 'mine' must return one number; for the table [[2, 1, 0], [0, 1, 3]] it returned "
        "'0.5' (str). Return a float."
    )
    assert "it returned None (NoneType)" in error_of(lambda table: None)
    assert "it returned (1+2j) (complex)" in error_of(lambda table: 1 + 2j)
    assert "it returned [1, [2]] (list)" in error_of(lambda table: [1, [2]])


def test_too_many_numbers_are_named():
    message = error_of(lambda table: table.sum(axis=0))
    assert "it returned an array of shape (3,) and type int64" in message


def test_a_batch_of_the_wrong_shape_is_named():
    assert error_of(lambda tables: 0.5, on="batch") == (
        "Measure 'mine' (on='batch') must return shape (2,) for tables of shape (2, 2, 3); it "
        "returned 0.5 (float). Work over the last two axes, or use on='tables'."
    )


@pytest.mark.parametrize("on", ["tables", "batch"])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_values_that_are_not_finite_are_named_with_their_table(on, bad):
    def function(tables):
        return np.where(tables.sum(axis=(-2, -1)) == tables[..., 0, 0] + 3, bad, 0.5)

    assert error_of(function, on=on) == (
        f"Measure 'mine' returned {bad} for the table [[4, 0, 0], [0, 2, 1]]. "
        "Return a finite number for every table."
    )


def test_values_outside_the_bounds_are_named_with_their_table():
    assert error_of(lambda table: table[0, 0] / 2, bounds=(0, 1)) == (
        "Measure 'mine' returned 2.0 for the table [[4, 0, 0], [0, 2, 1]], outside its bounds "
        "(0.0, 1.0). Widen bounds= or mend the function."
    )
    assert "returned -0.1" in error_of(lambda table: -0.1, bounds=(0, 1))


def test_rounding_past_a_bound_is_moved_onto_it():
    own = make(lambda table: 1.0 + 4e-16, bounds=(0, 1))
    assert own.of_tables(TABLES).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"better": "more"}, "better=...) takes 'higher' or 'lower', not 'more'."),
        ({"on": "table"}, "not 'table'. Did you mean 'tables'?"),
        ({"name": ""}, "A measure's name is a string that is not empty, not ''."),
        ({"name": 3}, "A measure's name is a string that is not empty, not 3."),
        ({"bounds": (1, 0)}, "The bounds of measure 'mine' are (1, 0)"),
        ({"bounds": (math.nan, 1)}, "give two numbers, the smaller first."),
        ({"bounds": (0, 1, 2)}, "give two numbers, the smaller first."),
    ],
)
def test_a_wrong_option_is_refused_at_once(options, message):
    with pytest.raises(InputError) as caught:
        make(np.max, **options)
    assert message in str(caught.value)


def test_what_cannot_be_called_is_refused():
    with pytest.raises(InputError, match=r"takes a function, not 'rand'\."):
        make("rand")
