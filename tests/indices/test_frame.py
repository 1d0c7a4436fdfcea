"""The cards, the listing and the registry."""

import ast
import inspect
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import sfumato as sf
from sfumato import indices
from sfumato.errors import InputError
from sfumato.indices.base import Option
from sfumato.indices.registry import INDICES, as_index

FOLDER = Path(indices.__file__).parent
BIBLIOGRAPHY = Path(__file__).parents[2] / "docs" / "references.bib"


def test_every_card_in_the_folder_is_registered():
    found = {
        target.id.lower()
        for path in FOLDER.glob("*.py")
        for node in ast.parse(path.read_text()).body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if isinstance(node.value.func, ast.Name) and node.value.func.id == "Index"
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    assert found == {card.name for card in INDICES}


@pytest.mark.parametrize("card", INDICES, ids=lambda card: card.name)
def test_every_index_is_exported_documented_and_cited(card):
    assert getattr(indices, card.name) is card.function
    doc = inspect.getdoc(card.function)
    for option in card.options:
        assert re.search(rf"^{option.name}.* : ", doc, re.MULTILINE), option.name
    assert ">>>" in doc
    assert "O(" in doc
    assert re.search(rf":cite:`[\w,]*{card.reference}", doc)
    assert f"{{{card.reference}," in BIBLIOGRAPHY.read_text()
    assert card.place.endswith(".")
    if card.estimate is not None:
        assert card.estimate.__name__ == f"estimate_{card.name}"
        assert inspect.signature(card.estimate).parameters.keys() == (
            inspect.signature(card.function).parameters.keys()
        )


def test_the_package_exports_a_sorted_list():
    assert indices.__all__ == sorted(indices.__all__)
    assert {card.name for card in INDICES} <= set(indices.__all__)


def test_a_listing_prints_and_is_data():
    listed = indices.available()
    assert len(listed) == len(INDICES)
    assert listed[0] is INDICES[0]
    assert listed[:2] == INDICES[:2]
    rows = {row["name"]: row for row in listed.rows}
    assert rows["huellermeier"]["also_called"] == ["NDC"]
    assert rows["huellermeier"]["is_reflexive"] is True
    assert rows["campello"]["options"]["t_norm"] == {
        "values": ["min", "product"],
        "default": "min",
    }
    assert set(listed.to_frame()["name"]) == {card.name for card in INDICES}
    head, *lines = repr(listed).splitlines()
    assert head.split()[:3] == ["name", "candidate", "reference"]
    assert [line.split()[0] for line in lines] == [card.name for card in INDICES]
    assert "<td>campello</td>" in listed._repr_html_()


def test_a_listing_can_be_limited_to_a_kind():
    assert "brouwer" not in [card.name for card in indices.available("possibilistic")]
    assert "campello" in [card.name for card in indices.available("possibilistic")]
    with pytest.raises(InputError, match=r"takes 'hard' or .*not 'fuzy'. Did you mean 'fuzzy'"):
        indices.available("fuzy")


def test_options_are_read_from_the_signature():
    card = as_index("indices.frigui")
    values = ("rand", "jaccard", "fowlkes_mallows")
    assert card.options == (Option("index", values, "rand"),)


def test_options_change_the_promises_of_a_card():
    assert indices.index("campello").better == "higher"
    distance = indices.index("campello", index="minkowski")
    assert (distance.better, distance.is_symmetric) == ("lower", False)
    assert distance.label == "indices.campello(index='minkowski')"
    both = distance.with_options(t_norm="product")
    assert both.label == "indices.campello(index='minkowski', t_norm='product')"
    assert both.better == "lower"
    back = both.with_options(index="rand")
    assert (back.better, back.is_symmetric) == ("higher", True)
    assert repr(back) == "Index(indices.campello(index='rand', t_norm='product'))"
    assert not indices.index("denoeux").is_reflexive
    assert indices.index("denoeux", distance="jousselme").is_reflexive
    assert indices.index("transport_pairs", index="partition_distance").better == "lower"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: indices.index("campelo"),
            "No index is called 'campelo'. Did you mean 'campello'?",
        ),
        (
            lambda: indices.index("campello", tnorm="min"),
            "campello has no option 'tnorm'. Did you mean 't_norm'? Its options: index, t_norm.",
        ),
        (
            lambda: indices.index("campello", t_norm="minimum"),
            "campello(t_norm=...) takes 'min' or 'product', not 'minimum'. Did you mean 'min'?",
        ),
        (lambda: indices.index("frobenius_rand", p=1), "has no option 'p'. Its options: none."),
    ],
)
def test_a_wrong_name_or_option_is_explained(call, message):
    with pytest.raises(InputError, match=re.escape(message)):
        call()


def test_functions_and_partial_functions_stand_for_their_index():
    assert as_index(indices.campello).name == "campello"
    assert as_index(indices.estimate_adjusted_concordance).name == "adjusted_concordance"
    card = as_index(partial(indices.campello, t_norm="product"))
    assert card.chosen == (("t_norm", "product"),)
    assert as_index(len) is None
    assert as_index(partial(len)) is None
    assert as_index("rand") is None


def test_importing_sfumato_does_not_load_the_indices():
    code = "import sys, sfumato; print('sfumato.indices' in sys.modules, sfumato.indices.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "sfumato.indices"]


def test_an_index_with_options_can_be_called():
    card = indices.index("indices.frigui", index="jaccard")
    assert card([0, 0, 1], [0, 0, 1]) == 1.0
    assert sf.indices.index("frigui")([0, 0, 1], [0, 1, 1]) == pytest.approx(1 / 3)
