"""Degrees of membership of a partition that has them."""

from sfumato._typing import Floats
from sfumato.partitions import (
    FuzzyPartition,
    HardPartition,
    IndependentPartition,
    PossibilisticPartition,
)

__all__ = ["memberships_of"]


def memberships_of(side: IndependentPartition) -> Floats:
    """The degrees of a hard, fuzzy or possibilistic partition, of shape (n, k)."""
    match side:
        case HardPartition():
            return side.to_fuzzy().memberships
        case FuzzyPartition() | PossibilisticPartition():
            return side.memberships
        case _:
            raise AssertionError("the door lets only hard, fuzzy and possibilistic sides in")
