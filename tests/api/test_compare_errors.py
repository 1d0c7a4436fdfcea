"""What is refused at the doors, and in which words."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

import sfumato as sf

FUZZY = [[0.5, 0.5], [0.1, 0.9], [1.0, 0.0]]
TRUTH = [0, 1, 0]


def possibilistic(t_norm):
    return sf.PossibilisticPartition([[1, 0.5], [0.2, 1], [1, 0]], t_norm=t_norm)


# --- The same objects ------------------------------------------------------------------------


@pytest.mark.parametrize("door", [sf.compare, sf.explain])
def test_different_numbers_of_objects_are_both_named(door):
    with pytest.raises(
        sf.InputError, match="have 3 and 1,200 objects; they must speak of the same"
    ):
        door(FUZZY, [0] * 1200)


def series(labels, index):
    return pd.Series(labels, index=index)


def test_the_same_index_in_another_order_is_aligned_with_a_note():
    a, b = series([0, 0, 1, 2], list("wxyz")), series([2, 1, 0, 0], list("zyxw"))
    found = sf.compare(a, b, measure="rand")
    assert found.mean == 1.0
    assert found.notes == ("The second partition was reordered to match the index of the first.",)
    unaligned = sf.compare(a.to_numpy(), b.to_numpy())
    assert unaligned.mean != 1.0


LETTERS = list("aaabbc")
SORTED = pd.Series(LETTERS)
SHUFFLED = SORTED.sample(frac=1, random_state=1)  # the same clustering, by its index


@pytest.mark.parametrize(
    "ask",
    [
        lambda: sf.evaluate({"a": SHUFFLED, "b": SORTED}, LETTERS),
        lambda: sf.rank({"a": SHUFFLED, "b": SORTED}, LETTERS),
        lambda: sf.difference(SHUFFLED, SORTED, LETTERS),
        lambda: sf.pairwise({"a": SHUFFLED, "b": SORTED, "c": LETTERS}),
    ],
)
def test_rows_without_an_index_cannot_match_two_orders(ask):
    with pytest.raises(sf.InputError, match="its rows cannot match all of them"):
        ask()


def test_rows_without_an_index_are_those_of_the_truth():
    report = sf.evaluate({"a": SHUFFLED, "b": LETTERS}, SORTED, measures=["rand"])
    assert [row["mean"] for row in report.rows] == [1.0, 1.0]
    assert sf.rank({"a": SHUFFLED, "b": LETTERS}, SORTED).lower.tolist() == [[0, 0], [0, 0]]
    with_noise = [*LETTERS[:-1], None]
    with pytest.raises(sf.InputError, match="its rows cannot match all of them"):
        sf.evaluate({"a": SHUFFLED, "b": with_noise}, SORTED, missing="drop")


def test_alignment_gives_the_answer_of_the_reordered_data():
    rng = np.random.default_rng(0)
    rows, labels, order = rng.dirichlet(np.ones(2), 8), rng.integers(2, size=8), rng.permutation(8)
    frame = pd.DataFrame(rows, index=np.arange(8) * 10)
    shuffled = series(labels[order], order * 10)
    found = sf.compare(frame, shuffled, engine="exact")
    assert found.mean == sf.compare(rows, labels, engine="exact").mean


def test_an_index_may_be_of_mixed_types_or_repeat_labels_if_both_are_equal():
    a, b = series([0, 0, 1], [1, "b", (2, 3)]), series([0, 1, 0], ["b", (2, 3), 1])
    assert sf.compare(a, b).mean == 1.0
    assert sf.compare(series([0, 1, 1], [1, 1, 2]), series([0, 1, 1], [1, 1, 2])).mean == 1.0


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([1, 2, 3], [1, 2, 4], "for instance 3 only in the first and 4 only in the second: select"),
        ([1, 2, 3], ["1", "2", "3"], "for instance 1 only in the first and '1' only in the second"),
        ([1, 2, 3], [1, 2, 2], "for instance 3 only in the first: select the same objects"),
        ([1, 1, 2], [2, 1, 1], "some label occurs twice.*make the index unique"),
    ],
)
def test_indexes_that_cannot_be_aligned_are_refused(first, second, message):
    with pytest.raises(sf.InputError, match=message):
        sf.compare(series([0, 1, 1], first), series([0, 1, 1], second))


def test_frames_without_an_index_are_taken_row_by_row():
    frame = pl.DataFrame({"x": [1.0, 0, 1], "y": [0.0, 1, 0]})
    assert sf.compare(pl.Series([0, 1, 0]), frame).mean == 1


# --- Names and options -----------------------------------------------------------------------


@pytest.mark.parametrize("door", [sf.compare, sf.explain])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"measure": "rnad"}, "No measure is called 'rnad'.*'rand'"),
        ({"measure": 3}, "A measure is a name or a Measure, not 3"),
        ({"measure": sf.Rand}, r"Rand is a class; pass an instance: Rand\(\)"),
        ({"quantity": "rage"}, r"Unknown quantity 'rage'.*did you mean 'range'\?"),
        (
            {"quantity": None},
            "Unknown quantity None: pass 'expectation', 'range' or 'distribution'",
        ),
    ],
)
def test_unknown_names_are_answered_with_the_nearest(door, options, message):
    with pytest.raises(sf.InputError, match=message):
        door(FUZZY, TRUTH, **options)


def test_options_are_keywords():
    with pytest.raises(TypeError):
        sf.compare(FUZZY, TRUTH, "rand")  # pyright: ignore


# --- Theories --------------------------------------------------------------------------------


def test_readings_that_differ_are_refused_with_the_way_out_but_for_min():
    assert sf.compare(possibilistic("min"), possibilistic(None)).guarantee == "exact"
    for other, words in (("min", "two t-norms, min and product: "), (None, "")):
        with pytest.raises(sf.UnsupportedError, match=rf"{words}.*with_t_norm\(None\)"):
            sf.compare(possibilistic("product"), possibilistic(other))


@pytest.mark.parametrize("t_norm", ["product", "lukasiewicz"])
@pytest.mark.parametrize("quantity", ["expectation", "range", "distribution"])
def test_product_and_lukasiewicz_are_refused_against_masses(t_norm, quantity):
    evidential = sf.EvidentialPartition([[0.5, 0.5]] * 3, [[1, 0], [1, 1]])
    for kind, side in {"fuzzy": FUZZY, "evidential": evidential}.items():
        for a, b in ((possibilistic(t_norm), side), (side, possibilistic(t_norm))):
            with pytest.raises(
                sf.UnsupportedError,
                match=rf"t-norm {t_norm} has no joint theory with the {kind} kind: "
                r".*\.with_t_norm\(None\)",
            ):
                sf.compare(a, b, quantity=quantity)


# --- Many at once ----------------------------------------------------------------------------


@pytest.mark.parametrize("door", ["evaluate", "pairwise"])
@pytest.mark.parametrize(
    ("partitions", "message"),
    [
        ({}, "There is no partition to compare: the mapping is empty"),
        ([TRUTH], r"Partitions are passed by name, as \{'fcm': memberships\}; got list"),
        (TRUTH, "passed by name"),
        (None, "got NoneType"),
        ({"good": TRUTH, "bad": [[0.5, 0.2], [1, 0], [1, 0]]}, "^bad: Rows do not sum to 1"),
        (
            {"good": TRUTH, "short": [0, 1]},
            "short: The partitions have 2 and 3 objects|good against",
        ),
    ],
)
def test_what_is_wrong_with_the_candidates_is_said_with_their_name(door, partitions, message):
    calls = {
        "evaluate": lambda: sf.evaluate(partitions, TRUTH),
        "pairwise": lambda: sf.pairwise(partitions),
    }
    with pytest.raises(sf.InputError, match=message):
        calls[door]()


def test_errors_of_theory_and_budget_name_the_candidate_too():
    with pytest.raises(
        sf.UnsupportedError, match=r"^pcm: The partitions are read with two t-norms"
    ):
        sf.evaluate({"pcm": possibilistic("product")}, possibilistic("min"))
    with pytest.raises(sf.UnsupportedError, match=r"^m against p: "):
        sf.pairwise({"p": possibilistic("product"), "m": possibilistic("min")})
    measure = sf.Measure.from_function(lambda table: 0.0, name="zero", better="lower")
    with pytest.raises(sf.CostError, match=r"^fcm: Exact would visit"):
        sf.evaluate({"fcm": FUZZY}, TRUTH, measures=[measure], engine=sf.Exact(max_tables=1))


def test_a_bad_truth_is_named():
    with pytest.raises(sf.InputError, match=r"^truth: Rows do not sum to 1"):
        sf.evaluate({"a": TRUTH}, [[0.5, 0.2], [1, 0], [1, 0]])


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ([], r"No measure was given; for instance measures=\('rand',\)"),
        (["rand", "jacard"], "No measure is called 'jacard'.*'jaccard'"),
        (["rand", sf.Rand()], r"Two measures are called \"rand\(pairs='distinct'\)\""),
    ],
)
def test_measures_must_be_known_and_told_apart(measures, message):
    with pytest.raises(sf.InputError, match=message):
        sf.evaluate({"a": TRUTH}, TRUTH, measures=measures)


def test_errors_are_builtin_ones_too():
    with pytest.raises(ValueError, match="objects"):
        sf.compare([0], [0, 1])
    with pytest.raises(TypeError, match="t-norms"):
        sf.compare(possibilistic("product"), possibilistic("min"))
