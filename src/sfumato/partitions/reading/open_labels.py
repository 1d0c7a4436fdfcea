"""Labels of which some mark noise or are missing, and the clusters that these are in."""

import itertools
from typing import final

import numpy as np
from numpy.typing import NDArray

from sfumato._arguments import is_number
from sfumato._typing import Bools, Ints, Name
from sfumato._wording import option
from sfumato.errors import InputError
from sfumato.partitions.base import Partition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.reading.checks import check_names
from sfumato.partitions.reading.labels import factorise, find_missing, object_array
from sfumato.partitions.reading.reading_options import Reading
from sfumato.partitions.reading.tabular import Column
from sfumato.partitions.rough import RoughPartition
from sfumato.partitions.setlist import SetList

__all__ = [
    "AS_A_CLUSTER",
    "UNSEEN",
    "Layout",
    "missing_note",
    "read_labels",
    "reread",
    "unsaid_noise",
]

UNSEEN = "unseen"  # the name of a class that no label shows
AS_A_CLUSTER = "taken for a cluster like any other"  # in notes on noise that nobody spoke of


def read_labels(column: Column, reading: Reading) -> Partition:
    """A hard partition of labels, or a rough one where noise or missing labels are unknown.

    Examples
    --------
    >>> labels = Column([0, 1, -1, None])
    >>> read_labels(labels, Reading(noise="singletons", missing="unknown")).mask.astype(int)
    array([[1, 0, 0],
           [0, 1, 0],
           [0, 0, 1],
           [1, 1, 0]])
    """
    if reading.missing == "raise" or not (missing := find_missing(column.values)).any():
        hard = HardPartition(column)
        if reading.noise is None:
            return hard.noted(unsaid_noise(hard, reading))
        return reread(hard, reading)
    if missing.all():
        return _all_unseen(column, missing, reading)
    codes, categories = factorise(_filled(column.values, missing))
    return _opened(HardPartition.from_codes(codes, categories, column.index), missing, reading)


def _all_unseen(column: Column, missing: Bools, reading: Reading) -> Partition:
    if reading.missing == "drop":
        raise InputError(
            f"All {len(missing):,} labels are missing, so nothing is left after dropping them."
        )
    if not reading.new_class:
        raise InputError(
            f"All {len(missing):,} labels are missing and no class was seen that they could be; "
            f"pass {option('new_class', True)}, or labels for some objects."
        )
    codes = np.zeros(len(missing), dtype=np.int64)
    unseen = HardPartition.from_codes(codes, object_array([UNSEEN]), column.index)
    return unseen.noted(missing_note(missing, 0, reading, "labels"))


def reread(hard: HardPartition, reading: Reading) -> Partition:
    """The same for a hard partition, whose labels are all there."""
    return _opened(hard, np.zeros(hard.n_objects, dtype=bool), reading)


def _filled(
    labels: "NDArray[np.generic] | list[object]", missing: Bools
) -> "NDArray[np.generic] | list[object]":
    """A known label in the gaps: what is wrong with others is then found in its right place."""
    if isinstance(labels, list):
        known = labels[int(np.argmin(missing))]
        return [known if gap else label for label, gap in zip(labels, missing, strict=True)]
    return labels[np.where(missing, int(np.argmin(missing)), np.arange(len(labels)))]


def _noise_categories(hard: HardPartition, reading: Reading) -> Bools:
    if hard.categories.dtype.kind in "iuf" and is_number(reading.noise_label):
        return np.asarray(hard.categories == reading.noise_label)  # quick where there are many
    flags = map(reading.is_noise, hard.categories.tolist())
    return np.fromiter(flags, dtype=bool, count=hard.n_clusters)


def unsaid_noise(hard: HardPartition, reading: Reading, counts: Ints | None = None) -> str:
    """A note where labels look like noise and nobody said so.

    ``counts`` are the objects that each label stands for, where it is not one.
    """
    if reading.noise is not None or not (is_noise := _noise_categories(hard, reading)).any():
        return ""
    weights = np.ones(hard.n_objects, dtype=np.int64) if counts is None else counts
    count = int(weights[is_noise[hard.short_codes]].sum())
    return (
        f"{_share(count, int(weights.sum()))} are {reading.noise_label!r}, {AS_A_CLUSTER}; if they "
        "mark noise, say what it is: pass "
        f"{option('noise', *_NOISE, to_reader=True)}."
    )


_NOISE = ("singletons", "unknown", "drop", "cluster")


def _share(count: int, n_objects: int, what: str = "labels") -> str:
    return f"{count:,} of {n_objects:,} {what} ({100 * count / n_objects:.3g}%)"


def _opened(hard: HardPartition, missing: Bools, reading: Reading) -> Partition:
    """Give noise and missing labels their sets of clusters, or drop them."""
    is_noise_category = _noise_categories(hard, reading)
    if reading.noise in (None, "cluster"):
        is_noise_category[:] = False
    noise = is_noise_category[hard.codes] & ~missing
    is_dropped = (noise & (reading.noise == "drop")) | (missing & (reading.missing == "drop"))
    if is_dropped.all():
        raise InputError(
            f"All {hard.n_objects:,} labels are noise or missing, so nothing is left after "
            f"dropping them; {option('noise', 'singletons')} keeps noise."
        )
    seen = tuple(itertools.compress(hard.names, ~is_noise_category))
    layout = Layout(seen, reading, np.flatnonzero(noise), missing)
    for flags, classes, is_unknown in (
        (noise, seen, reading.noise == "unknown"),
        (missing, layout.possible, reading.missing == "unknown"),
    ):
        if is_unknown and flags.any() and not classes:
            raise InputError(
                f"{_share(int(flags.sum()), len(flags))} are unknown and no class was seen that "
                f"they could be; use {option('noise', 'singletons', 'drop')} for noise, "
                f"{option('new_class', True)} for missing labels."
            )
    codes = (np.cumsum(~is_noise_category) - 1)[hard.codes]
    codes[layout.noisy] = layout.noise_columns
    codes[layout.unknown] = layout.missing_column
    codes[is_dropped] = 0  # any cluster
    notes = (
        unsaid_noise(hard, reading, (~missing).astype(np.int64)),
        _noise_note(noise, reading),
        missing_note(missing, len(seen), reading, "labels"),
    )
    opened: Partition
    if layout.set_sizes:
        opened = RoughPartition.trusted(codes, layout.sets, like=hard, names=layout.names)
    else:
        opened = HardPartition.trusted(codes, like=hard, names=layout.names)
    return opened.noted(*notes).drop(is_dropped)


@final
class Layout:
    """Columns: the clusters, a cluster of noise, an unseen one, singletons, then sets of clusters.

    ``names`` are those of all clusters, ``possible`` of those that a missing object may be in. The
    sets are the first clusters, as many (``set_sizes``) as an object may be in; a set of one is
    that cluster. Object ``noisy[i]`` is in column ``noise_columns[i]``, the missing ones that are
    kept (``unknown``) are in ``missing_column``.
    """

    def __init__(
        self, names: tuple[Name, ...], reading: Reading, noisy: Ints, missing: Bools
    ) -> None:
        self.noisy = noisy
        self.unknown = np.flatnonzero(missing & (reading.missing == "unknown"))
        has_cluster = len(noisy) > 0 and reading.noise == "cluster"
        has_unseen = len(self.unknown) > 0 and reading.new_class
        seen = (*names, *((reading.noise_label,) if has_cluster else ()))
        self.possible = (*seen, *((UNSEEN,) if has_unseen else ()))
        alone: list[int] = noisy.tolist() if reading.noise == "singletons" else []
        self.names = (*self.possible, *(f"{reading.noise_label} #{at}" for at in alone))
        check_names(self.names, len(self.names))
        is_noise_open = len(noisy) > 0 and reading.noise == "unknown"
        sizes = [len(names)] * is_noise_open + [len(self.possible)] * (len(self.unknown) > 0)
        self.set_sizes = tuple(dict.fromkeys(size for size in sizes if size > 1))
        if is_noise_open:
            self.noise_columns = np.full(len(noisy), self._column(len(names)))
        else:
            first = len(self.possible) if alone else len(names)
            self.noise_columns = first + np.arange(len(noisy)) * bool(alone)
        self.missing_column = self._column(len(self.possible))

    def _column(self, size: int) -> int:
        """The column of the set of the first clusters, which is a cluster if there is only one."""
        return len(self.names) + self.set_sizes.index(size) if size in self.set_sizes else 0

    @property
    def sets(self) -> SetList:
        """What the columns stand for."""
        singles = np.arange(len(self.names))
        ends = len(singles) + np.cumsum(self.set_sizes, dtype=np.int64)
        members = np.concatenate([singles, *map(np.arange, self.set_sizes)])
        return SetList(np.concatenate([[0], singles + 1, ends]), members)


_WHAT_NOISE_IS = {
    "singletons": "each is in no cluster, alone",
    "unknown": "each may be in any cluster that was seen",
    "drop": "they are dropped, so the answer speaks for the other objects only",
}


def _noise_note(noise: Bools, reading: Reading) -> str:
    if not noise.any() or reading.noise not in _WHAT_NOISE_IS:
        return ""
    said = f"{_share(int(noise.sum()), len(noise))} are noise"
    return f"{said}: {_WHAT_NOISE_IS[reading.noise]} ({option('noise', reading.noise)})."


def missing_note(missing: Bools, n_seen: int, reading: Reading, what: str) -> str:
    """What is said of labels or rows that are missing; empty if none is."""
    if not missing.any():
        return ""
    said = f"{_share(int(missing.sum()), len(missing), what)} are missing"
    if reading.missing == "drop":
        return (
            f"{said} and dropped; the answer speaks for all objects only if {what} are missing at "
            "random."
        )
    classes = "the one class seen" if n_seen == 1 else f"the {n_seen} classes seen"
    classes += " or one unseen class" if reading.new_class else ""
    return f"{said}; the answer holds if each is among {classes}."
