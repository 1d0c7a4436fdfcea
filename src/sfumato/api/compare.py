"""The doors of the package: compare, evaluate, pairwise, explain."""

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import fields, is_dataclass, replace
from difflib import get_close_matches
from functools import partial
from typing import TYPE_CHECKING, TypeAlias, cast, get_args

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Floats, PartitionLike, Quantity, RandomSource
from sfumato.engines import Engine, as_engine
from sfumato.errors import InputError, SfumatoError
from sfumato.measures import Measure, as_measure
from sfumato.partitions import Partition, PossibilisticPartition, as_partition
from sfumato.question.plan import Plan
from sfumato.question.query import Query
from sfumato.results.comparison import Comparison, End, Witness
from sfumato.results.index_value import IndexValue
from sfumato.results.report import Pairwise, Report, Row

if TYPE_CHECKING:
    from sfumato.indices.base import Index

__all__ = ["compare", "evaluate", "explain", "pairwise"]

Asked: TypeAlias = "Measure | Index"  # what a row of a report can be about
IndexFunction: TypeAlias = Callable[..., float]  # one of `sfumato.indices`, or a partial of one


def compare(
    a: PartitionLike,
    b: PartitionLike,
    *,
    measure: Measure | str = "rand",
    quantity: Quantity = "expectation",
    engine: Engine | str = "auto",
    rng: RandomSource = None,
) -> Comparison:
    r"""What is known of a measure between two clusterings, each hard or soft.

    A soft clustering says what is known of an unknown hard one, so the answer is what is known of
    the value: an interval :math:`[\underline{E}, \overline{E}]` of expectations, equal ends for
    hard and fuzzy partitions, [min, max] for rough ones.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        The candidate and the reference: labels of shape (n,), memberships of shape (n, k), or
        partition objects.
    measure : str or Measure
        See `measures`.
    quantity : {"expectation", "range", "distribution"}
        Lower and upper expectation; smallest and largest value that is not ruled out; or the
        whole distribution, set or mass function of values.
    engine : {"auto", "exact", "closed_form", "bounds", "sampled"} or Engine
    rng : Generator, int or None
        The one source of randomness; a seed gives the same answer on any number of threads.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If the partitions do not speak of the same objects, or an argument is unknown.
    UnsupportedError
        If no theory joins the two kinds.
    CostError
        If the engine's budget is too small.

    Notes
    -----
    O(n) for two hard partitions; otherwise as `explain` predicts. Defined in
    :cite:`campagner2022distributional`.

    Examples
    --------
    >>> import sfumato as sf
    >>> truth = ["x", "x", "y", "y"]
    >>> candidate = sf.RoughPartition.from_sets([{0}, {0}, {0, 1}, {1}])
    >>> found = sf.compare(candidate, truth)
    >>> found.lower, found.upper, found.guarantee
    (0.5, 1.0, 'exact')
    """
    query = _query(a, b, measure, quantity)
    return _answer(query, as_engine(engine), generator_of(rng))


def explain(
    a: PartitionLike,
    b: PartitionLike,
    *,
    measure: Measure | str = "rand",
    quantity: Quantity = "expectation",
    engine: Engine | str = "auto",
) -> Plan:
    """How `compare` would answer, at what cost and with what guarantee; nothing heavy runs.

    Parameters are those of `compare`.

    Returns
    -------
    Plan
        With ``method``, ``guarantee``, ``tables``, ``bytes``, ``seconds``, ``why``,
        ``alternatives``, and ``then``: the plans that may follow, where a search does not close or
        bounds turn out wide. ``compare(...).method`` is that of the plan or of one of these.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.explain([0, 0, 1], [0, 1, 1]).method
    'hard_value'
    """
    from sfumato import planner  # loads all methods

    return planner.explain(_query(a, b, measure, quantity), as_engine(engine).policy())


def evaluate(
    candidates: Mapping[str, PartitionLike],
    truth: PartitionLike,
    *,
    measures: Iterable["Measure | Index | IndexFunction | str"] = ("rand", "partition_distance"),
    quantity: Quantity = "expectation",
    engine: Engine | str = "auto",
    rng: RandomSource = None,
) -> Report:
    """Compare several candidates with one truth, by several measures.

    Parameters
    ----------
    candidates : mapping from name to partition
    truth : Partition or anything `as_partition` takes
    measures : iterable of str, Measure, or indices
        An index is given by its name, as in ``"indices.campello"``, by its function, or with
        options by `sfumato.indices.index`. Its rows say "index" where others say a guarantee.
    quantity, engine, rng : as in `compare`

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
    partitions = _partitions(candidates)
    with _naming("truth"):
        reference = as_partition(truth)
    chosen = _listed(measures)
    chosen_engine, generator = as_engine(engine), generator_of(rng)
    found: dict[tuple[str, str], Row] = {}
    for name, partition in partitions.items():
        for label, asked in chosen.items():
            with _naming(name):
                found[name, label] = _row(
                    partition, reference, asked, quantity, chosen_engine, deepcopy(generator)
                )
    _advance(generator)
    return Report(found, (*_mixed_readings(partitions), *_notes_by_name(found)))


def pairwise(
    partitions: Mapping[str, PartitionLike],
    *,
    measure: "Measure | Index | IndexFunction | str" = "rand",
    engine: Engine | str = "auto",
    rng: RandomSource = None,
) -> Pairwise:
    """Compare every partition with every other, and with an independent copy of itself.

    Parameters
    ----------
    partitions : mapping from name to partition
    measure : str, Measure, or an index as in `evaluate`
    engine, rng : as in `compare`

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
    sides = _partitions(partitions)
    chosen = _asked(measure)
    is_symmetric = chosen.symmetric if isinstance(chosen, Measure) else chosen.is_symmetric
    chosen_engine, generator = as_engine(engine), generator_of(rng)
    found: dict[tuple[str, str], Row] = {}
    for a, b in ((a, b) for a in sides for b in sides):
        if not is_symmetric or a <= b:
            with _naming(f"{a} against {b}"):
                found[a, b] = _row(
                    sides[a], sides[b], chosen, "expectation", chosen_engine, deepcopy(generator)
                )
    _advance(generator)
    found = {
        (a, b): found[a, b] if (a, b) in found else _mirrored(found[b, a])
        for a in sides
        for b in sides
    }
    lower, upper = (
        np.array([[getattr(found[a, b], end) for b in sides] for a in sides])
        for end in ("lower", "upper")
    )
    return Pairwise(tuple(sides), _label(chosen), lower, upper, found)


def _asked(measure: object) -> Asked:
    """The index that is meant, if one is; else the measure."""
    if isinstance(measure, Measure) or (
        isinstance(measure, str) and not measure.startswith("indices.")
    ):
        return as_measure(measure)
    from sfumato.indices.registry import as_index  # loaded only when an index may be meant

    return as_index(measure) or as_measure(measure)


def _row(
    a: Partition,
    b: Partition,
    asked: Asked,
    quantity: Quantity,
    engine: Engine,
    rng: np.random.Generator,
) -> Row:
    if isinstance(asked, Measure):
        return _answer(_query(a, b, asked, quantity), engine, rng)
    if quantity != "expectation":
        raise InputError(
            f"{asked.label} is an index: it gives one number and has no {quantity}; ask for "
            "quantity='expectation', or leave it out."
        )
    return asked.row(a, b, rng)


def _query(a: PartitionLike, b: PartitionLike, measure: Measure | str, quantity: Quantity) -> Query:
    if quantity not in get_args(Quantity):
        close = get_close_matches(str(quantity), get_args(Quantity), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InputError(
            f"Unknown quantity {quantity!r}: pass 'expectation', 'range' or 'distribution'{hint}."
        )
    return Query.of(as_partition(a), as_partition(b), as_measure(measure), quantity)


def _answer(query: Query, engine: Engine, rng: np.random.Generator) -> Comparison:
    # The methods and their algorithms take longer to load than NumPy: not before they are used.
    from sfumato import planner

    seed = cast(np.random.SeedSequence, rng.bit_generator.seed_seq).spawn(1)[0]
    found = planner.answer(query, engine.policy(), partial(_child, rng, seed, 0))
    return replace(
        found,
        find_pignistic=partial(_pignistic, query, engine, rng, seed),
        find_contributions=partial(_contributions, query, found, engine, rng, seed),
    )


def _child(rng: np.random.Generator, seed: np.random.SeedSequence, at: int) -> np.random.Generator:
    """A generator of the same make from a child of the seed, the same whenever it is asked for."""
    child = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, at))
    return np.random.Generator(type(rng.bit_generator)(child))


def _pignistic(
    query: Query, engine: Engine, rng: np.random.Generator, seed: np.random.SeedSequence
) -> float | None:
    first, second = (side.pignistic() for side in query.original)
    fuzzy = Query.of(first, second, query.measure, "expectation")
    return _answer(fuzzy, engine, _child(rng, seed, 1)).mean


def _contributions(
    query: Query,
    whole: Comparison,
    engine: Engine,
    rng: np.random.Generator,
    seed: np.random.SeedSequence,
) -> Floats:
    from sfumato.contributions import contributions  # loads all methods

    def compare_sides(a: Partition, b: Partition) -> Comparison:
        question = Query.of(a, b, query.measure, "expectation")
        return _answer(question, engine, _child(rng, seed, 1))

    return contributions(query, whole, engine.policy(), compare_sides, rng=_child(rng, seed, 2))


def _advance(rng: np.random.Generator) -> None:
    """Leave a generator that gives other numbers next time, to children and directly."""
    rng.spawn(1)
    rng.random()


def _mirrored(found: Row) -> Row:
    """The comparison by a symmetric measure with its sides swapped."""
    if isinstance(found, IndexValue):
        return replace(found, kinds=(found.kinds[1], found.kinds[0]))
    return replace(
        found,
        kinds=(found.kinds[1], found.kinds[0]),
        find_witness=None if found.find_witness is None else partial(_swapped, found),
    )


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


@contextmanager
def _naming(name: str) -> Generator[None]:
    """Say which partition an error is about."""
    try:
        yield
    except SfumatoError as error:
        raise type(error)(f"{name}: {error}") from error


def _partitions(named: object) -> dict[str, Partition]:
    if not isinstance(named, Mapping):
        raise InputError(
            f"Partitions are passed by name, as {{'fcm': memberships}}; got {type(named).__name__}."
        )
    if not named:
        raise InputError("There is no partition to compare: the mapping is empty.")
    partitions: dict[str, Partition] = {}
    for name, partition in cast("Mapping[str, PartitionLike]", named).items():
        if str(name) in partitions:
            raise InputError(f"Two partitions are called {str(name)!r}; give each its own name.")
        with _naming(name):
            partitions[str(name)] = as_partition(partition)
    return partitions


def _notes_by_name(found: Mapping[tuple[str, str], Row]) -> tuple[str, ...]:
    """The notes of all rows; what several measures say of one candidate is said once."""
    said: dict[tuple[str, str], list[str]] = {}
    for (name, label), row in found.items():
        for note in row.notes:
            said.setdefault((name, note), []).append(label)
    return tuple(f"{', '.join([name, *labels])}: {note}" for (name, note), labels in said.items())


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
