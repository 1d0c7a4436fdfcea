"""Chunks as functions of a module, so that other processes can load them."""

import os
import signal
from functools import partial
from pathlib import Path

import numpy as np

import sfumato as sf

N, K = 300, 5


def fuzzy_chunk(index):
    rng = np.random.default_rng(index)
    p = rng.dirichlet(np.ones(K), N).astype(np.float32)
    return p, rng.integers(3, size=N)


def hard_chunk(index):
    rng = np.random.default_rng(index)
    return rng.integers(K + index, size=N), rng.integers(3, size=N)


def chunks(load, count):
    return [partial(load, index) for index in range(count)]


def bad_chunk(index):
    p, labels = fuzzy_chunk(index)
    p[12, 0] = np.nan
    return p, labels


def killing_chunk(index, marker):
    """The first process that comes here is killed."""
    path = Path(marker)
    if not path.exists():
        path.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return fuzzy_chunk(index)


def seen_chunk(path):
    """The summary of two objects, after it was written down that it was made."""
    path.touch()
    return sf.summarize([([0, 1], [0, 0])])
