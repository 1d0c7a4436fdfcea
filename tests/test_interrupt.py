"""Ctrl-C ends a long search at its next node."""

import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent there")

WORK = """
import numpy as np, sfumato as sf
rng = np.random.default_rng(0)
def possible(n, k, t_norm=None):
    rows = rng.random((n, k))
    return sf.PossibilisticPartition(rows / rows.max(axis=1, keepdims=True), t_norm=t_norm)
def rough(n, k, share):
    mask = rng.random((n, k)) < share
    mask[np.arange(n), np.arange(n) % k] = True
    return sf.RoughPartition(mask)
def labels(n, k):
    return rng.integers(0, k, n)
sf.compare([0, 0, 1], sf.RoughPartition([[1, 1], [1, 0], [0, 1]]))
sf.compare(possible(5, 2, "min"), [0, 0, 1, 1, 0])
sf.compare(possible(5, 2), [0, 0, 1, 1, 0])
a, b = {a}, {b}
print("working", flush=True)
sf.compare(a, b, measure="{measure}", rng=0, engine=sf.Auto(max_nodes=10**9, max_tables=10**9))
"""


@pytest.mark.parametrize(
    ("a", "b", "measure"),
    [
        ("rough(2000, 8, 0.2)", "rough(2000, 8, 0.2)", "rand"),
        ("rough(2000, 12, 0.5)", "labels(2000, 12)", "rand"),
        ("possible(100, 10, 'min')", "labels(100, 10)", "partition_distance"),
        ("possible(3000, 7, 'min')", "labels(3000, 7)", "rand"),
        ("possible(3000, 6, 'min')", "possible(3000, 6)", "adjusted_rand"),
        ("possible(300, 5, 'product')", "labels(300, 5)", "rand"),
    ],
    ids=["rough", "rough, hard", "levels, programs", "levels, searches", "draws", "profile"],
)
def test_work_of_every_kind_ends_soon_after_an_interrupt(a, b, measure):
    with subprocess.Popen(
        [sys.executable, "-c", WORK.format(a=a, b=b, measure=measure)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "working\n"
        with pytest.raises(subprocess.TimeoutExpired):  # it is at work for long
            process.wait(timeout=1)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=20)
    assert complaint.rstrip().endswith("KeyboardInterrupt")
