"""``python -m sfumato`` is the command ``sfumato``."""

import io
import sys
from typing import Any, cast

__all__ = ["main"]


def main() -> None:
    """Run the command line; an interrupt ends it in one line, also while modules load."""
    stdout: Any = sys.stdout
    if isinstance(cast(object, stdout), io.TextIOWrapper):
        # A name that the terminal's encoding lacks is shown by its code.
        stdout.reconfigure(errors="backslashreplace")
    try:
        from sfumato.cli import app

        app()
    except KeyboardInterrupt:
        print("sfumato: Interrupted.", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
