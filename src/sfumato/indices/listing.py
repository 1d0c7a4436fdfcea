"""What indices there are, as a table to read and as data."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final, get_args, overload

from sfumato._optional import require
from sfumato._typing import Kind
from sfumato.display.html import html_table
from sfumato.display.text import table
from sfumato.indices.base import Index, Option
from sfumato.indices.registry import INDICES, as_index
from sfumato.measures.options import check_choice

if TYPE_CHECKING:
    from pandas import DataFrame

__all__ = ["Listing", "available", "index"]


@final
@dataclass(frozen=True, repr=False)
class Listing(Sequence[Index]):
    """Indices as a sequence that prints as a table.

    Attributes
    ----------
    indices : tuple of Index
    """

    indices: tuple[Index, ...]

    def __len__(self) -> int:
        return len(self.indices)

    @overload
    def __getitem__(self, at: int) -> Index: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Index, ...]: ...
    def __getitem__(self, at: int | slice) -> Index | tuple[Index, ...]:
        return self.indices[at]

    def __iter__(self) -> Iterator[Index]:
        return iter(self.indices)

    @property
    def rows(self) -> list[dict[str, object]]:
        """One plain dictionary per index."""
        return [
            {
                "name": card.name,
                "candidate": list(card.candidate_kinds),
                "reference": list(card.reference_kinds),
                "better": card.better,
                "is_reflexive": card.is_reflexive,
                "is_symmetric": card.is_symmetric,
                "cost": card.cost,
                "also_called": list(card.also_called),
                "options": {
                    option.name: {"values": list(option.values), "default": option.default}
                    for option in card.options
                },
                "place": card.place,
                "cited_as": card.reference,
            }
            for card in self.indices
        ]

    def to_frame(self) -> "DataFrame":
        """One row per index, as a pandas frame."""
        pandas = require("pandas", extra="all", needed_by="available().to_frame")
        return pandas.DataFrame(self.rows)

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        headers = ["name", "candidate", "reference", "reflexive", "cost", "also called", "options"]
        return headers, [
            [
                card.name,
                ", ".join(card.candidate_kinds),
                ", ".join(card.reference_kinds),
                "yes" if card.is_reflexive else "no",
                card.cost,
                ", ".join(card.also_called),
                "; ".join(map(_written, card.options)),
            ]
            for card in self.indices
        ]

    def __repr__(self) -> str:
        return table(*self._cells())

    def _repr_html_(self) -> str:
        return html_table(*self._cells())


def _written(option: Option) -> str:
    others = [repr(value) for value in option.values if value != option.default]
    return f"{option.name}=" + " | ".join([repr(option.default), *others])


def available(kind: Kind | None = None) -> Listing:
    """The classical indices, with the kinds they take, their cost, options and other names.

    Parameters
    ----------
    kind : {"hard", "rough", "fuzzy", "possibilistic", "evidential"}, optional
        Only those that take a candidate of this kind.

    Returns
    -------
    Listing
        Prints as a table; a sequence of `Index`, with ``rows`` and ``to_frame()``.

    Raises
    ------
    InputError
        For an unknown kind.

    Examples
    --------
    >>> from sfumato import indices
    >>> "frigui" in [card.name for card in indices.available("fuzzy")]
    True
    """
    if kind is None:
        return Listing(INDICES)
    check_choice("available(kind)", kind, get_args(Kind))
    return Listing(tuple(card for card in INDICES if kind in card.candidate_kinds))


def index(name: str, **options: object) -> Index:
    """An index with its options, to call or to pass to ``evaluate`` and ``pairwise``.

    Parameters
    ----------
    name : str
        As in `available`, with or without ``"indices."`` in front.
    **options
        Keywords of the index.

    Returns
    -------
    Index
        ``index(name, **options)(a, b)`` gives the value.

    Raises
    ------
    InputError
        If there is no such index, option or value.

    Examples
    --------
    >>> from sfumato import indices
    >>> jaccard = indices.index("frigui", index="jaccard")
    >>> jaccard([0, 0, 1], [0, 1, 1])
    0.0
    """
    found = as_index(f"indices.{str(name).removeprefix('indices.')}")
    assert found is not None  # an unknown name raises
    return found.with_options(**options)
