"""The files of a command as partitions, aligned by their ids."""

import hashlib
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, final

import numpy as np
import typer

from sfumato.cli.file_reading import STDIN, FileReading, names_of, shown_name
from sfumato.errors import CostError, InputError

if TYPE_CHECKING:
    from sfumato.partitions import Partition

__all__ = ["InputFile", "as_they_stand", "on_disk", "read_file", "read_files"]

_SHOWN_IDS = 3


@final
@dataclass(frozen=True, slots=True, eq=False)
class InputFile:
    """A file and the partition in it."""

    name: str
    path: Path
    partition: "Partition"
    sha256: str
    has_row_numbers: bool = False  # ids that only count the rows, in a column without a name

    @property
    def shown(self) -> str:
        """The file as messages call it."""
        return "stdin" if self.path == STDIN else shown_name(str(self.path))


def read_file(
    path: Path, reading: FileReading, name: str | None = None, *, place: Path | None = None
) -> InputFile:
    """Read one file; ``-`` is stdin, as csv, which may have been copied to a ``place`` already."""
    from sfumato.io import read_partition
    from sfumato.io.columns import has_nameless_column

    with on_disk(path) if place is None else nullcontext(place) as place:
        asked = reading.of(path)
        partition = read_partition(place, **asked)
        with place.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        n, ids = _given_to(partition)
        has_row_numbers = (
            ids in ([*range(n)], [*range(1, n + 1)])
            and asked["id_column"] is None
            and has_nameless_column(place, asked["separator"])
        )
    name = shown_name(name or names_of(path)[0])
    return InputFile(name, path, partition, digest, has_row_numbers)


def read_files(
    paths: Sequence[Path], reading: FileReading, *, has_reference: bool = True
) -> list[InputFile]:
    """Read files that describe the same objects; the first may be the reference of the others."""
    reading.check(paths)
    if list(paths).count(STDIN) > 1:
        raise typer.BadParameter("- stands for stdin, which can be read only once.")
    named = paths[1:] if has_reference else paths
    if len({str(path) for path in named}) < len(named):
        twice = max(named, key=named.count)
        raise typer.BadParameter(f"{twice} is given twice; give each file once.")
    short = [names_of(path)[0] for path in named]
    files = [
        read_file(path, reading, str(path) if short.count(names_of(path)[0]) > 1 else None)
        for path in paths
    ]
    reading.check_kinds({file.path: file.partition.kind for file in files})
    files = _without_row_numbers(files)
    for file in files[1:]:
        _check_objects(files[0], file)
    _check_orders(files)
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
def on_disk(path: Path) -> Generator[Path]:
    """Where a file can be read; stdin is copied to a file, as far as files may be large."""
    from sfumato.io.files import LARGEST

    if path != STDIN:
        yield path
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "stdin.csv"
        with place.open("wb") as copy:
            left = LARGEST + 1  # one more, by which the copy is seen to be too large
            while left > 0 and (piece := sys.stdin.buffer.read(min(left, 1 << 20))):
                copy.write(piece)
                left -= len(piece)
        try:
            yield place
        except (InputError, CostError) as error:
            # The copy has a name that nobody has typed.
            raise type(error)(str(error).replace(str(place), "stdin")) from None


def _without_row_numbers(files: list[InputFile]) -> list[InputFile]:
    """Beside ids in words, or files without ids, numbers of rows are no ids.

    Beside other ids that are numbers, also ones written as 01 or 1.0, they may be the same ids.
    """
    from sfumato.io.cells import number_of
    from sfumato.io.stored import with_fields

    others = [_given_to(file.partition)[1] for file in files if not file.has_row_numbers]
    ids = [name for known in others for name in known or ()]
    if not others or any(number_of(str(name)) is not None for name in ids):
        return files
    found: list[InputFile] = []
    for file in files:
        if file.has_row_numbers:
            given = file.partition.given
            given = None if given is None else replace(given, index=None)
            file = replace(file, partition=with_fields(file.partition, index=None, given=given))
        found.append(file)
    return found


def _check_objects(reference: InputFile, other: InputFile) -> None:
    from sfumato.partitions.reading.checks import counted

    (n_first, first), (n_second, second) = map(_given_to, (reference.partition, other.partition))
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
            f"{other.shown} has {counted(n_second, 'object')} but {reference.shown} has "
            f"{n_first:,}; both must describe the same ones."
        )


def _check_orders(files: list[InputFile]) -> None:
    """Refuse ids in several orders where a file has none: its rows fit one of them at most."""
    known = [_given_to(file.partition)[1] for file in files]
    if None not in known:
        return
    without = files[known.index(None)]
    named = [(file, ids) for file, ids in zip(files, known, strict=True) if ids is not None]
    for file, ids in named[1:]:
        first, order = named[0]
        _check_objects(first, file)
        if ids != order:
            raise InputError(
                f"{first.shown} and {file.shown} have their ids in different orders, and "
                f"{without.shown} has none, so it is not known which rows go with it; give it "
                "ids, or write all files in one order."
            )


def _in_order_of(reference: InputFile, other: InputFile) -> InputFile:
    """The objects in the order of the reference, so that one list of ids names them all."""
    first, second = reference.partition, other.partition
    if first.index is None or second.index is None or first.given or second.given:
        return other
    places = {name: at for at, name in enumerate(second.index.tolist())}
    order = np.array([places[name] for name in first.index.tolist()], dtype=np.int64)
    return replace(other, partition=second.take(order))


def _given_to(partition: "Partition") -> tuple[int, list[object] | None]:
    """The number of objects in the file, dropped ones too, and their ids."""
    from sfumato.partitions.reading.alignment import given_objects

    n_objects, index = given_objects(partition)
    return n_objects, None if index is None else index.tolist()


def _listed(ids: list[object]) -> str:
    shown = ", ".join(repr(name) for name in ids[:_SHOWN_IDS])
    return shown + (f" and {len(ids) - _SHOWN_IDS:,} more" if len(ids) > _SHOWN_IDS else "")
