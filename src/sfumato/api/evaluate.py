"""The doors for many comparisons: evaluate and pairwise."""

from collections.abc import Callable, Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, cast, final

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Ints, Name, PartitionLike, Quantity, RandomSource
from sfumato._wording import option
from sfumato.api.compare import answer, question, with_means
from sfumato.api.named import naming, partitions_of, shared_objects
from sfumato.api.provenance import provenance, seed_of
from sfumato.api.ranking.rank import rank
from sfumato.api.seeds import Seeds
from sfumato.api.spread import spread, without_means
from sfumato.engines import Engine, as_engine
from sfumato.errors import InputError, UnsupportedError
from sfumato.measures import Measure, as_measure
from sfumato.partitions import Partition, PossibilisticPartition
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

__all__ = ["evaluate", "listed_measures", "pairwise"]

Asked: TypeAlias = "Measure | Index"  # what a row of a report can be about
IndexFunction: TypeAlias = Callable[..., float]  # one of `sfumato.indices`, or a partial of one


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
    (*sides, reference), coverage, rows = shared_objects((*partitions.values(), reference))
    partitions = dict(zip(partitions, sides, strict=True))
    chosen = _listed(measures)
    chosen_engine, generator = as_engine(engine), generator_of(rng)
    inputs = partial(provenance, partitions, reference, chosen_engine, seed_of(generator))
    untouched = deepcopy(generator)
    row = _rows(quantity, chosen_engine, generator, rows)
    jobs = {
        (name, label): (partition, reference, asked)
        for name, partition in partitions.items()
        for label, asked in chosen.items()
    }
    found = _all_rows(row, jobs, executor, [name for name, _ in jobs])
    notes = (*coverage, *_mixed_readings(partitions), *_notes_by_name(found, partitions, reference))
    ranking = partial(_ranking, partitions, reference, chosen, chosen_engine, untouched)
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
    shared, coverage, rows = shared_objects(tuple(given.values()))
    sides = dict(zip(given, shared, strict=True))
    chosen = _asked(measure)
    is_symmetric = chosen.symmetric if isinstance(chosen, Measure) else chosen.is_symmetric
    row = _rows("expectation", as_engine(engine), generator_of(rng), rows)
    jobs = {
        (a, b): (sides[a], sides[b], chosen)
        for a in sides
        for b in sides
        if not is_symmetric or a <= b
    }
    found = _all_rows(row, jobs, executor, [f"{a} against {b}" for a, b in jobs])
    found = {
        (a, b): found[a, b] if (a, b) in found else _mirrored(found[b, a])
        for a in sides
        for b in sides
    }
    lower, upper = (
        np.array([[getattr(found[a, b], end) for b in sides] for a in sides])
        for end in ("lower", "upper")
    )
    notes = (*coverage, *_notes_of_sides(sides))
    return Pairwise(tuple(sides), _label(chosen), lower, upper, found, notes)


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


def listed_measures(measures: object) -> dict[str, Measure]:
    """Measures by the labels of their rows, where indices are not taken."""
    listed = _listed(measures)
    found = {label: asked for label, asked in listed.items() if isinstance(asked, Measure)}
    if len(found) < len(listed):
        index = next(label for label in listed if label not in found)
        raise UnsupportedError(
            f"{index} is an index, whose formula needs the objects: use evaluate on the partitions."
        )
    return found


def _asked(measure: object) -> Asked:
    """The index that is meant, if one is; else the measure."""
    if isinstance(measure, Measure) or (
        isinstance(measure, str) and not measure.startswith("indices.")
    ):
        return as_measure(measure)
    from sfumato.indices.registry import as_index  # loaded only when an index may be meant

    return as_index(measure) or as_measure(measure)


def _rows(
    quantity: Quantity, engine: Engine, rng: np.random.Generator, rows: Ints | None
) -> "_RowMaker":
    """What makes each row of one report, with the numbers that the single question would draw.

    The generator is left as one that gives other numbers next time. ``rows`` are those that all
    partitions keep, if some were dropped: they name objects that have no ids.
    """
    untouched = deepcopy(rng)
    seeds = Seeds(rng)
    rng.random()
    return _RowMaker(quantity, engine, seeds, untouched, rows)


@final
@dataclass(frozen=True)
class _RowMaker:
    """Makes the rows of a report, here or elsewhere."""

    quantity: Quantity
    engine: Engine
    seeds: Seeds
    untouched: np.random.Generator
    rows: Ints | None

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
    found = cast("Comparison", again())
    return found.lower_witness if end == "lower" else found.upper_witness


def _all_rows(
    row: _RowMaker,
    jobs: Mapping[tuple[str, str], tuple[Partition, Partition, Asked]],
    executor: object,
    names: Iterable[str],
) -> dict[tuple[str, str], Row]:
    """All rows; an error says which one is at fault."""
    found: dict[tuple[str, str], Row] = {}
    if executor is None:
        for (key, job), name in zip(jobs.items(), names, strict=True):
            with naming(name):
                found[key] = row(*job)
        return found
    results = spread(row.plain, jobs.values(), executor)
    for (key, job), name, result in zip(jobs.items(), names, results, strict=True):
        with naming(name):
            found[key] = row.restored(*job, result())
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
    pair = found.lower_witness if end == "lower" else found.upper_witness
    return None if pair is None else (pair[1], pair[0])


def _listed(measures: object) -> dict[str, Asked]:
    """The measures and indices by the labels of their rows."""
    try:
        is_one = isinstance(measures, str | Measure) or callable(measures)
        given = [measures] if is_one else list(cast("Iterable[object]", measures))
    except TypeError:
        raise InputError(f"measures is a list of names or measures, got {measures!r}.") from None
    if not given:
        raise InputError("No measure was given; for instance measures=('rand',).")
    listed = [_asked(measure) for measure in given]
    names = [_label(measure) for measure in listed]
    labels = [
        name if names.count(name) == 1 else _with_options(measure)
        for name, measure in zip(names, listed, strict=True)
    ]
    if len(set(labels)) < len(labels):
        twice = max(labels, key=labels.count)
        raise InputError(
            f"Two measures are called {twice!r}, so their rows could not be told apart: evaluate "
            "them one after the other."
        )
    return dict(zip(labels, listed, strict=True))


def _label(asked: Asked) -> str:
    return asked.name if isinstance(asked, Measure) else asked.label


def _with_options(measure: Asked) -> str:
    """The name of a measure and its options, as they would be typed."""
    if not isinstance(measure, Measure):
        return measure.label
    names = [field.name for field in fields(measure)] if is_dataclass(measure) else []
    values = {name: getattr(measure, name) for name in names if name != "name"}
    options = [f"{name}={value!r}" for name, value in values.items() if isinstance(value, str)]
    return f"{measure.name}({', '.join(options)})" if options else measure.name


def _notes_of_sides(sides: Mapping[str, Partition]) -> tuple[str, ...]:
    return tuple(f"{name}: {note}" for name, side in sides.items() for note in side.notes)


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
