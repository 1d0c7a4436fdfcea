"""Topic models: weights of documents on topics."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np

from sfumato._typing import Name
from sfumato.errors import InputError
from sfumato.partitions import Partition, as_partition
from sfumato.partitions.reading.checks import shown
from sfumato.partitions.reading.inputs import read_table
from sfumato.partitions.reading.tabular import Table

__all__ = ["from_topics"]


def from_topics(
    weights: object,
    *,
    n_topics: int | None = None,
    normalize: bool = False,
    names: Iterable[Name] | None = None,
) -> Partition:
    """Documents with their weights on topics, all of them or only the largest.

    Parameters
    ----------
    weights : array-like or sparse matrix of shape (n, k), or list of lists of pairs
        Rows are documents. A list of (topic, weight) for each document, as gensim gives, names the
        topics by their numbers from 0.
    n_topics : int, optional
        How many topics there are, for pairs; one more than the largest number by default.
    normalize : bool
        Divide rows by their sums, as for the weights of NMF. Else what a row lacks to 1 is weight
        on topics that were left out: mass on all topics.
    names : sequence of k distinct hashables, optional

    Returns
    -------
    FuzzyPartition or EvidentialPartition
        Fuzzy if all rows sum to 1.

    Examples
    --------
    >>> from_topics([[(0, 0.75), (2, 0.25)], [(1, 0.5)]], n_topics=3).plausibility()
    array([[0.75, 0.  , 0.25],
           [0.5 , 1.  , 0.5 ]])
    """
    if _is_pairs(weights):
        table = _table_of_pairs(weights, n_topics)
    elif n_topics is not None:
        raise InputError("n_topics is for lists of (topic, weight); a matrix has its columns.")
    else:
        table = read_table(weights, "weights")
    chosen = table.names if names is None else tuple(names)
    named = Table(table.values, chosen, table.index)
    if normalize:
        return as_partition(named, normalize=True)
    return as_partition(named, noise="unknown")


def _is_pairs(weights: object) -> bool:
    if not isinstance(weights, list | tuple) or not weights:
        return False
    rows = [
        cast("Sequence[object]", row) if isinstance(row, list | tuple) else (row,)
        for row in cast("Sequence[object]", weights)
    ]
    return any(rows) and all(isinstance(pair, tuple) for row in rows for pair in row)


def _table_of_pairs(weights: object, n_topics: int | None) -> Table:
    import scipy.sparse

    owners: list[int] = []
    topics: list[int] = []
    values: list[float] = []
    for row, pairs in enumerate(cast("Sequence[Sequence[Sequence[float]]]", weights)):
        for pair in pairs:
            if len(pair) != 2 or pair[0] < 0 or int(pair[0]) != pair[0]:
                raise InputError(
                    f"weights: row {row} holds {tuple(pair)!r}; pass pairs of a topic's number, "
                    "from 0, and its weight."
                )
            owners.append(row)
            topics.append(int(pair[0]))
            values.append(float(pair[1]))
    most = max(topics) + 1
    if n_topics is not None and n_topics < most:
        raise InputError(f"n_topics is {shown(n_topics)}, but topic {most - 1} occurs.")
    shape = len(cast("Sequence[object]", weights)), most if n_topics is None else n_topics
    matrix: Any = scipy.sparse.csr_matrix((np.array(values), (owners, topics)), shape=shape)
    return Table(matrix)
