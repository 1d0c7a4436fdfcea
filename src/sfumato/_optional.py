"""The one door to optional dependencies."""

import importlib
from types import ModuleType

from sfumato.errors import MissingExtraError

__all__ = ["require"]


def require(module: str, *, extra: str, needed_by: str) -> ModuleType:
    """Import an optional module, or say which extra brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.partition(".")[0]
        raise MissingExtraError(
            f"{needed_by} needs {package}, which is not installed: pip install 'sfumato[{extra}]'."
        ) from error
