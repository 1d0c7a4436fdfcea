"""Programs that need an interpreter of their own: registers and imports are for all tests else."""

import subprocess
import sys


def printed(program: str) -> str:
    """What a program prints in a fresh interpreter; it must not fail."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
