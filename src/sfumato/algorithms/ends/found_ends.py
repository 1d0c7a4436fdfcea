"""What every solver of ends may spend, and what it returns: an end for many instances."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.deadline import Deadline, in_threads

__all__ = ["ROUNDING", "Budget", "FoundEnds", "in_blocks", "up_to_rounding"]

ROUNDING = 1e-10  # a ratio whose bound is this near, relative to max(1, |value|), is called exact


class Budget(NamedTuple):
    """What the search in each instance may spend.

    Instances that follow one another and are alike may share their nodes. What is found for one
    then depends on the others, so draws that are to be independent have their own.
    """

    max_nodes: int  # after these a search stops, with a wider bound; 0: only the first one
    threads: int = 1  # each takes some instances; the result does not depend on it
    deadline: Deadline | None = None  # ends a search early, as max_nodes does
    is_shared: bool = False


class FoundEnds(NamedTuple):
    """One end, smallest or largest value, for each of a batch of instances.

    No compatible table has a value beyond the bound, which is the value where the search closed.
    """

    tables: Ints  # (batch, k, l): compatible, with these values
    values: Floats  # (batch,)
    bounds: Floats  # (batch,)


def in_blocks(
    solve: Callable[[slice], tuple[Ints, Ints | Floats, Ints | Floats]],
    n_instances: int,
    budget: Budget,
    block: int,
) -> FoundEnds:
    """Solve all instances at once; blocks of at most so many side by side if there are threads.

    Blocks whose instances share their nodes are as large as stated, so that the result does not
    depend on the threads.
    """
    share = -(-n_instances // budget.threads)
    size = max(1, share if budget.threads == 1 else min(block, share))
    if budget.is_shared:
        size = block
    slices = [slice(at, at + size) for at in range(0, max(1, n_instances), size)]
    if len(slices) == 1:
        solved = [solve(slices[0])]
    else:
        solved = in_threads(solve, slices, budget.threads, budget.deadline)
    tables, values, bounds = (np.concatenate(part) for part in zip(*solved, strict=True))
    return FoundEnds(tables, values.astype(np.float64), bounds.astype(np.float64))


def up_to_rounding(found: FoundEnds) -> FoundEnds:
    """The same, with bounds that differ from the values by the stated rounding set to these.

    Examples
    --------
    >>> nothing = np.zeros((2, 1, 1), dtype=np.int64)
    >>> found = FoundEnds(nothing, np.array([0.5, 0.5]), np.array([0.5 + 1e-12, 0.5 + 1e-9]))
    >>> (up_to_rounding(found).bounds == found.values).tolist()
    [True, False]
    """
    with np.errstate(invalid="ignore"):  # infinite bounds
        gaps = np.abs(found.bounds - found.values)
    is_closed = gaps <= ROUNDING * np.maximum(1.0, np.abs(found.values))
    return found._replace(bounds=np.where(is_closed, found.values, found.bounds))
