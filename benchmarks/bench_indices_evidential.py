"""Evidential indices: sums over sets against pairs in blocks, and the memory of the blocks."""

import numpy as np

import sfumato as sf
from benchmarks.timing import Row, best_time, peak_bytes
from sfumato.indices.denoeux import DISTANCES
from sfumato.indices.formulas.pair_blocks import mean_over_pairs

N = 10_000
SETS = np.array([[code >> cluster & 1 for cluster in range(3)] for code in range(8)], dtype=bool)


def evidential(rng: np.random.Generator) -> sf.EvidentialPartition:
    """All eight sets of three clusters on every object, the empty one included."""
    return sf.EvidentialPartition(rng.dirichlet(np.ones(8), size=N), SETS)


def both_ways(a: sf.EvidentialPartition, b: sf.Partition, distance: str, remark: str) -> Row:
    """Both ways from the same partitions: what they say is collected before."""
    views = sf.relational(a), sf.relational(b)

    def ours() -> float:
        return sf.indices.denoeux(a, b, distance=distance)

    def blocks() -> float:
        return 1 - mean_over_pairs(*views, DISTANCES[distance])

    seconds, gap = best_time(ours, repeats=20), abs(ours() - blocks())
    name = f"{distance}, n=1e4: pairs in blocks / sums over sets"
    remark = f"{seconds * 1e3:.1f} ms, {gap:.0e} apart{remark}"
    return name, best_time(blocks, repeats=2) / seconds, remark


def scores() -> list[Row]:
    """All pairs of a fuzzy partition against a truth, by their products and by Gram matrices."""
    rng = np.random.default_rng(1)
    a = sf.FuzzyPartition(rng.dirichlet(np.ones(5), N))
    truth = sf.HardPartition(rng.integers(0, 5, N))
    ours = best_time(lambda: sf.indices.pair_brier(a, truth), repeats=20)
    blocks = best_time(lambda: sf.indices.pair_brier_interval(a, truth), repeats=1) / 2
    found = sf.indices.estimate_pair_log(a, truth)
    whole = best_time(lambda: sf.indices.pair_log(a, truth), repeats=1)
    return [
        ("pair_brier, n=1e4: pairs / Gram matrices", blocks / ours, f"{ours * 1e3:.2f} ms"),
        ("pair_log, n=1e4: seconds for all pairs", whole, f"error {found.error:g}"),
    ]


def run() -> list[Row]:
    rng = np.random.default_rng(0)
    a, b = evidential(rng), evidential(rng)
    truth = rng.integers(0, 3, N)
    rows = [
        both_ways(a, b, "conflict", "; the aim is at least 500"),
        both_ways(a, sf.HardPartition(truth), "belief", " from hard"),
    ]
    for distance in ("jousselme", "belief", "belief_interval"):

        def index() -> float:
            return sf.indices.denoeux(a, b, distance=distance)

        seconds, peak = best_time(index, repeats=1), peak_bytes(index) / 1e6
        remark = f"{seconds:.1f} s; the aim is at most 100 (an n x n array has 800)"
        rows.append((f"{distance}, n=1e4: peak in MB", peak, remark))
    return rows + scores()
