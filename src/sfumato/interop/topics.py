"""Topic models: weights of documents on topics."""

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, cast

import numpy as np

from sfumato._arguments import is_number
from sfumato._typing import Name
from sfumato.errors import CostError, InputError
from sfumato.partitions import Partition, as_partition
from sfumato.partitions.reading.checks import given_names, shown
from sfumato.partitions.reading.inputs import read_table
from sfumato.partitions.reading.tabular import Table

__all__ = ["from_topics"]

_MOST_TOPICS = 1_000_000


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
    named = table if names is None else replace(table, names=given_names(names))
    return as_partition(
        named, kind="fuzzy", noise=None if normalize else "unknown", normalize=normalize
    )


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
    for row, pairs in enumerate(cast("Sequence[Sequence[Sequence[Any]]]", weights)):
        for pair in pairs:
            if len(pair) != 2 or not _is_topic(pair[0]) or not _is_weight(pair[1]):
                raise InputError(
                    f"weights: row {row} holds {tuple(pair)!r}; pass pairs of a topic's number, "
                    "from 0, and its weight."
                )
            owners.append(row)
            topics.append(int(pair[0]))
            values.append(float(pair[1]))
    most = max(topics) + 1
    n_columns = most if n_topics is None else n_topics
    if isinstance(n_columns, bool) or not isinstance(cast(object, n_columns), Integral):
        raise InputError(f"n_topics is {shown(n_topics)}; pass an integer.")
    if n_columns < most:
        raise InputError(f"n_topics is {shown(n_topics)}, but topic {most - 1} occurs.")
    if n_columns > _MOST_TOPICS:
        raise CostError(
            f"weights: {n_columns:,} topics are more than the {_MOST_TOPICS:,} that are read; "
            "number those that occur from 0."
        )
    shape = len(cast("Sequence[object]", weights)), int(n_columns)
    matrix: Any = scipy.sparse.csr_matrix((np.array(values), (owners, topics)), shape=shape)
    return Table(matrix)


def _is_topic(number: object) -> bool:
    return is_number(number) and 0 <= number < np.inf and int(number) == number


def _is_weight(number: object) -> bool:
    return is_number(number) and not abs(number) > sys.float_info.max
