"""What is kept of two partitions whose objects are gone: it adds up and answers comparisons."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, NoReturn, final

import numpy as np

from sfumato._typing import Kind, Name, Quantity, RandomSource
from sfumato.api.asked import listed_measures
from sfumato.api.compare import check_quantity
from sfumato.api.seeds import Seeds
from sfumato.engines import Engine, as_engine
from sfumato.errors import InputError, UnsupportedError
from sfumato.measures import Measure, as_measure
from sfumato.partitions.theories import join
from sfumato.question.counted_pairs import PairCounts, sort_of
from sfumato.question.drawn_tables import DrawnTables
from sfumato.question.kept import KEEPABLE, NEEDS, Kept, Need, theory_of_kinds
from sfumato.question.moment_sums import MomentSums
from sfumato.question.plan import Plan
from sfumato.question.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.report import Report

__all__ = ["Summary"]

_MOST_NOTES = 5
_MORE_NOTES = "Further notes of other chunks are left out."


@final
@dataclass(frozen=True, eq=False, repr=False)
class Summary:
    """What comparisons need of two partitions, without the objects.

    Summaries of chunks of objects are added with ``+``, in any order and on any machine. Those of
    hard and rough partitions hold how many objects are in each pair of sets, and every measure has
    its exact answer; those of fuzzy ones hold power sums of memberships.

    Attributes
    ----------
    kinds : (str, str)
        Kinds of the two partitions; b is the reference.
    counts : PairCounts or None
        Objects by pair of sets of clusters, of hard and rough partitions.
    sums : MomentSums or None
        Power sums of memberships, of fuzzy partitions.
    supports : PairCounts or None
        Objects by pair of sets that are not ruled out, for ``quantity="range"``.
    draws : DrawnTables or None
        Random tables, of evidential and possibilistic partitions and of what sums do not answer.
    notes : tuple of str

    Notes
    -----
    Counts are exact in any order of addition. Sums of floats depend on it in their last digits;
    `summarize` always adds along the same tree.

    Examples
    --------
    >>> import sfumato as sf
    >>> morning = sf.summarize([([0, 0, 1], ["x", "x", "y"])])
    >>> evening = sf.summarize([([1, 2], ["y", "y"])])
    >>> both = morning + evening
    >>> both.n_objects, both.compare(measure="rand").mean
    (5, 0.8)
    """

    kinds: tuple[Kind, Kind]
    counts: PairCounts | None = None
    sums: MomentSums | None = None
    supports: PairCounts | None = None
    draws: DrawnTables | None = None
    notes: tuple[str, ...] = ()
    dtypes: tuple[str, str] = ("", "")

    @property
    def n_objects(self) -> int:
        """Objects that were summarised."""
        return next(part.n_objects for part in self._parts if part is not None)

    @property
    def _parts(self) -> tuple[PairCounts | MomentSums | DrawnTables | None, ...]:
        return self.counts, self.sums, self.supports, self.draws

    def __repr__(self) -> str:
        return (
            f"Summary({self.n_objects:,} objects, {self.kinds[0]} against {self.kinds[1]}, keeps "
            f"{' and '.join(self._kept_in_words())})"
        )

    def _kept_in_words(self) -> list[str]:
        kept = self._needs_met()
        words = [words for need, words in NEEDS.items() if need in kept]
        if self.sums is not None and self.sums.sums.spread is not None:
            words.append("a second round")
        return words

    def _needs_met(self) -> set[Need]:
        counts, sums = self.counts or self.supports, self.sums
        kept = Kept(self.n_objects, counts and counts.counts, sums and sums.sums, self.draws)
        return {need for need in KEEPABLE if kept.has(need)}

    def __add__(self, other: object) -> "Summary":
        if not isinstance(other, Summary):
            return NotImplemented
        for at in (0, 1):
            _check_sides(self._side(at), other._side(at), "ab"[at])
        parts: list[Any] = [
            None if one is None or two is None else one + two  # pyright: ignore
            for one, two in zip(self._parts, other._parts, strict=True)
        ]
        if all(part is None for part in parts):
            raise InputError(
                f"One summary keeps {' and '.join(self._kept_in_words())}, the other "
                f"{' and '.join(other._kept_in_words())}: make both for the same measures."
            )
        dtypes = self.dtypes[0] or other.dtypes[0], self.dtypes[1] or other.dtypes[1]
        counts, sums, supports, draws = parts
        notes = _joined_notes(self.notes, other.notes)
        return Summary(self.kinds, counts, sums, supports, draws, notes, dtypes)

    def is_like(self, other: "Summary") -> bool:
        """Whether both surely fit together: the same kinds, columns, sorts of labels and dtypes."""
        return self.kinds == other.kinds and all(
            self._side(at).form == other._side(at).form for at in (0, 1)
        )

    def _side(self, at: int) -> "_Side":
        names = next(part.names[at] for part in self._parts if part is not None)
        return _Side(self.kinds[at], names, self.dtypes[at])

    def __radd__(self, other: object) -> "Summary":
        if other == 0:  # the start of `sum`
            return self
        return NotImplemented

    def __eq__(self, other: object) -> bool:
        """Whether both hold the same, to the last bit."""
        from sfumato.api.chunks.summary_file import plain_of

        if not isinstance(other, Summary):
            return NotImplemented
        (one, arrays), (two, others) = plain_of(self), plain_of(other)
        return one == two and all(
            np.array_equal(arrays[name], others[name]) for name in arrays.keys() | others.keys()
        )

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def compare(
        self,
        *,
        measure: Measure | str = "rand",
        quantity: Quantity = "expectation",
        engine: Engine | str = "auto",
        rng: RandomSource = None,
    ) -> Comparison:
        """What is known of a measure, as `sfumato.compare` says of the partitions themselves.

        Raises
        ------
        UnsupportedError
            If the answer needs what the summary does not keep; the message names it.

        Examples
        --------
        >>> import sfumato as sf
        >>> summary = sf.summarize([([[0.9, 0.1], [0.2, 0.8]], ["x", "y"])])
        >>> round(summary.compare(measure="rand").mean, 3)
        0.74
        """
        from sfumato import planner  # loads all methods

        query, chosen = self._question(measure, quantity, engine), as_engine(engine)
        found = planner.answer(query, chosen.policy(), partial(Seeds(rng).child, 0))
        return replace(
            found,
            kinds=self.kinds,
            find_table=partial(_needs_objects, "An expected table"),
            find_contributions=partial(_needs_objects, "Shares of objects"),
            find_witness=partial(_needs_objects, "A witness"),
        )

    def evaluate(
        self,
        measures: Iterable[Measure | str] = ("rand", "adjusted_rand"),
        *,
        quantity: Quantity = "expectation",
        engine: Engine | str = "auto",
        rng: RandomSource = None,
    ) -> Report:
        """Several measures at once, as rows of a report.

        Examples
        --------
        >>> import sfumato as sf
        >>> summary = sf.summarize([([0, 0, 1], ["x", "x", "y"])])
        >>> [row["mean"] for row in summary.evaluate(["rand", "purity"]).rows]
        [1.0, 1.0]
        """
        found = {
            ("a", label): self.compare(measure=each, quantity=quantity, engine=engine, rng=rng)
            for label, each in listed_measures(measures).items()
        }
        return Report(
            found, tuple(dict.fromkeys(note for row in found.values() for note in row.notes))
        )

    def explain(
        self,
        *,
        measure: Measure | str = "rand",
        quantity: Quantity = "expectation",
        engine: Engine | str = "auto",
    ) -> Plan:
        """How `compare` would answer; see `sfumato.explain`."""
        from sfumato import planner

        query = self._question(measure, quantity, engine)
        return planner.explain(query, as_engine(engine).policy())

    def to_arrow(self) -> Any:
        """The summary as a table of one row, with a version; it needs pyarrow.

        Write it with ``pyarrow.parquet.write_table`` or send it over a wire; `from_arrow` reads it.
        """
        from sfumato.api.chunks.summary_file import to_arrow

        return to_arrow(self)

    @classmethod
    def from_arrow(cls, table: Any) -> "Summary":
        """Read what `to_arrow` wrote.

        Raises
        ------
        InputError
            If the table is no summary, or of a later version.

        Examples
        --------
        >>> import sfumato as sf
        >>> summary = sf.summarize([([0, 0, 1], ["x", "x", "y"])])
        >>> sf.Summary.from_arrow(summary.to_arrow()) == summary
        True
        """
        from sfumato.api.chunks.summary_file import from_arrow

        return from_arrow(table)

    def _question(self, measure: Measure | str, quantity: Quantity, engine: Engine | str) -> Query:
        check_quantity(quantity)
        asked = as_measure(measure)
        part, kept = self._kept_for(asked, quantity, as_engine(engine))
        a, b = part.partitions()
        notes = (*self.notes, *(note for note in part.noise_notes() if note))
        theory = theory_of_kinds(self.kinds) if kept.draws is not None else join(a, b)
        return Query(a, b, asked, quantity, (a, b), theory, notes, kept=kept)

    def _kept_for(
        self, measure: Measure, quantity: Quantity, engine: Engine
    ) -> tuple[PairCounts | MomentSums | DrawnTables, Kept]:
        """The part that answers, also in the words of a question."""
        from sfumato import planner

        n, counts = self.n_objects, self.counts
        if counts is None and quantity == "range":
            counts = self.supports  # sums do not tell a membership of 1e-20 from none
        elif counts is None and self.sums is not None:
            counts = self.sums.pair_counts()  # where nothing is left open
        if counts is not None:
            return counts, Kept(n, counts=counts.counts)
        asked = measure, quantity, theory_of_kinds(self.kinds), engine.policy()
        need_of = partial(planner.need_of, *asked, has_hard_side="hard" in self.kinds)
        need = "counts" if quantity == "range" else need_of(among=self._needs_met())
        if need == "draws" and self.draws is not None:
            return self.draws, Kept(n, draws=self.draws)
        if need in ("sums", "powers") and self.sums is not None:
            return self.sums, Kept(n, sums=self.sums.sums)
        raise self._not_kept(measure, quantity, need or need_of())

    def _not_kept(
        self, measure: Measure, quantity: Quantity, need: Need | None
    ) -> UnsupportedError:
        question = f"{measure.name} ({quantity}) of {self.kinds[0]} against {self.kinds[1]}"
        kept = " and ".join(self._kept_in_words())
        if need is None:
            return UnsupportedError(
                f"{question} needs the objects, and a summary keeps only {kept}: use compare on "
                "the partitions themselves."
            )
        return UnsupportedError(
            f"{question} needs {NEEDS[need]}, and this summary keeps only {kept}: make it with "
            f"summarize(..., measures=[{measure.name!r}], quantity={quantity!r})."
        )


def _joined_notes(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[str, ...]:
    """The notes of both, each once; of many chunks not all."""
    notes = tuple(dict.fromkeys((*one, *two)))
    few = tuple(note for note in notes if note != _MORE_NOTES)[:_MOST_NOTES]
    return few if len(few) == len(notes) else (*few, _MORE_NOTES)


class _Side(NamedTuple):
    """What must agree in all chunks of one side."""

    kind: Kind
    names: tuple[Name, ...]
    dtype: str  # of columns that were given as such, else empty

    @property
    def has_columns(self) -> bool:
        """Whether its clusters are columns, not labels of which more may come."""
        return self.dtype != "" or self.kind not in ("hard", "rough")

    @property
    def form(self) -> tuple[object, ...]:
        """Equal where two of one kind surely fit together."""
        return self.dtype, self.names if self.has_columns else sort_of(self.names)


def _check_sides(one: _Side, two: _Side, which: str) -> None:
    """Complain about sides that do not fit together; labels are compared where they are joined."""
    if one.kind != two.kind:
        raise InputError(
            f"side {which} is {two.kind} here and {one.kind} elsewhere: give all chunks one kind."
        )
    if one.dtype and two.dtype and one.dtype != two.dtype:
        raise InputError(
            f"side {which} has columns of {two.dtype} here and of {one.dtype} elsewhere: give all "
            "chunks one dtype."
        )
    if one.names != two.names and (one.has_columns or two.has_columns):
        raise InputError(
            f"side {which} has clusters {_some(two.names)} here and {_some(one.names)} elsewhere: "
            "give all chunks the same columns in the same order."
        )


def _some(names: tuple[Name, ...]) -> str:
    if len(names) <= 4:
        return ", ".join(map(repr, names))
    return f"{', '.join(map(repr, names[:3]))}, ... ({len(names)} in all)"


def _needs_objects(what: str, *_: object) -> NoReturn:
    raise UnsupportedError(
        f"{what} needs the objects, and a summary keeps none: use compare on the partitions "
        "themselves."
    )
