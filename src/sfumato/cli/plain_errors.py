"""Whatever goes wrong becomes one line on stderr and an exit code."""

import re
from collections.abc import Generator
from contextlib import contextmanager

import typer

from sfumato.errors import CostError, SfumatoError, UnsupportedError

__all__ = ["as_options", "plain_errors"]

# What a command exits with.
_USAGE, _BAD_DATA, _OVER_BUDGET, _INTERRUPTED = 2, 3, 4, 130


@contextmanager
def plain_errors() -> Generator[None]:
    """One line on stderr and an exit code, for everything that can go wrong."""
    try:
        yield
    except SfumatoError as error:
        message, code = as_options(str(error)), _code(error)
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
    typer.echo(f"sfumato: {message}", err=True)
    raise typer.Exit(code)


def _code(error: SfumatoError) -> int:
    if isinstance(error, CostError):
        return _OVER_BUDGET
    return _USAGE if isinstance(error, UnsupportedError) else _BAD_DATA


# What messages offer in Python, and what does the same here.
_TYPED = {
    "engine=Exact()": "--engine exact",
    "engine=Sampled()": "--engine sampled",
    "engine=Sampled(tolerance=...)": "--engine sampled with --tolerance",
    "sfumato.measures() lists": "`sfumato measures` lists",
    "use EvidentialPartition(masses, focal_sets)": "name columns like {}, {a} and {a,b}",
    "normalize=True": "--normalize",
    " to as_partition": "",
    "; load it in Python and pass the array to sfumato.compare": "",
    "sfumato.write_partition": "`sfumato convert`",
}


def as_options(message: str) -> str:
    """A message that names keyword arguments, for someone who types options.

    Examples
    --------
    >>> as_options('pass kind="rough" if ones mark possible clusters')
    'pass --kind rough if ones mark possible clusters'
    >>> as_options('pass missing="unknown" or "drop"')
    'pass --missing unknown or drop'
    """
    message = re.sub(r"\b(kind|empty|noise|missing)=[\"'](\w+)[\"']", r"--\1 \2", message)
    message = re.sub(r"(--\w+ \w+) or [\"'](\w+)[\"']", r"\1 or \2", message)
    message = re.sub(r"\b(engine|quantity)='(\w+)'", r"--\1 \2", message)
    message = re.sub(r"\bseparator='(.+?)'", r"--separator '\1'", message)
    for written, typed in _TYPED.items():
        message = message.replace(written, typed)
    return message
