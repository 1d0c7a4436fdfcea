"""What an index is: a number for two partitions, and the card that says what to expect of it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import Parameter, signature
from typing import Literal, NamedTuple, cast, final, get_args, get_origin, get_type_hints

from sfumato._typing import Kind, PartitionLike, RandomSource
from sfumato._wording import either, listed
from sfumato.errors import InputError, UnsupportedError
from sfumato.measures.options import check_choice, did_you_mean
from sfumato.partitions import IndependentPartition, Partition, as_partition
from sfumato.partitions.base import independent
from sfumato.partitions.reading.alignment import align
from sfumato.results.index_value import IndexValue

__all__ = ["Estimate", "Index", "Option", "Unlike"]


class Estimate(NamedTuple):
    """A value found by draws: within ``error`` of the truth with probability ``confidence``.

    A formula has error 0 and no confidence.
    """

    value: float
    error: float = 0.0
    confidence: float | None = None
    n_draws: int = 0


class Option(NamedTuple):
    """A keyword of an index; ``values`` is empty where the choice is open, as for a number."""

    name: str
    values: tuple[object, ...]
    default: object


class Unlike(NamedTuple):
    """What an index promises with one value of an option, where that differs from its card.

    None means as on the card.
    """

    option: str
    value: object
    better: Literal["higher", "lower"] | None = None
    is_reflexive: bool | None = None
    is_symmetric: bool | None = None


@final
@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Index:
    """A classical index: its function, and what to expect of it.

    The promises are those of the default options; ``unlike`` lists where others differ.

    Attributes
    ----------
    function : callable
        ``function(a, b, **options)`` gives a float; its name is that of the index.
    candidate_kinds, reference_kinds : tuple of str
        Kinds of partitions that it takes as first and second side.
    better : {"higher", "lower"}
    is_reflexive : bool
        Whether every partition it takes scores 1 (0 for a distance) against itself.
    is_symmetric : bool
        Whether swapping the sides leaves the value unchanged.
    cost : str
    place : str
        One sentence: where it stands beside the distributional answer of `sfumato.compare`.
    reference : str
        Key into ``docs/references.bib``.
    also_called : tuple of str
        Names that other packages use.
    estimate : callable, optional
        Same arguments as ``function``, gives an `Estimate`; for indices that may need draws.
    unlike : tuple of Unlike
    instead : str
        What takes the kinds that this index does not.
    chosen : tuple of (name, value)
        Options as `with_options` set them.
    origin : Index or None
        The card without chosen options.
    """

    function: Callable[..., float]
    candidate_kinds: tuple[Kind, ...]
    reference_kinds: tuple[Kind, ...]
    is_reflexive: bool
    better: Literal["higher", "lower"] = "higher"
    is_symmetric: bool = True
    cost: str
    place: str
    reference: str
    also_called: tuple[str, ...] = ()
    estimate: Callable[..., Estimate] | None = None
    unlike: tuple[Unlike, ...] = ()
    instead: str = "sfumato.compare"
    chosen: tuple[tuple[str, object], ...] = ()
    origin: "Index | None" = None

    def __repr__(self) -> str:
        return f"Index({self.label})"

    @property
    def name(self) -> str:
        """That of the function."""
        return self.function.__name__

    @property
    def options(self) -> tuple[Option, ...]:
        """The keywords of the function, with their values and defaults."""
        hints = get_type_hints(self.function)
        return tuple(
            Option(name, _values(hints.get(name)), parameter.default)
            for name, parameter in signature(self.function).parameters.items()
            if parameter.kind is Parameter.KEYWORD_ONLY
        )

    @property
    def label(self) -> str:
        """The name in reports, with the options that were chosen."""
        options = ", ".join(f"{name}={value!r}" for name, value in self.chosen)
        return f"indices.{self.name}" + (f"({options})" if options else "")

    def __call__(self, a: PartitionLike, b: PartitionLike) -> float:
        """The value for two partitions, with the options chosen."""
        return self.function(a, b, **dict(self.chosen))

    def with_options(self, **options: object) -> "Index":
        """The same index with other options, and its promises for them.

        Raises
        ------
        InputError
            For a keyword that the index does not have, and for a value that it does not take.
        """
        known = {option.name: option.default for option in self.options}
        for name in options:
            if name not in known:
                listed = ", ".join(known) or "none"
                raise InputError(
                    f"{self.name} has no option {name!r}.{did_you_mean(name, known)} "
                    f"Its options: {listed}."
                )
        self.check(**options)
        chosen = {**dict(self.chosen), **options}
        card = origin = self.origin or self
        for case in self.unlike:
            if case.option in chosen and chosen[case.option] == case.value:
                promises = dict(zip(Unlike._fields[2:], case[2:], strict=True))
                changed = {name: each for name, each in promises.items() if each is not None}
                card = replace(card, **changed)
        in_order = tuple((name, chosen[name]) for name in known if name in chosen)
        return replace(card, chosen=in_order, origin=origin)

    def check(self, **options: object) -> None:
        """Refuse a value that is not on the closed list of its option."""
        for option in self.options:
            if option.values and option.name in options:
                choices = cast("tuple[str, ...]", option.values)
                check_choice(f"{self.name}({option.name}=...)", options[option.name], choices)

    def sides(
        self, a: PartitionLike, b: PartitionLike
    ) -> tuple[IndependentPartition, IndependentPartition]:
        """The two partitions, of kinds that the index takes, in one order of objects.

        A partition of another kind is taken if its simplest form will do; none is hardened.

        Raises
        ------
        InputError
            If the partitions do not speak of the same objects.
        UnsupportedError
            If the index does not take a kind.
        """
        first = self._taken(as_partition(a), self.candidate_kinds, "candidate")
        second = self._taken(as_partition(b), self.reference_kinds, "reference")
        return align(first, second)[:2]

    def _taken(self, side: Partition, kinds: tuple[Kind, ...], role: str) -> IndependentPartition:
        for form in (side, side.simplest()):
            if form.kind in kinds and isinstance(form, IndependentPartition):
                return form
        independent(side, self.name)
        article = "an" if side.kind == "evidential" else "a"
        by_hand = f"convert it yourself ({_conversions(kinds)}), or use {self.instead}"
        raise UnsupportedError(
            f"{self.name} takes a {listed(kinds)} partition as the {role}, not {article} "
            f"{side.kind} one: {either(by_hand, 'use a measure')}, which takes every kind."
        )

    def row(self, a: Partition, b: Partition, rng: RandomSource) -> IndexValue:
        """The value as a row of a report; ``rng`` is used only if the index may need draws."""
        start = time.perf_counter()
        first, second = self.sides(a, b)
        if self.estimate is None:
            found = Estimate(self(first, second))
        else:
            found = self.estimate(first, second, **{"rng": rng, **dict(self.chosen)})
        return IndexValue(
            measure=self.label,
            better=self.better,
            kinds=(a.kind, b.kind),
            value=found.value,
            error=found.error,
            confidence=found.confidence,
            seconds=time.perf_counter() - start,
            notes=tuple(dict.fromkeys((*a.notes, *b.notes, *align(a, b)[2]))),
        )


def _values(hint: object) -> tuple[object, ...]:
    """The values of a closed choice."""
    return get_args(hint) if get_origin(hint) is Literal else ()


def _conversions(kinds: tuple[Kind, ...]) -> str:
    ways = {
        "hard": ".harden() throws knowledge away",
        "rough": ".support() keeps what is possible",
        "fuzzy": ".pignistic() shares masses equally",
        "evidential": ".to_evidential()",
    }
    return ", ".join(ways[kind] for kind in kinds if kind in ways)
