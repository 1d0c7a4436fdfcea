"""Which cluster or set of clusters noise and missing objects are in."""

from typing import final

import numpy as np

from sfumato._typing import Bools, Ints, Name
from sfumato.partitions.reading.checks import check_names
from sfumato.partitions.reading.reading_options import Reading
from sfumato.partitions.setlist import SetList

__all__ = ["UNSEEN", "Layout"]

UNSEEN = "unseen"  # the name of a class that no label shows


@final
class Layout:
    """Columns: the clusters, a cluster of noise, an unseen one, singletons, then sets of clusters.

    The sets are the first clusters, as many as an object may be in. A set of one is that cluster.

    Parameters
    ----------
    names : tuple
        Of the clusters that were seen.
    reading : Reading
    noisy : ndarray of integers
        Objects that are noise, or in part.
    missing : ndarray of shape (n,)
        Objects of which nothing is said.

    Attributes
    ----------
    names, possible : tuple
        Of all clusters, and of those that a missing object may be in.
    set_sizes : tuple of int
        Of the sets, which follow the clusters.
    noise_columns : ndarray of integers
        The column of each noisy object, where noise has columns.
    unknown : ndarray of integers
        Missing objects that are kept; ``missing_column`` is theirs.
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
