"""Summaries as tables of Arrow: plain lists of numbers, a version, and no pickle."""

import json
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from sfumato._optional import require
from sfumato._typing import Kind, Name
from sfumato.algorithms.moments.power_sums import PowerSums
from sfumato.errors import InputError
from sfumato.partitions.setlist import SetList
from sfumato.question.counted_pairs import CountedSide, PairCounts
from sfumato.question.drawn_tables import DrawnTables
from sfumato.question.moment_sums import MomentSums

if TYPE_CHECKING:
    from sfumato.api.summary import Summary

__all__ = ["from_arrow", "plain_of", "to_arrow"]

VERSION = 1
_KEY = b"sfumato.summary"

Arrays = dict[str, NDArray[np.generic]]
Header = dict[str, Any]


def plain_of(summary: "Summary") -> tuple[Header, Arrays]:
    """A summary as a header of plain values, and flat arrays by name."""
    header: Header = {
        "version": VERSION,
        "kinds": list(summary.kinds),
        "notes": list(summary.notes),
        "dtypes": list(summary.dtypes),
        "parts": {},
    }
    arrays: Arrays = {}
    drawn = summary.draws
    for name, counts in (
        ("counts", summary.counts),
        ("supports", summary.supports),
        ("draws", None if drawn is None else drawn.pairs),
    ):
        if counts is not None:
            header["parts"][name] = {
                which: {"kind": side.kind, "names": list(side.names)}
                for which, side in (("a", counts.a), ("b", counts.b))
            }
            arrays |= _arrays_of_counts(name, counts)
    if summary.sums is not None:
        sums = summary.sums
        header["parts"]["sums"] = {
            "kinds": list(sums.kinds),
            "a": list(sums.a),
            "b": list(sums.b),
            "n_objects": sums.n_objects,
            "order": sums.sums.order,
        }
        for part in ("rows", "columns", "cells"):
            arrays[f"sums.{part}"] = getattr(sums.sums, part).ravel()
    if drawn is not None:
        header["parts"]["draws"] |= {
            "kinds": list(drawn.kinds),
            "n_draws": drawn.n_draws,
            "n_open": drawn.n_open,
            "unsureness": drawn.unsureness,
            "seeds": sorted(drawn.seeds),
        }
        arrays |= {"draws.a_sizes": drawn.a_sizes.ravel(), "draws.b_sizes": drawn.b_sizes.ravel()}
    return header, arrays


def _arrays_of_counts(name: str, counts: PairCounts) -> Arrays:
    return {
        f"{name}.a.starts": counts.a.sets.starts,
        f"{name}.a.members": counts.a.sets.members,
        f"{name}.b.starts": counts.b.sets.starts,
        f"{name}.b.members": counts.b.sets.members,
        f"{name}.a_sets": counts.a_sets,
        f"{name}.b_sets": counts.b_sets,
        f"{name}.counts": counts.counts.ravel(),
    }


def to_arrow(summary: "Summary") -> Any:
    """A table of one row: a list of numbers in each column, the rest as JSON beside the schema."""
    pa = require("pyarrow", extra="parquet", needed_by="Summary.to_arrow")
    header, arrays = plain_of(summary)
    try:
        text = json.dumps(header, allow_nan=False)
        if json.loads(text) != header:
            raise TypeError("names change")
    except (TypeError, ValueError):
        raise InputError(
            "Names of clusters must be numbers or text to be written: rename the others first."
        ) from None
    columns = {name: pa.array([array.tolist()], _type(pa, array)) for name, array in arrays.items()}
    table = pa.table(columns)
    return table.replace_schema_metadata({_KEY: text})


def _type(pa: Any, array: NDArray[np.generic]) -> Any:
    return pa.list_(pa.float64() if array.dtype.kind == "f" else pa.int64())


def from_arrow(table: Any) -> "Summary":
    """Read what `to_arrow` wrote, and check it."""
    from sfumato.api.summary import Summary

    schema: Any = getattr(table, "schema", None)
    metadata: dict[bytes, bytes] = getattr(schema, "metadata", None) or {}
    if _KEY not in metadata:
        raise InputError("The table is no summary: it must come from Summary.to_arrow.")
    try:
        header = cast("Header", json.loads(metadata[_KEY]))
        version = header["version"]
        if isinstance(version, int) and version > VERSION:
            raise InputError(
                f"The summary is of version {version}, and this sfumato reads up to {VERSION}: "
                "install a later one."
            )
        arrays: Arrays = {name: np.array(table[name][0].as_py()) for name in table.column_names}
        parts = {
            name: _counts_of(name, header["parts"][name], arrays)
            for name in ("counts", "supports")
            if name in header["parts"]
        }
        kinds = header["kinds"]
        found = Summary(
            cast("tuple[Kind, Kind]", (kinds[0], kinds[1])),
            parts.get("counts"),
            _sums_of(header["parts"]["sums"], arrays) if "sums" in header["parts"] else None,
            parts.get("supports"),
            _draws_of(header["parts"]["draws"], arrays) if "draws" in header["parts"] else None,
            tuple(map(str, header["notes"])),
            (str(header["dtypes"][0]), str(header["dtypes"][1])),
        )
        if found.n_objects < 1:
            raise ValueError("no objects")
    except InputError:
        raise
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(f"The table is a damaged summary ({error!r}): write it anew.") from None
    return found


def _draws_of(header: Header, arrays: Arrays) -> DrawnTables:
    pairs = _counts_of("draws", header, arrays, n_draws=int(header["n_draws"]))
    sizes = [
        arrays[f"draws.{which}_sizes"].astype(float).reshape(6, len(side.names))
        for which, side in (("a", pairs.a), ("b", pairs.b))
    ]
    _check(len(set(pairs.counts.sum(axis=1).tolist())) == 1, "objects of draws")
    return DrawnTables(
        cast("tuple[Kind, Kind]", tuple(header["kinds"])),
        pairs,
        sizes[0],
        sizes[1],
        int(header["n_open"]),
        float(header["unsureness"]),
        frozenset(map(str, header["seeds"])),
    )


def _counts_of(name: str, header: Header, arrays: Arrays, n_draws: int | None = None) -> PairCounts:
    sides: list[CountedSide] = []
    for which in "ab":
        names = _names(header[which]["names"])
        starts, members = (
            arrays[f"{name}.{which}.{part}"].astype(np.int64) for part in ("starts", "members")
        )
        _check(starts[0] == 0 and starts[-1] == len(members), "starts of sets")
        _check(bool((np.diff(starts) >= 1).all()), "an empty set")
        _check_codes(members, len(names))
        kind = header[which]["kind"]
        _check(kind in ("hard", "rough"), "kind")
        sides.append(CountedSide(kind, names, SetList(starts, members)))
    codes = [arrays[f"{name}.{which}_sets"].astype(np.int64) for which in "ab"]
    counts = arrays[f"{name}.counts"].astype(np.int64)
    if n_draws is not None:
        counts = counts.reshape(n_draws, -1)
    for side, code in zip(sides, codes, strict=True):
        _check_codes(code, len(side.sets.starts) - 1)
        _check(len(code) == counts.shape[-1], "lengths")
    _check(bool((counts >= (n_draws is None)).all()), "counts")
    return PairCounts(sides[0], sides[1], codes[0], codes[1], counts)


def _sums_of(header: Header, arrays: Arrays) -> MomentSums:
    a, b = _names(header["a"]), _names(header["b"])
    order, n_objects = int(header["order"]), int(header["n_objects"])
    shapes = {"rows": (order, len(a)), "columns": (order, len(b)), "cells": (order, len(a), len(b))}
    found = [arrays[f"sums.{part}"].astype(float).reshape(shape) for part, shape in shapes.items()]
    _check(2 <= order <= 6 and all(bool(np.isfinite(each).all()) for each in found), "sums")
    kinds = tuple(header["kinds"])
    _check(len(kinds) == 2 and set(kinds) <= {"hard", "fuzzy"}, "kinds")
    are_hard = kinds[0] == "hard", kinds[1] == "hard"
    rows, columns, cells = found
    return MomentSums(kinds, a, b, PowerSums(n_objects, rows, columns, cells, are_hard))


def _names(given: Any) -> tuple[Name, ...]:
    names = tuple(given)
    _check(len(set(names)) == len(names) > 0, "names")
    return names


def _check_codes(codes: NDArray[np.int64], n_codes: int) -> None:
    _check(len(codes) > 0 and codes.min() >= 0 and codes.max() < n_codes, "codes")


def _check(is_good: object, what: str) -> None:
    if not is_good:
        raise ValueError(what)
