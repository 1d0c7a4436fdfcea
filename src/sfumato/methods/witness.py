"""Clusterings that attain a value."""

import numpy as np

from sfumato._typing import Tables
from sfumato.algorithms.tables.ragged import gather
from sfumato.algorithms.tables.realise import realise_table
from sfumato.partitions.hard import HardPartition
from sfumato.query import Query
from sfumato.results.comparison import End, Witness

__all__ = ["witness", "witness_of_end"]


def witness_of_end(query: Query, lowest: Tables, highest: Tables, end: End) -> Witness:
    """A witness of one end, from tables that attain the two; results keep it as a `partial`."""
    return witness(query, lowest if end == "lower" else highest)


def witness(query: Query, table: Tables) -> Witness:
    """A pair of hard partitions, compatible with the two rough ones, that has a given table.

    Parameters
    ----------
    query : Query
        Of the rough theory.
    table : ndarray of shape (k1, k2)
        Within reach of the two partitions.
    """
    joint = query.joint
    choices = joint.set_choices(np.multiply)  # rough: one pair of sets per type
    pair_starts, pair_cells = joint.pair_cells(choices.labels)
    starts, entries = gather(pair_starts, choices.cells)
    cells = pair_cells[entries]
    sent = realise_table(joint.counts, starts, cells, table.ravel())
    by_type = np.argsort(joint.type_of_objects(), kind="stable")
    cell_of = np.empty(query.n_objects, dtype=np.int64)
    cell_of[by_type] = np.repeat(cells, sent)
    rows, columns = np.divmod(cell_of, query.shape[1])
    return (
        HardPartition([query.a.names[row] for row in rows]),
        HardPartition([query.b.names[column] for column in columns]),
    )
