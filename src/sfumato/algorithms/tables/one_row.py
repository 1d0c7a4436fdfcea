"""Build the tables in which one row holds all objects, where many ratios are zero over zero."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Tables
from sfumato.algorithms.tables.focal_model import SetTypes

__all__ = ["OneRow", "one_row_tables"]


class OneRow(NamedTuple):
    """Tables with one row, for each of a batch of rough partitions against a hard truth."""

    is_within_reach: Bools  # (batch,): whether all objects may be in the same row
    tables: Tables  # (batch, k, l): all objects in that row
    has_others: Bools  # (batch,): whether there is any other table
    others: Tables  # (batch, k, l): the same after one object has moved to another row, if it can


def one_row_tables(types: SetTypes, shape: tuple[int, int]) -> OneRow:
    """Find the tables with one row, and another table for each, where each type has one column.

    O(batch t k).

    Examples
    --------
    >>> types = SetTypes(np.array([1, 3]), np.array([1, 2]), np.array([[2, 1]]))
    >>> found = one_row_tables(types, (2, 2))
    >>> found.tables.tolist(), found.others.tolist()
    ([[[2, 1], [0, 0]]], [[[2, 0], [0, 1]]])
    """
    classes = types.classes
    members = (types.row_sets[:, None] >> np.arange(shape[0])) & 1
    excluded = types.counts @ (1 - members)  # objects that cannot be in each row
    rows = np.argmin(excluded, axis=1)
    every = np.arange(len(rows))
    tables = np.zeros((len(rows), *shape), dtype=np.int64)
    tables[every, rows] = types.counts @ (classes[:, None] == np.arange(shape[1]))
    moves = (types.counts > 0) & (members.sum(axis=1) > 1)
    moved = np.argmax(moves, axis=1)  # a type with an object that can leave the row
    choices = members[moved]
    choices[every, rows] = 0
    has_others = moves.any(axis=1)
    others = tables.copy()
    others[every, rows, classes[moved]] -= has_others
    others[every, np.argmax(choices, axis=1), classes[moved]] += has_others
    return OneRow(excluded[every, rows] == 0, tables, has_others, others)
