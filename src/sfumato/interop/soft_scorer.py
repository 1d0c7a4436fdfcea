"""Scores of soft clusterings for scikit-learn's searches."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, final, get_args

from sfumato._typing import PartitionLike
from sfumato._wording import read_by
from sfumato.api.asked import asked_of
from sfumato.api.evaluate import evaluate
from sfumato.engines import Engine
from sfumato.errors import InputError
from sfumato.interop.sklearn import from_sklearn
from sfumato.measures import Measure
from sfumato.partitions import HardPartition, as_partition
from sfumato.partitions.base import independent
from sfumato.partitions.reading.checks import check_choice
from sfumato.partitions.reading.reading_options import Missing

if TYPE_CHECKING:
    from sfumato.indices.base import Index

__all__ = ["Bound", "SoftScorer", "make_soft_scorer"]

Bound: TypeAlias = Literal["lower", "upper", "mean"]


@final
@dataclass(frozen=True, slots=True)
class SoftScorer:
    """A score of a fitted estimator on labelled objects; made by `make_soft_scorer`."""

    measure: "Measure | Index"
    bound: Bound
    hardened: bool
    engine: Engine | str
    missing: Missing

    def __call__(self, estimator: object, X: object, y: PartitionLike = None) -> float:
        """The score; greater is better, so a distance comes with a minus."""
        if y is None:
            raise InputError("A soft scorer compares with true labels; pass y.")
        with read_by("make_soft_scorer"):
            truth = as_partition(y, missing=self.missing)
        partition = from_sklearn(estimator, X)
        if self.hardened:
            partition = independent(partition, "A hardened score").harden()
        elif self.bound == "mean":
            partition = independent(partition, "A pignistic score").pignistic()
            if not isinstance(truth, HardPartition):
                truth = independent(truth, "A pignistic score").pignistic()
        asked = [self.measure]
        report = evaluate({"": partition}, truth, measures=asked, engine=self.engine, rng=0)
        (row,) = report.comparisons.values()
        value = row.upper if self.bound == "upper" else row.lower
        if self.bound == "mean" and row.mean is not None:
            value = row.mean
        return value if self.measure.better == "higher" else -value


def make_soft_scorer(
    measure: "Measure | Index | Callable[..., float] | str" = "adjusted_rand",
    bound: Bound = "mean",
    *,
    hardened: bool = False,
    engine: Engine | str = "auto",
    missing: Missing = "raise",
) -> SoftScorer:
    r"""A scorer for ``GridSearchCV``, ``cross_validate`` and the like.

    It asks the estimator for its soft clustering of the objects (``partition`` of ours, else
    ``predict_proba`` or ``predict``) and compares that with the labels y.

    .. warning::
        The mean of a measure over memberships rewards sharpness. Let the truth be drawn from the
        memberships themselves, so that nothing describes it better, and let these be uniform in
        two clusters. With many objects the adjusted Rand index has the mean 1/9 = 0.111 for the
        memberships as they are, (2 - pi/2)^2 = 0.184 for their squares, rescaled, and 1/4 once they
        are hardened. So among fits that are equally good it chooses the hardest. To choose between
        degrees of softness, use ``make_soft_scorer("indices.pair_brier")``, a proper score: by it
        the memberships as they are come out best. To see how much of a score is sharpness, put the
        hardened value beside it, as below.

    Parameters
    ----------
    measure : str, Measure or index, as in `evaluate`
    bound : {"mean", "lower", "upper"}
        Which number of an interval: the mean over pignistic memberships, the lower or the upper
        expectation. For hard and fuzzy clusterings all three are one. Of a distance, "upper" is the
        cautious one.
    hardened : bool
        Score the hard clustering that the soft one gives.
    engine : as in `compare`
    missing : {"raise", "unknown", "drop"}
        What objects without a label in y are, as in `as_partition`.

    Returns
    -------
    SoftScorer
        Called as ``scorer(estimator, X, y)``. Greater is better: distances and errors get a minus.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.mixture import GaussianMixture
    >>> from sklearn.model_selection import cross_validate
    >>> X, y = load_iris(return_X_y=True)
    >>> scoring = {
    ...     "soft": make_soft_scorer("ari"),
    ...     "hardened": make_soft_scorer("ari", hardened=True),
    ...     "proper": make_soft_scorer("indices.pair_brier"),
    ... }
    >>> found = cross_validate(GaussianMixture(3, random_state=0), X, y, scoring=scoring, cv=3)
    >>> bool((found["test_soft"] <= 1).all() and (found["test_proper"] <= 0).all())
    True
    """
    check_choice(bound, ("mean", "lower", "upper"), "bound")
    check_choice(missing, get_args(Missing), "missing")
    return SoftScorer(asked_of(measure), bound, hardened, engine, missing)
