"""Find a clustering that has a given table: how many objects of each type go to each cell."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false

import numpy as np

from sfumato._typing import Ints
from sfumato.algorithms.tables.ragged import owners_of, starts_of

__all__ = ["realise_table"]


def realise_table(counts: Ints, starts: Ints, cells: Ints, table: Ints) -> Ints:
    """Find how many objects of each type go to each of their cells, so that they make a table.

    The lists have the cells that each type may go to, ``counts`` the objects of each type. The
    answer is the number of objects for each entry of the lists: a maximum flow from types to cells,
    which fills the table exactly if it is within reach.

    Examples
    --------
    >>> sent = realise_table(*map(np.array, ([2, 1], [0, 2, 3], [0, 1, 1], [1, 2])))
    >>> sent.tolist()
    [1, 1, 1]
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    n_types, n_cells = len(counts), len(table)
    source, sink = n_types + n_cells, n_types + n_cells + 1
    owner = owners_of(starts)
    # Rows: types (to their cells), cells (to the sink), the source (to the types), the sink.
    sizes = np.concatenate([np.diff(starts), np.ones(n_cells), [n_types, 0]]).astype(np.int64)
    columns = np.concatenate([n_types + cells, np.full(n_cells, sink), np.arange(n_types)])
    capacities = np.concatenate([counts[owner], table, counts])
    graph = csr_array(
        (capacities.astype(np.int32), columns, starts_of(sizes)), shape=(sink + 1, sink + 1)
    )
    flow = maximum_flow(graph, source, sink).flow
    return np.asarray(flow[owner, n_types + cells], dtype=np.int64).ravel()
