"""The door for data that is not in memory: columns of files and frames, read in chunks."""

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from os import cpu_count
from typing import cast, final, get_args

from sfumato._typing import Kind, Quantity, RandomSource
from sfumato.api.chunks.arrow_chunk import Columns, Named
from sfumato.api.chunks.push_down import counted_by_frame
from sfumato.api.chunks.scan_sources import Size, Source, source_of
from sfumato.api.chunks.second_round import check_rounds
from sfumato.api.chunks.summarize import in_rounds, keep_for, n_objects_of
from sfumato.api.chunks.summary import Summary
from sfumato.api.spread import check_executor
from sfumato.display.text import duration
from sfumato.engines import Engine
from sfumato.errors import InputError
from sfumato.measures import Measure
from sfumato.partitions.reading.checks import check_choice
from sfumato.question.kept import NEEDS, Need
from sfumato.results.comparison import Comparison
from sfumato.results.report import Report

__all__ = ["Scan", "ScanPlan", "scan"]

_SECONDS_PER_BYTE, _SECONDS_PER_OBJECT = 2e-9, 5e-9
_STREAMED = 4  # chunks that are given to an executor at once, where they come one by one
_SECOND_ROUND = 10.0  # times the first one


@final
@dataclass(frozen=True, repr=False)
class ScanPlan:
    """What a scan would read, and keep.

    Attributes
    ----------
    source : str
    passes : int
        How often the data are read: once for each round; labels and sets once in any case.
    n_objects, n_chunks, bytes : int or None
        As far as they are known before reading; bytes are those of the columns, decompressed.
    seconds : float or None
        Of one thread, roughly: bytes and objects times fixed rates.
    keeps : tuple of str
        What may be kept, by the kinds that the columns turn out to be.
    second_round : str
        What needs a second round, of fuzzy columns, and how long it takes; empty if nothing does.
    """

    source: str
    passes: int
    n_objects: int | None
    n_chunks: int | None
    bytes: int | None
    seconds: float | None
    keeps: tuple[str, ...]
    second_round: str

    def __repr__(self) -> str:
        n_objects, n_chunks = (
            "unknown" if value is None else f"{value:,}"
            for value in (self.n_objects, self.n_chunks)
        )
        size = "unknown" if self.bytes is None else f"{self.bytes / 1e6:.3g} MB"
        time = "unknown" if self.seconds is None else f"about {duration(self.seconds)}"
        second = [f"  second   {self.second_round}"] if self.second_round else []
        return "\n".join(
            [
                f"scan of {self.source}",
                f"  passes   {self.passes}",
                f"  objects  {n_objects} in {n_chunks} chunks",
                f"  reads    {size}, {time} on one thread",
                f"  keeps    {'; '.join(self.keeps)}",
                *second,
            ]
        )


@final
@dataclass(frozen=True, repr=False)
class Scan:
    """Two partitions in columns that are read when something is asked; see `scan`.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> frame = pd.DataFrame({"cluster": [0, 0, 1, 1], "label": list("xxyy")})
    >>> sf.scan(frame, a="cluster", b="label").compare(measure="rand").mean
    1.0
    """

    source: Source
    columns: Columns | None

    def __repr__(self) -> str:
        return f"Scan({self.source.words})"

    def summarize(
        self,
        *,
        measures: Iterable[Measure | str] | None = None,
        quantity: Quantity = "expectation",
        engine: Engine | str = "auto",
        rng: RandomSource = None,
        executor: object = None,
        rounds: int = 1,
    ) -> Summary:
        """Read everything once and keep what comparisons need; see `sfumato.summarize`.

        Counting of labels is left to the library of a frame (polars, DuckDB, Dask, pandas). Without
        an executor chunks are read by one thread for each core, or as polars and DuckDB stream
        them; the bits are the same on any.
        """
        check_executor(executor)
        check_rounds(rounds, self.source.given)
        keep = keep_for(measures, quantity, engine, rng, self._n_objects)
        if self.source.native is not None and self.columns is not None:
            found = counted_by_frame(self.source.native, self.columns)
            if found is not None:
                return found
        if self.source.is_streamed:
            return in_rounds(self.source.chunks, keep, rounds, executor, _STREAMED)
        if executor is not None:
            return in_rounds(self.source.chunks, keep, rounds, executor)
        with ThreadPoolExecutor(cpu_count() or 1) as threads:
            return in_rounds(self.source.chunks, keep, rounds, threads)

    def _n_objects(self) -> int | None:
        """The objects, if they are known without reading them."""
        if self.source.given is not None:
            return n_objects_of(self.source.given)
        try:
            return self.source.size().n_objects or None
        except InputError:  # of a file that cannot be read, which is said where it is
            return None

    def compare(
        self,
        *,
        measure: Measure | str = "rand",
        quantity: Quantity = "expectation",
        engine: Engine | str = "auto",
        rng: RandomSource = None,
        executor: object = None,
        rounds: int = 1,
    ) -> Comparison:
        """Read everything once, and answer as `sfumato.compare` does."""
        summary = self.summarize(
            measures=[measure],
            quantity=quantity,
            engine=engine,
            rng=rng,
            executor=executor,
            rounds=rounds,
        )
        return summary.compare(measure=measure, quantity=quantity, engine=engine, rng=rng)

    def evaluate(
        self,
        measures: Iterable[Measure | str] = ("rand", "adjusted_rand"),
        *,
        quantity: Quantity = "expectation",
        engine: Engine | str = "auto",
        rng: RandomSource = None,
        executor: object = None,
        rounds: int = 1,
    ) -> Report:
        """Several measures in one pass."""
        asked = list(measures) if isinstance(measures, Iterator) else measures  # listed twice
        summary = self.summarize(
            measures=asked,
            quantity=quantity,
            engine=engine,
            rng=rng,
            executor=executor,
            rounds=rounds,
        )
        return summary.evaluate(asked, quantity=quantity, engine=engine, rng=rng)

    def explain(
        self,
        measures: Iterable[Measure | str] | None = None,
        *,
        quantity: Quantity = "expectation",
        engine: Engine | str = "auto",
        rounds: int = 1,
    ) -> ScanPlan:
        """What would be read and kept; no row is read."""
        check_rounds(rounds, self.source.given)
        keep = keep_for(measures, quantity, engine)
        needed = frozenset[Need]().union(*keep.needs.values())
        passes = int(rounds) if needed & {"sums", "powers"} else 1
        size: Size = self.source.size()
        seconds, second_round = None, ""
        if "powers" in needed:
            second_round = "for standard deviations and exact means of entropies (rounds=2)"
        elif "sums" in needed:
            second_round = "for standard deviations (rounds=2)"
        if size.n_bytes is not None:
            seconds = _SECONDS_PER_BYTE * size.n_bytes
            seconds += _SECONDS_PER_OBJECT * (size.n_objects or 0)
            if second_round:
                second_round += f", about {duration(_SECOND_ROUND * seconds)} more than one round"
            seconds *= 1 + _SECOND_ROUND * (passes - 1)
        kept = {
            f"{theory}: {', '.join(NEEDS[need] for need in NEEDS if need in needs)}": None
            for (theory, has_hard_side), needs in keep.needs.items()
            if needs and has_hard_side
        }
        return ScanPlan(
            self.source.words,
            passes,
            size.n_objects,
            size.n_chunks,
            size.n_bytes,
            seconds,
            tuple(kept),
            second_round,
        )


def scan(
    source: object,
    *,
    a: str | Sequence[str] | None = None,
    b: str | Sequence[str] | None = None,
    kinds: tuple[Kind | None, Kind | None] = (None, None),
) -> Scan:
    """Two partitions in data that need not fit into memory; nothing is read yet.

    Parameters
    ----------
    source : path, list of paths, frame, or list
        Parquet files or folders of them (row groups are the chunks), csv files (blocks of 16 MB are
        the chunks, and the first block of a file decides of what types its columns are; labels are
        whole numbers if all of them are written as such, else text), a polars
        LazyFrame, a DuckDB relation, a Dask dataframe (its partitions are the chunks), any
        dataframe in memory; or a list of pairs (a, b), or of functions that load a pair, or a frame
        if columns are named. For other processes functions must be picklable.
    a, b : str or sequence of str
        The columns of the candidate and of the reference. One column holds labels, or lists: of
        numbers with a fraction (memberships) or of cluster names (sets). Several columns hold
        memberships, or truth values (sets).
    kinds : (str or None, str or None)
        Of either side, as in `as_partition`, where the columns do not tell.

    Returns
    -------
    Scan
        With ``compare``, ``evaluate``, ``explain`` and ``summarize``.

    Raises
    ------
    InputError
        If there is no such file, or a column is missing where that can be seen.

    Examples
    --------
    >>> import pandas as pd
    >>> import sfumato as sf
    >>> frame = pd.DataFrame({"p": [0.9, 0.2], "q": [0.1, 0.8], "label": ["x", "y"]})
    >>> found = sf.scan(frame, a=["p", "q"], b="label").evaluate(["rand", "adjusted_rand"])
    >>> [round(row["mean"], 3) for row in found.rows]
    [0.74, 0.0]
    """
    if (a is None) != (b is None):
        raise InputError("Name the columns of both sides, a=... and b=..., or of neither.")
    _check_kinds(kinds)
    columns = None if a is None or b is None else Columns(_named(a, "a"), _named(b, "b"), kinds)
    return Scan(source_of(source, columns), columns)


def _check_kinds(kinds: object) -> None:
    if not isinstance(kinds, tuple) or len(cast("tuple[object, ...]", kinds)) != 2:
        raise InputError(f"kinds must be a pair, such as ('fuzzy', None), got {kinds!r}.")
    for kind in cast("tuple[object, object]", kinds):
        if kind is not None:
            check_choice(kind, get_args(Kind), "kind")


def _named(columns: object, which: str) -> Named:
    if isinstance(columns, str):
        return columns
    names = tuple(cast("Iterable[object]", columns)) if isinstance(columns, Iterable) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError(
            f"{which} must be the name of a column, or several names, got {columns!r}."
        )
    if len(set(names)) < len(names):
        twice = max(names, key=names.count)
        raise InputError(f"{which} names the column {twice!r} twice.")
    return cast("tuple[str, ...]", names)
