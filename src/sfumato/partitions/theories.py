"""Which theory joins two kinds of partitions."""

from typing import Literal, TypeAlias

from sfumato._typing import TNorm
from sfumato.errors import UnsupportedError
from sfumato.partitions.base import Partition
from sfumato.partitions.possibilistic import PossibilisticPartition

__all__ = ["Theory", "join", "range_is_that_of_supports", "t_norm_of"]

Theory: TypeAlias = Literal[
    "hard", "rough", "fuzzy", "possibilistic", "evidential", "levels", "drawn"
]


def join(a: Partition, b: Partition) -> Theory:
    """The theory that holds both partitions in their simplest form; refused if there is none."""
    kinds = {a.kind, b.kind}
    if "drawn" in kinds:
        return "drawn"
    if "possibilistic" in kinds:
        return _join_possibilistic(a, b)
    if kinds == {"hard"}:
        return "hard"
    if kinds <= {"hard", "rough"}:
        return "rough"
    if kinds <= {"hard", "fuzzy"}:
        return "fuzzy"
    return "evidential"


def _join_possibilistic(a: Partition, b: Partition) -> Theory:
    norms = {side.t_norm for side in (a, b) if isinstance(side, PossibilisticPartition)}
    if len(norms) > 1:
        first, second = sorted(map(str, norms))
        raise UnsupportedError(
            f"The partitions are read with two t-norms, {first} and {second}: give both the same "
            "one, or read both object by object with .with_t_norm(None)."
        )
    if {a.kind, b.kind} <= {"hard", "rough", "possibilistic"}:
        return "possibilistic"
    if norms == {"min"}:
        return "levels"
    other = a.kind if b.kind == "possibilistic" else b.kind
    raise UnsupportedError(
        f"A possibilistic partition read with the t-norm {norms.pop()} has no joint theory with "
        f"the {other} kind: read it object by object with .with_t_norm(None)."
    )


def range_is_that_of_supports(a: Partition, b: Partition, theory: Theory) -> bool:
    """Whether all that the supports allow is possible."""
    # Objects that are each possible may be impossible together by the Lukasiewicz t-norm.
    # Of draws, each has supports of its own.
    return theory not in ("hard", "drawn") and not (
        theory == "possibilistic" and t_norm_of(a, b) == "lukasiewicz"
    )


def t_norm_of(a: Partition, b: Partition) -> TNorm:
    """The t-norm by which two partitions, one of them possibilistic, are read."""
    for side in (a, b):
        if isinstance(side, PossibilisticPartition) and side.t_norm is not None:
            return side.t_norm
    raise AssertionError("only a possibilistic query has a t-norm")
