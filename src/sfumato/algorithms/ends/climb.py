"""Find tables with values near an end, by greedy filling and hill climbing."""

from collections.abc import Callable
from typing import Literal

import numpy as np

from sfumato._typing import Floats, Ints, Tables
from sfumato.algorithms.deadline import Deadline

__all__ = ["climb", "climb_seconds", "fill_greedily"]

_MOST_ROUNDS = 100
_USUAL_ROUNDS = 75
_SECONDS_PER_MOVE = 1e-6
_MOST_MOVES = 4000  # looked at in one round


def fill_greedily(counts: Ints, starts: Ints, cells: Ints, n_cells: int, *, gather: bool) -> Ints:
    """Fill a table type by type: send all objects of a type to its fullest or its emptiest cell.

    The cells that each type may go to are lists: ``starts`` and ``cells``. To ``gather`` is to send
    to the fullest cell, so that clusters match; else clusters mix. Gives the objects sent to the
    cell of each entry of the lists.
    """
    table = np.zeros(n_cells, dtype=np.int64)
    sent = np.zeros(len(cells), dtype=np.int64)
    sizes = np.diff(starts)
    for t in np.lexsort((-counts, sizes > 1)):  # types with one cell first, then the largest
        own = cells[starts[t] : starts[t + 1]]
        best = int(table[own].argmax() if gather else table[own].argmin())
        table[own[best]] += counts[t]
        sent[starts[t] + best] = counts[t]
    return sent


def climb_seconds(n_entries: float) -> float:
    """About the time of `climb`, of a measure that is quick to evaluate."""
    return _SECONDS_PER_MOVE * _USUAL_ROUNDS * min(_MOST_MOVES, 2.0 * n_entries)


def climb(
    evaluate: Callable[[Tables], Floats],
    starts: Ints,
    cells: Ints,
    sent: Ints,
    n_cells: int,
    *,
    sense: Literal["max", "min"],
    deadline: Deadline | None = None,
) -> tuple[Tables, float]:
    """Move objects of one type from one cell to another while that improves the value.

    ``evaluate`` gives the values of tables of shape (m, n_cells). The lists are those of
    `fill_greedily`, and the climb begins at ``sent``. Gives a table and the value that it attains,
    at least as good as at the start.
    """
    direction = 1.0 if sense == "max" else -1.0
    sent = sent.copy()
    table = np.bincount(cells, weights=sent, minlength=n_cells).astype(np.int64)
    value = float(evaluate(table[None, :])[0])
    for _ in range(_MOST_ROUNDS):
        from_entry, to_entry, amount = _moves(starts, sent)
        if len(amount) == 0 or (deadline is not None and deadline.is_over):
            break
        tables = np.repeat(table[None, :], len(amount), axis=0)
        move = np.arange(len(amount))
        tables[move, cells[from_entry]] -= amount
        tables[move, cells[to_entry]] += amount
        values = evaluate(tables)
        best = int((direction * values).argmax())
        if direction * (values[best] - value) <= 1e-14:
            break
        table, value = tables[best], float(values[best])
        sent[from_entry[best]] -= amount[best]
        sent[to_entry[best]] += amount[best]
    return table, value


def _moves(starts: Ints, sent: Ints) -> tuple[Ints, Ints, Ints]:
    """List the moves of one object, or of all objects, between two entries of one list."""
    moves: list[tuple[int, int, int]] = []
    for first, last in zip(starts[:-1].tolist(), starts[1:].tolist(), strict=True):
        occupied = [entry for entry in range(first, last) if sent[entry] > 0]
        for source in occupied:
            amounts = {1, int(sent[source])}
            moves += [
                (source, target, amount)
                for target in range(first, last)
                if target != source
                for amount in amounts
            ]
        if len(moves) > _MOST_MOVES:
            break
    if not moves:
        nothing = np.zeros(0, dtype=np.int64)
        return nothing, nothing, nothing
    from_entry, to_entry, amount = np.array(moves, dtype=np.int64).T
    return from_entry, to_entry, amount
