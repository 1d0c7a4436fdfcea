"""Which format a file has, by its name."""

from dataclasses import dataclass
from pathlib import Path
from typing import final

from sfumato.errors import InputError

__all__ = ["Form", "form_of", "stem_of"]

_SUFFIXES = {
    ".csv": ".csv",
    ".tsv": ".tsv",
    ".txt": ".csv",
    ".json": ".json",
    ".npz": ".npz",
    ".parquet": ".parquet",
    ".pq": ".parquet",
    ".feather": ".feather",
    ".arrow": ".feather",
}
_TABLES = (".csv", ".tsv", ".parquet", ".feather")
_TEXT = (".csv", ".tsv", ".json")


@final
@dataclass(frozen=True, slots=True)
class Form:
    """A format, by its usual suffix, and whether gzip is around it."""

    suffix: str
    is_zipped: bool

    @property
    def has_columns(self) -> bool:
        """Whether it is a table, whose columns can be named; other formats say what they hold."""
        return self.suffix in _TABLES


def form_of(path: Path) -> Form:
    """The format of a file.

    Raises
    ------
    InputError
        If the name ends with none that is known.

    Examples
    --------
    >>> form_of(Path("found.tsv.gz"))
    Form(suffix='.tsv', is_zipped=True)
    """
    name = path.name.lower()
    is_zipped = name.endswith(".gz")
    suffix = _SUFFIXES.get(Path(name.removesuffix(".gz")).suffix)
    if suffix is None or (is_zipped and suffix not in _TEXT):
        known = ", ".join(dict.fromkeys(_SUFFIXES))
        raise InputError(
            f"{path}: the name does not say which format it is; use {known}, or .gz behind text."
        )
    return Form(suffix, is_zipped)


def stem_of(path: Path) -> str:
    """The name of a file without what says its format.

    Examples
    --------
    >>> stem_of(Path("found.v2.csv.gz"))
    'found.v2'
    """
    name = path.name
    return Path(name[:-3] if name.lower().endswith(".gz") else name).stem
