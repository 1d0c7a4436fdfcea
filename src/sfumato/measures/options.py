"""Options with a closed list of values, and the words for a wrong one."""

from collections.abc import Iterable

from sfumato.errors import InputError

__all__ = ["check_choice", "did_you_mean"]


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Hint at the known word nearest to one that is not; empty if none is near.

    >>> did_you_mean("jacard", ["rand", "jaccard"])
    " Did you mean 'jaccard'?"
    """
    from difflib import get_close_matches  # only needed when something is wrong

    near = get_close_matches(str(word), list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""


def check_choice(option: str, value: object, choices: tuple[str, ...]) -> None:
    """Refuse a value that is not one of the choices; the error names option, value and choices."""
    if not isinstance(value, str) or value not in choices:
        listed = " or ".join(repr(choice) for choice in choices)
        hint = did_you_mean(value, choices)
        raise InputError(f"{option} takes {listed}, not {value!r}.{hint}")
