"""What input must satisfy, and the sentences that say where it does not."""

import difflib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Bools, Floats, Ints, Name
from sfumato._wording import column_of, option, row_of
from sfumato.errors import InputError

__all__ = [
    "as_array",
    "check_choice",
    "check_divisors",
    "check_entries",
    "check_names",
    "check_order",
    "check_same_size",
    "counted",
    "first_true",
    "given_names",
    "match_names",
    "plain_names",
    "rows_sum_to_one",
    "shown",
    "shown_sum",
    "unused_name",
]


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    Examples
    --------
    >>> counted(1, "object"), counted(3, "object")
    ('1 object', '3 objects')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def check_choice(value: object, choices: Sequence[str], what: str) -> None:
    """Refuse a word that is not on the list, naming the nearest one that is."""
    if isinstance(value, str) and value in choices:
        return
    near = difflib.get_close_matches(str(value), choices, n=1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    raise InputError(f"Unknown {what} {shown(value)}: {hint}Choose from {', '.join(choices)}.")


def plain_names(names: Iterable[Name]) -> tuple[Name, ...]:
    """Python scalars instead of NumPy's, except for dates: nanoseconds would become integers."""

    def plain(name: Name) -> Name:
        is_date = isinstance(name, np.datetime64 | np.timedelta64)
        return cast(Name, name.item() if isinstance(name, np.generic) and not is_date else name)

    return tuple(map(plain, names))


def check_names(names: Iterable[Name] | None, n_clusters: int) -> tuple[Name, ...]:
    """Names for the clusters: those given, if they are as many and differ, else 0, 1, 2, ..."""
    if names is None:
        return tuple(range(n_clusters))
    given = given_names(names)
    if len(given) != n_clusters:
        raise InputError(f"{counted(len(given), 'name')} for {counted(n_clusters, 'cluster')}.")
    seen: set[Name] = set()
    for name in given:
        try:
            is_known = name in seen
        except TypeError:
            raise InputError(
                f"Cluster name {name!r} is not hashable; use text or numbers."
            ) from None
        if is_known:
            raise InputError(f"Cluster name {name!r} appears twice; names must differ.")
        seen.add(name)
    return given


def given_names(names: object) -> tuple[Name, ...]:
    """Names as a tuple; refuse what is no collection of them."""
    if isinstance(names, str | bytes):
        raise InputError(f"names is the string {names!r}; pass a sequence with one name each.")
    if not isinstance(names, Iterable):
        raise InputError(f"names is {shown(names)}; pass a sequence with one name each.")
    return plain_names(cast(Iterable[Name], names))


def shown(x: object) -> str:
    """What a message says of an object: plain values as they are, the type of all others.

    Examples
    --------
    >>> shown(3), shown(None), shown({})
    ('3', 'None', 'a dict')
    """
    is_plain = isinstance(x, str | bytes | int | float | complex | None)
    return repr(x) if is_plain else f"a {type(x).__name__}"


def unused_name(name: str, others: Iterable[Name]) -> str:
    """The name, with as many underscores behind as set it apart from the others."""
    taken = set(others)
    while name in taken:
        name += "_"
    return name


def match_names(names: tuple[Name, ...], known: tuple[Name, ...], whose: str) -> Ints:
    """Position of every name in ``known``, matching clusters by name."""
    position = {name: i for i, name in enumerate(known)}
    for name in names:
        if name not in position:
            shown = ", ".join(repr(other) for other in known[:5]) + ", ..." * (len(known) > 5)
            raise InputError(f"Cluster {name!r} is not one of {whose}: {shown}.")
    return np.array([position[name] for name in names], dtype=np.int64)


def check_same_size(n_first: int, second: object) -> None:
    """Refuse a second side that is no partition, or one of another number of objects."""
    n_second = getattr(second, "n_objects", None)
    if not isinstance(n_second, int):
        raise InputError(
            f"Expected a partition, got {type(second).__name__}: make one with as_partition first."
        )
    if n_first != n_second:
        raise InputError(
            f"The partitions have {n_first} and {n_second} objects; "
            "both must describe the same ones."
        )


def as_array(x: object, what: str) -> NDArray[Any]:
    """The array of nested lists; refuse those whose lengths differ."""
    try:
        return np.asarray(x)
    except ValueError:
        raise InputError(f"{what} is ragged; all rows must have the same length.") from None


def check_order(order: object, n_objects: int) -> Ints:
    """Positions of objects as an integer array, each within range; booleans say which to keep."""
    positions = as_array(order, "order")
    if positions.dtype == bool and positions.shape == (n_objects,) and positions.any():
        return np.flatnonzero(positions)
    if positions.dtype == bool:
        raise InputError(
            f"order holds {int(positions.sum())} True in booleans of shape {positions.shape}; "
            f"pass one for each of the {counted(n_objects, 'object')}, at least one True."
        )
    if positions.ndim != 1 or positions.size == 0 or positions.dtype.kind not in "iu":
        raise InputError(
            f"order must be a non-empty 1-D array of positions; got shape {positions.shape} "
            f"of {positions.dtype}."
        )
    is_outside = (positions < -n_objects) | (positions >= n_objects)
    if is_outside.any():
        at = int(np.argmax(is_outside))
        raise InputError(f"order[{at}] is {positions[at]}, outside 0 to {n_objects - 1}.")
    return positions.astype(np.int64)


def first_true(flags: Bools) -> tuple[int, int]:
    """Row and column of the first true entry of a matrix that has one."""
    row, column = divmod(int(np.argmax(flags)), flags.shape[1])
    return row, column


def check_entries(
    values: Floats,
    what: str,
    *,
    largest: float,
    place: Callable[[Bools], tuple[int, int]] = first_true,
) -> None:
    """Refuse entries that are missing, infinite, negative or above ``largest``.

    ``place`` gives the row and column to name for the first flag that is true.
    """
    for flags, problem, remedy in (
        (
            np.isnan(values),
            "not a finite number",
            f"fill it in, or pass {option('missing', 'unknown', 'drop', to_reader=True)}",
        ),
        (np.isinf(values), "not a finite number", "fill it in or drop the object"),
        (values < 0, "negative", "entries must not be"),
        (values > largest, "above 1", "entries must lie in [0, 1]"),
    ):
        if flags.any():
            row, column = place(flags)
            raise InputError(
                f"{what}: {row_of(row)}, {column_of(column)} is {float(values[flags][0]):.6g}, "
                f"{problem}; {remedy}."
            )


def clip_rounding(values: Floats | NDArray[np.float32], tolerance: float) -> None:
    """Set entries below 0 to 0, in place, where they miss it by no more than the tolerance.

    Examples
    --------
    >>> values = np.array([[-1e-17, 1.0], [-0.5, 1.5]])
    >>> clip_rounding(values, 1e-6)
    >>> values.tolist()
    [[0.0, 1.0], [-0.5, 1.5]]
    """
    values[(values < 0) & (values >= -tolerance)] = 0.0


def check_divisors(sums: Floats, what: str, remedy: str) -> None:
    """Refuse rows that cannot be divided by their sums; the remedy is that of sums of 0."""
    hopeless = np.flatnonzero((sums == 0) | np.isinf(sums))
    if len(hopeless) > 0:
        row = int(hopeless[0])
        if sums[row] > 0:
            remedy = "pass smaller numbers"
        raise InputError(
            f"{what}: {row_of(row)} sums to {sums[row]:g} and cannot be normalised; {remedy}."
        )


def rows_sum_to_one(values: Floats, tolerance: float) -> bool:
    """Whether every row sums to 1 within the tolerance."""
    with np.errstate(over="ignore"):  # an infinite sum is not 1 either
        return bool(np.abs(values.sum(axis=1) - 1).max() <= tolerance)


def shown_sum(total: float) -> str:
    """A sum that should be 1, with enough digits to see that it is not.

    Examples
    --------
    >>> shown_sum(0.9), shown_sum(1.000002), shown_sum(1.0000002)
    ('0.9', '1.000002', '1.0000002')
    """
    texts = (f"{total:.{digits}g}" for digits in (6, 10, 17))
    return next((text for text in texts if text != "1"), "1")
