"""What default settings give over kinds, measures and sizes: guarantee, error, seconds.

``make bench-grid`` prints the table in Markdown; it takes up to half an hour. Cells that do not fit
into that time are left out and say so. Wide and slow cells say why. A second table has the errors
of ten clusters by the number of objects. ``python -m benchmarks.grid --kinds fuzzy-hard``: a part.
"""

import argparse
from collections.abc import Callable, Iterator
from itertools import pairwise
from time import perf_counter
from typing import NamedTuple

import numpy as np

import sfumato as sf
from benchmarks.questions import fuzzy_around

SIZES = (
    *((n, k) for n in (150, 1_000, 10_000, 100_000) for k in (3, 10, 30) if n >= 10 * k),
    (10_000, 100),
    (1_000_000, 10),
)
MEASURES = ("rand", "variation_of_information", "partition_distance", "adjusted_rand")
MORE_MEASURES = ("normalized_mutual_information",)  # of fuzzy sides, whose cells are quick
MOST_CELLS = 300
MOST_SECONDS = 30 * 60.0
WIDE, SLOW = 0.1, 20.0  # what a cell of n <= 100,000 and k <= 30 should not exceed
CLUSTERS = 10  # of the second table
GROWTH, NEGLIGIBLE = 1.05, 1e-10  # errors that differ less are as good as equal
_RELAXED = (
    "far ends of pair counts are not concave: what the bound of each {} leaves stays the same"
)
_LEVELS = "only as many levels are solved as ten seconds allow; those between follow from them"
REASONS = {  # by sides and measure: why an answer is wide or slow, or wider with more objects
    ("rough-hard", "rand"): _RELAXED.format("end"),
    ("rough-hard", "adjusted_rand"): _RELAXED.format("end"),
    ("evidential-hard", "rand"): f"draws end at the tolerance, 0.001; {_RELAXED.format('draw')}",
    ("evidential-hard", "adjusted_rand"): _RELAXED.format("draw"),
    ("evidential-hard", "variation_of_information"): "few objects in a cell: k l / n of a nat",
    ("min-hard", "rand"): f"{_RELAXED.format('level')}; {_LEVELS}",
    ("min-hard", "adjusted_rand"): f"{_RELAXED.format('level')}; {_LEVELS}",
    ("min-hard", "variation_of_information"): _LEVELS,
    ("min-hard", "partition_distance"): _LEVELS,
}


class Cell(NamedTuple):
    """One comparison: what was asked, and what came of it."""

    kind: str
    measure: str
    n: int
    k: int
    guarantee: str
    error: float
    seconds: float

    @property
    def is_poor(self) -> bool:
        """Whether a cell of moderate size is wide or slow."""
        is_moderate = self.n <= 100_000 and self.k <= 30
        return is_moderate and (self.error > WIDE or self.seconds > SLOW)

    @property
    def reason(self) -> str:
        """Why it is."""
        return REASONS.get((self.kind, self.measure), "NOT KNOWN")


def growth(cells: list[Cell]) -> Iterator[str]:
    """Lines of the second table: errors by the number of objects, and why some do not fall."""
    for kind, measure in dict.fromkeys((cell.kind, cell.measure) for cell in cells):
        own = [
            cell
            for cell in cells
            if (cell.kind, cell.measure, cell.k) == (kind, measure, CLUSTERS)
            and cell.n >= 1_000
            and not np.isnan(cell.error)
        ]
        errors = [cell.error for cell in own]
        most = max(errors, default=0.0)
        if most <= NEGLIGIBLE:
            verdict = "exact" if most == 0.0 else "rounding"
        elif all(later <= max(GROWTH * before, NEGLIGIBLE) for before, later in pairwise(errors)):
            verdict = "falls" if errors[-1] < 0.5 * errors[0] else "stays"
        else:
            verdict = "grows"
        why = own[0].reason if verdict in ("stays", "grows") else ""
        listed = ", ".join(f"{cell.n:,}: {cell.error:.1e}" for cell in own)
        yield f"| {kind} | {measure} | {listed} | {verdict} | {why} |"


def _fuzzy(rng: np.random.Generator, labels: np.ndarray, k: int) -> sf.FuzzyPartition:
    return sf.FuzzyPartition(fuzzy_around(labels, k, evenness=0.3, seed=rng), normalize=True)


def _rough(rng: np.random.Generator, labels: np.ndarray, k: int) -> sf.RoughPartition:
    """Every fifth object may be in one more cluster."""
    mask = np.eye(k, dtype=bool)[labels]
    unsure = np.flatnonzero(rng.random(len(labels)) < 0.2)
    mask[unsure, rng.integers(k, size=len(unsure))] = True
    return sf.RoughPartition(mask)


def _evidential(rng: np.random.Generator, labels: np.ndarray, k: int) -> sf.EvidentialPartition:
    """Three sets for each object: its cluster, that and the next one, and all of them."""
    sets = np.concatenate([np.eye(k), np.eye(k) + np.roll(np.eye(k), 1, axis=1), np.ones((1, k))])
    masses = np.zeros((len(labels), 2 * k + 1))
    objects = np.arange(len(labels))
    shares = rng.dirichlet([7.0, 2.5, 0.5], len(labels))
    masses[objects, labels], masses[objects, k + labels], masses[:, -1] = shares.T
    return sf.EvidentialPartition(masses, focal_sets=sets > 0)


def _possibilistic(
    rng: np.random.Generator, labels: np.ndarray, k: int
) -> sf.PossibilisticPartition:
    degrees = fuzzy_around(labels, k, evenness=0.3, seed=rng).round(2)
    return sf.PossibilisticPartition(degrees / degrees.max(axis=1, keepdims=True), t_norm="min")


Make = Callable[[np.random.Generator, np.ndarray, int], sf.Partition]
KINDS: dict[str, tuple[Make, Make | None]] = {
    "rough-hard": (_rough, None),
    "fuzzy-hard": (_fuzzy, None),
    "fuzzy-fuzzy": (_fuzzy, _fuzzy),
    "evidential-hard": (_evidential, None),
    "min-hard": (_possibilistic, None),
}


def questions(kinds: list[str]) -> Iterator[tuple[str, int, int, str]]:
    """Small sizes first, so that the dear ones are left out where time runs out."""
    for n, k in SIZES:
        for kind in kinds:
            extra = MORE_MEASURES if kind.startswith("fuzzy") else ()
            yield from ((kind, n, k, measure) for measure in (*MEASURES, *extra))


def run(kinds: list[str]) -> Iterator[Cell]:
    """Compare with default settings, one cell after the other."""
    began = perf_counter()
    asked = list(questions(kinds))
    assert len(asked) <= MOST_CELLS
    sides: dict[tuple[str, int, int], tuple[sf.Partition, sf.Partition]] = {}
    for kind, n, k, measure in asked:
        if perf_counter() - began > MOST_SECONDS:
            yield Cell(kind, measure, n, k, "left out", np.nan, np.nan)
            continue
        if (kind, n, k) not in sides:
            rng, labels = np.random.default_rng(0), np.arange(n) % k
            first, second = KINDS[kind]
            other = sf.HardPartition(labels) if second is None else second(rng, labels, k)
            sides = {(kind, n, k): (first(rng, labels, k), other)}  # the last only
        start = perf_counter()
        try:
            found = sf.compare(*sides[kind, n, k], measure=measure, rng=0)
        except sf.CostError:
            yield Cell(kind, measure, n, k, "refused", np.nan, perf_counter() - start)
            continue
        yield Cell(kind, measure, n, k, found.guarantee, found.error, perf_counter() - start)


def main() -> None:
    """Print both tables, and how many cells are wide or slow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kinds", nargs="*", default=list(KINDS), choices=list(KINDS))
    cells: list[Cell] = []
    print("| sides | measure | n | k | guarantee | error | seconds | why |")
    print("|---|---|---|---|---|---|---|---|")
    for cell in run(parser.parse_args().kinds):
        cells.append(cell)
        mark, why = (" (!)", cell.reason) if cell.is_poor else ("", "")
        print(
            f"| {cell.kind} | {cell.measure} | {cell.n:,} | {cell.k} | {cell.guarantee}{mark} | "
            f"{cell.error:.1e} | {cell.seconds:.2f} | {why} |",
            flush=True,
        )
    poor = sum(cell.is_poor for cell in cells)
    print(
        f"\n{poor} cells of n <= 100,000 and k <= 30 are wider than {WIDE} or slower than {SLOW} s."
    )
    print(
        f"\n| sides | measure | error by n, k = {CLUSTERS} | with n | why |\n|---|---|---|---|---|"
    )
    for line in growth(cells):
        print(line)


if __name__ == "__main__":
    main()
