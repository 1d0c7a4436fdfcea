"""What a ranking says of how its pairs were found."""

from collections.abc import Mapping, Sequence

from sfumato.partitions.base import IndependentPartition, Partition
from sfumato.results.comparison import Comparison

__all__ = ["ranking_notes"]

_BLUNTER = 0.05  # nats of entropy by which one candidate is less sharp than another


def ranking_notes(
    named: Mapping[str, Partition],
    singles: Sequence[Comparison],
    found: Sequence[Comparison],
    confidence: float,
    *,
    n_outer: int,
) -> tuple[str, ...]:
    """What a reader should know; in ``n_outer`` pairs ends are bounds where it matters."""
    notes = [f"{name}: {note}" for name, side in named.items() for note in side.notes]
    sharpness = {
        name: float(side.pignistic_entropy().mean())
        for name, side in named.items()
        if isinstance(side, IndependentPartition)
    }
    if sharpness and max(sharpness.values()) - min(sharpness.values()) > _BLUNTER:
        sharp, blunt = (end(sharpness, key=sharpness.__getitem__) for end in (min, max))
        notes.append(
            f"The candidates differ in sharpness (mean entropy {sharpness[sharp]:.2f} nats of "
            f"{sharp}, {sharpness[blunt]:.2f} of {blunt}): expectations reward memberships near 0 "
            "and 1, right or wrong; `hardened` takes that away, where it is known."
        )
    n_drawn = sum(each.n_samples is not None for each in found)
    if n_drawn or any(each.n_samples is not None for each in singles):
        notes.append(
            f"{n_drawn} of {len(found)} pairs rest on draws; all brackets hold together at "
            f"{confidence:.0%} Monte Carlo confidence, which covers the error of drawing only."
        )
    if n_outer:
        notes.append(
            f"In {n_outer} of {len(found)} pairs the ends of D are bounded, not solved: beliefs "
            "may be too small and plausibilities too large."
        )
    if any(each.guarantee == "inner" for each in found):
        notes.append(
            "Some ends of D are attained values only: the true ones may lie further out, and such "
            "a pair is never decided."
        )
    return tuple(notes)
