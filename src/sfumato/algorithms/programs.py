"""Linear and integer programs by HiGHS: without a gap, with bounds that hold, and silent."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from math import ceil, inf
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.deadline import Deadline, OutOfTimeError, interruptible, seconds_left

if TYPE_CHECKING:
    from scipy.sparse import csr_array

__all__ = ["Solution", "quiet_solver", "solve_program", "whole_bound"]

_TOLERANCE = 4e-7  # of a reduced cost: four times that of HiGHS
_MARGIN = 1e-3  # least margin: far above what rounding and integrality tolerances add
_ALONE = Lock()


class Solution(NamedTuple):
    """The best point found, if any, and a lower bound of all points up to HiGHS's tolerances."""

    point: Floats | None
    bound: float


def solve_program(
    costs: Floats,
    matrix: "csr_array | Floats",
    limits: tuple[Floats | float, Floats | float],
    *,
    highest: float = inf,
    is_whole: Floats | None = None,
    max_nodes: int | None = None,
    deadline: Deadline | None = None,
) -> Solution:
    """Minimise ``costs @ x`` where ``limits[0] <= matrix @ x <= limits[1]``, 0 <= x <= highest.

    ``is_whole`` is 1 where x must be an integer; None: nowhere. The deadline ends a search early,
    as ``max_nodes`` does; a linear program then proves nothing.

    Notes
    -----
    HiGHS :cite:`huangfu2018parallelizing`. Its default stops at a relative gap of 1e-4; here it
    stops at none. A program that ends neither solved nor at a limit proves nothing, so its bound
    is -inf.

    Examples
    --------
    >>> found = solve_program(np.ones(1), np.array([[2.0]]), (3.0, inf), is_whole=np.ones(1))
    >>> found.point.tolist(), found.bound
    ([2.0], 2.0)
    """
    from scipy import optimize

    solver: Any = optimize  # without types
    options: dict[str, float] = {} if is_whole is None else {"mip_rel_gap": 0.0}
    if max_nodes is not None:
        options["node_limit"] = max_nodes
    if deadline is not None and deadline.is_set:
        if (left := deadline.left) <= 0.0:  # one look: time may end between two
            return Solution(None, -inf)
        options["time_limit"] = left
    solve = partial(
        solver.milp,
        costs,
        integrality=is_whole,
        bounds=solver.Bounds(0, highest),
        constraints=solver.LinearConstraint(matrix, *limits),
        options=options,
    )
    try:
        with quiet_solver():
            found = interruptible(solve, deadline)
    except OutOfTimeError:
        if deadline is None or deadline.is_called_off or seconds_left() <= 0.0:
            raise
        return Solution(None, -inf)
    # SciPy has no status of its own for a limit of nodes.
    is_limited = is_whole is not None and "limit reached" in found.message.lower()
    if found.status != 0 and not is_limited:
        return Solution(None, -inf)
    bound = found.fun if found.status == 0 and is_whole is None else found.mip_dual_bound
    return Solution(found.x, -inf if bound is None or np.isnan(bound) else float(bound))


def whole_bound(bound: float, total: float) -> float:
    """A lower bound of an integer minimum, proved by that of HiGHS.

    HiGHS lets reduced costs fall below zero by 1e-7, so a point x may cost less than its bound by
    at most 1e-7 times the sum of x (and likewise for constraints, times what they are worth). The
    minimum is an integer: the next one above the bound less a margin beyond all of this holds in
    exact numbers.

    No point that matters has a larger sum than ``total``, nor have the multipliers of the
    constraints.

    Examples
    --------
    >>> whole_bound(3.9999, 1000.0), whole_bound(4.0, 1000.0), whole_bound(4.3, 1000.0)
    (4.0, 4.0, 5.0)
    """
    margin = max(_MARGIN, _TOLERANCE * total)
    return -inf if bound == -inf else float(ceil(bound - margin))


@contextmanager
def quiet_solver() -> Generator[None]:
    """Keep what HiGHS prints, even with its output off, away from the standard output.

    It writes below Python, so the file descriptor itself points elsewhere meanwhile. One program
    at a time, because the descriptor belongs to the whole process.
    """
    with _ALONE:
        try:
            kept = os.dup(1)
        except OSError:  # no standard output
            yield
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        _flush()
        os.dup2(nowhere, 1)
        try:
            yield
        finally:
            _flush()
            os.dup2(kept, 1)
            os.close(kept)
            os.close(nowhere)


def _flush() -> None:
    """Write out what the C library holds back."""
    import ctypes

    if os.name == "posix":
        ctypes.CDLL(None).fflush(None)
