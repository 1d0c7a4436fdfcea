"""How commands end when nobody reads on, disks are full, or Ctrl-C comes early or often."""

import os
import subprocess
import sys

import pytest

SFUMATO = [sys.executable, "-m", "sfumato"]
ON_LINUX = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="no such devices")
WITH_SIGNALS = pytest.mark.skipif(sys.platform == "win32", reason="signals cannot be sent there")


@ON_LINUX
@pytest.mark.parametrize("arguments", ["--help", "--version", "compare --help", "measures"])
def test_a_full_disk_is_one_line(arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*SFUMATO, *arguments.split()], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 3
    assert done.stderr == "sfumato: output: No space left on device.\n"


@ON_LINUX
@pytest.mark.parametrize(
    ("arguments", "code"),
    [("--help", 0), ("--version", 0), ("measures", 0), ("check none.csv", 3), ("chekc", 2)],
)
def test_nobody_needs_to_read_all_of_the_output(arguments, code):
    reader, writer = os.pipe()
    os.close(reader)
    closed = {"stdout": writer, "stderr": writer if code else subprocess.PIPE}
    done = subprocess.run([*SFUMATO, *arguments.split()], **closed, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr or "") == (code, "")


# Ctrl-C when a module of this name is looked for.
INTERRUPTED = """
import os, runpy, signal, sys
class Interrupting:
    def find_spec(self, name, path=None, target=None):
        if name == {name!r}:
            for _ in range({times}):
                os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting())
sys.argv[0], sys.orig_argv = "-m", ["python", "-m", "sfumato"]
runpy.run_module("sfumato", run_name="__main__", alter_sys=True)
"""


@WITH_SIGNALS
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(
    "name", ["sfumato.api", "sfumato.measures.rand", "sfumato.cli", "sfumato.io.problems"]
)
def test_control_c_at_any_time_is_one_line(name, times):
    code = INTERRUPTED.format(name=name, times=times)
    done = subprocess.run(
        [sys.executable, "-c", code, "check", "none.csv"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (130, "sfumato: Interrupted.\n")


@WITH_SIGNALS
def test_loading_the_package_leaves_signals_alone():
    code = "import signal, sfumato; print(signal.getsignal(signal.SIGINT).__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "default_int_handler\n"
