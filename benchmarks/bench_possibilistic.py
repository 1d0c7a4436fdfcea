"""Possibilistic comparisons (time of sfumato / that of one rough interval, or as named)."""

from itertools import islice, product

import numpy as np

import sfumato as sf
from benchmarks.timing import Row, best_time


def iris(columns: tuple[int, ...] = (0, 1, 2, 3)) -> tuple[np.ndarray, np.ndarray]:
    """Typicalities of possibilistic c-means at the centres of the classes, and the classes."""
    from sklearn.datasets import load_iris

    data = load_iris()
    points = data.data[:, columns]
    centres = np.stack([points[data.target == j].mean(axis=0) for j in range(3)])
    squares = ((points[:, None, :] - centres) ** 2).sum(axis=2)
    scale = np.array([squares[data.target == j, j].mean() for j in range(3)])
    return 1.0 / (1.0 + squares / scale), data.target


def sweeps() -> list[Row]:
    memberships, truth = iris()
    a = sf.PossibilisticPartition(memberships, t_norm="min")
    cut = a.cut(0.5)
    rows = []
    for measure in ("rand", "partition_distance", "variation_of_information", "adjusted_rand"):
        ours = best_time(lambda: sf.compare(a, truth, measure=measure), repeats=3)
        one = best_time(lambda: sf.compare(cut, truth, measure=measure), repeats=10)
        found = sf.compare(a, truth, measure=measure)
        remark = (
            f"{1000 * ours:.0f} ms for {len(a.levels())} levels, {found.guarantee}, "
            f"[{found.lower:.4f}, {found.upper:.4f}]; the aim is at most 400"
        )
        rows.append((f"min, {measure}, Iris / one rough interval", ours / one, remark))
    return rows


def growth() -> list[Row]:
    memberships, truth = iris()
    memberships = memberships / memberships.max(axis=1, keepdims=True)
    one = best_time(lambda: sf.compare(sf.RoughPartition(memberships >= 0.5), truth), repeats=10)
    rows = []
    below_one = memberships[memberships < 1.0]
    for n_levels in (10, 30, 100, 300):
        # Every membership is raised to one of so many levels, 1 among them.
        levels = np.quantile(below_one, np.linspace(0, 1, n_levels)[1:], method="higher")
        levels = np.append(levels, 1.0)
        coarse = levels[np.searchsorted(levels, memberships)]
        a = sf.PossibilisticPartition(coarse, t_norm="min")
        seconds = best_time(lambda: sf.compare(a, truth), repeats=3)
        remark = f"{1e6 * seconds / len(a.levels()):.0f} us per level"
        rows.append(
            (f"min, rand, {len(a.levels())} levels / one rough interval", seconds / one, remark)
        )
    return rows


def profiles() -> list[Row]:
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
    rows = []
    for t_norm in ("product", "lukasiewicz"):
        a = sf.PossibilisticPartition(memberships, t_norm=t_norm)
        for measure in ("rand", "partition_distance", "adjusted_rand"):
            ours = best_time(lambda: sf.compare(a, truth, measure=measure), repeats=3)
            found = sf.compare(a, truth, measure=measure)
            remark = (
                f"{1000 * ours:.0f} ms, {found.guarantee}, [{found.lower:.4f}, {found.upper:.4f}]; "
                "enumeration of 10 objects of 150 only, extrapolated"
            )
            rows.append((f"{t_norm}, {measure}, Iris / enumeration", ours / enumeration, remark))
    return rows


def two_soft_sides() -> list[Row]:
    memberships, _ = iris()
    petals, _ = iris(columns=(2, 3))
    mask = memberships / memberships.max(axis=1, keepdims=True) >= 0.6
    rows = []
    for t_norm in ("product", "lukasiewicz"):
        a = sf.PossibilisticPartition(petals, t_norm=t_norm)
        partners = {
            "rough": sf.RoughPartition(mask),
            "possibilistic": sf.PossibilisticPartition(memberships, t_norm=t_norm),
        }
        for (partner, b), measure in product(
            partners.items(),
            ("rand", "partition_distance", "variation_of_information", "adjusted_rand"),
        ):
            cuts = a.cut_rows(0.5), b.cut_rows(0.5) if partner == "possibilistic" else b
            ours = best_time(lambda: sf.compare(a, b, measure=measure), repeats=2)
            one = best_time(lambda: sf.compare(*cuts, measure=measure), repeats=3)
            found = sf.compare(a, b, measure=measure)
            remark = (
                f"{1000 * ours:.0f} ms, {found.guarantee}, [{found.lower:.4f}, {found.upper:.4f}], "
                f"error {found.error:.2g}"
            )
            name = f"{t_norm} against {partner}, {measure}, Iris / one rough interval"
            rows.append((name, ours / one, remark))
    return rows


def draws() -> list[Row]:
    memberships, _ = iris()
    a = sf.PossibilisticPartition(memberships, t_norm="min")
    b = sf.FuzzyPartition(memberships**2 / (memberships**2).sum(axis=1, keepdims=True))
    rows = []
    for measure in ("rand", "partition_distance"):
        solved = sf.compare(a, b, measure=measure, engine=sf.Sampled(n_samples=512), rng=0)
        nested = sf.compare(
            a, b, measure=measure, engine=sf.Sampled(n_samples=512, nested=True), rng=0
        )
        remark = f"stated error {solved.error:.3g} in {solved.seconds:.2f} s; the rest is bias"
        name = f"min against fuzzy, {measure}: nested width / solved"
        rows.append((name, nested.width / solved.width, remark))
    return rows


def run() -> list[Row]:
    return [*sweeps(), *growth(), *profiles(), *two_soft_sides(), *draws()]
