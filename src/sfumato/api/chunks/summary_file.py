"""Summaries as tables of Arrow: plain lists of numbers, a version, and no pickle."""

import json
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato._optional import require
from sfumato._typing import Kind, Name
from sfumato.algorithms.moments.power_sums import PowerSums
from sfumato.api.chunks.second_round_file import arrays_of_spread, spread_of
from sfumato.api.chunks.stored_arrays import ROUNDING, Arrays, check, check_sizes, integers
from sfumato.errors import InputError
from sfumato.partitions.setlist import SetList
from sfumato.question.counted_pairs import CountedSide, PairCounts
from sfumato.question.drawn_tables import MOST_CLUSTERS, DrawnTables
from sfumato.question.moment_sums import MomentSums, SummedKind

if TYPE_CHECKING:
    from sfumato.api.chunks.summary import Summary

__all__ = ["from_arrow", "plain_of", "to_arrow"]

VERSION = 1
_KEY = b"sfumato.summary"

Header = dict[str, Any]
_Kind = TypeVar("_Kind", bound=str)


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
        if sums.sums.spread is not None:
            arrays |= arrays_of_spread(sums.sums.spread)
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
    kinds = {"f": pa.list_(pa.float64()), "i": pa.list_(pa.int64())}
    columns = {
        name: pa.array([array.tolist()], kinds[array.dtype.kind]) for name, array in arrays.items()
    }
    return pa.table(columns).replace_schema_metadata({_KEY: text})


def from_arrow(table: Any) -> "Summary":
    """Read what `to_arrow` wrote, and check it."""
    from sfumato.api.chunks.summary import Summary

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
        check(type(version) is int and version >= 1, "version")
        if table.num_rows > 1:
            raise InputError(
                f"The table holds {table.num_rows:,} summaries: read its rows one by one, as "
                "from_arrow(table.slice(at, 1)), and add them."
            )
        arrays: Arrays = {name: np.array(table[name][0].as_py()) for name in table.column_names}
        parts = {
            name: _counts_of(name, header["parts"][name], arrays)
            for name in ("counts", "supports")
            if name in header["parts"]
        }
        found = Summary(
            _kinds(header["kinds"], get_args(Kind)),
            parts.get("counts"),
            _sums_of(header["parts"]["sums"], arrays) if "sums" in header["parts"] else None,
            parts.get("supports"),
            _draws_of(header["parts"]["draws"], arrays) if "draws" in header["parts"] else None,
            _texts(header["notes"]),
            (str(header["dtypes"][0]), str(header["dtypes"][1])),
        )
        _check_whole(found)
    except InputError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InputError(f"The table is a damaged summary ({error!r}): write it anew.") from None
    return found


def _check_whole(found: "Summary") -> None:
    """Parts must be there, speak of the same objects, and be of the kinds of the summary."""
    parts = [
        part for part in (found.counts, found.sums, found.supports, found.draws) if part is not None
    ]
    check(len(parts) > 0, "parts")
    check(len({part.n_objects for part in parts}) == 1 and found.n_objects >= 1, "objects")
    check(found.sums is None or found.sums.kinds == found.kinds, "kinds")
    masses = tuple("evidential" if kind == "possibilistic" else kind for kind in found.kinds)
    check(found.draws is None or found.draws.kinds == masses, "kinds")
    if found.counts is not None:
        check((found.counts.a.kind, found.counts.b.kind) == found.kinds, "kinds")


def _draws_of(header: Header, arrays: Arrays) -> DrawnTables:
    pairs = _counts_of("draws", header, arrays, n_draws=_whole(header["n_draws"]))
    sizes = [
        arrays[f"draws.{which}_sizes"].astype(float).reshape(6, len(side.names))
        for which, side in (("a", pairs.a), ("b", pairs.b))
    ]
    check(len(set(pairs.counts.sum(axis=1).tolist())) == 1, "objects of draws")
    check(max(len(pairs.a.names), len(pairs.b.names)) <= MOST_CLUSTERS, "clusters of draws")
    for each in sizes:
        check_sizes(each, "sizes")
    n_open, unsureness = _whole(header["n_open"]), float(header["unsureness"])
    check(0 <= n_open <= pairs.counts[0].sum() and 0 <= unsureness <= n_open / 4 + 1, "choices")
    return DrawnTables(
        _kinds(header["kinds"], get_args(Kind)),
        pairs,
        sizes[0],
        sizes[1],
        n_open,
        unsureness,
        frozenset(_texts(header["seeds"])),
    )


def _counts_of(name: str, header: Header, arrays: Arrays, n_draws: int | None = None) -> PairCounts:
    sides: list[CountedSide] = []
    for which in "ab":
        names = _names(header[which]["names"])
        starts, members = (
            integers(arrays[f"{name}.{which}.{part}"]) for part in ("starts", "members")
        )
        check(starts[0] == 0 and starts[-1] == len(members), "starts of sets")
        check(np.diff(starts) >= 1, "an empty set")
        _check_codes(members, len(names))
        kind = header[which]["kind"]
        check(kind in ("hard", "rough"), "kind")
        owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        check(np.diff(owners * len(names) + members) > 0, "members of sets")
        if kind == "hard":
            check(np.array_equal(members, np.arange(len(starts) - 1)), "clusters")
        sides.append(CountedSide(kind, names, SetList(starts, members)))
    codes = [integers(arrays[f"{name}.{which}_sets"]) for which in "ab"]
    counts = integers(arrays[f"{name}.counts"])
    if n_draws is not None:
        counts = counts.reshape(n_draws, -1)
    for side, code in zip(sides, codes, strict=True):
        _check_codes(code, len(side.sets.starts) - 1)
        check(len(code) == counts.shape[-1], "lengths")
    check(counts >= (n_draws is None), "counts")
    check(float(counts.sum(axis=-1, dtype=float).max()) < 2**62, "counts")
    pairs = codes[0] * (len(sides[1].sets.starts) - 1) + codes[1]
    check(len(np.unique(pairs)) == len(pairs), "pairs of sets")
    return PairCounts(sides[0], sides[1], codes[0], codes[1], counts)


def _sums_of(header: Header, arrays: Arrays) -> MomentSums:
    a, b = _names(header["a"]), _names(header["b"])
    order, n_objects = _whole(header["order"]), _whole(header["n_objects"])
    shapes = {"rows": (order, len(a)), "columns": (order, len(b)), "cells": (order, len(a), len(b))}
    found = [arrays[f"sums.{part}"].astype(float).reshape(shape) for part, shape in shapes.items()]
    check(2 <= order <= 6, "order")
    for each in found:
        check_sizes(each, "sums")
        check(abs(float(each[0].sum()) - n_objects) <= ROUNDING * n_objects, "objects of sums")
        check(np.diff(each, axis=0) <= ROUNDING * n_objects, "sums of powers")
    kinds = _kinds(header["kinds"], get_args(SummedKind))
    are_hard = kinds[0] == "hard", kinds[1] == "hard"
    rows, columns, cells = found
    for is_hard, sums in zip(are_hard, (rows, columns), strict=True):
        check(not is_hard or (sums == sums[0].round()).all(), "sums of labels")
    sums = PowerSums(n_objects, rows, columns, cells, are_hard)
    return MomentSums(kinds, a, b, sums._replace(spread=spread_of(arrays, sums)))


def _kinds(given: Any, known: tuple[_Kind, ...]) -> tuple[_Kind, _Kind]:
    """The kinds of both sides, out of those that can be."""
    kinds = cast("list[_Kind]", given)
    check(isinstance(given, list) and len(kinds) == 2 and set(kinds) <= set(known), "kinds")
    return kinds[0], kinds[1]


def _texts(given: Any) -> tuple[str, ...]:
    check(isinstance(given, list), "texts")
    return tuple(map(str, given))


def _whole(given: Any) -> int:
    check(type(given) is int, "a whole number")
    return given


def _names(given: Any) -> tuple[Name, ...]:
    check(isinstance(given, list), "names")
    names = tuple(given)
    check(all(isinstance(name, str | int | float) for name in names), "names")
    check(len(set(names)) == len(names) > 0, "names")
    return names


def _check_codes(codes: NDArray[np.int64], n_codes: int) -> None:
    check(len(codes) > 0 and codes.min() >= 0 and codes.max() < n_codes, "codes")
