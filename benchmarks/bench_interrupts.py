"""Seconds of the processor from Ctrl-C until the process is gone (the aim is 0.5 at most)."""

import resource
import subprocess
import sys
import time
from collections.abc import Iterator

from benchmarks.timing import Row

AIM = 0.5

_CODE = """
import os, signal, sys, threading, time
import numpy as np, sfumato as sf
from benchmarks.questions import *

def interrupt():
    print(time.process_time(), time.time(), file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGINT)

sf.compare(possibilistic(9, 2, "min"), np.arange(9) % 2)  # imports do not count
sf.compare(possibilistic(9, 2), np.arange(9) % 2)
a, b = {a}, {b}
timer = threading.Timer({seconds}, interrupt)
timer.daemon = True
timer.start()
sf.compare(a, b, measure="{measure}", rng=0, engine={engine}, quantity="{quantity}")
"""

_BEFORE = 3.0  # seconds of work before Ctrl-C
_ALL = "sf.Auto(max_nodes=10**9, max_tables=10**9)"
_EXACT = "sf.Exact(max_tables=10**12)"
_MANY = "sf.Sampled(n_samples=10**6)"

# Each takes minutes: name, two sides, measure and engine.
_QUESTIONS = (
    ("min, programs", "possibilistic(100, 10, 'min')", "truth(100, 10)", "pd", _ALL),
    ("min, searches", "possibilistic(3000, 7, 'min')", "truth(3000, 7)", "rand", _ALL),
    ("min, draws", "possibilistic(3000, 6, 'min')", "possibilistic(3000, 6)", "ari", _ALL),
    ("min, brackets", "possibilistic(10000, 30, 'min')", "evidential(10000, 30)", "ari", _ALL),
    ("product, profile", "possibilistic(300, 5, 'product')", "truth(300, 5)", "rand", _ALL),
    ("product, tables", "possibilistic(300, 5, 'product')", "truth(300, 5)", "v_measure", _ALL),
    ("rough, rough", "rough(2000, 8)", "rough(2000, 8, seed=1)", "rand", _ALL),
    ("rough, hard", "rough(5000, 12)", "truth(5000, 12)", "ari", _ALL),
    ("evidential, solved", "evidential(5000, 6)", "truth(5000, 6)", "ari", _MANY),
    ("evidential, bracketed", "evidential(9000, 30)", "evidential(9000, 30)", "jaccard", _MANY),
    ("consonant, programs", "possibilistic(2000, 12)", "truth(2000, 12)", "pd", _MANY),
    ("fuzzy, draws", "fuzzy(200000, 20)", "fuzzy(200000, 20, seed=1)", "pd", _MANY),
    ("fuzzy, law", "fuzzy(2500, 3)", "truth(2500, 3)", "pd", _EXACT),
    ("fuzzy, law of pairs", "fuzzy(400, 3)", "truth(400, 3)", "jaccard", _EXACT),
    ("fuzzy, tables", "fuzzy(60, 3)", "fuzzy(60, 3, seed=1)", "jaccard", _EXACT),
)


def run() -> Iterator[Row]:
    """Each question in a process of its own."""
    for name, a, b, measure, engine in _QUESTIONS:
        quantity = "distribution" if name.startswith("fuzzy, law") else "expectation"
        measure = {"pd": "partition_distance", "ari": "adjusted_rand"}.get(measure, measure)
        code = _CODE.format(
            a=a, b=b, measure=measure, engine=engine, quantity=quantity, seconds=_BEFORE
        )
        before = _spent_by_children()
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        ended, spent = time.time(), _spent_by_children() - before
        if not done.stderr.rstrip().endswith("KeyboardInterrupt"):
            complaint = done.stderr.strip().splitlines()
            yield name, 0.0, f"NOT INTERRUPTED: {complaint[-1] if complaint else 'it ended before'}"
            continue
        spent_before, interrupted = map(float, done.stderr.split(maxsplit=2)[:2])
        seconds = spent - spent_before
        late = "LATE, " if seconds > AIM else ""
        yield name, seconds, f"{late}{ended - interrupted:.2f} s by the clock"


def _spent_by_children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime
