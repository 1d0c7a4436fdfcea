"""Bringing partitions into the same order of objects, and down to the objects that all keep."""

from collections.abc import Hashable, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Ints
from sfumato._wording import option
from sfumato.errors import InputError
from sfumato.partitions.base import Partition, given_to

__all__ = ["align", "check_indexes", "given_objects", "share_objects"]

Some = TypeVar("Some", bound=Partition)


def align(a: Some, b: Some) -> tuple[Some, Some, tuple[str, ...], Ints | None]:
    """Bring b into the order of a where both carry an index, and drop what either side drops.

    The two partitions, notes, and the rows of a that are left, or None, as in `share_objects`.
    """
    order = _order(a, b)
    (first, second), notes, rows = _shared((a, b), (None, order))
    if order is not None:
        notes = ("The second partition was reordered to match the index of the first.", *notes)
    return first, second, notes, rows


def share_objects(
    partitions: Sequence[Some],
) -> tuple[tuple[Some, ...], tuple[str, ...], Ints | None]:
    """Bring partitions into the order of the first one, on the objects that all of them keep.

    The partitions, a note of how many objects are left if some were dropped, and where these stood
    among those that the first partition was given, or None if all are left.
    """
    first = partitions[0]
    orders = [_order(first, other) for other in partitions]
    if given_objects(first)[1] is None:
        check_indexes(partitions)
    return _shared(partitions, orders)


def check_indexes(partitions: Sequence[Partition]) -> None:
    """Raise `InputError` where the rows of one without index cannot match those of all others."""
    indexes = [given_objects(partition)[1] for partition in partitions]
    known = [index for index in indexes if index is not None]
    if len(known) < len(indexes) and not all(np.array_equal(known[0], other) for other in known):
        raise InputError(
            "One of the partitions has no index, and the indexes of others differ or have another "
            "order, so its rows cannot match all of them: give it an index, or bring all into one "
            "order."
        )


def _shared(
    partitions: Sequence[Some], orders: Sequence[Ints | None]
) -> tuple[tuple[Some, ...], tuple[str, ...], Ints | None]:
    if all(side.given is None for side in partitions):
        sides = zip(partitions, orders, strict=True)
        return tuple(a if order is None else a.take(order) for a, order in sides), (), None
    kept = [given_to(side).is_kept for side in partitions]
    is_shared = np.logical_and.reduce(
        [own if order is None else own[order] for own, order in zip(kept, orders, strict=True)]
    )
    n_shared, n_given = int(is_shared.sum()), len(is_shared)
    if n_shared == 0:
        raise InputError(
            f"Each of the {n_given:,} objects is dropped by some partition, so there is nothing "
            f"to compare: use {option('noise', 'singletons')} or {option('missing', 'unknown')} "
            'instead of "drop".'
        )
    shared: list[Some] = []
    for partition, own, order in zip(partitions, kept, orders, strict=True):
        places = np.cumsum(own) - 1  # among the objects that this side keeps
        shared.append(partition.take((places if order is None else places[order])[is_shared]))
    note = (
        f"Compared on {n_shared:,} of {n_given:,} objects ({n_shared / n_given:.0%}): the others "
        "were dropped."
    )
    return tuple(shared), (note,), np.flatnonzero(is_shared)


def _order(a: Partition, b: Partition) -> Ints | None:
    """Where each object that a was given stands among those of b; None if in the same place."""
    (n_first, first), (n_second, second) = given_objects(a), given_objects(b)
    if n_first != n_second:
        raise InputError(
            f"The partitions have {n_first:,} and {n_second:,} objects; they must speak of "
            "the same objects."
        )
    if first is None or second is None or np.array_equal(first, second):
        return None
    labels = _labels(first)
    places = {label: at for at, label in enumerate(_labels(second))}
    known = set(labels)
    only_first = [f"{label!r} only in the first" for label in labels if label not in places]
    only_second = [f"{label!r} only in the second" for label in places if label not in known]
    if differing := " and ".join(only_first[:1] + only_second[:1]):
        raise InputError(
            f"The two indexes hold different objects, for instance {differing}: select the same "
            "objects, or pass arrays without index."
        )
    if len(places) < len(labels):
        raise InputError(
            "The two indexes hold the same labels in another order, and some label occurs twice, "
            "so the objects cannot be aligned: make the index unique."
        )
    return np.array([places[label] for label in labels], dtype=np.int64)


def given_objects(side: Partition) -> tuple[int, NDArray[np.generic] | None]:
    """How many objects a partition was given, and their index."""
    if side.given is None:
        return side.n_objects, side.index
    return len(side.given.is_kept), side.given.index


def _labels(index: NDArray[np.generic]) -> list[Hashable]:
    # Dates stay what they are: as plain numbers they would be unreadable in a message.
    return list(index) if index.dtype.kind in "mM" else index.tolist()
