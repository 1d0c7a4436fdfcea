"""Let a frame count pairs of labels itself: one `group_by(...).len()`, wherever it is computed."""

from typing import Any, cast

import numpy as np

from sfumato.api.chunks.arrow_chunk import Columns, Named, partition_of_column
from sfumato.api.chunks.summary import Summary
from sfumato.errors import InputError
from sfumato.partitions.base import independent
from sfumato.question.counted_pairs import PairCounts

__all__ = ["counted_by_frame"]


def counted_by_frame(frame: object, columns: Columns) -> Summary | None:
    """Counts of pairs of labels or masks, found by the library of the frame.

    None where a column is neither of labels nor of truth values, some of them are wrong, or the
    library cannot count them.
    """
    import narwhals as nw

    native: Any = nw.from_native(cast("Any", frame))
    schema: Any = native.collect_schema()
    if columns.kinds != (None, None) or not all(
        _is_counted(schema, side) for side in (columns.a, columns.b)
    ):
        return None
    # Names that cannot clash, whatever the columns are called.
    keys = {name: f"key {at}" for at, name in enumerate(columns.names)}
    count = "objects"
    while count in keys:
        count += "_"
    chosen = native.select(*(nw.col(name).alias(key) for name, key in keys.items()))
    try:
        table = _collected(chosen.group_by(*keys.values()).agg(nw.len().alias(count)))
    except Exception:  # of any library; where the rows are read it is seen what is wrong
        return None
    if len(table) == 0:
        raise InputError("The frame has no rows.")
    counts = np.asarray(table.column(count).to_numpy(), dtype=np.int64)
    for name, key in keys.items():
        if missing := int(counts[np.asarray(table.column(key).is_null())].sum()):
            raise InputError(
                f"column {name!r} has {missing:,} missing labels in {counts.sum():,} rows: "
                f"{_how_to_find(native, name, columns.names)}, or fill them in."
            )
    table = table.select([*keys.values(), count]).rename_columns([*keys, count])
    try:
        sides = [partition_of_column(table, side, None) for side in (columns.a, columns.b)]
    except InputError:  # which rows of the frame are wrong is seen where they are read
        return None
    a, b = (independent(side, "A summary") for side in sides)
    return Summary((a.kind, b.kind), counts=PairCounts.of(a, b, counts))


def _is_counted(schema: Any, side: Named) -> bool:
    """Whether a side is a column of labels, or several of truth values."""
    if isinstance(side, tuple):
        return all(str(schema[name]) == "Boolean" for name in side)
    kind = schema[side]
    return kind.is_integer() or str(kind) in ("String", "Categorical") or str(kind)[:4] == "Enum"


def _collected(frame: Any) -> Any:
    import narwhals as nw

    if not isinstance(frame, nw.LazyFrame):
        return frame.to_arrow()
    options = {"engine": "streaming"} if frame.implementation.is_polars() else {}
    return frame.collect("pyarrow", **options).to_native()


def _how_to_find(frame: Any, name: str, names: list[str]) -> str:
    """How rows without a label are seen and dropped, in the words of the library of the frame."""
    import narwhals as nw

    if not isinstance(frame, nw.LazyFrame):
        row = frame.get_column(name).is_null().arg_true()[0]
        return f"the first is in row {row}; drop these rows"
    kind = frame.implementation
    if kind.is_duckdb():
        quoted = ['"' + each.replace('"', '""') + '"' for each in (name, *names)]
        seen = f"filter({f'{quoted[0]} is null'!r})"
        dropped = f"filter({' and '.join(f'{each} is not null' for each in quoted[1:])!r})"
    elif kind.is_dask():
        seen, dropped = f"loc[lambda x: x[{name!r}].isna()]", f"dropna(subset={names!r})"
    else:
        seen, dropped = f"filter(pl.col({name!r}).is_null())", f"drop_nulls({names!r})"
    return f"frame.{seen} shows them, and frame.{dropped} drops them"
