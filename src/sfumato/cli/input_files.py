"""The files of a command as partitions, aligned by their ids."""

import hashlib
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast, final

import numpy as np
import typer

from sfumato.cli.shared_options import EmptyRule, MissingRule, NoiseRule
from sfumato.errors import CostError, InputError

if TYPE_CHECKING:
    from sfumato._typing import Kind
    from sfumato.partitions import Partition
    from sfumato.partitions.evidential import Empty
    from sfumato.partitions.reading.reading_options import Missing, Noise

__all__ = ["FileReading", "InputFile", "as_they_stand", "read_file", "read_files", "reading_of"]

_STDIN = Path("-")
_FILE_KINDS = ("rough", "fuzzy", "possibilistic", "evidential")
_SHOWN_IDS = 3


@final
@dataclass(frozen=True, slots=True)
class FileReading:
    """How files are read, as the options say."""

    kinds: tuple[str, ...]
    id_column: str | None
    separator: str | None
    empty: str
    noise: str | None = None
    missing: str = "raise"
    normalize: bool = False

    def kind_of(self, path: Path) -> "Kind | None":
        """The kind that is said of this file, or of all files."""
        chosen: str | None = None
        for kind in self.kinds:
            about, _, named = kind.rpartition("=")
            if about in ("", path.stem, path.name, str(path)):
                chosen = named if about or chosen is None else chosen
        return cast("Kind | None", chosen)

    def check(self, paths: Sequence[Path]) -> None:
        """Refuse kinds that are none, and kinds of files that are not given."""
        for kind in self.kinds:
            about, _, named = kind.rpartition("=")
            if named not in _FILE_KINDS:
                raise typer.BadParameter(
                    f"{named!r} is none of {', '.join(_FILE_KINDS)}.", param_hint="--kind"
                )
            if about and not any(about in (path.stem, path.name, str(path)) for path in paths):
                raise typer.BadParameter(
                    f"no file is called {about!r}; there are "
                    f"{', '.join(str(path) for path in paths)}.",
                    param_hint="--kind",
                )


def reading_of(
    kinds: list[str] | None,
    id_column: str | None,
    separator: str | None,
    empty: EmptyRule,
    noise: NoiseRule | None,
    missing: MissingRule,
    *,
    normalize: bool,
) -> FileReading:
    """How files are read, from the options of a command."""
    return FileReading(
        tuple(kinds or ()),
        id_column,
        separator,
        empty.value,
        None if noise is None else noise.value,
        missing.value,
        normalize,
    )


@final
@dataclass(frozen=True, slots=True, eq=False)
class InputFile:
    """A file and the partition in it."""

    name: str
    path: Path
    partition: "Partition"
    sha256: str

    @property
    def shown(self) -> str:
        """The file as messages call it."""
        return "stdin" if self.path == _STDIN else str(self.path)


def read_file(path: Path, reading: FileReading, name: str | None = None) -> InputFile:
    """Read one file; ``-`` is stdin, as csv."""
    from sfumato.io import read_partition

    with _on_disk(path) as place:
        try:
            partition = read_partition(
                place,
                reading.kind_of(path),
                id_column=reading.id_column,
                separator=reading.separator,
                empty=cast("Empty", reading.empty),
                noise=cast("Noise | None", reading.noise),
                missing=cast("Missing", reading.missing),
                normalize=reading.normalize,
            )
        except (InputError, CostError) as error:
            # A copy of stdin has a name that nobody has typed.
            raise type(error)(str(error).replace(str(place), _shown(path))) from None
        with place.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    return InputFile("stdin" if path == _STDIN else name or path.stem, path, partition, digest)


def read_files(
    paths: Sequence[Path], reading: FileReading, *, has_reference: bool = True
) -> list[InputFile]:
    """Read files that describe the same objects; the first may be the reference of the others.

    Raises
    ------
    InputError
        If a candidate is given twice, or ids or numbers of objects differ.
    """
    reading.check(paths)
    if list(paths).count(_STDIN) > 1:
        raise InputError("- stands for stdin, which can be read only once.")
    named = paths[1:] if has_reference else paths
    if len({str(path) for path in named}) < len(named):
        twice = max(named, key=named.count)
        raise InputError(f"{twice} is given twice; give each file once.")
    stems = [path.stem for path in named]
    files = [
        read_file(path, reading, path.stem if stems.count(path.stem) <= 1 else str(path))
        for path in paths
    ]
    for file in files[1:]:
        _check_objects(files[0], file)
    return [files[0], *(_in_order_of(files[0], file) for file in files[1:])]


def as_they_stand(files: Sequence[InputFile]) -> tuple[str, ...]:
    """A note where files without ids were taken row by row."""
    without = [file.name for file in files if file.partition.index is None]
    if not without:
        return ()
    whose = "the files" if len(without) == len(files) else ", ".join(without)
    return (
        f"rows were taken as they stand: no ids in {whose}, so another order of the objects could "
        "not be seen.",
    )


@contextmanager
def _on_disk(path: Path) -> Generator[Path]:
    """Where a file can be read; stdin is copied to a file, as far as files may be large."""
    from sfumato.io.files import LARGEST

    if path != _STDIN:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "stdin.csv"
        with place.open("wb") as copy:
            left = LARGEST + 1  # one more, by which the copy is seen to be too large
            while left > 0 and (piece := sys.stdin.buffer.read(min(left, 1 << 20))):
                copy.write(piece)
                left -= len(piece)
        yield place


def _shown(path: Path) -> str:
    return "stdin" if path == _STDIN else str(path)


def _check_objects(reference: InputFile, other: InputFile) -> None:
    (n_first, first), (n_second, second) = _given(reference), _given(other)
    if first is not None and second is not None:
        known, found = set(first), set(second)
        if known != found:
            missing = [
                f"{file.shown} lacks {_listed(ids)}"
                for file, ids in (
                    (other, [name for name in first if name not in found]),
                    (reference, [name for name in second if name not in known]),
                )
                if ids
            ]
            raise InputError(f"The ids differ: {'; '.join(missing)}.")
    elif n_first != n_second:
        raise InputError(
            f"{other.shown} has {n_second} objects but {reference.shown} has "
            f"{n_first}; both must describe the same ones."
        )


def _in_order_of(reference: InputFile, other: InputFile) -> InputFile:
    """The objects in the order of the reference, so that one list of ids names them all."""
    first, second = reference.partition, other.partition
    if first.index is None or second.index is None or first.given or second.given:
        return other
    places = {name: at for at, name in enumerate(second.index.tolist())}
    order = np.array([places[name] for name in first.index.tolist()], dtype=np.int64)
    return replace(other, partition=second.take(order))


def _given(file: InputFile) -> tuple[int, list[object] | None]:
    """The number of objects in the file, dropped ones too, and their ids."""
    partition = file.partition
    index = partition.index if partition.given is None else partition.given.index
    n_objects = partition.n_objects if partition.given is None else len(partition.given.is_kept)
    return n_objects, None if index is None else index.tolist()


def _listed(ids: list[object]) -> str:
    shown = ", ".join(repr(name) for name in ids[:_SHOWN_IDS])
    return shown + (f" and {len(ids) - _SHOWN_IDS:,} more" if len(ids) > _SHOWN_IDS else "")
