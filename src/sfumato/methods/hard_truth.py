"""Fuzzy comparisons with a hard side, seen as a fuzzy partition against a hard truth."""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Codes, Floats, Ints
from sfumato.algorithms.tables.margins import table_with_margins
from sfumato.families import Affine, Psi, Ratio, Separable, psi_sum
from sfumato.partitions.hard import HardPartition
from sfumato.query import Query

__all__ = ["HardTruth", "RatioOfSums", "hard_truth", "ratio_of_sums", "undefined_value"]

_MOST_MEMBERSHIPS = 40_000_000
_MOST_CLUSTERS = 32


class HardTruth(NamedTuple):
    """The fuzzy side as rows of the table, the hard one as its columns."""

    memberships: Floats  # (n, k1)
    codes: Codes  # (n,)
    sizes: Ints  # (k2,)
    is_swapped: bool  # whether a is the hard side

    @property
    def n_columns(self) -> int:
        """Clusters of the hard side."""
        return len(self.sizes)


class RatioOfSums(NamedTuple):
    """numerator / denominator**power, where the sum over columns is known and left out."""

    numerator: Affine
    denominator: Affine
    power: float


def hard_truth(query: Query, psi: Psi) -> HardTruth | None:
    """The sides of a fuzzy comparison of which one is hard, by a measure built on sums of psi.

    None if no side is hard, the measure is of another kind, or there are too many clusters for
    laws: then memberships, which may be sparse, are not laid out.
    """
    family = query.measure.family(query.n_objects)
    if query.theory != "fuzzy" or not isinstance(family, Separable | Ratio) or family.psi != psi:
        return None
    if max(query.shape) > _MOST_CLUSTERS:
        return None
    if query.n_objects * max(query.shape) > _MOST_MEMBERSHIPS:
        return None
    for fuzzy, hard in ((query.a, query.b), (query.b, query.a)):
        if isinstance(hard, HardPartition):
            sizes = np.bincount(hard.codes, minlength=hard.n_clusters).astype(np.int64)
            return HardTruth(fuzzy.pignistic().memberships, hard.codes, sizes, hard is query.a)
    return None


def ratio_of_sums(query: Query, truth: HardTruth, psi: Psi) -> RatioOfSums | None:
    """The measure in terms of the sums of psi over rows and cells; None if it has no such form."""
    family = query.measure.family(query.n_objects)
    if not isinstance(family, Separable | Ratio) or family.psi != psi:
        return None
    fixed = float(psi_sum(psi, truth.sizes))
    if isinstance(family, Separable):
        return RatioOfSums(_weights(family.value, fixed, truth.is_swapped), _ONE, 1.0)
    is_swapped = truth.is_swapped
    if family.needs_fixed_columns and is_swapped:
        if not query.measure.symmetric:
            return None
        is_swapped = False  # the other way round it is the same, with the columns fixed
    numerator, denominator = (_weights(part, fixed, is_swapped) for part in family.parts(fixed))
    if denominator.cells != 0 and family.power != 1:
        return None
    return RatioOfSums(numerator, denominator, family.power)


_ONE = Affine(1.0)


def _weights(value: Affine, fixed: float, is_swapped: bool) -> Affine:
    return (value.turned() if is_swapped else value).with_columns(fixed)


def undefined_value(query: Query, truth: HardTruth, rows: Ints) -> float:
    """The measure's own value where its denominator is zero, which depends on margins alone."""
    table = table_with_margins(rows, truth.sizes)
    return float(query.measure.of_tables(table.T if truth.is_swapped else table))
