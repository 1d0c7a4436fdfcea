"""What a matrix of comparisons says of its cells."""

import dataclasses

import numpy as np
import pytest

import sfumato as sf
from sfumato.results.index_value import IndexValue

TRUTH = [0, 0, 1, 1]
FUZZY = [[0.9, 0.1], [0.7, 0.3], [0.2, 0.8], [0.4, 0.6]]


def forms(found):
    return repr(found), found.to_markdown(), found.to_latex(), found._repr_html_()


def drawn():
    engine = sf.Sampled(n_samples=50)
    return sf.pairwise({"f": FUZZY, "t": TRUTH}, measure="ari", engine=engine, rng=0)


def test_estimates_are_marked_in_all_forms_with_the_largest_error():
    found = drawn()
    error = max(each.error for each in found.comparisons.values())
    for text in forms(found):
        assert "* estimated to within " in text
        stated = float(text.split("estimated to within ")[1].split(",")[0])
        assert error <= stated <= error + 0.001
    assert repr(found).count("*") == 1 + sum(not c.is_exact for c in found.comparisons.values())
    assert r"\multicolumn{3}{l}{* estimated to within " in found.to_latex()
    assert r"95\% confidence each} \\" in found.to_latex()


def test_exact_cells_bear_no_mark():
    for text in forms(sf.pairwise({"f": FUZZY, "t": TRUTH})):
        assert not any(sign in text.split("<svg")[0] for sign in "*†‡")


@pytest.mark.parametrize(
    ("guarantee", "said"),
    [
        ("certified", "† certified to within 0.250"),
        ("inner", "‡ attained values only: the true ends may lie further out"),
    ],
)
def test_each_guarantee_has_its_mark(guarantee, said):
    found = drawn()
    cell = dataclasses.replace(
        found["f", "t"], lower_bracket=(found["f", "t"].lower - 0.25,) * 2, guarantee=guarantee
    )
    table = dataclasses.replace(
        found, names=("f",), comparisons={("f", "f"): cell}, lower=np.eye(1), upper=np.eye(1)
    )
    assert said in repr(table)
    assert f"{said[0]}\n" in repr(table)


def test_an_index_is_marked_only_if_it_was_drawn():
    formula = IndexValue("indices.a", "higher", ("fuzzy", "hard"), 0.5)
    draws = dataclasses.replace(formula, error=0.01, confidence=0.9)
    pairs = [("f", "f"), ("f", "t"), ("t", "f"), ("t", "t")]
    rows = zip(pairs, (formula, draws, formula, formula), strict=True)
    table = dataclasses.replace(drawn(), comparisons=dict(rows))
    assert "0.5000  0.5000*" in repr(table)
    assert "* estimated to within 0.010, at 90% confidence each" in repr(table)


def test_notes_of_comparisons_are_gathered_once():
    found = drawn()
    said = {note for each in found.comparisons.values() for note in each.notes}
    assert said
    for note in said:
        assert sum(note in gathered for gathered in found.notes) == 1
    assert any(note.startswith("f against f") for note in found.notes)
