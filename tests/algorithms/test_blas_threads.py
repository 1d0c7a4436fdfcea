"""BLAS with one thread while an answer is found: bits do not depend on the threads allowed."""

import os
import subprocess
import sys
import threading

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import sfumato as sf
from sfumato.algorithms.blas_threads import one_blas_thread, with_one_blas_thread

QUESTIONS = """
import numpy as np
import sfumato as sf

rng = np.random.default_rng(0)
degrees = np.round(rng.random((2, 12, 3)) ** 3, 3)
degrees[:, np.arange(12), rng.integers(0, 3, 12)] = 1
sides = [sf.PossibilisticPartition(rows, t_norm="product") for rows in degrees]
for measure in ("adjusted_rand", "rand", "partition_distance"):
    found = sf.compare(*sides, measure=measure, engine=sf.Auto(max_tables=20_000))
    print(repr((found.lower_bracket, found.upper_bracket, found.lower_std, found.upper_std)))
memberships = rng.dirichlet(np.ones(3), 300)
found = sf.compare(memberships, rng.integers(0, 3, 300), measure="adjusted_rand")
print(repr((found.mean, found.std)))
"""


def blas_threads():
    return {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"}


def test_answers_do_not_depend_on_the_threads_of_blas():
    printed = [
        subprocess.run(
            [sys.executable, "-c", QUESTIONS],
            env=os.environ
            | {"OPENBLAS_NUM_THREADS": str(n), "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for n in (1, 2)
    ]
    assert printed[0] == printed[1] != ""


def test_the_limit_is_set_back_by_the_last_who_leaves():
    with threadpool_limits(2, user_api="blas"):
        before = blas_threads()
        entered, leave = threading.Event(), threading.Event()

        def other():
            with one_blas_thread():
                entered.set()
                leave.wait()

        thread = threading.Thread(target=other)
        with one_blas_thread():
            thread.start()
            entered.wait()
        assert blas_threads() == {1}  # the other is still inside
        leave.set()
        thread.join()
        assert blas_threads() == before


def test_an_error_sets_the_limit_back():
    before = blas_threads()
    with pytest.raises(sf.InputError), one_blas_thread():
        raise sf.InputError("no")
    assert blas_threads() == before
    assert with_one_blas_thread(blas_threads)() == {1}
    assert blas_threads() == before
