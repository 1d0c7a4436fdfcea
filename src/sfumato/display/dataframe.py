"""Make dataframes of plain rows."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from sfumato._optional import require
from sfumato.errors import InputError

if TYPE_CHECKING:
    import pandas
    import polars

__all__ = ["Frame", "FrameLibrary", "frame"]

FrameLibrary: TypeAlias = Literal["pandas", "polars"]
Frame: TypeAlias = "pandas.DataFrame | polars.DataFrame"


def frame(
    rows: Sequence[Mapping[str, object]], library: FrameLibrary, *, needed_by: str
) -> "Frame":
    """A frame of pandas or polars with one column for each key.

    >>> frame([{"a": 1}], "pandas", needed_by="this example").shape
    (1, 1)
    """
    if library not in ("pandas", "polars"):
        raise InputError(f"A frame is made by 'pandas' or 'polars', got {library!r}.")
    made = require(library, extra="all", needed_by=needed_by)
    plain = [dict(row) for row in rows]
    if library == "polars":  # types from all rows: the first may hold None
        return cast("Frame", made.DataFrame(plain, infer_schema_length=None))
    return cast("Frame", made.DataFrame(plain))
