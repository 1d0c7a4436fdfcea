"""What a row of a report can be about: measures, and indices, by the labels of their rows."""

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from sfumato.errors import InputError, UnsupportedError
from sfumato.measures import Measure, as_measure

if TYPE_CHECKING:
    from sfumato.indices.base import Index

__all__ = ["Asked", "IndexFunction", "asked_of", "label_of", "listed", "listed_measures"]

Asked: TypeAlias = "Measure | Index"
IndexFunction: TypeAlias = Callable[..., float]  # one of `sfumato.indices`, or a partial of one


def asked_of(measure: object) -> Asked:
    """The index that is meant, if one is; else the measure."""
    is_name = isinstance(measure, str) and not measure.startswith("indices.")
    if is_name or isinstance(measure, Measure):
        return as_measure(measure)
    from sfumato.indices.registry import as_index  # loaded only when an index may be meant

    return as_index(measure) or as_measure(measure)


def listed(measures: object) -> dict[str, Asked]:
    """The measures and indices by the labels of their rows."""
    try:
        is_one = isinstance(measures, str | Measure) or callable(measures)
        given = [measures] if is_one else list(cast("Iterable[object]", measures))
    except TypeError:
        raise InputError(f"measures is a list of names or measures, got {measures!r}.") from None
    if not given:
        raise InputError("No measure was given; for instance measures=('rand',).")
    chosen = [asked_of(measure) for measure in given]
    names = [label_of(measure) for measure in chosen]
    labels = [
        name if names.count(name) == 1 else _with_options(measure)
        for name, measure in zip(names, chosen, strict=True)
    ]
    if len(set(labels)) < len(labels):
        twice = max(labels, key=labels.count)
        raise InputError(
            f"Two measures are called {twice!r}, so their rows could not be told apart: evaluate "
            "them one after the other."
        )
    return dict(zip(labels, chosen, strict=True))


def listed_measures(measures: object) -> dict[str, Measure]:
    """Measures by the labels of their rows, where indices are not taken."""
    every = listed(measures)
    found = {label: asked for label, asked in every.items() if isinstance(asked, Measure)}
    if len(found) < len(every):
        index = next(label for label in every if label not in found)
        raise UnsupportedError(
            f"{index} is an index, whose formula needs the objects: use evaluate on the partitions."
        )
    return found


def label_of(asked: Asked) -> str:
    """The name of a measure, or the label of an index."""
    return asked.name if isinstance(asked, Measure) else asked.label


def _with_options(measure: Asked) -> str:
    """The name of a measure and its options, as they would be typed."""
    if not isinstance(measure, Measure) or not is_dataclass(measure):
        return label_of(measure)
    values = {field.name: getattr(measure, field.name) for field in fields(measure)}
    named = {name: value for name, value in values.items() if name != "name"}
    options = [f"{name}={value!r}" for name, value in named.items() if isinstance(value, str)]
    return f"{measure.name}({', '.join(options)})" if options else measure.name
