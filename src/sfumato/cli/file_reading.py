"""The options that say how files are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, final
from unicodedata import category

import typer

from sfumato.cli.shared_options import SeparatorOption

__all__ = ["STDIN", "FileReading", "names_of", "shown_name"]

STDIN = Path("-")
_KINDS = ("rough", "fuzzy", "possibilistic", "evidential", "drawn")
_NOISE = ("cluster", "singletons", "unknown", "drop")
_MISSING = ("raise", "unknown", "drop")


def _rules(metavar: str, meaning: str, *names: str, default: str = "") -> Any:
    """An option that may be given for all files, and as NAME=RULE for one of them."""
    words = f"{meaning}; NAME={metavar} is about one file.{default}"
    return typer.Option(*names, metavar=metavar, help=words, show_default=False)


@final
@dataclass(frozen=True, slots=True)
class FileReading:
    """How files are read; what is said as NAME=RULE is about one of them."""

    kind: Annotated[
        list[str] | None,
        _rules(
            "KIND",
            "What columns of numbers hold, if they do not tell: rough, fuzzy, possibilistic, "
            "evidential, or drawn (lines are draws)",
        ),
    ] = None
    id_column: Annotated[
        list[str] | None,
        _rules(
            "COLUMN",
            "Column of ids, by which files are aligned; the first one if it is called id, has "
            "no name or holds text",
            "--id",
        ),
    ] = None
    label: Annotated[
        list[str] | None,
        _rules("COLUMN", "Column of labels in a table that holds other things, too"),
    ] = None
    separator: SeparatorOption = None
    empty: Annotated[
        Literal["dempster", "yager", "raise"],
        typer.Option(
            help="Mass on the empty set {}: rescale the rest, give it to all clusters, or refuse "
            "it."
        ),
    ] = "dempster"
    noise: Annotated[
        list[str] | None,
        _rules(
            "RULE",
            "Objects labelled -1, and memberships below 1: one cluster, singletons, unknown "
            "(in a cluster that is not known) or drop",
        ),
    ] = None
    missing: Annotated[
        list[str] | None,
        _rules(
            "RULE",
            "Empty cells, NA, NaN: raise (refused), unknown (in any cluster) or drop",
            default="  [default: raise]",
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
        names = {name for path in paths for name in names_of(path)}
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
        for option, rules in (("--id", self.id_column), ("--label", self.label)):
            if rules and not any(_column(rules, path) for path in paths):
                raise typer.BadParameter(
                    "none of the files is a table with columns.", param_hint=option
                )
        if self.new_class and not any(each.endswith("unknown") for each in self.missing or ()):
            raise typer.BadParameter(
                "it is about labels that are unknown; pass --missing unknown with it.",
                param_hint="--new-class",
            )

    def check_kinds(self, found: Mapping[Path, str]) -> None:
        """Refuse a kind that no file has followed; files of labels, and sfumato's own, need none.

        One kind may be given for a truth and its candidates, if one of them follows it.
        """
        for about, _, rule in (each.rpartition("=") for each in self.kind or ()):
            meant = {
                path: kind for path, kind in found.items() if not about or about in names_of(path)
            }
            if rule in meant.values():
                continue
            files = ", ".join(shown_name("stdin" if path == STDIN else str(path)) for path in meant)
            kinds = " or ".join(dict.fromkeys(meant.values()))
            what = f"is {kinds}, as its" if len(meant) == 1 else f"are {kinds}, as their"
            raise typer.BadParameter(
                f"no file follows {rule}: {files} {what} content tells.", param_hint="--kind"
            )

    def of(self, path: Path) -> dict[str, Any]:
        """What `read_partition` is told of this file."""
        missing = _said(self.missing, path) or "raise"
        return {
            "kind": _said(self.kind, path),
            "id_column": _column(self.id_column, path),
            "label_column": _column(self.label, path),
            "separator": self.separator,
            "empty": self.empty,
            "noise": _said(self.noise, path),
            "missing": missing,
            "new_class": self.new_class and missing == "unknown",
            "normalize": self.normalize,
        }


def _said(rules: list[str] | None, path: Path) -> str | None:
    """The rule for this file, or that for all files; the last one counts."""
    by_name = {about: rule for about, _, rule in (each.rpartition("=") for each in rules or ())}
    return next((by_name[name] for name in (*names_of(path), "") if name in by_name), None)


def _column(rules: list[str] | None, path: Path) -> str | None:
    """The column for this file; one for all files is about those that have columns."""
    from sfumato.io.files import form_of

    if path != STDIN and not form_of(path).has_columns:
        rules = [each for each in rules or () if "=" in each]
    return _said(rules, path)


def shown_name(name: str) -> str:
    r"""A name as tables and messages show it: on one line, letters that are none by their codes.

    Examples
    --------
    >>> print(shown_name("two\nlines"))
    two\nlines
    """
    return "".join(
        letter
        if letter.isprintable() or category(letter) in ("Zs", "Cs")  # spaces; what is no UTF-8
        else letter.encode("unicode_escape").decode()
        for letter in name
    )


def names_of(path: Path) -> tuple[str, ...]:
    """What a file may be called on the command line, its name in tables first."""
    from sfumato.io.files import stem_of

    return ("stdin", "-") if path == STDIN else (stem_of(path), path.name, str(path))
