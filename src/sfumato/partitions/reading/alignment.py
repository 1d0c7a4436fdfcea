"""Bringing two partitions into the same order of objects."""

from collections.abc import Hashable

import numpy as np
from numpy.typing import NDArray

from sfumato.errors import InputError
from sfumato.partitions.base import Partition

__all__ = ["align"]


def align(a: Partition, b: Partition) -> tuple[Partition, tuple[str, ...]]:
    """Bring b into the order of a where both carry an index."""
    if a.n_objects != b.n_objects:
        raise InputError(
            f"The partitions have {a.n_objects:,} and {b.n_objects:,} objects; they must speak of "
            "the same objects."
        )
    if a.index is None or b.index is None or np.array_equal(a.index, b.index):
        return b, ()
    labels = _labels(a.index)
    places = {label: at for at, label in enumerate(_labels(b.index))}
    if differing := _differing(labels, places):
        raise InputError(
            f"The two indexes hold different objects, for instance {differing}: select the same "
            "objects, or pass arrays without index."
        )
    if len(places) < len(labels):
        raise InputError(
            "The two indexes hold the same labels in another order, and some label occurs twice, "
            "so the objects cannot be aligned: make the index unique."
        )
    order = np.array([places[label] for label in labels], dtype=np.int64)
    return b.take(order), ("The second partition was reordered to match the index of the first.",)


def _labels(index: NDArray[np.generic]) -> list[Hashable]:
    # Dates stay what they are: as plain numbers they would be unreadable in a message.
    return list(index) if index.dtype.kind in "mM" else index.tolist()


def _differing(first: list[Hashable], second: dict[Hashable, int]) -> str:
    """An example of a label in one index only, for either side that has one."""
    known = set(first)
    only_first = [label for label in first if label not in second]
    only_second = [label for label in second if label not in known]
    return " and ".join(
        [f"{label!r} only in the first" for label in only_first[:1]]
        + [f"{label!r} only in the second" for label in only_second[:1]]
    )
