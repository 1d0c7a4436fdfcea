"""Names, options and references of the measures."""

import re
from pathlib import Path

import pytest

from fresh import printed
from sfumato.errors import InputError
from sfumato.measures import (
    AdjustedMutualInformation,
    NormalizedMutualInformation,
    NormalizedVariationOfInformation,
    PartitionDistance,
    Rand,
    as_measure,
    measures,
    register_measure,
)

ROOT = Path(__file__).parents[2]
KEYS = set(re.findall(r"^@\w+\{([^,]+),", (ROOT / "docs" / "references.bib").read_text(), re.M))


def test_measures_are_listed_in_a_fixed_order():
    assert list(measures()) == [
        "rand",
        "adjusted_rand",
        "jaccard",
        "dice",
        "fowlkes_mallows",
        "partition_distance",
        "mutual_information",
        "normalized_mutual_information",
        "adjusted_mutual_information",
        "homogeneity",
        "completeness",
        "v_measure",
        "variation_of_information",
        "normalized_variation_of_information",
        "purity",
    ]
    assert all(name == measure.name for name, measure in measures().items())


def test_the_list_cannot_be_written_to():
    with pytest.raises(TypeError):
        measures()["rand"] = Rand(pairs="all")  # type: ignore[index]


REGISTERING = """
import sfumato as sf
own = sf.Measure.from_function(
    lambda table: table[0, 0] / table.sum(), name="corner", better="higher", bounds=(0, 1)
)
before = sf.measures()
sf.register_measure(own)
sf.register_measure(own)
print(list(sf.measures())[-1], sf.measures()["corner"] is own)
print("corner" in before)  # a list once given does not change
fuzzy = [[0.5, 0.5], [0.25, 0.75]]
found = sf.compare(fuzzy, [0, 0], measure="corner")
print(found.measure, found.better, found.mean)
print(sf.evaluate({"a": fuzzy}, [0, 0], measures="corner")["a", "corner"].mean)
"""


def test_a_registered_measure_is_found_by_name():
    lines = printed(REGISTERING).splitlines()
    assert lines == ["corner True", "False", "corner higher 0.375", "0.375"]


def test_a_name_stands_for_one_measure_only():
    register_measure(Rand())
    with pytest.raises(InputError, match=r"'rand' already stands for Rand\(pairs='distinct'\)"):
        register_measure(Rand(pairs="all"))
    assert as_measure("rand") == Rand()


def test_a_measure_stands_for_itself():
    measure = PartitionDistance("n")
    assert as_measure(measure) is measure


@pytest.mark.parametrize("door", [as_measure, register_measure])
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (Rand, "Rand is a class; pass an instance: Rand()."),
        (max, "is a function, not a measure: wrap it with sfumato.Measure.from_function("),
        (3, "A measure is a name or a Measure, not 3 (int). sfumato.measures() lists the names."),
    ],
)
def test_what_is_no_measure_is_refused_with_the_way_out(door, given, message):
    with pytest.raises(InputError) as caught:
        door(given)
    assert message in str(caught.value)


def test_an_unknown_name_brings_the_nearest_one():
    with pytest.raises(InputError) as caught:
        as_measure("ajusted_rand")
    assert str(caught.value) == (
        "No measure is called 'ajusted_rand'. Did you mean 'adjusted_rand'? "
        "sfumato.measures() lists the names."
    )
    with pytest.raises(InputError) as caught:
        as_measure("zzz")
    assert str(caught.value) == "No measure is called 'zzz'. sfumato.measures() lists the names."


@pytest.mark.parametrize(
    ("measure", "option", "value", "message"),
    [
        (Rand, "pairs", "foo", "Rand(pairs=...) takes 'distinct' or 'all', not 'foo'."),
        (
            PartitionDistance,
            "normalizer",
            "n1",
            "PartitionDistance(normalizer=...) takes 'n-1' or 'n', not 'n1'. Did you mean 'n-1'?",
        ),
        (
            NormalizedMutualInformation,
            "average",
            "aritmetic",
            "NormalizedMutualInformation(average=...) takes 'arithmetic' or 'geometric' or 'min' "
            "or 'max', not 'aritmetic'. Did you mean 'arithmetic'?",
        ),
        (
            AdjustedMutualInformation,
            "average",
            None,
            "AdjustedMutualInformation(average=...) takes 'arithmetic' or 'geometric' or 'min' "
            "or 'max', not None.",
        ),
        (
            NormalizedVariationOfInformation,
            "by",
            "joint",
            "NormalizedVariationOfInformation(by=...) takes 'log_n' or 'joint_entropy', "
            "not 'joint'.",
        ),
    ],
)
def test_a_wrong_option_names_the_choices(measure, option, value, message):
    with pytest.raises(InputError) as caught:
        measure(**{option: value})
    assert str(caught.value) == message


@pytest.mark.parametrize("measure", measures().values(), ids=repr)
def test_every_measure_says_what_it_is(measure):
    assert measure.reference in KEYS
    assert set(re.findall(r":cite:`([^`]+)`", type(measure).__doc__ or "")) <= KEYS
    assert measure.formula
    assert measure.cost.startswith("O(")
    assert measure.better in ("higher", "lower")
    assert measure.bounds[0] < measure.bounds[1]


def test_references_have_no_duplicate_keys():
    text = (ROOT / "docs" / "references.bib").read_text()
    assert len(re.findall(r"^@", text, re.M)) == len(KEYS)


def test_short_names_are_understood_and_suggested():
    for short, long in (
        ("ari", "adjusted_rand"),
        ("NMI", "normalized_mutual_information"),
        ("ami", "adjusted_mutual_information"),
        ("vi", "variation_of_information"),
        ("pd", "partition_distance"),
    ):
        assert as_measure(short) == measures()[long]
        assert short not in measures()
    with pytest.raises(InputError, match="Did you mean 'ari'"):
        as_measure("arii")
