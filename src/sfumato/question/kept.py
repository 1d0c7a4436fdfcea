"""What a summary keeps of objects that are gone."""

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from sfumato._typing import Ints, Kind
from sfumato.partitions.theories import Theory

if TYPE_CHECKING:  # loaded with the package, and few questions need it
    from sfumato.algorithms.moments.power_sums import PowerSums
    from sfumato.question.drawn_tables import DrawnTables

__all__ = ["KEEPABLE", "NEEDS", "Kept", "Need", "theory_of_kinds"]

Need: TypeAlias = Literal["objects", "counts", "sums", "powers", "draws"]

NEEDS: dict[Need, str] = {
    "counts": "counts of pairs of sets",
    "sums": "sums of memberships",
    "powers": "power sums of memberships",
    "draws": "drawn tables",
    "objects": "the objects",
}
KEEPABLE: tuple[Need, ...] = ("counts", "sums", "powers", "draws")

_LEAST_ORDER = 4  # of power sums that entropies can do with


class Kept(NamedTuple):
    """What is left of the objects of a question.

    ``counts`` are the objects of each pair of statements that the two partitions list; ``sums``
    are power sums of memberships, and the partitions list no object then; ``draws`` are random
    tables, and the partitions list their pairs of sets.
    """

    n_objects: int
    counts: Ints | None = None
    sums: "PowerSums | None" = None
    draws: "DrawnTables | None" = None

    def has(self, need: Need) -> bool:
        """Whether it is what a method needs of the objects."""
        if need == "powers":
            return self.sums is not None and self.sums.order >= _LEAST_ORDER
        return need != "objects" and getattr(self, need) is not None

    def turned(self) -> "Kept":
        """The same with the two partitions swapped."""
        return self._replace(
            sums=None if self.sums is None else self.sums.turned(),
            draws=None if self.draws is None else self.draws.turned(),
        )


def theory_of_kinds(kinds: tuple[Kind, Kind]) -> Theory:
    """The theory that joins two kinds whose objects are independent, before any is simplified."""
    both = set(kinds)
    if both <= {"hard", "rough"}:
        return "rough" if "rough" in both else "hard"
    return "fuzzy" if both <= {"hard", "fuzzy"} else "evidential"
