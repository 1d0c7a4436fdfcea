"""The measures, and the register that knows them by name."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

from sfumato._wording import either
from sfumato.errors import InputError
from sfumato.families import Adjusted, Affine, Family, Majority, Matching, Ratio, Separable
from sfumato.measures.adjusted_mutual_information import AdjustedMutualInformation
from sfumato.measures.adjusted_rand import AdjustedRand
from sfumato.measures.base import CellMeasure, Measure, ShapeBounded, value_range
from sfumato.measures.contingency import Contingency
from sfumato.measures.dice import Dice
from sfumato.measures.fowlkes_mallows import FowlkesMallows
from sfumato.measures.jaccard import Jaccard
from sfumato.measures.mutual_information import MutualInformation
from sfumato.measures.normalized_mutual_information import NormalizedMutualInformation
from sfumato.measures.normalized_variation_of_information import NormalizedVariationOfInformation
from sfumato.measures.options import did_you_mean
from sfumato.measures.partition_distance import PartitionDistance
from sfumato.measures.purity import Purity
from sfumato.measures.rand import Rand
from sfumato.measures.v_measure import Completeness, Homogeneity, VMeasure
from sfumato.measures.variation_of_information import VariationOfInformation

__all__ = [
    "Adjusted",
    "AdjustedMutualInformation",
    "AdjustedRand",
    "Affine",
    "CellMeasure",
    "Completeness",
    "Contingency",
    "Dice",
    "Family",
    "FowlkesMallows",
    "Homogeneity",
    "Jaccard",
    "Majority",
    "Matching",
    "Measure",
    "MutualInformation",
    "NormalizedMutualInformation",
    "NormalizedVariationOfInformation",
    "PartitionDistance",
    "Purity",
    "Rand",
    "Ratio",
    "Separable",
    "ShapeBounded",
    "VMeasure",
    "VariationOfInformation",
    "as_measure",
    "full_name",
    "measures",
    "register_measure",
    "value_range",
]

_REGISTER: dict[str, Measure] = {
    measure.name: measure
    for measure in (
        Rand(),
        AdjustedRand(),
        Jaccard(),
        Dice(),
        FowlkesMallows(),
        PartitionDistance(),
        MutualInformation(),
        NormalizedMutualInformation(),
        AdjustedMutualInformation(),
        Homogeneity(),
        Completeness(),
        VMeasure(),
        VariationOfInformation(),
        NormalizedVariationOfInformation(),
        Purity(),
    )
}


# Short names by which users know the measures; `measures` lists the long ones.
_ALIASES = {
    "ri": "rand",
    "ari": "adjusted_rand",
    "fm": "fowlkes_mallows",
    "mi": "mutual_information",
    "nmi": "normalized_mutual_information",
    "ami": "adjusted_mutual_information",
    "vi": "variation_of_information",
    "nvi": "normalized_variation_of_information",
    "pd": "partition_distance",
}


def measures() -> Mapping[str, Measure]:
    """List the measures that are known by name, in the order of their registration.

    Returns
    -------
    mapping of str to Measure
        A read-only copy.

    Examples
    --------
    >>> list(measures())[:3]
    ['rand', 'adjusted_rand', 'jaccard']
    """
    return MappingProxyType(dict(_REGISTER))


def register_measure(measure: Measure) -> None:
    """Make a measure known by its name, for ``compare(measure=...)`` and listings.

    Registering an equal measure again changes nothing.

    Raises
    ------
    InputError
        If it is not a measure, or if another one has its name.

    Examples
    --------
    >>> register_measure(Rand())
    >>> measures()["rand"]
    Rand(pairs='distinct')
    """
    if not isinstance(cast(object, measure), Measure):
        raise InputError(_not_a_measure(measure))
    known = _REGISTER.setdefault(measure.name, measure)
    if known != measure:
        raise InputError(
            f"The name {measure.name!r} already stands for {known!r}. "
            "Give the new measure another name."
        )


def full_name(name: str) -> str:
    """The name of the measure that a short name stands for; any other name as it is.

    >>> full_name("ARI")
    'adjusted_rand'
    """
    return name if name in _REGISTER else _ALIASES.get(name.lower(), name)


def as_measure(measure: object) -> Measure:
    """Find the measure that a name stands for; a measure stands for itself.

    Short names stand for the measures they abbreviate, unless a measure was registered under one
    of them: ri, ari, fm, mi, nmi, ami, vi, nvi and pd.

    Raises
    ------
    InputError
        If the name is unknown, or if it is neither a name nor a measure.

    Examples
    --------
    >>> as_measure("purity")
    Purity()
    >>> as_measure("ari")
    AdjustedRand()
    >>> as_measure(Rand(pairs="all"))
    Rand(pairs='all')
    """
    if isinstance(measure, Measure):
        return measure
    if not isinstance(measure, str):
        raise InputError(_not_a_measure(measure))
    if measure.startswith("indices."):
        raise InputError(
            f"{measure!r} is an index, not a measure: call sfumato.{measure}(a, b) for the number, "
            "or pass the name to evaluate or pairwise."
        )
    name = full_name(measure)
    if name not in _REGISTER:
        hint = did_you_mean(measure, (*_REGISTER, *_ALIASES))
        raise InputError(
            f"No measure is called {measure!r}.{hint} {_where_listed()} lists the names."
        )
    return _REGISTER[name]


def _not_a_measure(given: object) -> str:
    kind, is_callable = type(given).__name__, callable(given)
    if isinstance(given, type) and issubclass(given, Measure):
        return f"{given.__name__} is a class; pass an instance: {given.__name__}()."
    if is_callable:
        return (
            f"{given!r} is a function, not a measure: wrap it with "
            "sfumato.Measure.from_function(function, name=..., better=...)."
        )
    return (
        f"A measure is a name or a Measure, not {given!r} ({kind}). "
        f"{_where_listed()} lists the names."
    )


def _where_listed() -> str:
    return either("sfumato.measures()", "`sfumato measures`")
