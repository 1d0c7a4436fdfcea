"""Ctrl-C ends a long search at its next node."""

import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent there")

SEARCH = """
import numpy as np, sfumato as sf
rng = np.random.default_rng(0)
mask = rng.random((2, 2000, {k})) < {share}
mask[:, np.arange(2000), np.arange(2000) % {k}] = True
a = sf.RoughPartition(mask[0])
b = {truth}
sf.compare([0, 0, 1], sf.RoughPartition([[1, 1], [1, 0], [0, 1]]))
print("working", flush=True)
sf.compare(a, b, measure="rand", engine=sf.Exact(max_nodes=10**9))
"""


@pytest.mark.parametrize(
    ("k", "share", "truth"),
    [(8, 0.2, "sf.RoughPartition(mask[1])"), (12, 0.5, "rng.integers(0, 12, 2000)")],
    ids=["rough truth", "hard truth"],
)
def test_a_search_of_many_nodes_can_be_interrupted(k, share, truth):
    code = SEARCH.format(k=k, share=share, truth=truth)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "working\n"
        with pytest.raises(subprocess.TimeoutExpired):  # it is at work for long
            process.wait(timeout=2)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=20)
    assert complaint.rstrip().endswith("KeyboardInterrupt")


WORK = """
import numpy as np, sfumato as sf
rng = np.random.default_rng(0)
def possible(n, k, t_norm=None):
    rows = rng.random((n, k))
    return sf.PossibilisticPartition(rows / rows.max(axis=1, keepdims=True), t_norm=t_norm)
def labels(n, k):
    return rng.integers(0, k, n)
sf.compare(possible(5, 2, "min"), [0, 0, 1, 1, 0])
sf.compare(possible(5, 2), [0, 0, 1, 1, 0])
a, b = {a}, {b}
print("working", flush=True)
sf.compare(a, b, measure="{measure}", rng=0, engine=sf.Auto(max_nodes=10**9, max_tables=10**9))
"""


@pytest.mark.parametrize(
    "question",
    [
        ("possible(100, 10, 'min')", "labels(100, 10)", "partition_distance"),
        ("possible(3000, 7, 'min')", "labels(3000, 7)", "rand"),
        ("possible(3000, 6, 'min')", "possible(3000, 6)", "adjusted_rand"),
        ("possible(300, 5, 'product')", "labels(300, 5)", "rand"),
    ],
    ids=["levels, programs", "levels, searches", "draws at levels", "profile"],
)
def test_work_of_every_kind_ends_soon_after_an_interrupt(question):
    a, b, measure = question
    code = WORK.format(a=a, b=b, measure=measure)
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "working\n"
        with pytest.raises(subprocess.TimeoutExpired):  # it is at work for long
            process.wait(timeout=2)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=20)
    assert complaint.rstrip().endswith("KeyboardInterrupt")
