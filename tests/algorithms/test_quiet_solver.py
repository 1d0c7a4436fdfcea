"""Lines that the solver prints by itself do not reach standard output, all others do."""

import ctypes
import os
import sys
from threading import Barrier, Thread

import pytest

from sfumato.algorithms.extremes.quiet import without_solver_lines

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="nothing is diverted there")
LINE = "HighsMipSolverData::transformNewIntegerFeasibleSolution tmpSolver.run();\n"


def print_in_c(text):
    ctypes.CDLL(None).printf(b"%s", text.encode())


def test_the_lines_of_the_solver_are_dropped(capfd):
    print_in_c("before\n")
    with without_solver_lines():
        print_in_c(LINE)
        os.write(1, b"data\n")
        print_in_c(LINE)
    print_in_c("after\n")
    ctypes.CDLL(None).fflush(None)
    assert capfd.readouterr().out == "before\ndata\nafter\n"


def test_standard_output_comes_back_after_an_error(capfd):
    with pytest.raises(ZeroDivisionError), without_solver_lines():
        raise ZeroDivisionError
    os.write(1, b"here\n")
    assert capfd.readouterr().out == "here\n"


def test_blocks_may_overlap_in_threads(capfd):
    barrier = Barrier(4)

    def work():
        for _ in range(20):
            with without_solver_lines():
                print_in_c(LINE)
                os.write(1, b"x\n")
            barrier.wait()

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert capfd.readouterr().out == "x\n" * 80
