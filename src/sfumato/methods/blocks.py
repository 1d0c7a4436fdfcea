"""Draws in blocks of fixed size, each with its own seed.

The answer depends on the seed alone: not on threads, nor on how the blocks are scheduled.
"""

import os
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from sfumato.methods.base import Progress

__all__ = ["draw_in_blocks"]

_BLOCK = 1024
T = TypeVar("T")


def draw_in_blocks(
    work: Callable[[int, np.random.SeedSequence], T],
    n_draws: int,
    *,
    rng: np.random.Generator,
    threads: int | None,
    deadline: float | None,
    progress: Progress,
    block: int = _BLOCK,
) -> list[T]:
    """Run ``work(size, seed)`` on blocks that make up ``n_draws``.

    Past the deadline no further block is begun; the first one always runs.
    """
    sizes = [block] * (n_draws // block) + [n_draws % block] * (n_draws % block > 0)
    seeds = [child.bit_generator.seed_seq for child in rng.spawn(len(sizes))]

    def run(at: int) -> T | None:
        if at > 0 and deadline is not None and time.monotonic() > deadline:
            return None
        seed = seeds[at]
        assert isinstance(seed, np.random.SeedSequence)
        return work(sizes[at], seed)

    from concurrent.futures import ThreadPoolExecutor

    results: list[T] = []
    with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
        for at, result in enumerate(pool.map(run, range(len(sizes)))):
            if result is None:
                break
            results.append(result)
            progress((at + 1) / len(sizes))
    return results
