"""Drawn partitions: hard partitions from MCMC or a bootstrap, each as it was drawn."""

from html import escape
from typing import Any, ClassVar, cast, final, get_args

import numpy as np

from sfumato._arguments import generator_of, is_count
from sfumato._typing import Codes, Floats, Ints, Kind, RandomSource
from sfumato.algorithms.draws.consensus import DrawLoss, consensus
from sfumato.algorithms.draws.draw_list import DrawCodes, DrawList, distinct_draws, relabelled
from sfumato.display.html import html_table
from sfumato.errors import InputError
from sfumato.partitions.base import Partition
from sfumato.partitions.credible_ball import CredibleBall
from sfumato.partitions.fuzzy import FuzzyPartition
from sfumato.partitions.hard import HardPartition
from sfumato.partitions.reading.alignment import align
from sfumato.partitions.reading.checks import check_choice, counted, shown, unused_name
from sfumato.partitions.reading.drawn_labels import read_draws, read_weights
from sfumato.partitions.reading.labels import factorise, object_array
from sfumato.partitions.reading.tabular import Table

__all__ = ["DrawnPartition", "draws_note"]

_METRICS = ("vi", "binder")


@final
class DrawnPartition(Partition):
    r"""Hard partitions that were drawn, each with its probability; objects depend on each other.

    .. math:: P(C) = \sum_i w_i \, [C \sim C_i]

    The draws of a chain (MCMC), of bootstrap samples or of runs from random starts. What clusters
    are called means nothing: the clusters of each draw are numbered anew. No object says anything
    alone, so there are no memberships: averages of labels lose what objects have in common.

    Parameters
    ----------
    labels : array-like of shape (s, n)
        One row per draw, one column per object; integers, text or other labels. The columns of a
        dataframe are the ids of the objects.
    weights : array-like of shape (s,), optional
        How much each draw counts, as importance weights or numbers of repeats do; they are divided
        by their sum. Equal by default.

    Attributes
    ----------
    codes : ndarray of shape (s, n)
        The cluster of each object in each draw, numbered by first appearance.
    weights : ndarray of shape (s,)
        Of sum 1.
    sizes : ndarray of shape (s,)
        The number of clusters of each draw; ``n_clusters`` is the largest.

    Raises
    ------
    InputError
        For labels that are missing or not two-dimensional, and weights that are negative, not
        finite or all zero.
    CostError
        If there are more than 4e8 labels, about 10 GB.

    Notes
    -----
    O(s n); 4 bytes for each label. Comparisons speak of the given draws: "exact" means exact of
    these, not of what they were drawn from. See :cite:`wade2018bayesian`.

    Examples
    --------
    >>> import sfumato as sf
    >>> drawn = DrawnPartition([[0, 0, 1, 1], [5, 5, 3, 3], [0, 0, 0, 1]])
    >>> drawn
    DrawnPartition(4 objects, 2 clusters, 3 draws, 2 distinct)
    >>> round(sf.compare(drawn, ["x", "x", "y", "y"]).mean, 4)
    0.8333
    """

    __slots__ = ("_distinct", "codes", "sizes", "weights")

    kind: ClassVar[Kind] = "drawn"
    codes: DrawCodes
    sizes: Ints
    weights: Floats
    _distinct: DrawList | None

    def __init__(self, labels: object, weights: object = None) -> None:
        table = read_draws(labels)
        values = table.dense()
        found, categories = factorise(values.ravel())
        found = found.astype(np.int64, copy=False).reshape(values.shape)
        codes, sizes = relabelled(found, len(categories))
        self._set(codes, sizes, read_weights(weights, len(codes)))
        if table.names is not None and table.names != tuple(range(len(table.names))):
            self._fill(index=object_array(table.names))

    def _set(self, codes: DrawCodes, sizes: Ints, weights: Floats) -> None:
        n_clusters = int(sizes[weights > 0].max())
        self._make(tuple(range(n_clusters)), codes.shape[1], codes=codes, sizes=sizes)
        self._fill(weights=weights, _distinct=None)

    @property
    def n_draws(self) -> int:
        """Number of draws, s."""
        return len(self.codes)

    @property
    def distinct(self) -> DrawList:
        """The draws that differ, with their probabilities; found once, in O(s n)."""
        if self._distinct is None:
            self._fill(_distinct=distinct_draws(self.codes, self.weights, self.sizes))
        return cast(DrawList, self._distinct)

    def draw(self, at: int) -> HardPartition:
        """Draw number ``at`` as a hard partition.

        Examples
        --------
        >>> DrawnPartition([[0, 0, 1], [7, 8, 9]]).draw(1).codes.tolist()
        [0, 1, 2]
        """
        if not is_count(at, least=-self.n_draws) or at >= self.n_draws:
            raise InputError(f"There is no draw {shown(at)}: they are 0 to {self.n_draws - 1}.")
        return self.hard(self.codes[at])

    def hard(self, codes: "DrawCodes | Codes") -> HardPartition:
        """A hard partition of these objects."""
        return HardPartition.trusted(codes.astype(np.int64), like=self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DrawnPartition):
            return NotImplemented
        return np.array_equal(self.codes, other.codes) and np.array_equal(
            self.weights, other.weights
        )

    def _fact(self) -> str:
        return f"{counted(self.n_draws, 'draw')}, {len(self.distinct.weights)} distinct"

    def _repr_html_(self) -> str:
        law = np.bincount(self.sizes, self.weights)
        used = np.flatnonzero(law)
        rows = [[str(size), f"{law[size]:.3f}"] for size in used.tolist()]
        table = html_table(["clusters", "probability"], rows)
        return f"<p>{escape(repr(self))}</p>{table}"

    def simplest(self) -> Partition:
        """A hard partition if all draws group the objects alike, else self."""
        codes = self.distinct.codes
        return self if len(codes) > 1 else self.hard(codes[0])

    def sample(self, rng: RandomSource = None) -> HardPartition:
        """One of the draws, drawn with its weight."""
        return self.draw(int(generator_of(rng).choice(self.n_draws, p=self.weights)))

    def _rows(self, rows: Ints) -> "DrawnPartition":
        taken = DrawnPartition.__new__(DrawnPartition)
        labels = self.codes[:, rows].astype(np.int64)
        taken._set(*relabelled(labels, int(labels.max()) + 1), self.weights)
        return taken

    def point_estimate(
        self, loss: DrawLoss = "vi", *, n_starts: int = 8, rng: RandomSource = None
    ) -> HardPartition:
        r"""One hard partition that is near to the draws in the mean.

        .. math:: \hat C \approx \arg\min_C \sum_i w_i \, d(C, C_i)

        Parameters
        ----------
        loss : {"vi", "binder", "adjusted_rand"}
            The variation of information in nats, the share of pairs of objects on which two
            clusterings differ (1 - Rand), or 1 - adjusted Rand.
        n_starts : int
            Searches, from random draws and from objects that are added one by one.
        rng : Generator, int or None

        Returns
        -------
        HardPartition
            Its note gives the expected loss, which is that on the draws it was searched on. It is
            attained, not proven to be the least; no draw has a smaller one.

        Raises
        ------
        CostError
            If the tables of all draws do not fit in memory.

        Notes
        -----
        Objects move, clusters merge and clusters split while the expected loss falls: O(s n k) for
        each pass over the objects. That no draw is better is checked in O(s² n); if that is more
        than 2e10, for the draws nearest to the estimate only, and the note says so. Losses as in
        :cite:`wade2018bayesian`, searches in the manner of :cite:`dahl2022search`.

        Examples
        --------
        >>> drawn = DrawnPartition([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1]])
        >>> drawn.point_estimate(rng=0).codes.tolist()
        [0, 0, 1, 1]
        """
        check_choice(loss, get_args(DrawLoss), "loss")
        if not is_count(n_starts):
            raise InputError(f"n_starts is {shown(n_starts)}; pass an integer of at least 1.")
        draws = self.distinct
        found = consensus(draws, loss, n_starts, generator_of(rng))
        n_distinct = len(draws.weights)
        which = "any draw"
        if found.n_checked < n_distinct:
            which = f"the {found.n_checked:,} draws nearest to it (others were not compared)"
        return self.hard(found.codes).noted(
            f"Point estimate by {loss}: expected loss {found.loss:.6g}, on the "
            f"{counted(self.n_draws, 'draw')} it was searched on; attained by a search, not proven "
            f"to be the least, and no larger than that of {which}."
        )

    def credible_ball(
        self,
        center: object = None,
        level: float = 0.95,
        *,
        loss: DrawLoss = "vi",
        rng: RandomSource = None,
    ) -> CredibleBall:
        r"""The smallest ball around a clustering that holds draws of a given probability.

        .. math:: \epsilon^* = \min \{\epsilon : P(d(C, \hat C) \le \epsilon) \ge \text{level}\}

        Parameters
        ----------
        center : HardPartition or labels of shape (n,), optional
            By default the point estimate by the same loss.
        level : float
            Above 0 and at most 1.
        loss : {"vi", "binder"}
            The metric.
        rng : Generator, int or None
            For the point estimate.

        Returns
        -------
        CredibleBall
            With ``radius``, ``mass`` and the draws at its edge.

        Notes
        -----
        O(s n). Defined in :cite:`wade2018bayesian`.

        Examples
        --------
        >>> drawn = DrawnPartition([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 1], [0, 1, 2, 3]])
        >>> ball = drawn.credible_ball([0, 0, 1, 1], level=0.75, loss="binder")
        >>> round(ball.radius, 4), ball.mass, ball.is_inside.tolist()
        (0.3333, 0.75, [True, True, False, True])
        """
        check_choice(loss, _METRICS, "loss of a credible ball")
        given = self.point_estimate(loss, rng=rng) if center is None else center
        mine, hard = self._beside(given)
        return CredibleBall.around(hard, mine, level=level, loss=loss)

    def memberships(self, reference: object) -> FuzzyPartition:
        """How often each object is in each cluster, after draws are relabelled to a reference.

        The clusters of each draw are matched one to one with those of the reference, so that most
        objects agree; objects of clusters without a partner go to a cluster called "unmatched".

        **What is lost:** which objects go together. In the result objects are independent, so a
        comparison with it is another question: means and spreads differ from those of the draws,
        which `compare` gives without relabelling. A note says so.

        Parameters
        ----------
        reference : HardPartition or labels of shape (n,)
            For instance a point estimate.

        Returns
        -------
        FuzzyPartition

        Notes
        -----
        O(s (n + k³)).

        Examples
        --------
        >>> drawn = DrawnPartition([[0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1], [0, 0, 1, 1]])
        >>> drawn.memberships(["a", "a", "b", "b"]).memberships.tolist()
        [[1.0, 0.0], [1.0, 0.0], [0.25, 0.75], [0.0, 1.0]]
        """
        from scipy import optimize

        solver: Any = optimize  # without types
        mine, hard = self._beside(reference)
        draws, k = mine.distinct, hard.n_clusters
        shares = np.zeros((mine.n_objects, k + 1))
        objects = np.arange(mine.n_objects)
        for codes, weight, size in zip(draws.codes, draws.weights, draws.sizes, strict=True):
            cells = codes.astype(np.int64) * k + hard.codes
            table = np.bincount(cells, minlength=size * k).reshape(size, k)
            image = np.full(size, k)
            ours, theirs = solver.linear_sum_assignment(table, maximize=True)
            image[ours] = theirs
            shares[objects, image[codes]] += weight
        names = hard.names
        if shares[:, k].any():
            names = (*names, unused_name("unmatched", names))
        else:
            shares = shares[:, :k]
        shares /= shares.sum(axis=1, keepdims=True)
        found = FuzzyPartition(Table(shares, names, mine.index))
        return found.noted(
            *mine.notes,
            f"Memberships of {counted(mine.n_draws, 'draw')} relabelled to a reference: which "
            "objects go together is lost, so comparisons differ from those of the draws.",
        )

    def _beside(self, other: object) -> tuple["DrawnPartition", HardPartition]:
        """The draws and a hard partition, of the same objects in the same order."""
        hard = other if isinstance(other, HardPartition) else HardPartition(other)
        mine, beside, _, _ = align(cast(Partition, self), hard)
        assert isinstance(mine, DrawnPartition)
        assert isinstance(beside, HardPartition)
        return mine, beside


def draws_note(drawn: DrawnPartition) -> str:
    """What every answer about a drawn partition says."""
    return (
        f"What is said holds of the given draws ({drawn.n_draws:,}), not of what they were drawn "
        "from."
    )
