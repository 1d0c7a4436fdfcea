"""Hold the answer to a comparison, and say how far it can be trusted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, nan
from typing import TYPE_CHECKING, Literal, TypeAlias, final

from sfumato._arguments import check_digits, check_text, is_count, is_number
from sfumato._typing import Floats, Guarantee, Kind, Quantity
from sfumato._wording import option
from sfumato.display.dataframe import Frame, FrameLibrary, frame
from sfumato.display.finite import fields_of, finite
from sfumato.display.html import html_table, with_picture
from sfumato.display.known import Known, largest_error
from sfumato.display.latex import latex_table
from sfumato.display.markdown import markdown_table
from sfumato.display.paper import paper_table
from sfumato.display.sentence import sentence
from sfumato.display.text import duration, interval
from sfumato.errors import InputError, UnsupportedError
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.reading.checks import shown
from sfumato.partitions.reading.tabular import Index
from sfumato.results.expected_table import ExpectedTable
from sfumato.results.values import (
    ValueDistribution,
    ValueKnowledge,
    ValueMass,
    ValuePossibility,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sfumato.display.plot import Display, SharesDisplay

__all__ = ["Comparison", "End", "Witness"]

End: TypeAlias = Literal["lower", "upper"]
Witness: TypeAlias = tuple[HardPartition, HardPartition]

_SETS = {"rough"}, {"hard", "rough"}  # kinds whose answer is a set of values
_FIELDS = (  # as plain data
    *("measure", "better", "quantity", "kinds", "lower", "upper", "mean", "lower_std", "upper_std"),
    *("lower_bracket", "upper_bracket", "guarantee", "confidence", "error", "method", "engine"),
    *("n_samples", "seconds", "notes"),
)


@final
@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """What is known of a measure between two partitions.

    Attributes
    ----------
    measure : str
    better : {"higher", "lower"}
    quantity : {"expectation", "range", "distribution"}
    kinds : (str, str)
        Kinds of the two partitions.
    lower, upper : float
        Lower and upper expectation, or smallest and largest value for ``quantity="range"``. Where
        theory gives a single value but only a range of it is known, the ends of that range.
    is_precise : bool
        Whether theory gives a single value (hard and fuzzy partitions).
    lower_bracket, upper_bracket : (float, float)
        Hold the true ends, surely or with probability ``confidence``.
    stds : (float, float)
        ``lower_std`` and ``upper_std``, unless ``find_std`` finds them.
    guarantee : {"exact", "certified", "confidence", "inner"}
        "exact": both ends are exact. "certified": the interval surely contains the true one.
        "confidence": estimates; the brackets hold with probability ``confidence``. "inner":
        attained values only; the true ends may lie further out.
    confidence : float or None
        Probability that the brackets of both ends hold; it covers the error of random draws only.
    method, engine : str
        How the answer was found, and under which policy.
    n_samples : int or None
    seconds : float
    notes : tuple of str
    distribution : ValueKnowledge or None
        The whole answer, for ``quantity="distribution"``.
    bounds : (float, float)
        No value of the measure lies outside, whatever the partitions.
    objects : ndarray of shape (n,) or None
        The compared objects, in the order of the candidate's rows: their ids, if a side has an
        index; else, if some were dropped, the rows that are left; None if all rows are compared.
    """

    measure: str
    better: Literal["higher", "lower"]
    quantity: Quantity
    kinds: tuple[Kind, Kind]
    lower: float
    upper: float
    is_precise: bool
    lower_bracket: tuple[float, float]
    upper_bracket: tuple[float, float]
    stds: tuple[float, float]
    guarantee: Guarantee
    method: str
    confidence: float | None = None
    n_samples: int | None = None
    distribution: ValueKnowledge | None = None
    notes: tuple[str, ...] = ()
    engine: str = ""
    seconds: float = 0.0
    bounds: tuple[float, float] = (-inf, inf)
    objects: Index = None
    find_hardened: Callable[[], float | None] | None = None
    find_table: Callable[[], ExpectedTable] | None = None
    find_pignistic: Callable[[], float | None] | None = None
    find_contributions: Callable[[], Floats] | None = None
    find_witness: Callable[[End], Witness | None] | None = None
    find_std: Callable[[], tuple[float, float]] | None = None

    @property
    def mean(self) -> float | None:
        """The expected value, up to ``error``; None where only an interval is known.

        That is so by theory, or because a precise value was only found to lie within a range.
        """
        return self.lower if self.is_precise and self.lower == self.upper else None

    @cached_property
    def _stds(self) -> tuple[float, float]:
        return self.stds if self.find_std is None else self.find_std()

    @property
    def lower_std(self) -> float:
        """Standard deviation of the lower end, from partial assignment.

        (Ambiguity is measured by ``width``.) If it costs more than the mean, it is computed when
        first asked for. It is nan if it cannot be computed; then a note says so.
        """
        return self._stds[0]

    @property
    def upper_std(self) -> float:
        """Standard deviation of the upper end, as ``lower_std``."""
        return self._stds[1]

    @property
    def std(self) -> float | None:
        """Standard deviation of the value; None where theory gives an interval."""
        return self.lower_std if self.is_precise else None

    @property
    def midpoint(self) -> float:
        """Middle of the interval."""
        return (self.lower + self.upper) / 2

    @property
    def width(self) -> float:
        """Upper end minus lower end: ambiguity, or the length of the range of a precise value."""
        return self.upper - self.lower

    @property
    def is_exact(self) -> bool:
        """Whether both ends are exact."""
        return self.guarantee == "exact"

    @property
    def error(self) -> float:
        """Largest distance from an end to a side of its bracket."""
        return largest_error((self.lower, self.upper), (self.lower_bracket, self.upper_bracket))

    @cached_property
    def pignistic(self) -> float | None:
        """Expectation after every set's mass is shared equally among its clusters.

        Computed when first asked for, by the same engine; None where that finds only a range.
        """
        if self.is_precise or self.find_pignistic is None:
            return self.mean
        return self.find_pignistic()

    @cached_property
    def hardened(self) -> float | None:
        """Value after every object of either side is put into its likeliest cluster.

        It answers another question: what a contest of the hardened partitions would say. For hard
        partitions it is the value itself. None where an object has several likeliest clusters, as
        the value would depend on their order. Computed when first asked for, in O(n).
        """
        return None if self.find_hardened is None else self.find_hardened()

    def expected_table(self) -> ExpectedTable:
        """What is known of the number of objects in each pair of clusters.

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.compare([[1, 0], [0.25, 0.75]], ["x", "y"]).expected_table()
           x    y
        0  1.0  0.2
        1  0.0  0.8
        """
        if self.find_table is None:
            raise UnsupportedError("This comparison no longer knows its partitions.")
        return self.find_table()

    def contributions(self) -> Floats:
        """Share of each object in the uncertainty, as an array of shape (n,).

        The order is that of ``objects``: of the candidate's rows, without those dropped.

        Fuzzy: first-order share of the variance, the part that goes away on average when the object
        becomes known alone. What objects do together is in none of them, so that their sum may be
        well below 1. For Rand a formula gives it. It is also exact where a few
        comparisons are enough, or with ``engine="exact"``. Else it is estimated from up to 4,096
        draws. In each draw every object is moved to each of its clusters. The error is about 1 % of
        the largest share for measures that count pairs, and a few per cent for others. If the
        comparison itself was drawn, its variance is an estimate too.

        Rough: the interval gets narrower by at least this share of its width when the object
        becomes known.

        Evidential and possibilistic: the same in lower expectation. The widest outcome counts in
        each focal set (or level cut) of the object, and the sets count by their masses. Found by
        comparisons with one object known where these are few, with ``engine="exact"``, and for
        product and Lukasiewicz; else from 32 to 256 draws (for the t-norm min: levels) in which
        objects are moved. The error is several per cent of the largest share, and up to a third of
        it where neither side is hard.

        Raises
        ------
        CostError
            If the standard deviation cannot be computed, tables have too many cells, or there
            would be too many comparisons.
        """
        if self.find_contributions is None:
            raise UnsupportedError("This comparison no longer knows its partitions.")
        return self.find_contributions()

    @cached_property
    def lower_witness(self) -> Witness | None:
        """A pair of hard partitions that attains the lower end; None if none is known.

        It is known for hard and rough partitions, and for ``quantity="range"``, but not if the ends
        were drawn (guarantee "inner"). If the guarantee is "certified", it attains the inner side
        of the bracket.
        """
        return None if self.find_witness is None else self.find_witness("lower")

    @cached_property
    def upper_witness(self) -> Witness | None:
        """A pair of hard partitions that attains the upper end, as `lower_witness`."""
        return None if self.find_witness is None else self.find_witness("upper")

    def hurwicz(self, pessimism: float) -> float:
        """Weighted mean of the two ends: a pessimism of 1 gives the worse end, 0 the better end.

        Raises
        ------
        InputError
            If ``pessimism`` is not in [0, 1].
        """
        if not (is_number(pessimism) and 0.0 <= pessimism <= 1.0):
            raise InputError(f"pessimism must lie between 0 and 1, got {pessimism!r}.")
        worse, best = (self.lower, self.upper)
        if self.better == "lower":
            worse, best = best, worse
        if pessimism in (0.0, 1.0):  # the other end may be infinite
            return worse if pessimism == 1.0 else best
        return pessimism * worse + (1.0 - pessimism) * best

    def __float__(self) -> float:
        """The value, where theory gives a single one and an estimate of it is known."""
        if self.mean is not None:
            return self.mean
        shown = interval(self.lower, self.upper, is_precise=False, guarantee=self.guarantee)
        raise UnsupportedError(
            f"{self.measure} is known to lie in {shown} only: use .lower and .upper, or "
            f"{option('engine', 'auto')} for an estimate."
            if self.is_precise
            else f"{self.measure} is known as an interval {shown}, not as a number: use .lower and "
            ".upper, .midpoint, .hurwicz(pessimism) or .pignistic."
        )

    def to_dict(self) -> dict[str, object]:
        """The answer as values that JSON can hold, without the distribution.

        None stands for what is not known, and for what has no bound.
        """
        return finite(fields_of(self, _FIELDS))

    def to_frame(self, library: FrameLibrary = "pandas") -> "Frame":
        """The answer as a frame of one row, of pandas or polars."""
        return frame([fields_of(self, _FIELDS)], library, needed_by="Comparison.to_frame")

    def to_latex(self, *, caption: str | None = None, label: str | None = None) -> str:
        r"""The answer as a LaTeX table of one row, with booktabs; see `Report.to_latex`."""
        cells = paper_table([self.known()])
        return latex_table(*cells, caption=caption, label=label, notes=self.notes)

    def to_markdown(self) -> str:
        """The answer as a Markdown table of one row, with its notes below."""
        return markdown_table(*paper_table([self.known()]), notes=self.notes)

    def sentence(self, name: str = "", *, digits: int = 3) -> str:
        """One sentence for a paper: measure, value, guarantee and reading.

        Parameters
        ----------
        name : str
            What to call the candidate; by default its kind.
        digits : int

        Examples
        --------
        >>> import sfumato as sf
        >>> sf.compare(sf.RoughPartition([[1, 0], [1, 1]]), [0, 1]).sentence("our method")
        'The Rand index of our method against the hard reference lies between 0.000 and 1.000
        (exact; the value depends on the clusters of the ambiguous objects, none lies beyond);
        higher is better.'
        """
        check_digits(digits)
        known = self.known(name)
        return sentence(known, reference=self.kinds[1], quantity=self.quantity, digits=digits)

    def known(self, name: str = "", *, at_once: bool = False) -> Known:
        """The answer as plain data for tables and pictures.

        ``at_once`` leaves out what would have to be computed: a standard deviation that nobody
        has asked for yet is nan, and there is no hardened value.
        """
        check_text(name=name)
        is_std_known = self.find_std is None or "_stds" in self.__dict__
        is_soft, found = set(self.kinds) != {"hard"}, self.distribution
        return Known(
            name,
            self.kinds[0],
            self.measure,
            self.better,
            self.lower,
            self.upper,
            is_precise=self.is_precise,
            stds=(nan, nan) if at_once and not is_std_known else self._stds,
            brackets=(self.lower_bracket, self.upper_bracket),
            guarantee=self.guarantee,
            confidence=self.confidence,
            hardened=self.hardened if is_soft and not at_once else None,
            cuts=found.cuts() if isinstance(found, ValuePossibility) else (),
            is_closed=self.guarantee != "inner"
            and (self.quantity == "range" or set(self.kinds) in _SETS),
            bounds=self.bounds,
        )

    def display(self, name: str = "", *, at_once: bool = False) -> "Display":
        """The picture that `plot` draws, not yet drawn; ``at_once`` as in `known`."""
        from sfumato.display.plot import LawDisplay, PBoxDisplay, PossibilityDisplay, ValueDisplay

        known = self.known(name, at_once=at_once)
        match self.distribution:
            case ValueDistribution(values=values, probabilities=probabilities):
                return LawDisplay(values, probabilities, known)
            case ValuePossibility(values=values, possibilities=possibilities) as found:
                return PossibilityDisplay(values, possibilities, known, found.is_complete)
            case ValueMass() as masses:
                return PBoxDisplay(*masses.ends, known)
            case _:
                return ValueDisplay(known)

    def plot(self, ax: "Axes | Sequence[Axes] | None" = None, *, name: str = "") -> "Display":
        """Draw the answer: a mean with its spread and error, an interval with its brackets.

        With ``quantity="distribution"`` the whole law, p-box or possibility is drawn.

        Parameters
        ----------
        ax : Axes or None
            A new figure of one column (85 mm) by default.
        name : str
            Of the candidate, for the title.

        Returns
        -------
        Display
            With ``ax_``, ``figure_`` and ``artists_``.

        Raises
        ------
        MissingExtraError
            If matplotlib is not installed.
        """
        return self.display(name).plot(ax)

    def plot_contributions(
        self,
        ax: "Axes | Sequence[Axes] | None" = None,
        *,
        labels: Sequence[object] | None = None,
        most: int = 20,
    ) -> "SharesDisplay":
        """Draw the objects that make the comparison uncertain, largest shares first.

        Parameters
        ----------
        ax : Axes or None
            Two for shares of a variance, of which the second shows their sum.
        labels : sequence or None
            One for each object, in the order of `contributions`; by default their ids or, without
            ids, their rows.
        most : int
            Objects that are drawn.
        """
        return self.shares_display(labels=labels, most=most).plot(ax)

    def shares_display(
        self, *, labels: Sequence[object] | None = None, most: int = 20
    ) -> "SharesDisplay":
        """The picture that `plot_contributions` draws, not yet drawn."""
        from sfumato.display.plot import SharesDisplay

        if not is_count(most):
            raise InputError(f"most is {shown(most)}; pass how many objects to draw, at least 1.")
        shares = self.contributions()
        known = range(len(shares)) if self.objects is None else self.objects
        names = tuple(map(str, known if labels is None else labels))
        if len(names) != len(shares):
            raise InputError(f"There are {len(shares)} objects, but {len(names)} labels.")
        of = "variance" if self.is_precise else "width"
        return SharesDisplay(shares, names, of, most, self.measure)

    def _facts(self) -> list[tuple[str, str]]:
        trust, is_single = self.guarantee, self.mean is not None
        value = interval(self.lower, self.upper, is_precise=is_single, guarantee=self.guarantee)
        if self.guarantee == "confidence" and self.confidence is not None:
            trust = f"+-{self.error:.2g} at {self.confidence:.0%}"
        elif self.guarantee == "certified" and self.mean is not None:
            trust = f"certified to +-{self.error:.2g}"
        facts = [
            ("value", value),
            ("guarantee", trust),
            ("method", self.method),
            ("time", duration(self.seconds)),
        ]
        if self.n_samples is not None:
            facts.insert(3, ("draws", f"{self.n_samples:,}"))
        return facts

    def __repr__(self) -> str:
        facts = dict(self._facts())
        warning = ""
        if self.guarantee == "inner":
            warning = (
                "; no error is known" if self.is_precise else "; the true ends may lie further out"
            )
        return (
            f"<{self.measure} of {self.kinds[0]} against {self.kinds[1]}: {facts['value']} "
            f"({facts['guarantee']}{warning}; {self.method}, {facts['time']})>"
        )

    def __str__(self) -> str:
        return "\n".join([repr(self)[1:-1], *(f"  note: {note}" for note in self.notes)])

    def _repr_html_(self) -> str:
        rows = [
            ["better", self.better],
            *([name, value] for name, value in self._facts()),
            *(["note", note] for note in self.notes),
        ]
        return with_picture(
            html_table([self.measure, self.quantity], rows), lambda: self.display(at_once=True)
        )
