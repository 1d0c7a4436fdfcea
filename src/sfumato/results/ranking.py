"""Hold which candidate is better against one truth, and how sure that is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import permutations
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, final

import numpy as np

from sfumato._typing import Bools, Floats, Guarantee, Kind
from sfumato._wording import listed
from sfumato.display.dataframe import Frame, FrameLibrary, frame
from sfumato.display.finite import fields_of, finite
from sfumato.display.html import html_notes, html_table, with_picture
from sfumato.display.known import Known
from sfumato.display.latex import latex_table
from sfumato.display.markdown import markdown_table
from sfumato.display.text import degree, interval, number, table
from sfumato.display.words import in_words, short_names
from sfumato.errors import InputError
from sfumato.results.lead import LEAD_ROUNDING, Gap

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sfumato.display.plot import RankingDisplay

__all__ = ["FindValues", "Ranking"]

FindValues: TypeAlias = Callable[[Literal["pignistic", "hardened"]], Floats]

_AS_STATED = "memberships as stated, objects independent"
_FIELDS = (  # as plain data, before the pairs
    *("measure", "better", "names", "verdict", "maximal", "order", "margin", "guarantee"),
    *("confidence", "n_samples"),
)


@final
@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    r"""Candidates ranked against one shared truth, pair by pair.

    D is the value of the row minus that of the column, turned so that a positive D means that the
    row is better: minus the difference for a distance. All matrices have shape (m, m), and their
    brackets shape (2, m, m).

    Attributes
    ----------
    names : tuple of str
    measure : str
    better : {"higher", "lower"}
        Of the measure.
    kinds, truth_kind : kinds of the candidates and of the truth
    n_objects : int
    margin : float
        Lead that counts.
    lower, upper : ndarray
        Lower and upper expectation of D.
    lower_bracket, upper_bracket : ndarray
        Hold the true ends, surely or with the confidence of all pairs together.
    belief, plausibility : ndarray
        That the row beats the column: D > 0. Ties count for neither; see ``belief_at_least``.
    belief_bracket, plausibility_bracket : ndarray
    dominates : ndarray of bool
        Whether the lower expectation of D is above ``margin``, bracket included: a strict partial
        order.
    interval_dominates : ndarray of bool
        Whether the interval of the row lies wholly above that of the column, which needs more.
    guarantee : {"exact", "certified", "confidence", "inner"}
        The weakest of all pairs.
    confidence : float or None
        Of all brackets together; it covers the error of random draws only.
    n_samples : int or None
        Most draws made for a pair.
    notes : tuple of str
    """

    names: tuple[str, ...]
    measure: str
    better: Literal["higher", "lower"]
    kinds: tuple[Kind, ...]
    truth_kind: Kind
    n_objects: int
    margin: float
    lower: Floats
    upper: Floats
    lower_bracket: Floats
    upper_bracket: Floats
    belief: Floats
    plausibility: Floats
    belief_bracket: Floats
    plausibility_bracket: Floats
    dominates: Bools
    interval_dominates: Bools
    guarantee: Guarantee
    confidence: float | None = None
    n_samples: int | None = None
    notes: tuple[str, ...] = ()
    engine: str = ""
    seconds: float = 0.0
    find_values: FindValues | None = None

    @classmethod
    def of(
        cls, names: tuple[str, ...], gaps: Mapping[tuple[int, int], Gap], **facts: Any
    ) -> "Ranking":
        """Lay out what is known of each pair, and of pairs by way of others.

        A lead of A over B and one of B over C add up: the lower expectation is superadditive.
        """
        size = range(len(names))

        def matrix(read: Callable[[Gap], float]) -> Floats:
            return np.array([[read(gaps[i, j]) for j in size] for i in size])

        def brackets(read: Callable[[Gap], tuple[float, float]]) -> Floats:
            return np.stack([matrix(lambda gap, at=at: read(gap)[at]) for at in (0, 1)])

        low, high = brackets(lambda gap: gap.lower_bracket)
        for by in size:  # Floyd and Warshall's algorithm, for the largest sums
            low = np.maximum(low, low[:, [by]] + low[[by], :])
        high = np.maximum(high, low)
        arrays = {
            "lower": np.clip(matrix(lambda gap: gap.lower), low, high),
            "lower_bracket": np.stack([low, high]),
            "belief": matrix(lambda gap: gap.ahead.belief),
            "plausibility": matrix(lambda gap: gap.ahead.plausibility),
            "belief_bracket": brackets(lambda gap: gap.ahead.belief_bracket),
            "plausibility_bracket": brackets(lambda gap: gap.ahead.plausibility_bracket),
            "dominates": low > facts["margin"] + LEAD_ROUNDING,
        }
        # D of the column and the row is the negative: one end mirrors the other.
        arrays["upper"] = 0.0 - arrays["lower"].T
        arrays["upper_bracket"] = 0.0 - arrays["lower_bracket"][::-1].transpose(0, 2, 1)
        for array in arrays.values():
            array.flags.writeable = False
        return cls(names=names, **arrays, **facts)

    @property
    def belief_at_least(self) -> Floats:
        """Belief that the row is at least as good as the column: D >= 0."""
        return 1.0 - self.plausibility.T

    @property
    def plausibility_at_least(self) -> Floats:
        """Plausibility that the row is at least as good as the column: D >= 0."""
        return 1.0 - self.belief.T

    @cached_property
    def pignistic(self) -> Floats:
        """Expected D after every set's mass is shared equally among its clusters.

        Computed when first asked for; nan where only a range is known.
        """
        return self._differences("pignistic")

    @cached_property
    def hardened(self) -> Floats:
        """D after every object of all partitions is put into its likeliest cluster.

        It answers another question: what a contest of the hardened partitions would say. nan where
        an object has several likeliest clusters, as D would depend on their order.
        """
        return self._differences("hardened")

    def _differences(self, what: Literal["pignistic", "hardened"]) -> Floats:
        if self.find_values is None:
            return np.full(self.lower.shape, np.nan)
        values = self.find_values(what) * (1.0 if self.better == "higher" else -1.0)
        return values[:, None] - values[None, :]

    @property
    def maximal(self) -> tuple[str, ...]:
        """Candidates that no other beats."""
        return tuple(name for at, name in enumerate(self.names) if not self.dominates[:, at].any())

    @property
    def order(self) -> tuple[tuple[str, str], ...]:
        """Edges of the partial order, (better, worse), without those that follow from others."""
        by_way = self.dominates.astype(np.int64) @ self.dominates.astype(np.int64) > 0
        edges = np.argwhere(self.dominates & ~by_way).tolist()
        return tuple((self.names[i], self.names[j]) for i, j in edges)

    @property
    def best(self) -> str:
        """The maximal candidate whose worst lead is the largest; the others are shown beside it."""
        return self.names[self._best]

    @cached_property
    def _best(self) -> int:
        worst = np.where(np.eye(len(self.names), dtype=bool), np.inf, self.lower).min(axis=1)
        worst[self.dominates.any(axis=0)] = -np.inf
        return int(worst.argmax())

    @cached_property
    def _others(self) -> list[int]:
        """All but the best, in the order of what they are behind it at least."""
        behind = self.upper[:, self._best]
        return [int(at) for at in np.argsort(-behind, kind="stable") if at != self._best]

    @property
    def verdict(self) -> str:
        """What is decided, in words: D with its ends first, then who leads how surely."""
        measure = f"the {in_words(self.measure)}"
        if len(self.names) == 1:
            return f"{self.names[0]} is the only candidate, so there is nothing to rank."
        kinds = {"the truth": [self.truth_kind], "candidates": self.kinds}
        drawn = " and ".join(side for side, given in kinds.items() if "drawn" in given)
        stated = f"with the given draws for {drawn}" if drawn else _AS_STATED
        given = f"On these {self.n_objects:,} objects, {stated}: "
        i, j = self._best, self._others[0]
        first, second = self.names[i], self.names[j]
        lead = (
            f"D = {self._interval(i, j)} over {second}, ahead with belief "
            f"{degree(float(self.belief[i, j]), 2)} "
            f"and plausibility {degree(float(self.plausibility[i, j]), 2)} ({self._trust})"
        )
        margin = f" by more than {self.margin:g}" if self.margin else ""
        if len(self.maximal) == 1:
            return f"{given}{first} is best in expectation{margin} by {measure}: {lead}."
        beaten = [name for name in self.names if name not in self.maximal]
        are = "are" if len(beaten) > 1 else "is"
        tail = f" {listed(beaten, 'and')} {are} beaten." if beaten else ""
        return (
            f"{given}{listed(self.maximal, 'and')} cannot be told apart{margin} by {measure}: "
            f"{first} has {lead}.{tail}"
        )

    @property
    def _trust(self) -> str:
        if self.confidence is None:
            return self.guarantee
        return f"{self.confidence:.0%} Monte Carlo confidence for all pairs together"

    def _interval(self, i: int, j: int) -> str:
        low, high = float(self.lower[i, j]), float(self.upper[i, j])
        is_single = high - low <= LEAD_ROUNDING
        return interval(low, high, is_precise=is_single, guarantee=self.guarantee, digits=3)

    def _standing(self, i: int, j: int) -> str:
        if self.dominates[i, j]:
            return "better"
        return "worse" if self.dominates[j, i] else "open"

    def __getitem__(self, key: tuple[str, str]) -> dict[str, object]:
        """What is known of one pair, as in `to_frame`."""
        try:
            i, j = (self.names.index(name) for name in key)
        except (ValueError, TypeError):
            known = ", ".join(map(repr, self.names))
            raise InputError(
                f"No pair {key!r} in this ranking; the candidates are {known}."
            ) from None
        return self._row(i, j)

    def _row(self, i: int, j: int) -> dict[str, object]:
        def of(*names: str) -> dict[str, object]:
            return {name: getattr(self, name)[..., i, j].tolist() for name in names}

        return {
            "a": self.names[i],
            "b": self.names[j],
            "measure": self.measure,
            "better": self.better,
            **of("lower", "upper", "lower_bracket", "upper_bracket"),
            "standing": self._standing(i, j),
            **of("belief", "plausibility", "belief_at_least", "plausibility_at_least"),
            **of("pignistic", "hardened"),
        }

    @property
    def rows(self) -> list[dict[str, object]]:
        """One plain dictionary for each ordered pair."""
        return [self._row(i, j) for i, j in permutations(range(len(self.names)), 2)]

    def to_dict(self) -> dict[str, object]:
        """The ranking as values that JSON can hold; None stands for what is not known."""
        return finite({**fields_of(self, _FIELDS), "pairs": self.rows, "notes": self.notes})

    def to_frame(self, library: FrameLibrary = "pandas") -> "Frame":
        """One row per ordered pair, as a frame of pandas or polars.

        ``better`` is about the measure; a lead D above 0 is one of a over b whatever the measure.
        """
        return frame(self.rows, library, needed_by="Ranking.to_frame")

    def to_latex(self, *, caption: str | None = None, label: str | None = None) -> str:
        r"""The leads of the best over the others as a LaTeX table with booktabs."""
        return latex_table(*self._cells(), caption=caption, label=label, notes=self._all_notes)

    def to_markdown(self) -> str:
        """The leads of the best over the others as a Markdown table, verdict and notes below."""
        return markdown_table(*self._cells(), notes=self._all_notes)

    @property
    def _all_notes(self) -> tuple[str, ...]:
        return self.verdict, *self.notes

    def _cells(self, shown: Sequence[str] | None = None) -> tuple[list[str], list[list[str]]]:
        """Headers and rows, with the names as they are or as they are to be ``shown``."""
        i, shown = self._best, self.names if shown is None else shown
        headers = [
            f"{shown[i]} against",
            "D (higher is better)",
            "belief",
            "plausibility",
            "hardened",
            "standing",
        ]
        return headers, [
            [
                shown[j],
                self._interval(i, j),
                degree(float(self.belief[i, j])),
                degree(float(self.plausibility[i, j])),
                "" if np.isnan(self.hardened[i, j]) else number(float(self.hardened[i, j]), 3),
                self._standing(i, j),
            ]
            for j in self._others
        ]

    def known(self) -> list[Known]:
        """Each other candidate minus the best, as plain data for pictures; more is better."""
        i = self._best
        is_soft = {*self.kinds, self.truth_kind} != {"hard"}
        return [
            Known(
                self.names[j],
                self.kinds[j],
                f"D against {self.best}",
                "higher",
                float(self.lower[j, i]),
                float(self.upper[j, i]),
                is_precise=bool(self.upper[j, i] - self.lower[j, i] <= LEAD_ROUNDING),
                brackets=(_pair(self.lower_bracket[:, j, i]), _pair(self.upper_bracket[:, j, i])),
                guarantee=self.guarantee,
                confidence=self.confidence,
                hardened=_known(self.hardened[j, i]) if is_soft else None,
            )
            for j in self._others
        ]

    def display(self, *, width: Literal["one", "two"] = "two") -> "RankingDisplay":
        """The picture that `plot` draws, not yet drawn."""
        from sfumato.display.plot import RankingDisplay

        order = [self._best, *self._others]
        grid = np.ix_(order, order)
        return RankingDisplay(
            self.known(),
            tuple(self.names[at] for at in order),
            self.belief[grid],
            self.plausibility[grid],
            self.dominates[grid],
            self.order,
            self.measure,
            width,
        )

    def plot(
        self, ax: "Axes | Sequence[Axes] | None" = None, *, width: Literal["one", "two"] = "two"
    ) -> "RankingDisplay":
        """Draw D against the best, who leads how surely, and the order.

        Parameters
        ----------
        ax : Axes, sequence of up to three Axes, or None
            For the three panels; a new figure by default.
        width : {"one", "two"}
            Columns of a journal.
        """
        return self.display(width=width).plot(ax)

    def __repr__(self) -> str:
        lines = [self.verdict]
        if len(self.names) > 1:
            lines.append(table(*self._cells(short_names(self.names))))
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        said, notes = f"<p>{escape(self.verdict)}</p>", html_notes(self.notes)
        if len(self.names) == 1:
            return said + notes
        page = said + html_table(*self._cells()) + notes
        return with_picture(page, self.display, n_marks=len(self.names) ** 2)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _pair(bracket: Floats) -> tuple[float, float]:
    return float(bracket[0]), float(bracket[1])
