"""Indices beside measures in evaluate and pairwise."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

import sfumato as sf
from sfumato import indices
from sfumato.errors import InputError, UnsupportedError
from sfumato.results.index_value import IndexValue

TRUTH = ["x", "x", "y", "y"]
FUZZY = np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8], [0.1, 0.9]])
CANDIDATES = {"hard": [0, 0, 1, 1], "fuzzy": FUZZY}


def test_rows_of_indices_say_index_where_others_say_a_guarantee():
    report = sf.evaluate(CANDIDATES, TRUTH, measures=["rand", "indices.frigui"])
    rows = {(row["name"], row["measure"]): row for row in report.rows}
    assert rows["fuzzy", "rand"]["guarantee"] == "exact"
    row = rows["fuzzy", "indices.frigui"]
    assert (row["guarantee"], row["method"], row["kind"]) == ("index", "index", "fuzzy")
    assert row["mean"] == row["lower"] == row["upper"] == indices.frigui(FUZZY, TRUTH)
    assert (row["error"], row["std"]) == (0.0, None)
    assert set(row) == set(rows["fuzzy", "rand"])
    assert "index" in repr(report)
    assert "<td>index</td>" in report._repr_html_()
    assert report.to_frame()["guarantee"].tolist() == ["exact", "index"] * 2


@pytest.mark.parametrize(
    "given",
    [
        "indices.campello",
        indices.campello,
        indices.index("campello"),
        partial(indices.campello),
    ],
)
def test_an_index_is_a_name_a_function_or_a_card(given):
    report = sf.evaluate(CANDIDATES, TRUTH, measures=[given])
    assert float(report["fuzzy", "indices.campello"]) == indices.campello(FUZZY, TRUTH)
    alone = sf.evaluate(CANDIDATES, TRUTH, measures=given)
    assert list(alone) == [("hard", "indices.campello"), ("fuzzy", "indices.campello")]


def test_options_are_in_the_label():
    report = sf.evaluate(
        CANDIDATES,
        TRUTH,
        measures=[
            "indices.campello",
            partial(indices.campello, t_norm="product"),
            indices.index("campello", index="minkowski"),
        ],
    )
    assert [measure for _, measure in report][:3] == [
        "indices.campello",
        "indices.campello(t_norm='product')",
        "indices.campello(index='minkowski')",
    ]
    assert report["hard", "indices.campello(index='minkowski')"].better == "lower"


def test_drawn_indices_state_their_error_and_use_the_seed_of_the_report():
    card = indices.index("adjusted_concordance", chance="fitted")
    found, again, other = (
        sf.evaluate({"fuzzy": FUZZY}, FUZZY[::-1].copy(), measures=[card], rng=seed)[
            "fuzzy", card.label
        ]
        for seed in (1, 1, 2)
    )
    assert isinstance(found, IndexValue)
    assert 0 < found.error <= 0.01
    assert (found.confidence, found.is_exact) == (0.95, False)
    assert found.value == again.value != other.value
    alone = indices.adjusted_concordance(FUZZY, FUZZY[::-1].copy(), chance="fitted", rng=1)
    assert found.value == alone
    assert "+-" in repr(found)


def test_pairwise_takes_an_index():
    found = sf.pairwise(CANDIDATES, measure="indices.huellermeier")
    assert found.measure == "indices.huellermeier"
    assert found.lower.tolist() == found.upper.tolist()
    assert np.diag(found.lower).tolist() == [1.0, 1.0]
    assert found["hard", "fuzzy"].kinds == ("hard", "fuzzy")
    assert found["fuzzy", "hard"].kinds == ("fuzzy", "hard")
    assert len(found.to_frame()) == 4
    assert repr(found).startswith("huellermeier index (higher is better)")


def test_pairwise_does_not_mirror_an_index_that_is_not_symmetric():
    distance = indices.index("campello", index="minkowski")
    sides = {"one": [0, 0, 0, 1], "other": [0, 1, 2, 2]}
    found = sf.pairwise(sides, measure=distance).lower
    assert found[0, 1] == distance(sides["one"], sides["other"])
    assert found[1, 0] == distance(sides["other"], sides["one"])
    assert found[0, 1] != found[1, 0]


def test_notes_say_what_was_changed_on_the_way_in():
    truth = pd.Series(TRUTH)
    shuffled = truth.sample(frac=1, random_state=1)
    frame = pd.DataFrame(FUZZY * (1 + 1e-7))
    found = sf.evaluate({"fuzzy": frame}, shuffled, measures=["indices.frigui"])
    row = found["fuzzy", "indices.frigui"]
    assert row.value == pytest.approx(indices.frigui(FUZZY, TRUTH), abs=1e-12)
    assert any("reordered" in note for note in row.notes)
    assert any("rescaled" in note for note in row.notes)
    assert row.to_dict()["notes"] == list(row.notes)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda: sf.compare(FUZZY, TRUTH, measure="indices.campello"),
            InputError,
            "'indices.campello' is an index, not a measure: call sfumato.indices.campello",
        ),
        (
            lambda: sf.evaluate(CANDIDATES, TRUTH, measures=["indices.campelo"]),
            InputError,
            "No index is called 'campelo'. Did you mean 'campello'?",
        ),
        (
            lambda: sf.evaluate(CANDIDATES, TRUTH, measures=["indices.campello"], quantity="range"),
            InputError,
            "hard: indices.campello is an index: it gives one number and has no range",
        ),
        (
            lambda: sf.evaluate(
                {"rough": sf.RoughPartition(FUZZY > 0.15)}, TRUTH, measures=["indices.campello"]
            ),
            UnsupportedError,
            "rough: campello takes a hard, fuzzy or possibilistic partition as the candidate, "
            "not a rough one",
        ),
        (
            lambda: sf.evaluate(
                CANDIDATES, TRUTH, measures=["indices.frigui", indices.index("frigui")]
            ),
            InputError,
            "Two measures are called 'indices.frigui'",
        ),
        (lambda: sf.evaluate(CANDIDATES, TRUTH, measures=[max]), InputError, "is a function, not"),
    ],
)
def test_what_cannot_be_a_row_is_explained(call, error, message):
    with pytest.raises(error) as caught:
        call()
    assert message in str(caught.value)
