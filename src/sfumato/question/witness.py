"""Clusterings that attain a value."""

import numpy as np

from sfumato._typing import Tables
from sfumato.algorithms.tables.realise import realise_table
from sfumato.partitions.hard import HardPartition
from sfumato.question.query import Query
from sfumato.results.comparison import End, Witness

__all__ = ["witness", "witness_of_end"]


def witness_of_end(query: Query, lowest: Tables, highest: Tables, end: End) -> Witness:
    """A witness of one end, from tables that attain the two; results keep it as a `partial`."""
    return witness(query, lowest if end == "lower" else highest)


def witness(query: Query, table: Tables) -> Witness:
    """A pair of hard partitions, compatible with the two rough ones, that has a given table.

    The table is within reach of the joint partitions, in their orientation.
    """
    joint = query.joint
    counts, starts, cells = joint.open_lists
    sent = realise_table(counts, starts, cells, table.ravel())
    by_type = np.argsort(joint.types.type_of_objects(), kind="stable")
    cell_of = np.empty(joint.n_objects, dtype=np.int64)
    cell_of[by_type] = np.repeat(cells, sent)
    clusters = np.divmod(cell_of, joint.shape[1])
    rows, columns = (
        HardPartition([side.names[cluster] for cluster in found])
        for side, found in zip((joint.row_side, joint.column_side), clusters, strict=True)
    )
    return (columns, rows) if query.is_turned else (rows, columns)
