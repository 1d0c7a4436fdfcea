"""A second round over the chunks: what depends on the expected table of all objects."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np

from sfumato._typing import Name
from sfumato.algorithms.moments.spread_sums import SpreadNeeds, spread_needs, spread_sums
from sfumato.algorithms.tables.rows import Rows, hard_rows
from sfumato.api.chunks.chunk_tree import Load, reduce_chunks
from sfumato.api.chunks.summary import Summary
from sfumato.errors import ChunkError, InputError
from sfumato.partitions.base import IndependentPartition
from sfumato.partitions.hard import HardPartition
from sfumato.question.joint import probability_rows
from sfumato.question.moment_sums import MomentSums

if TYPE_CHECKING:
    from sfumato.algorithms.moments.power_sums import SpreadSums

__all__ = ["Sides", "check_rounds", "with_second_round"]

Sides = tuple[IndependentPartition, IndependentPartition]


def check_rounds(rounds: object, source: object) -> None:
    """Complain about a number of rounds that is none, or that the source cannot be read for."""
    is_whole = isinstance(rounds, int | np.integer) and not isinstance(rounds, bool)
    if not is_whole or rounds not in (1, 2):
        raise InputError(f"rounds must be 1 or 2, got {rounds!r}.")
    if rounds == 2 and isinstance(source, Iterator):
        seen = type(cast("object", source)).__name__
        raise InputError(
            f"Two rounds read every chunk twice, and {seen} can be read once: give a list of "
            "chunks or of functions that load them."
        )


def with_second_round(
    first: Summary,
    chunks: Iterable[tuple[str, Callable[[], Iterator[Sides]]]],
    executor: object,
    in_flight: int | None = None,
) -> Summary:
    """The summary of the first round with what a second one adds, if there is anything.

    ``chunks`` are the names of the same chunks, in the same order, and what loads their sides in
    blocks.
    """
    sums = first.sums
    if sums is None:
        return first
    needs, names = spread_needs(sums.sums), list[str]()

    def loads() -> Iterator[Load]:
        for name, sides in chunks:
            names.append(name)
            yield Load(partial(_spread_of, sums, needs, sides), name)

    try:
        found: SpreadSums = reduce_chunks(loads(), executor, in_flight=in_flight)
    except ChunkError as error:
        reason = str(error).split("; chunk")[0].split("; no chunk")[0].rstrip(".")
        failed = ChunkError(
            f"second round: {reason}; the first round is finished: see this error's .finished."
        )
        failed.finished = {range(len(names)): first}
        raise failed from error
    if found.n_objects != first.n_objects:
        raise InputError(
            f"The second round found {found.n_objects:,} objects and the first "
            f"{first.n_objects:,}: chunks must not change."
        )
    return replace(first, sums=replace(sums, sums=sums.sums._replace(spread=found)))


def _spread_of(
    sums: MomentSums, needs: SpreadNeeds, sides: Callable[[], Iterator[Sides]]
) -> "SpreadSums":
    blocks = (spread_sums(_rows_of(a, sums.a), _rows_of(b, sums.b), needs) for a, b in sides())
    total = next(blocks)
    for block in blocks:
        total = total + block
    return total


def _rows_of(side: IndependentPartition, names: tuple[Name, ...]) -> Rows:
    """The memberships of a chunk in the clusters of all chunks."""
    rows = probability_rows(side)
    if side.names == names:
        return rows
    places = {name: at for at, name in enumerate(names)}
    if not isinstance(side, HardPartition) or not places.keys() >= set(side.names):
        raise InputError("the clusters are others than in the first round: chunks must not change.")
    own = np.array([places[name] for name in side.names], dtype=np.int64)
    return hard_rows(own[rows.columns], len(names))
