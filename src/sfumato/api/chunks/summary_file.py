"""Summaries as tables of Arrow: plain lists of numbers, a version, and no pickle."""

import json
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_args

import numpy as np
from numpy.typing import NDArray

from sfumato._optional import require
from sfumato._typing import Floats, Ints, Kind, Name
from sfumato.algorithms.moments.counts import FITS, CountLaw, n_nodes
from sfumato.algorithms.moments.pair_means import ObjectSums, n_features
from sfumato.algorithms.moments.power_sums import LogSums, PowerSums, SpreadSums
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
_ROUNDING = 1e-4  # of sums of memberships, each of which may be off by as much as is taken

Header = dict[str, Any]
Arrays = dict[str, NDArray[np.generic]]
_Kind = TypeVar("_Kind", bound=str)


def plain_of(summary: "Summary") -> tuple[Header, Arrays]:
    """A summary as a header of plain values, and flat arrays by name."""
    parts: Header = {}
    arrays: Arrays = {}
    drawn, summed = summary.draws, summary.sums
    for name, counts in (
        ("counts", summary.counts),
        ("supports", summary.supports),
        ("draws", None if drawn is None else drawn.pairs),
    ):
        if counts is None:
            continue
        sides = {"a": counts.a, "b": counts.b}
        parts[name] = {
            which: {"kind": side.kind, "names": list(side.names)} for which, side in sides.items()
        }
        for which, side in sides.items():
            arrays[f"{name}.{which}.starts"] = side.sets.starts
            arrays[f"{name}.{which}.members"] = side.sets.members
        for part in ("a_sets", "b_sets", "counts"):
            arrays[f"{name}.{part}"] = getattr(counts, part).ravel()
    if summed is not None:
        parts["sums"] = {
            "kinds": list(summed.kinds),
            "a": list(summed.a),
            "b": list(summed.b),
            "n_objects": summed.n_objects,
            "order": summed.sums.order,
        }
        for part in ("rows", "columns", "cells"):
            arrays[f"sums.{part}"] = getattr(summed.sums, part).ravel()
        if summed.sums.spread is not None:
            arrays |= _arrays_of_spread(summed.sums.spread)
    if drawn is not None:
        parts["draws"] |= {
            "kinds": list(drawn.kinds),
            "n_draws": drawn.n_draws,
            "n_open": drawn.n_open,
            "unsureness": drawn.unsureness,
            "seeds": sorted(drawn.seeds),
        }
        for which, sizes in zip("ab", drawn.sizes, strict=True):
            arrays[f"draws.{which}_sizes"] = sizes.ravel()
    lists = {name: list(getattr(summary, name)) for name in ("kinds", "notes", "dtypes")}
    return {"version": VERSION, **lists, "parts": parts}, arrays


def _arrays_of_spread(spread: SpreadSums) -> Arrays:
    """What a second round found."""
    found: Arrays = {
        f"spread.{name}": np.ravel(part) for name, part in spread.pairs._asdict().items()
    }
    found["spread.products"] = spread.products.ravel()
    if spread.features is not None:
        found["spread.features"] = spread.features.ravel()
    found |= {f"nodes.{name}": part.ravel() for name, part in spread.nodes._asdict().items()}
    laws = spread.laws
    probabilities = [law.probabilities for law in laws]
    return found | {
        "laws.firsts": np.array([law.first for law in laws], dtype=np.int64),
        "laws.lengths": np.array([len(each) for each in probabilities], dtype=np.int64),
        "laws.probabilities": np.concatenate([np.empty(0), *probabilities]),
        "laws.lost": np.array([law.lost for law in laws], dtype=np.float64),
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
        _check(type(version) is int and version >= 1, "version")
        if table.num_rows > 1:
            raise InputError(
                f"The table holds {table.num_rows:,} summaries: read its rows one by one, as "
                "from_arrow(table.slice(at, 1)), and add them."
            )
        arrays: Arrays = {name: np.array(table[name][0].as_py()) for name in table.column_names}
        parts = header["parts"]
        counts, supports = (
            _counts_of(name, parts[name], arrays) if name in parts else None
            for name in ("counts", "supports")
        )
        found = Summary(
            _kinds(header["kinds"], get_args(Kind)),
            counts,
            _sums_of(parts["sums"], arrays) if "sums" in parts else None,
            supports,
            _draws_of(parts["draws"], arrays) if "draws" in parts else None,
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
    _check(len(parts) > 0, "parts")
    _check(len({part.n_objects for part in parts}) == 1 and found.n_objects >= 1, "objects")
    _check(found.sums is None or found.sums.kinds == found.kinds, "kinds")
    masses = tuple("evidential" if kind == "possibilistic" else kind for kind in found.kinds)
    _check(found.draws is None or found.draws.kinds == masses, "kinds")
    if found.counts is not None:
        _check((found.counts.a.kind, found.counts.b.kind) == found.kinds, "kinds")


def _draws_of(header: Header, arrays: Arrays) -> DrawnTables:
    pairs = _counts_of("draws", header, arrays, n_draws=_whole(header["n_draws"]))
    sizes = [
        arrays[f"draws.{which}_sizes"].astype(float).reshape(6, len(side.names))
        for which, side in (("a", pairs.a), ("b", pairs.b))
    ]
    _check(len(set(pairs.counts.sum(axis=1).tolist())) == 1, "objects of draws")
    _check(max(len(pairs.a.names), len(pairs.b.names)) <= MOST_CLUSTERS, "clusters of draws")
    for each in sizes:
        _check_sizes(each, "sizes")
    n_open, unsureness = _whole(header["n_open"]), float(header["unsureness"])
    _check(0 <= n_open <= pairs.counts[0].sum() and 0 <= unsureness <= n_open / 4 + 1, "choices")
    return DrawnTables(
        _kinds(header["kinds"], get_args(Kind)),
        pairs,
        (sizes[0], sizes[1]),
        n_open,
        unsureness,
        frozenset(_texts(header["seeds"])),
    )


def _counts_of(name: str, header: Header, arrays: Arrays, n_draws: int | None = None) -> PairCounts:
    sides: list[CountedSide] = []
    for which in "ab":
        names = _names(header[which]["names"])
        starts, members = (
            _integers(arrays[f"{name}.{which}.{part}"]) for part in ("starts", "members")
        )
        _check(starts[0] == 0 and starts[-1] == len(members), "starts of sets")
        _check(np.diff(starts) >= 1, "an empty set")
        _check_codes(members, len(names))
        kind = header[which]["kind"]
        _check(kind in ("hard", "rough"), "kind")
        owners = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        _check(np.diff(owners * len(names) + members) > 0, "members of sets")
        if kind == "hard":
            _check(np.array_equal(members, np.arange(len(starts) - 1)), "clusters")
        sides.append(CountedSide(kind, names, SetList(starts, members)))
    codes = [_integers(arrays[f"{name}.{which}_sets"]) for which in "ab"]
    counts = _integers(arrays[f"{name}.counts"])
    if n_draws is not None:
        counts = counts.reshape(n_draws, -1)
    for side, code in zip(sides, codes, strict=True):
        _check_codes(code, len(side.sets.starts) - 1)
        _check(len(code) == counts.shape[-1], "lengths")
    _check(counts >= (n_draws is None), "counts")
    _check(float(counts.sum(axis=-1, dtype=float).max()) < 2**62, "counts")
    pairs = codes[0] * (len(sides[1].sets.starts) - 1) + codes[1]
    _check(len(np.unique(pairs)) == len(pairs), "pairs of sets")
    return PairCounts(sides[0], sides[1], codes[0], codes[1], counts)


def _sums_of(header: Header, arrays: Arrays) -> MomentSums:
    a, b = _names(header["a"]), _names(header["b"])
    order, n_objects = _whole(header["order"]), _whole(header["n_objects"])
    shapes = {"rows": (order, len(a)), "columns": (order, len(b)), "cells": (order, len(a), len(b))}
    found = [arrays[f"sums.{part}"].astype(float).reshape(shape) for part, shape in shapes.items()]
    _check(2 <= order <= 6, "order")
    for each in found:
        _check_sizes(each, "sums")
        _check(abs(float(each[0].sum()) - n_objects) <= _ROUNDING * n_objects, "objects of sums")
        _check(np.diff(each, axis=0) <= _ROUNDING * n_objects, "sums of powers")
    kinds = _kinds(header["kinds"], get_args(SummedKind))
    are_hard = kinds[0] == "hard", kinds[1] == "hard"
    rows, columns, cells = found
    for is_hard, sums in zip(are_hard, (rows, columns), strict=True):
        _check(not is_hard or (sums == sums[0].round()).all(), "sums of labels")
    sums = PowerSums(n_objects, rows, columns, cells, are_hard)
    return MomentSums(kinds, a, b, sums._replace(spread=_spread_of(arrays, sums)))


def _spread_of(arrays: Arrays, sums: PowerSums) -> SpreadSums | None:
    """The second round of these arrays, if there was one, after the sums of the first."""
    if "spread.products" not in arrays:
        return None
    found = {
        name.removeprefix("spread."): array.astype(float)
        for name, array in arrays.items()
        if name.startswith("spread.")
    }
    _check(all(np.isfinite(array).all() for array in found.values()), "second round")
    pairs = ObjectSums(
        *(found[name].reshape(9) for name in ("linear", "crossed", "own")),
        *(found[name].reshape(()) for name in ("unsure", "unsure_squares")),
    )
    features, (n_rows, n_columns) = found.get("features"), sums.cells[0].shape
    if features is not None:
        features = features.reshape(n_features((n_rows, n_columns), sums.are_hard))
    products = found["products"].reshape(3, 3, 3)
    nodes, laws = _nodes_of(arrays, sums), _laws_of(arrays, sums)
    return SpreadSums(sums.n_objects, pairs, products, features, nodes, laws)


def _nodes_of(arrays: Arrays, sums: PowerSums) -> LogSums:
    rows, columns, fits = (_integers(arrays[f"nodes.{name}"]) for name in LogSums._fields[:3])
    scales, totals, logs, slopes = (
        arrays[f"nodes.{name}"].astype(float) for name in LogSums._fields[3:]
    )
    _check(len(rows) == len(columns) == len(fits) == len(scales), "counts of nodes")
    for places, size in zip((rows, columns), sums.cells[0].shape, strict=True):
        _check((places >= -1) & (places < size), "counts of nodes")
    _check((rows >= 0) | (columns >= 0), "counts of nodes")
    numbers = rows * (sums.cells.shape[2] + 1) + columns
    _check(len(np.unique(numbers)) == len(numbers), "counts of nodes")
    _check((fits >= 0) & (fits < len(FITS)), "fits")
    _check((scales >= 1) & (scales <= sums.n_objects), "scales")
    _check(len(logs) == len(slopes) == n_nodes(fits).sum(), "nodes")
    for part in (totals, -logs, slopes):
        _check_sizes(part, "sums at nodes")
    totals = totals.reshape(3, len(fits))
    off = np.abs(totals[0] - sums.means_of(rows, columns))
    _check(off <= _ROUNDING * sums.n_objects, "means at nodes")
    return LogSums(rows, columns, fits, scales, totals, logs, slopes)


def _laws_of(arrays: Arrays, sums: PowerSums) -> tuple[CountLaw, ...]:
    firsts, lengths = (_integers(arrays[f"laws.{name}"]) for name in ("firsts", "lengths"))
    probabilities, lost = (
        arrays[f"laws.{name}"].astype(float) for name in ("probabilities", "lost")
    )
    n_fuzzy = sums.cells[0].shape[sums.are_hard.index(False)] if sum(sums.are_hard) == 1 else 0
    _check(len(firsts) in (0, n_fuzzy), "laws")
    _check(len(firsts) == len(lengths) == len(lost) and lengths.sum() == len(probabilities), "laws")
    is_inside = (firsts >= 0) & (lengths >= 1) & (firsts + lengths <= sums.n_objects + 1)
    _check(is_inside & (lost >= 0) & (lost <= _ROUNDING), "laws")
    _check_sizes(probabilities, "laws")
    each = np.split(probabilities, np.cumsum(lengths)[:-1]) if len(lengths) else []
    _check(all(abs(float(law.sum()) - 1) <= _ROUNDING for law in each), "laws")
    return tuple(map(CountLaw, firsts.tolist(), each, lost.tolist()))


def _kinds(given: Any, known: tuple[_Kind, ...]) -> tuple[_Kind, _Kind]:
    """The kinds of both sides, out of those that can be."""
    kinds = cast("list[_Kind]", given)
    _check(isinstance(given, list) and len(kinds) == 2 and set(kinds) <= set(known), "kinds")
    return kinds[0], kinds[1]


def _texts(given: Any) -> tuple[str, ...]:
    _check(isinstance(given, list), "texts")
    return tuple(map(str, given))


def _whole(given: Any) -> int:
    _check(type(given) is int, "a whole number")
    return given


def _names(given: Any) -> tuple[Name, ...]:
    _check(isinstance(given, list), "names")
    names = tuple(given)
    _check(all(isinstance(name, str | int | float) for name in names), "names")
    _check(len(set(names)) == len(names) > 0, "names")
    return names


def _check_codes(codes: Ints, n_codes: int) -> None:
    _check(len(codes) > 0 and codes.min() >= 0 and codes.max() < n_codes, "codes")


def _check(is_good: "NDArray[np.bool_] | np.bool_ | bool", what: str) -> None:
    """Raise a ValueError that names what is wrong, unless everything is good."""
    if not np.all(is_good):
        raise ValueError(what)


def _check_sizes(array: Floats, what: str) -> None:
    """Numbers must be finite and not negative."""
    _check(np.isfinite(array) & (array >= 0), what)


def _integers(array: NDArray[np.generic]) -> Ints:
    is_empty = array.size == 0  # and its dtype is lost
    _check(array.ndim == 1 and (is_empty or array.dtype == np.int64), "integers")
    return array.astype(np.int64)
