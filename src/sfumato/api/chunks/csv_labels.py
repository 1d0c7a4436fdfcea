"""Labels of csv files: text, or whole numbers where every label is written as one."""

import re
from typing import Any

import numpy as np

from sfumato._optional import require
from sfumato.errors import InputError

__all__ = ["column_of_labels"]

_WHOLE = re.compile(r"0|-?[1-9]\d{0,17}")  # as Python writes it, within 64 bits


def column_of_labels(column: Any, name: str, *, must_be_whole: bool | None) -> Any:
    """A column of text as labels: `int64` if all are whole numbers, else a dictionary of text.

    So no two labels become one: 01 and 1 are different texts, and numbers beyond 64 bits stay text.
    ``column`` is a dictionary of text. ``must_be_whole`` says whether the first block of the file
    has whole numbers; it is None in the first block itself.
    """
    pa: Any = require("pyarrow", extra="parquet", needed_by="scan")
    entries = column.unify_dictionaries().combine_chunks()
    entries = entries.chunk(0) if hasattr(entries, "chunk") else entries
    texts = [text.strip() for text in entries.dictionary.to_pylist()]
    others = [at for at, text in enumerate(texts) if not _WHOLE.fullmatch(text)]
    if must_be_whole is None:
        _check_numbers(name, texts)
    if others and must_be_whole:
        row = int(np.argmax(np.isin(entries.indices.fill_null(-1), others)))
        raise InputError(
            f"column {name!r}: row {row} has {entries[row].as_py()!r}, and the first block of the "
            "file has int64: give the column one type, as in a parquet file."
        )
    if must_be_whole is False or others or not texts:
        return pa.DictionaryArray.from_arrays(entries.indices, pa.array(texts, pa.string()))
    return pa.array([int(text) for text in texts], pa.int64()).take(entries.indices)


def _check_numbers(name: str, texts: list[str]) -> None:
    try:
        numbers = [float(text) for text in texts]
    except ValueError:
        return
    known: dict[float, str] = {}
    for text, number in zip(texts, numbers, strict=True):
        if number % 1 != 0:
            raise InputError(
                f"column {name!r} has {text!r}: labels must not be fractions, and memberships take "
                "one column per cluster."
            )
        other = known.setdefault(number, text)
        if ("." in other) != ("." in text):
            raise InputError(
                f"column {name!r} has {other!r} and {text!r}: write each label in one way."
            )
