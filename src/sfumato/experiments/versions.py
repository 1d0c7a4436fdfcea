"""What a result was made with."""

import platform
from importlib.metadata import version

import sfumato

__all__ = ["versions"]


def versions() -> dict[str, str]:
    """Versions of everything that may change a number.

    >>> sorted(versions())
    ['numpy', 'python', 'scikit-learn', 'scipy', 'sfumato']
    """
    found = {name: version(name) for name in ("numpy", "scikit-learn", "scipy")}
    return {**found, "python": platform.python_version(), "sfumato": sfumato.__version__}
