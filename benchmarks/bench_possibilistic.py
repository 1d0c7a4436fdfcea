"""Possibilistic comparisons (time of sfumato / that of one rough interval, or as named)."""

from collections.abc import Iterator
from itertools import chain, islice, product

import numpy as np

import sfumato as sf
from benchmarks.timing import Row, best_time

MEASURES = ("rand", "partition_distance", "variation_of_information", "adjusted_rand")


def iris(columns: tuple[int, ...] = (0, 1, 2, 3)) -> tuple[np.ndarray, np.ndarray]:
    """Typicalities of possibilistic c-means at the centres of the classes, and the classes."""
    from sklearn.datasets import load_iris

    data = load_iris()
    points = data.data[:, columns]
    centres = np.stack([points[data.target == j].mean(axis=0) for j in range(3)])
    squares = ((points[:, None, :] - centres) ** 2).sum(axis=2)
    scale = np.array([squares[data.target == j, j].mean() for j in range(3)])
    return 1.0 / (1.0 + squares / scale), data.target


def measured(name: str, a, b, measure: str, unit: float, remark: str, repeats: int = 3) -> Row:
    """Seconds of a comparison by a unit, and what it says."""
    ours = best_time(lambda: sf.compare(a, b, measure=measure), repeats)
    found = sf.compare(a, b, measure=measure)
    said = f"{1000 * ours:.0f} ms, {found.guarantee}, [{found.lower:.4f}, {found.upper:.4f}], "
    return name, ours / unit, f"{said}error {found.error:.2g}; {remark}"


def sweeps() -> Iterator[Row]:
    memberships, truth = iris()
    a = sf.PossibilisticPartition(memberships, t_norm="min")
    cut, remark = a.cut(0.5), f"{len(a.levels())} levels; the aim is at most 400"
    for measure in MEASURES:
        one = best_time(lambda: sf.compare(cut, truth, measure=measure), repeats=10)
        name = f"min, {measure}, Iris / one rough interval"
        yield measured(name, a, truth, measure, one, remark)


def growth() -> Iterator[Row]:
    memberships, truth = iris()
    memberships = memberships / memberships.max(axis=1, keepdims=True)
    one = best_time(lambda: sf.compare(sf.RoughPartition(memberships >= 0.5), truth), repeats=10)
    below_one = memberships[memberships < 1.0]
    for n_levels in (10, 30, 100, 300):
        # Every membership is raised to one of so many levels, 1 among them.
        levels = np.quantile(below_one, np.linspace(0, 1, n_levels)[1:], method="higher")
        levels = np.append(levels, 1.0)
        coarse = levels[np.searchsorted(levels, memberships)]
        a = sf.PossibilisticPartition(coarse, t_norm="min")
        seconds = best_time(lambda: sf.compare(a, truth), repeats=3)
        remark = f"{1e6 * seconds / len(a.levels()):.0f} us per level"
        yield f"min, rand, {len(a.levels())} levels / one rough interval", seconds / one, remark


def profiles() -> Iterator[Row]:
    from sklearn.metrics import rand_score

    memberships, truth = iris()
    n_calls = 300

    def literal() -> None:
        labels = memberships.argmax(axis=1)
        for choice in islice(product(range(3), repeat=10), n_calls):
            labels[:10] = choice
            rand_score(truth, labels)

    # The best possible enumeration: only the clusterings of ten objects, all others being sure.
    enumeration = best_time(literal, repeats=2) * 3**10 / n_calls
    remark = "enumeration of 10 objects of 150 only, extrapolated"
    for t_norm in ("product", "lukasiewicz"):
        a = sf.PossibilisticPartition(memberships, t_norm=t_norm)
        for measure in ("rand", "partition_distance", "adjusted_rand"):
            name = f"{t_norm}, {measure}, Iris / enumeration"
            yield measured(name, a, truth, measure, enumeration, remark)


def two_soft_sides() -> Iterator[Row]:
    memberships, _ = iris()
    petals, _ = iris(columns=(2, 3))
    mask = memberships / memberships.max(axis=1, keepdims=True) >= 0.6
    for t_norm in ("product", "lukasiewicz"):
        a = sf.PossibilisticPartition(petals, t_norm=t_norm)
        partners = {
            "rough": sf.RoughPartition(mask),
            "possibilistic": sf.PossibilisticPartition(memberships, t_norm=t_norm),
        }
        for (partner, b), measure in product(partners.items(), MEASURES):
            cuts = a.cut_rows(0.5), b.cut_rows(0.5) if partner == "possibilistic" else b
            one = best_time(lambda: sf.compare(*cuts, measure=measure), repeats=3)
            name = f"{t_norm} against {partner}, {measure}, Iris / one rough interval"
            yield measured(name, a, b, measure, one, "of the cuts at 0.5", repeats=2)


def draws() -> Iterator[Row]:
    memberships, _ = iris()
    a = sf.PossibilisticPartition(memberships, t_norm="min")
    b = sf.FuzzyPartition(memberships**2 / (memberships**2).sum(axis=1, keepdims=True))
    engines = [sf.Sampled(n_samples=512, nested=nested) for nested in (False, True)]
    for measure in ("rand", "partition_distance"):
        solved, nested = (
            sf.compare(a, b, measure=measure, engine=engine, rng=0) for engine in engines
        )
        remark = f"stated error {solved.error:.3g} in {solved.seconds:.2f} s; the rest is bias"
        name = f"min against fuzzy, {measure}: nested width / solved"
        yield name, nested.width / solved.width, remark


def run() -> Iterator[Row]:
    return chain(sweeps(), growth(), profiles(), two_soft_sides(), draws())
