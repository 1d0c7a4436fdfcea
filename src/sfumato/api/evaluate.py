"""The doors for many comparisons: evaluate and pairwise."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, cast, final

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Ints, Name, PartitionLike, Quantity, RandomSource
from sfumato._wording import option
from sfumato.api.asked import Asked, IndexFunction, asked_of, label_of, listed
from sfumato.api.compare import answer, question, with_means
from sfumato.api.named import naming, partitions_of, shared_objects
from sfumato.api.provenance import provenance, seed_of
from sfumato.api.ranking.rank import rank
from sfumato.api.seeds import Seeds
from sfumato.api.spread import spread, without_means
from sfumato.engines import Engine, as_engine
from sfumato.errors import InputError
from sfumato.measures import Measure
from sfumato.partitions import Partition, PossibilisticPartition
from sfumato.partitions.reading.alignment import check_indexes
from sfumato.partitions.reading.coerce import read_as
from sfumato.partitions.reading.reading_options import Missing, Noise, Reading
from sfumato.results.comparison import Comparison, End, Witness
from sfumato.results.expected_table import ExpectedTable
from sfumato.results.index_value import IndexValue, Row
from sfumato.results.pairwise import Pairwise
from sfumato.results.ranking import Ranking
from sfumato.results.report import Report

if TYPE_CHECKING:
    from sfumato.indices.base import Index

__all__ = ["evaluate", "pairwise"]


def evaluate(
    candidates: Mapping[str, PartitionLike],
    truth: PartitionLike,
    *,
    measures: Iterable["Measure | Index | IndexFunction | str"] = ("rand", "partition_distance"),
    quantity: Quantity = "expectation",
    engine: Engine | str = "auto",
    rng: RandomSource = None,
    noise: Noise | None = None,
    noise_label: Name = -1,
    missing: Missing = "raise",
    executor: object = None,
) -> Report:
    """Compare several candidates with one truth, by several measures.

    Parameters
    ----------
    candidates : mapping from name to partition
    truth : Partition or anything `as_partition` takes
    measures : iterable of str, Measure, or indices
        An index is given by its name, as in ``"indices.campello"``, by its function, or with
        options by `sfumato.indices.index`. Its rows say "index" where others say a guarantee.
    quantity, engine, rng, noise, noise_label, missing : as in `compare`
        If some candidates or the truth drop objects, all are compared on those that none drops.
    executor : concurrent.futures.Executor, Dask Client or None
        Where comparisons are made; the numbers are the same. The partitions travel there.

    Returns
    -------
    Report
        One row per candidate and measure, as `compare` answers with the same ``rng``. Measures of
        one name are told apart by their options, as in ``"rand(pairs='all')"``.

    Examples
    --------
    >>> import sfumato as sf
    >>> report = sf.evaluate({"a": [0, 0, 1], "b": [0, 1, 1]}, [0, 0, 1], measures=["rand"])
    >>> [row["mean"] for row in report.rows]
    [1.0, 0.3333333333333333]
    """
    reading = Reading(noise, noise_label, missing)
    partitions = partitions_of(candidates, reading)
    with naming("truth"):
        reference = read_as(truth, None, reading)
    if reference.index is None:
        check_indexes((*partitions.values(), reference))
    (*sides, reference), coverage, rows = shared_objects((*partitions.values(), reference))
    partitions = dict(zip(partitions, sides, strict=True))
    chosen = listed(measures)
    chosen_engine, generator = as_engine(engine), generator_of(rng)
    inputs = partial(provenance, partitions, reference, chosen_engine, seed_of(generator))
    row = _RowMaker.of(quantity, chosen_engine, generator, rows)
    jobs = {
        (name, label): (partition, reference, asked)
        for name, partition in partitions.items()
        for label, asked in chosen.items()
    }
    found = _all_rows(row, jobs, executor, [name for name, _ in jobs])
    notes = (*coverage, *_mixed_readings(partitions), *_notes_by_name(found, partitions, reference))
    ranking = partial(_ranking, partitions, reference, chosen, chosen_engine, row.untouched)
    return Report(found, notes, inputs, ranking)


def pairwise(
    partitions: Mapping[str, PartitionLike],
    *,
    measure: "Measure | Index | IndexFunction | str" = "rand",
    engine: Engine | str = "auto",
    rng: RandomSource = None,
    noise: Noise | None = None,
    noise_label: Name = -1,
    missing: Missing = "raise",
    executor: object = None,
) -> Pairwise:
    """Compare every partition with every other, and with an independent copy of itself.

    Parameters
    ----------
    partitions : mapping from name to partition
    measure : str, Measure, or an index as in `evaluate`
    engine, rng, noise, noise_label, missing : as in `compare`
        If some partitions drop objects, all are compared on those that none drops.
    executor : concurrent.futures.Executor, Dask Client or None
        Where comparisons are made; the numbers are the same.

    Returns
    -------
    Pairwise
        With matrices ``lower`` and ``upper``; if the measure is symmetric each unordered pair is
        computed once, in the order of the names. A seed gives the numbers of `compare`.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.pairwise({"a": [0, 0, 1], "b": [0, 1, 1]}).lower.round(2).tolist()
    [[1.0, 0.33], [0.33, 1.0]]
    """
    given = partitions_of(partitions, Reading(noise, noise_label, missing))
    check_indexes(tuple(given.values()))
    shared, coverage, rows = shared_objects(tuple(given.values()))
    sides = dict(zip(given, shared, strict=True))
    chosen = asked_of(measure)
    is_symmetric = chosen.symmetric if isinstance(chosen, Measure) else chosen.is_symmetric
    row = _RowMaker.of("expectation", as_engine(engine), generator_of(rng), rows)
    jobs = {
        (a, b): (sides[a], sides[b], chosen)
        for a in sides
        for b in sides
        if not is_symmetric or a <= b
    }
    found = _all_rows(row, jobs, executor, [f"{a} against {b}" for a, b in jobs])
    notes = (*coverage, *_notes_of_sides(sides), *_notes_of_pairs(found, sides))
    found = {
        (a, b): found[a, b] if (a, b) in found else _mirrored(found[b, a])
        for a in sides
        for b in sides
    }
    lower, upper = (
        np.array([[getattr(found[a, b], end) for b in sides] for a in sides])
        for end in ("lower", "upper")
    )
    return Pairwise(tuple(sides), label_of(chosen), lower, upper, found, notes)


def _ranking(
    candidates: Mapping[str, Partition],
    truth: Partition,
    measures: Mapping[str, Asked],
    engine: Engine,
    rng: np.random.Generator,
    measure: str,
    *,
    margin: float,
    confidence: float,
) -> Ranking:
    chosen = measures[measure]
    assert isinstance(chosen, Measure)
    return rank(
        candidates,
        truth,
        measure=chosen,
        margin=margin,
        engine=engine,
        confidence=confidence,
        rng=deepcopy(rng),
    )


@final
@dataclass(frozen=True)
class _RowMaker:
    """Makes the rows of a report, here or elsewhere, with the numbers of the single question."""

    quantity: Quantity
    engine: Engine
    seeds: Seeds
    untouched: np.random.Generator
    rows: (
        Ints | None
    )  # that all partitions keep, if some were dropped: names where there are no ids

    @classmethod
    def of(
        cls, quantity: Quantity, engine: Engine, rng: np.random.Generator, rows: Ints | None
    ) -> "_RowMaker":
        """One that leaves the generator so that it gives other numbers next time."""
        untouched, seeds = deepcopy(rng), Seeds(rng)
        rng.random()
        return cls(quantity, engine, seeds, untouched, rows)

    def __call__(self, a: Partition, b: Partition, asked: Asked) -> Row:
        if isinstance(asked, Measure):
            found = answer(question(a, b, asked, self.quantity), self.engine, self.seeds)
            return found if found.objects is not None else replace(found, objects=self.rows)
        if self.quantity != "expectation":
            raise InputError(
                f"{asked.label} is an index: it gives one number and has no {self.quantity}; ask "
                f"for {option('quantity', 'expectation')}, or leave it out."
            )
        return asked.row(a, b, deepcopy(self.untouched))

    def plain(self, a: Partition, b: Partition, asked: Asked) -> tuple[Row, bool, bool]:
        """A row that can travel, and whether it had a spread and a witness to be found later."""
        found = self(a, b, asked)
        if isinstance(found, IndexValue):
            return found, False, False
        return without_means(found), found.find_std is not None, found.find_witness is not None

    def restored(
        self, a: Partition, b: Partition, asked: Asked, plain: tuple[Row, bool, bool]
    ) -> Row:
        """The row with the means to find out more; a spread or a witness is found anew."""
        found, has_std, has_witness = plain
        if isinstance(found, IndexValue) or not isinstance(asked, Measure):
            return found
        again = partial(self, a, b, asked)
        found = replace(
            found,
            find_std=partial(_stds_again, again) if has_std else None,
            find_witness=partial(_witness_again, again) if has_witness else None,
        )
        query = question(a, b, asked, self.quantity)
        found = with_means(found, query, self.engine, self.seeds)
        return found if found.objects is not None else replace(found, objects=self.rows)


def _stds_again(again: Callable[[], Row]) -> tuple[float, float]:
    found = cast("Comparison", again())
    return found.lower_std, found.upper_std


def _witness_again(again: Callable[[], Row], end: End) -> Witness | None:
    return getattr(again(), f"{end}_witness")


def _all_rows(
    row: _RowMaker,
    jobs: Mapping[tuple[str, str], tuple[Partition, Partition, Asked]],
    executor: object,
    names: Iterable[str],
) -> dict[tuple[str, str], Row]:
    """All rows; an error says which one is at fault."""
    found: dict[tuple[str, str], Row] = {}
    results = None if executor is None else spread(row.plain, jobs.values(), executor)
    for at, ((key, job), name) in enumerate(zip(jobs.items(), names, strict=True)):
        with naming(name):
            found[key] = row(*job) if results is None else row.restored(*job, results[at]())
    return found


def _mirrored(found: Row) -> Row:
    """The comparison by a symmetric measure with its sides swapped."""
    if isinstance(found, IndexValue):
        return replace(found, kinds=(found.kinds[1], found.kinds[0]))
    return replace(
        found,
        kinds=(found.kinds[1], found.kinds[0]),
        find_witness=None if found.find_witness is None else partial(_swapped, found),
        find_table=None if found.find_table is None else partial(_turned, found),
    )


def _turned(found: Comparison) -> ExpectedTable:
    return found.expected_table().turned()


def _swapped(found: Comparison, end: End) -> Witness | None:
    pair: Witness | None = getattr(found, f"{end}_witness")
    return None if pair is None else (pair[1], pair[0])


def _notes_of_sides(sides: Mapping[str, Partition]) -> tuple[str, ...]:
    return tuple(f"{name}: {note}" for name, side in sides.items() for note in side.notes)


def _notes_of_pairs(
    found: Mapping[tuple[str, str], Row], sides: Mapping[str, Partition]
) -> Iterator[str]:
    """What comparisons say besides the notes of their sides, each once."""
    said: dict[str, list[str]] = {}
    for (a, b), row in found.items():
        for note in dict.fromkeys(row.notes):
            if note not in sides[a].notes and note not in sides[b].notes:
                said.setdefault(note, []).append(f"{a} against {b}")
    for note, pairs in said.items():
        is_of_all = len(pairs) == len(found) > 1
        yield f"{'all pairs' if is_of_all else '; '.join(pairs)}: {note}"


def _notes_by_name(
    found: Mapping[tuple[str, str], Row], candidates: Mapping[str, Partition], truth: Partition
) -> tuple[str, ...]:
    """The notes of the truth and of each candidate, then what rows say besides, each once."""
    said: dict[tuple[str, str], list[str]] = {}
    for (name, label), row in found.items():
        for note in row.notes:
            if note not in truth.notes and note not in candidates[name].notes:
                said.setdefault((name, note), []).append(label)
    notes = [*_notes_of_sides({"truth": truth}), *_notes_of_sides(candidates)]
    for (name, note), labels in said.items():
        is_of_all = len(candidates) > 1 and all(
            said.get((other, note)) == labels for other in candidates
        )
        about = ["all candidates" if is_of_all else name, *labels]
        notes.append(f"{', '.join(about)}: {note}")
    return tuple(dict.fromkeys(notes))


def _mixed_readings(partitions: Mapping[str, Partition]) -> tuple[str, ...]:
    readings = {
        side.t_norm for side in partitions.values() if isinstance(side, PossibilisticPartition)
    }
    if len(readings) < 2:
        return ()
    return (
        "The possibilistic candidates are read in different ways "
        f"({', '.join(sorted(str(reading) for reading in readings))}), so their intervals are not "
        "comparable.",
    )
