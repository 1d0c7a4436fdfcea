"""Whatever goes wrong becomes one line on stderr and an exit code."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NoReturn, cast, final

import typer
from typer.core import TyperGroup

from sfumato._interrupts import INTERRUPTED
from sfumato._wording import typed_options
from sfumato.cli.file_reading import shown_name
from sfumato.errors import CostError, SfumatoError, UnsupportedError

__all__ = ["OneLineGroup", "complain", "plain_errors"]

# What a command exits with.
_USAGE, _BAD_DATA, _OVER_BUDGET = 2, 3, 4

# Any wrong usage; typer does not give the class itself a public name.
_UsageError = cast("type[Exception]", typer.BadParameter.__base__)


def complain(message: str) -> None:
    """Say something on stderr, in one line, if anybody reads it."""
    try:
        typer.echo(f"sfumato: {shown_name(' '.join(message.splitlines()))}", err=True)
    except BrokenPipeError:
        _write_nowhere()


def _write_nowhere() -> None:
    """What is still to be written is lost, or Python would complain of a closed pipe at its end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


@contextmanager
def plain_errors() -> Generator[None]:
    """One line on stderr and an exit code, for everything that can go wrong."""
    try:
        with typed_options():
            yield
    except CostError as error:
        message, code = str(error), _OVER_BUDGET
    except UnsupportedError as error:
        message, code = str(error), _USAGE
    except SfumatoError as error:
        message, code = str(error), _BAD_DATA
    except MemoryError:
        message, code = "Memory ran out; try --engine bounds or fewer objects.", _OVER_BUDGET
    except BrokenPipeError:
        _write_nowhere()  # whoever reads stdout has seen enough: nothing to complain about
        raise typer.Exit from None
    except OSError as error:
        message, code = f"{error.filename or 'output'}: {error.strerror}.", _BAD_DATA
    except KeyboardInterrupt:
        message, code = "Interrupted.", INTERRUPTED
    else:
        return
    complain(message)
    raise typer.Exit(code)


@final
class OneLineGroup(TyperGroup):
    """Commands that say what is wrong in one line, with their usage, too."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Read what was typed; this is where help and version are shown."""
        with plain_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with plain_errors():
            return super().invoke(ctx)

    def main(self, *args: Any, standalone_mode: bool = True, **extra: Any) -> NoReturn:
        """Run a command, and exit."""
        try:
            code: object = super().main(*args, standalone_mode=False, **extra)
        except _UsageError as error:
            usage: Any = error
            context = usage.ctx
            place = "" if context is None else f" See `{context.command_path} --help`."
            complain(usage.format_message() + place)
            sys.exit(_USAGE)
        sys.exit(cast("int | None", code))
