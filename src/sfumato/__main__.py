"""``python -m sfumato`` is the command ``sfumato``."""

import io
import sys
from typing import Any, cast

from sfumato._interrupts import INTERRUPTED, leave_to_python, quit_at_once, raise_once

__all__ = ["main"]


def main() -> None:
    """Run the command line; an interrupt ends it in one line, also while modules load."""
    stdout: Any = sys.stdout
    if isinstance(cast(object, stdout), io.TextIOWrapper):
        # A name that the terminal's encoding lacks is shown by its code.
        stdout.reconfigure(errors="backslashreplace")
    try:
        quit_at_once()
        from sfumato.cli import app

        leave_to_python()
        raise_once()
        app()
    except KeyboardInterrupt:
        print("sfumato: Interrupted.", file=sys.stderr)
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
