"""What a partition says, in a few numbers."""

from dataclasses import dataclass, fields
from html import escape
from math import log
from typing import TYPE_CHECKING, final

import numpy as np

from sfumato._typing import Floats, Ints, Kind, Name
from sfumato.display.finite import fields_of
from sfumato.display.html import html_table, with_picture
from sfumato.display.known import Known
from sfumato.display.text import interval, number, table
from sfumato.partitions.base import IndependentPartition
from sfumato.partitions.possibilistic import PossibilisticPartition
from sfumato.partitions.reading.checks import counted
from sfumato.partitions.relational import relational
from sfumato.partitions.statements import Statements

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from sfumato.display.plot import SizesDisplay

__all__ = ["Description", "describe", "nonspecificity", "pignistic_entropy"]

_MOST_CLUSTERS = 20  # that are printed
_SAME = 1e-9  # sums that differ by less differ by rounding


@final
@dataclass(frozen=True, eq=False, repr=False)
class Description:
    r"""How much a partition says, and how surely.

    Attributes
    ----------
    kind : str
    n_objects, n_clusters : int
    n_certain : int
        Objects with one possible cluster.
    names : tuple
        One name per cluster.
    sizes : ndarray of shape (k, 2)
        Lower and upper expectation of the number of objects of each cluster: sums of beliefs and
        of plausibilities. For a hard partition both are the size, for a fuzzy one the sum of
        memberships, for a rough one the objects that surely are, and may be, in the cluster.
    size_stds : ndarray of shape (k, 2)
        Standard deviations of the two ends of each size, from partial assignment.
    nonspecificity : float
        Mean over objects of :math:`\sum_A m(A) \log |A|`: ambiguity, in nats.
    pignistic_entropy : float
        Mean over objects of the entropy of the pignistic memberships, in nats: partial
        assignment, with the equal shares of ambiguous sets counted too.
    largest : float
        What both are for an object of which nothing is known: log k.
    notes : tuple of str
    """

    kind: Kind
    n_objects: int
    n_clusters: int
    n_certain: int
    names: tuple[Name, ...]
    sizes: Floats
    size_stds: Floats
    nonspecificity: float
    pignistic_entropy: float
    largest: float
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, object]:
        """The same as plain Python values."""
        return fields_of(self, (field.name for field in fields(self)))

    def _cells(self) -> tuple[list[str], list[list[str]]]:
        digits = 0 if (self.sizes == np.rint(self.sizes)).all() else 1
        rows = [
            [str(name), interval(low, high, is_precise=low == high, digits=digits)]
            for name, (low, high) in zip(self.names, self.sizes.tolist(), strict=True)
        ]
        if len(rows) > _MOST_CLUSTERS:
            left = len(rows) - _MOST_CLUSTERS
            rows = [*rows[:_MOST_CLUSTERS], [f"({counted(left, 'more cluster')})", ""]]
        return ["cluster", "objects"], rows

    def _sentences(self) -> list[str]:
        share = 100 * self.n_certain / self.n_objects
        largest = number(self.largest)
        return [
            f"{self.kind} partition of {counted(self.n_objects, 'object')} into "
            f"{counted(self.n_clusters, 'cluster')}",
            f"certain objects    {self.n_certain} ({share:.0f}%)",
            f"nonspecificity     {number(self.nonspecificity)} of at most {largest} nats",
            f"pignistic entropy  {number(self.pignistic_entropy)} of at most {largest} nats",
            *(f"note: {note}" for note in self.notes),
        ]

    def __repr__(self) -> str:
        return "\n".join([*self._sentences(), table(*self._cells())])

    def plot(self, ax: "Axes | None" = None) -> "SizesDisplay":
        """Draw the expected sizes of the clusters."""
        return self.display().plot(ax)

    def display(self) -> "SizesDisplay":
        """The picture that `plot` draws, not yet drawn."""
        from sfumato.display.plot import SizesDisplay

        return SizesDisplay(
            [
                Known(
                    str(name),
                    self.kind,
                    "size",
                    "higher",
                    low,
                    high,
                    is_precise=high - low < _SAME,
                    stds=(low_std, high_std),
                    is_closed=self.kind == "rough",
                    bounds=(0.0, float(self.n_objects)),
                )
                for name, (low, high), (low_std, high_std) in zip(
                    self.names, self.sizes.tolist(), self.size_stds.tolist(), strict=True
                )
            ]
        )

    def to_html(self) -> str:
        """The same as HTML, with a small picture if matplotlib is installed."""
        sentences = "<br>".join(escape(sentence) for sentence in self._sentences())
        return with_picture(f"<p>{sentences}</p>{html_table(*self._cells())}", self.display)

    def _repr_html_(self) -> str:
        return self.to_html()


def describe(partition: IndependentPartition) -> Description:
    """Sum up what a partition says; see `Partition.describe`."""
    statements = relational(partition).statements
    masses = statements.memberships()
    degrees = masses.belief, np.minimum(masses.plausibility, 1.0)
    sizes, variances = (
        [
            np.bincount(masses.clusters, masses.counts * each, minlength=partition.n_clusters)
            for each in terms
        ]
        for terms in (degrees, [each * (1 - each) for each in degrees])
    )
    first_sets = statements.family.sizes[statements.sets[statements.starts[:-1]]]
    is_certain = (np.diff(statements.starts) == 1) & (first_sets == 1)
    notes = partition.notes
    if isinstance(partition, PossibilisticPartition) and partition.t_norm is not None:
        notes = (*notes, f"read object by object, not with t_norm={partition.t_norm!r}")
    return Description(
        kind=partition.kind,
        n_objects=partition.n_objects,
        n_clusters=partition.n_clusters,
        n_certain=int(is_certain[statements.codes].sum()),
        names=partition.names,
        sizes=np.column_stack(sizes).astype(np.float64),
        size_stds=np.sqrt(np.column_stack(variances)),
        nonspecificity=float(nonspecificity(partition).mean()),
        pignistic_entropy=float(pignistic_entropy(partition).mean()),
        largest=log(partition.n_clusters),
        notes=notes,
    )


def nonspecificity(partition: IndependentPartition) -> Floats:
    """Ambiguity of each object; see `Partition.nonspecificity`."""
    statements = relational(partition).statements
    logs = np.log(statements.family.sizes[statements.sets])
    return _of_objects(statements, statements.owners, statements.weights * logs)


def pignistic_entropy(partition: IndependentPartition) -> Floats:
    """Entropy of each object; see `Partition.pignistic_entropy`."""
    statements = relational(partition).statements
    pairs, which, entries = statements.pairs()
    equal = statements.weights / statements.family.sizes[statements.sets]
    shares = np.bincount(which, equal[entries], len(pairs)).astype(np.float64)
    terms = -shares * np.log(np.where(shares > 0, shares, 1.0))
    owners = pairs // statements.n_clusters
    return np.maximum(_of_objects(statements, owners, terms), 0.0)


def _of_objects(statements: Statements, owners: Ints, terms: Floats) -> Floats:
    """Sums of the terms of each statement, for each object."""
    sums = np.bincount(owners, terms, minlength=statements.n_statements)
    return sums.astype(np.float64)[statements.codes]
