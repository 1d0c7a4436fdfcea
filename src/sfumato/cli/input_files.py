"""The files of a command as partitions, aligned by their ids."""

import hashlib
import sys
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, final

import numpy as np
import typer

from sfumato.cli.shared_options import SeparatorOption
from sfumato.errors import CostError, InputError

if TYPE_CHECKING:
    from sfumato.partitions import Partition

__all__ = ["FileReading", "InputFile", "as_they_stand", "on_disk", "read_file", "read_files"]

_STDIN = Path("-")
_SHOWN_IDS = 3
_KINDS = ("rough", "fuzzy", "possibilistic", "evidential", "drawn")
_NOISE = ("cluster", "singletons", "unknown", "drop")
_MISSING = ("raise", "unknown", "drop")


@final
class EmptyRule(Enum):
    """What may become of mass on the empty set."""

    DEMPSTER = "dempster"
    YAGER = "yager"
    RAISE = "raise"


@final
@dataclass(frozen=True, slots=True)
class FileReading:
    """How files are read; what is said as NAME=RULE is about one of them."""

    kind: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND",
            help="What columns of numbers hold, if they do not tell: rough, fuzzy, possibilistic, "
            "evidential, or drawn (lines are draws); NAME=KIND is about one file.",
            show_default=False,
        ),
    ] = None
    id_column: Annotated[
        list[str] | None,
        typer.Option(
            "--id",
            metavar="COLUMN",
            help="Column of ids, by which files are aligned; the first one if it is called id, has "
            "no name or holds text; NAME=COLUMN is about one file.",
            show_default=False,
        ),
    ] = None
    label: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COLUMN",
            help="Column of labels in a table that holds other things, too; NAME=COLUMN is about "
            "one file.",
            show_default=False,
        ),
    ] = None
    separator: SeparatorOption = None
    empty: Annotated[
        EmptyRule,
        typer.Option(
            help="Mass on the empty set {}: rescale the rest, give it to all clusters, or refuse "
            "it."
        ),
    ] = EmptyRule.DEMPSTER
    noise: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Objects labelled -1, and memberships below 1: one cluster, singletons, unknown "
            "(in a cluster that is not known) or drop; NAME=RULE is about one file.",
            show_default=False,
        ),
    ] = None
    missing: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RULE",
            help="Empty cells, NA, NaN: raise (refused), unknown (in any cluster) or drop; "
            "NAME=RULE is about one file.  [default: raise]",
            show_default=False,
        ),
    ] = None
    new_class: Annotated[
        bool,
        typer.Option("--new-class", help="Unknown labels may also be of a class not seen."),
    ] = False
    normalize: Annotated[
        bool, typer.Option("--normalize", help="Divide rows of numbers by their sums.")
    ] = False

    def check(self, paths: Sequence[Path]) -> None:
        """Refuse rules that are none, and rules for files that are not given."""
        names = {name for path in paths for name in _names_of(path)}
        for option, rules, known in (
            ("--kind", self.kind, _KINDS),
            ("--id", self.id_column, None),
            ("--label", self.label, None),
            ("--noise", self.noise, _NOISE),
            ("--missing", self.missing, _MISSING),
        ):
            for about, _, rule in (each.rpartition("=") for each in rules or ()):
                if known is not None and rule not in known:
                    raise typer.BadParameter(
                        f"{rule!r} is none of {', '.join(known)}.", param_hint=option
                    )
                if about and about not in names:
                    raise typer.BadParameter(
                        f"no file is called {about!r}; there are {', '.join(map(str, paths))}.",
                        param_hint=option,
                    )
        if self.new_class and not any(each.endswith("unknown") for each in self.missing or ()):
            raise typer.BadParameter(
                "it is about labels that are unknown; pass --missing unknown with it.",
                param_hint="--new-class",
            )

    def of(self, path: Path) -> dict[str, Any]:
        """What `read_partition` is told of this file."""
        missing = _said(self.missing, path) or "raise"
        return {
            "kind": _said(self.kind, path),
            "id_column": _said(self.id_column, path),
            "label_column": _said(self.label, path),
            "separator": self.separator,
            "empty": self.empty.value,
            "noise": _said(self.noise, path),
            "missing": missing,
            "new_class": self.new_class and missing == "unknown",
            "normalize": self.normalize,
        }


def _said(rules: list[str] | None, path: Path) -> str | None:
    """The rule for this file, or that for all files; the last one counts."""
    by_name = {about: rule for about, _, rule in (each.rpartition("=") for each in rules or ())}
    return next((by_name[name] for name in (*_names_of(path), "") if name in by_name), None)


def _names_of(path: Path) -> tuple[str, ...]:
    """What a file may be called on the command line, its name in tables first."""
    from sfumato.io.formats import stem_of

    return ("stdin", "-") if path == _STDIN else (stem_of(path), path.name, str(path))


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


def read_file(
    path: Path, reading: FileReading, name: str | None = None, *, place: Path | None = None
) -> InputFile:
    """Read one file; ``-`` is stdin, as csv, which may have been copied to a ``place`` already."""
    from sfumato.io import read_partition

    with on_disk(path) if place is None else nullcontext(place) as place:
        partition = read_partition(place, **reading.of(path))
        with place.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
    return InputFile(name or _names_of(path)[0], path, partition, digest)


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
    short = [_names_of(path)[0] for path in named]
    files = [
        read_file(path, reading, str(path) if short.count(_names_of(path)[0]) > 1 else None)
        for path in paths
    ]
    files = _without_row_numbers(files)
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
def on_disk(path: Path) -> Generator[Path]:
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
        try:
            yield place
        except (InputError, CostError) as error:
            # The copy has a name that nobody has typed.
            raise type(error)(str(error).replace(str(place), "stdin")) from None


def _without_row_numbers(files: list[InputFile]) -> list[InputFile]:
    """Where a file has ids in words, others whose rows are only counted have no ids."""
    from sfumato.io.stored import with_fields

    known = [_given(file) for file in files]
    if not any(ids and isinstance(ids[0], str) for _, ids in known):
        return files
    found: list[InputFile] = []
    for file, (n, ids) in zip(files, known, strict=True):
        if ids in ([*range(n)], [*range(1, n + 1)]):
            given = file.partition.given
            given = None if given is None else replace(given, index=None)
            file = replace(file, partition=with_fields(file.partition, index=None, given=given))
        found.append(file)
    return found


def _check_objects(reference: InputFile, other: InputFile) -> None:
    from sfumato.partitions.reading.checks import counted

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
            f"{other.shown} has {counted(n_second, 'object')} but {reference.shown} has "
            f"{n_first:,}; both must describe the same ones."
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
