"""Make draws in blocks of fixed size, each with its own seed, on several threads.

The answer depends on the seed alone. It does not depend on the number of threads or on their order.
"""

import os
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice, starmap
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

import numpy as np

from sfumato.algorithms.deadline import Deadline, OutOfTimeError, work_until

if TYPE_CHECKING:
    from concurrent.futures import Future

__all__ = ["Progress", "Run", "draw_in_blocks"]

_AHEAD = 4  # blocks per thread that are handed out before they are needed
_PATIENCE, _LEAST_SECONDS = 1.1, 0.1  # work that looks at the deadline itself gets a little longer
T = TypeVar("T")

Progress: TypeAlias = Callable[[float], None]  # called with the share of the work that is done


class Run(NamedTuple):
    """What a piece of work gets when it starts."""

    rng: np.random.Generator
    deadline: Deadline  # to look at between pieces of work
    progress: Progress
    threads: int | None  # None: all cores


def draw_in_blocks(
    work: Callable[[int, np.random.SeedSequence], T | None],
    n_draws: int,
    run: Run,
    *,
    block: int,
    begins_small: bool = False,
) -> list[T]:
    """Run ``work(size, seed)`` on blocks that make up ``n_draws``.

    No block starts after the deadline, except the first, and none goes on for long after it. Work
    that was cut short, or that gives None, and all blocks after it are left out. If time is
    limited and the work ``begins_small``, blocks grow from one draw by a quarter each, so that
    some draws are ready soon. `OutOfTimeError` if the first block is cut short.
    """
    sizes = _sizes(n_draws, block, begins_small=begins_small and run.deadline.is_set)

    def one_block(at: int, size: int, seed: np.random.SeedSequence) -> T | None:
        if at > 0 and run.deadline.is_over:
            return None
        try:
            with work_until(run.deadline.part(_PATIENCE, least=_LEAST_SECONDS)):
                return work(size, seed)
        except OutOfTimeError:
            if at == 0:
                raise
            return None

    from concurrent.futures import ThreadPoolExecutor

    n_threads = run.threads or os.cpu_count() or 1
    results: list[T] = []
    n_drawn = 0
    with ThreadPoolExecutor(n_threads) as pool:

        def begin(at: int, size: int) -> "tuple[int, Future[T | None]]":
            seed = run.rng.spawn(1)[0].bit_generator.seed_seq
            assert isinstance(seed, np.random.SeedSequence)
            return size, pool.submit(one_block, at, size, seed)

        coming = starmap(begin, enumerate(sizes))
        begun = deque(islice(coming, _AHEAD * n_threads))
        try:
            while begun:
                size, block_of_draws = begun.popleft()
                if (result := block_of_draws.result()) is None:
                    break
                results.append(result)
                n_drawn += size
                run.progress(n_drawn / n_draws)
                begun.extend(islice(coming, 1))
        except BaseException:  # Ctrl-C: the blocks that are at work end early too
            run.deadline.call_off()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
    return results


def _sizes(n_draws: int, block: int, *, begins_small: bool) -> Iterator[int]:
    size = 1 if begins_small else block
    while n_draws > 0:
        size = min(size, block, n_draws)
        yield size
        n_draws -= size
        size += 1 + size // 4
