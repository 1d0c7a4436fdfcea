"""The door for chunks: what comparisons need of them, in one pass."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias, cast, final

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Kind, PartitionLike, Quantity, RandomSource
from sfumato.api.asked import listed_measures
from sfumato.api.chunks.chunk_tree import Load, reduce_chunks
from sfumato.api.chunks.second_round import Sides, check_rounds, with_second_round
from sfumato.api.chunks.summary import Summary
from sfumato.api.compare import check_quantity
from sfumato.api.spread import check_executor
from sfumato.engines import Engine, as_engine
from sfumato.errors import InputError, UnsupportedError
from sfumato.measures import Measure
from sfumato.measures import measures as known_measures
from sfumato.partitions.base import IndependentPartition, Partition, independent
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.reading.alignment import align
from sfumato.partitions.reading.coerce import read_as
from sfumato.partitions.reading.open_labels import unsaid_noise
from sfumato.partitions.reading.reading_options import AS_IT_IS
from sfumato.partitions.theories import Theory
from sfumato.question.counted_pairs import PairCounts
from sfumato.question.drawn_tables import DrawnTables, check_draws, draws_beforehand
from sfumato.question.kept import Need, theory_of_kinds
from sfumato.question.moment_sums import MomentSums

__all__ = [
    "Chunk",
    "Keep",
    "both_sides",
    "in_rounds",
    "keep_for",
    "n_objects_of",
    "needs_of",
    "order_of",
    "summarize",
    "summary_of",
]

Pair: TypeAlias = tuple[PartitionLike, PartitionLike]
Chunk: TypeAlias = Pair | Callable[[], Pair]

_ORDERS: dict[Need, int] = {"sums": 2, "powers": 6}  # of power sums
_THEORIES: tuple[Theory, ...] = ("hard", "rough", "fuzzy", "evidential")


@final
@dataclass(frozen=True)
class Keep:
    """What to keep of chunks, as plain data that goes to other processes."""

    quantity: Quantity
    needs: dict[tuple[Theory, bool], frozenset[Need]]  # by theory, and whether a side is hard
    refused: dict[tuple[Theory, bool], tuple[str, ...]]  # measures that no summary answers
    n_draws: float  # infinite if no number meets the tolerance
    tolerance: float | None  # that must be met
    seed: tuple[object, tuple[int, ...]]  # entropy and key, to which a chunk adds its number

    def seed_of(self, index: int) -> np.random.SeedSequence:
        """The random numbers of a chunk."""
        entropy, key = self.seed
        return np.random.SeedSequence(cast("int", entropy), spawn_key=(*key, index))


def summarize(
    chunks: Iterable[Chunk],
    *,
    measures: Iterable[Measure | str] | None = None,
    quantity: Quantity = "expectation",
    engine: Engine | str = "auto",
    rng: RandomSource = None,
    executor: object = None,
    rounds: int = 1,
) -> Summary:
    """What comparisons need of many objects, read chunk by chunk and added up.

    Parameters
    ----------
    chunks : iterable of (a, b)
        Pairs of what `compare` takes, of the same objects; or callables that load such a pair.
        Callables run where the executor runs, so that only summaries travel; for other processes
        they must be picklable, as a `functools.partial` of a function of a module is.
    measures : iterable of str or Measure, optional
        What will be asked; one pass serves all. By default all measures that a summary can answer.
    quantity, engine : as in `compare`
        What will be asked, and with which engine.
    rng : Generator, int or None
        Of tables that are drawn, where sums and counts do not suffice: as many as
        ``Sampled(n_samples=...)`` says, or as its ``tolerance`` takes by bounds that hold before
        anything is read; else 100, or what ``Auto(tolerance=...)`` takes if that is up to 1,000.
        The number of a chunk is part of its seed.
    executor : concurrent.futures.Executor, Dask Client or None
        Where chunks are loaded and summarised: threads, processes, ``client.get_executor()``, or a
        ``distributed.Client``, on which sums stay on the workers. None works in this thread.
    rounds : 1 or 2
        With 2, sums of memberships are followed by a second round over the same chunks, which must
        be iterable twice: it gives standard deviations, and narrower limits of means of ratios.

    Returns
    -------
    Summary
        The bits are the same for the same chunks on any executor: they are added along an aligned
        binary tree over their numbers.

    Raises
    ------
    ChunkError
        If a chunk is wrong, does not fit the others, or is lost; ``finished`` then holds the
        summaries of the chunks that are done, by their numbers.

    Notes
    -----
    One pass for each round. Memory: a chunk for each worker and O(log(chunks)) summaries.

    Examples
    --------
    >>> import sfumato as sf
    >>> chunks = [([0, 0, 1], ["x", "x", "y"]), ([1, 2], ["y", "y"])]
    >>> summary = sf.summarize(chunks)
    >>> summary
    Summary(5 objects, hard against hard, keeps counts of pairs of sets)
    >>> summary.compare(measure="adjusted_rand").guarantee
    'exact'
    """
    check_executor(executor)
    check_rounds(rounds, chunks)
    keep = keep_for(measures, quantity, engine, rng, partial(n_objects_of, chunks))
    return in_rounds(lambda: chunks, keep, rounds, executor)


def in_rounds(
    chunks: Callable[[], Iterable[object]],
    keep: Keep,
    rounds: int,
    executor: object,
    in_flight: int | None = None,
) -> Summary:
    """The summary of all chunks, which each round asks for anew."""
    loads = (Load(partial(each.summary, keep, at), name) for name, at, each in _named(chunks()))
    found: Summary = reduce_chunks(loads, executor, in_flight=in_flight)
    if rounds == 1:
        return found
    sides = ((name, each.sides) for name, _, each in _named(chunks()))
    return with_second_round(found, sides, executor, in_flight)


def keep_for(
    measures: Iterable[Measure | str] | None,
    quantity: Quantity,
    engine: Engine | str,
    rng: RandomSource = None,
    n_objects: Callable[[], int | None] = lambda: None,
) -> Keep:
    """What a summary has to keep of each theory, for some measures or all.

    The number of objects, if it is known, is asked for where a tolerance must be met.
    """
    from sfumato import planner  # loads all methods

    check_quantity(quantity)
    policy = as_engine(engine).policy()
    listed = known_measures() if measures is None else listed_measures(measures)
    asked = list(listed.values())
    needs: dict[tuple[Theory, bool], frozenset[Need]] = {}
    refused: dict[tuple[Theory, bool], tuple[str, ...]] = {}
    for theory in _THEORIES:
        for has_hard_side in (False, True):
            found: dict[str, Need | None] = {
                measure.name: planner.need_of(
                    measure, quantity, theory, policy, has_hard_side=has_hard_side
                )
                for measure in asked
            }
            key = theory, has_hard_side
            needs[key] = frozenset(need for need in found.values() if need is not None)
            if measures is None and len(needs[key]) > 1:
                needs[key] -= {"draws"}  # which cost more than sums, and serve few measures
            if measures is not None:
                refused[key] = tuple(name for name, need in found.items() if need is None)
    seeds = generator_of(rng).bit_generator.seed_seq
    assert isinstance(seeds, np.random.SeedSequence)
    root = seeds.spawn(1)[0]
    tolerance = policy.tolerance if policy.tolerance_is_demand else None
    if measures is None:  # an error is stated of those whose values have bounds
        asked = [measure for measure in asked if np.isfinite(measure.bounds).all()]
    confidence = policy.confidence_of_means(quantity)
    known = n_objects() if tolerance is not None else None
    n_draws = draws_beforehand(asked, policy, confidence, known)
    return Keep(quantity, needs, refused, n_draws, tolerance, (root.entropy, root.spawn_key))


def n_objects_of(chunks: object) -> int | None:
    """The objects of a list of pairs, if they are seen without reading one."""
    if not isinstance(chunks, list | tuple):
        return None
    total = 0
    for chunk in cast("Sequence[object]", chunks):
        first = cast("Sequence[object]", chunk)[0] if isinstance(chunk, tuple | list) else None
        if isinstance(first, Partition):
            total += first.n_objects
        elif isinstance(first, np.ndarray | list) and len(cast("list[object]", first)):
            total += len(cast("list[object]", first))
        else:
            return None
    return total or None


def _named(chunks: Iterable[object]) -> Iterator[tuple[str, int, Any]]:
    """Chunks that summarise themselves, with their names and numbers."""
    if not isinstance(cast("object", chunks), Iterable):
        raise InputError(
            f"chunks must be an iterable of pairs (a, b), got {type(chunks).__name__}."
        )
    for index, chunk in enumerate(chunks):
        where = getattr(chunk, "where", "")
        name = f"chunk {index}: {where}" if where else f"chunk {index}"
        yield name, index, chunk if hasattr(chunk, "summary") else _PairChunk(chunk)


@final
@dataclass(frozen=True)
class _PairChunk:
    """A pair of partitions, or a function that loads one."""

    given: object

    def summary(self, keep: Keep, index: int) -> Summary:
        """Load the pair and summarise it."""
        return summary_of(*self._pair(), keep, index)

    def sides(self) -> Iterator[Sides]:
        """The two partitions, in one block."""
        yield both_sides(*self._pair())

    def _pair(self) -> Pair:
        pair: object = self.given() if callable(self.given) else self.given
        if not isinstance(pair, tuple | list) or len(cast("Sequence[object]", pair)) != 2:
            seen = type(cast("object", pair)).__name__
            raise InputError(f"a chunk is a pair (a, b), got {seen}.")
        return cast("Pair", pair)


def both_sides(a: PartitionLike, b: PartitionLike) -> Sides:
    """Two partitions of the same objects, of which each chooses for itself."""
    first, second, _, _ = align(*(read_as(side, None, AS_IT_IS) for side in (a, b)))
    return _independent(first), _independent(second)


def summary_of(
    a: PartitionLike,
    b: PartitionLike,
    keep: Keep,
    index: int,
    dtypes: tuple[str, str] | None = None,
) -> Summary:
    """The summary of one chunk, by its number; ``dtypes`` are those of columns, if they are."""
    first, second = (read_as(side, None, AS_IT_IS) for side in (a, b))
    dtypes = dtypes or (_dtype_of(a, first), _dtype_of(b, second))
    # Labels that look like noise are counted when all chunks are there.
    said = [
        note
        for side in (first, second)
        for note in side.notes
        if not isinstance(side, HardPartition) or note != unsaid_noise(side, AS_IT_IS)
    ]
    first, second, notes, _ = align(first, second)
    kinds = first.kind, second.kind
    notes = tuple(dict.fromkeys((*said, *notes)))
    sides = _independent(first), _independent(second)
    if keep.quantity == "range" and not set(kinds) <= {"hard", "rough"}:
        supports = PairCounts.of(sides[0].support(), sides[1].support())
        return Summary(kinds, supports=supports, notes=notes, dtypes=dtypes)
    theory = theory_of_kinds(kinds)
    if theory in ("hard", "rough"):
        return Summary(kinds, counts=PairCounts.of(*sides), notes=notes, dtypes=dtypes)
    needs = needs_of(kinds, keep)
    order = order_of(needs)
    sums = MomentSums.of(*sides, order) if order else None
    draws = None
    if "draws" in needs:
        n_draws = check_draws(keep.n_draws, keep.tolerance)
        draws = DrawnTables.of(*sides, n_draws, keep.seed_of(index))
    return Summary(kinds, sums=sums, draws=draws, notes=notes, dtypes=dtypes)


def order_of(needs: frozenset[Need]) -> int:
    """The order of the power sums to keep; 0 for none."""
    return max((_ORDERS[need] for need in needs if need in _ORDERS), default=0)


def needs_of(kinds: tuple[Kind, Kind], keep: Keep) -> frozenset[Need]:
    """What to keep of two kinds."""
    key = theory_of_kinds(kinds), "hard" in kinds
    if refused := keep.refused.get(key):
        raise UnsupportedError(
            f"{refused[0]} ({keep.quantity}) of {kinds[0]} against {kinds[1]} needs the objects, "
            "which no summary keeps: leave it out, or use compare on the partitions themselves."
        )
    if not keep.needs[key]:
        raise UnsupportedError(
            f"No measure of {kinds[0]} against {kinds[1]} ({keep.quantity}) can do without the "
            "objects: use compare on the partitions themselves."
        )
    return keep.needs[key]


def _independent(side: Partition) -> IndependentPartition:
    if isinstance(side, PossibilisticPartition):
        if side.t_norm is not None:
            raise UnsupportedError(
                f"One joint possibility distribution (t-norm {side.t_norm}) does not add up over "
                "objects: read it object by object with .with_t_norm(None)."
            )
        return side.to_evidential()
    return independent(side, "A summary")


def _dtype_of(given: object, side: Partition) -> str:
    """The dtype of an array or frame of columns; empty for labels, and what has none."""
    if side.kind == "hard" or isinstance(given, Partition):
        return ""
    dtypes: object = getattr(given, "dtypes", None)  # of a frame
    found = getattr(given, "dtype", "") if dtypes is None else dtypes
    several = cast("Iterable[object]", found) if isinstance(found, Iterable) else [found]
    return ", ".join(sorted({str(each).lower() for each in several}))
