"""Whatever goes wrong becomes one line on stderr and an exit code."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NoReturn, cast, final

import typer
from typer.core import TyperGroup

from sfumato._wording import typed_options
from sfumato.errors import CostError, SfumatoError, UnsupportedError

__all__ = ["OneLineGroup", "complain", "plain_errors"]

# What a command exits with.
_USAGE, _BAD_DATA, _OVER_BUDGET, _INTERRUPTED = 2, 3, 4, 130

# Any wrong usage; typer does not give the class itself a public name.
_UsageError = cast("type[Exception]", typer.BadParameter.__base__)


def complain(message: str) -> None:
    """Say something on stderr, in one line."""
    typer.echo(f"sfumato: {' '.join(message.splitlines())}", err=True)


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
        raise  # whoever reads stdout has seen enough: nothing to complain about
    except OSError as error:
        message, code = f"{error.filename or 'output'}: {error.strerror}.", _BAD_DATA
    except KeyboardInterrupt:
        message, code = "Interrupted.", _INTERRUPTED
    else:
        return
    complain(message)
    raise typer.Exit(code)


@final
class OneLineGroup(TyperGroup):
    """Commands that say what is wrong with their usage in one line, too."""

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
