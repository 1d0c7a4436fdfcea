"""Questions whose answers a refactoring must not change.

Question number ``i`` is a function of ``i`` alone. Its measure is ``MEASURES[i % 23]``, its
quantity ``QUANTITIES[i % 3]``, and so on. The lengths of these lists share no factor, so every
two of them meet in every combination, and evenly (Chinese remainder theorem).

There are five sets: "small" (at most 12 objects, where enumeration is the rival of everything),
"middle" (at most 60 objects, where formulas and laws win), "special" (written by hand), "slow"
(those of the first two that take long) and "large" (at most 300 objects and the default budgets,
which takes minutes).

Only the public names of sfumato are used here, and only ``Generator.random`` of NumPy, whose
numbers stay the same from version to version.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from functools import partial
from itertools import product
from typing import Any

import numpy as np

import sfumato as sf
from golden.specials import ALL

KINDS = ("hard", "rough", "fuzzy", "consonant", "min", "product", "lukasiewicz", "evidential")
T_NORMS = {"consonant": None, "min": "min", "product": "product", "lukasiewicz": "lukasiewicz"}
PAIRS = tuple(product(KINDS, repeat=2))
ALONE = ("product", "lukasiewicz")  # these join themselves, sets and labels, nothing else
STRANGERS = tuple(
    (a, b) for a, b in PAIRS if a != b and {a, b} & {*ALONE} and not {a, b} & {"hard", "rough"}
)
JOINED = tuple(pair for pair in PAIRS if pair not in STRANGERS)  # 46, and one stranger: 47
FREQUENT = (
    ("fuzzy", "hard"),
    ("hard", "fuzzy"),
    ("fuzzy", "fuzzy"),
    ("fuzzy", "hard"),
    ("fuzzy", "fuzzy"),
    ("rough", "hard"),
    ("rough", "rough"),
    ("hard", "rough"),
    ("evidential", "hard"),
    ("evidential", "evidential"),
    ("consonant", "hard"),
    ("rough", "evidential"),
    ("min", "hard"),
    ("product", "hard"),
    ("lukasiewicz", "rough"),
    ("fuzzy", "min"),
)
QUANTITIES = ("expectation", "range", "distribution")
MEASURES: tuple[sf.Measure, ...] = (
    sf.AdjustedMutualInformation(),
    sf.AdjustedMutualInformation(average="max"),
    sf.AdjustedRand(),
    sf.Completeness(),
    sf.Dice(),
    sf.FowlkesMallows(),
    sf.Homogeneity(),
    sf.Jaccard(),
    sf.MutualInformation(),
    sf.NormalizedMutualInformation(),
    sf.NormalizedMutualInformation(average="geometric"),
    sf.NormalizedMutualInformation(average="min"),
    sf.NormalizedMutualInformation(average="max"),
    sf.NormalizedVariationOfInformation(),
    sf.NormalizedVariationOfInformation(by="joint_entropy"),
    sf.PartitionDistance(),
    sf.PartitionDistance(normalizer="n"),
    sf.Purity(),
    sf.Rand(),
    sf.Rand(pairs="all"),
    sf.VMeasure(),
    sf.VariationOfInformation(),
    sf.Measure.from_function(
        lambda tables: tables.max(axis=(-2, -1)) / tables.sum(axis=(-2, -1)),
        name="largest_cell",
        better="higher",
        bounds=(0.0, 1.0),
        on="batch",
    ),
)
ENGINES: tuple[sf.Auto | sf.Exact | sf.ClosedForm | sf.Bounds | sf.Sampled, ...] = (
    sf.Auto(tolerance=0.1, max_tables=10_000, max_nodes=200),
    sf.Auto(tolerance=0.1, max_tables=100, max_nodes=20),
    sf.Auto(tolerance=0.2, max_tables=10, max_nodes=0),
    sf.Auto(tolerance=0.1, max_tables=10_000, max_nodes=200, max_lost_mass=0.05),
    sf.Exact(max_tables=10_000, max_nodes=200),
    sf.Exact(max_tables=100, max_nodes=20),
    sf.ClosedForm(),
    sf.Bounds(),
    sf.Sampled(n_samples=200),
    sf.Sampled(n_samples=50, bound="hoeffding", confidence=0.8),
    sf.Sampled(tolerance=0.2),
    sf.Sampled(n_samples=40, nested=True, n_inner=10),
    sf.Sampled(tolerance=0.3, nested=True, n_inner=5),
)
# Formulas, laws and brackets are what differs here; they answer few measures, asked more often.
MIDDLE_ENGINES = tuple(ENGINES[i] for i in (0, 4, 6, 7, 3, 8, 1))
MORE_MEASURES: tuple[sf.Measure, ...] = (
    *MEASURES,
    sf.Rand(),
    sf.Rand(pairs="all"),
    sf.PartitionDistance(),
    sf.PartitionDistance(normalizer="n"),
    sf.MutualInformation(),
    sf.VariationOfInformation(),
)
DEFAULT_ENGINES = ("auto", "auto", "exact", "bounds", "sampled", "closed_form", "auto")
SHAPES = (
    "generic",
    "quarters",
    "repeated",
    "generic",
    "quarters",
    "wide",
    "generic",
    "nearly_certain",
    "repeated",
    "quarters",
    "degenerate",
)
DEGENERATE = ("one_object", "one_cluster", "certain", "equal_objects", "one_sided")
N_SMALL, N_MIDDLE, N_LARGE = 2068, 950, 300
# Each took more than a seventh of a second. Every two of kinds, measure and engine, and every
# method with each kind, measure and shape that it answered, are met elsewhere in the same set.
# Those of half a second or more may leave a measure of the same family in place of their own.
# fmt: off
SLOW_SMALL = (
    15, 27, 74, 78, 92, 119, 138, 158, 170, 185, 203, 205, 209, 221, 260, 276, 300, 302, 326,
    327, 339, 360, 372, 374, 385, 419, 425, 440, 456, 468, 480, 489, 497, 515, 535, 561, 575,
    621, 653, 715, 716, 729, 731, 738, 762, 767, 770, 776, 782, 783, 806, 819, 822, 855, 866,
    872, 897, 918, 924, 950, 957, 963, 971, 1050, 1061, 1067, 1090, 1106, 1107, 1130, 1152,
    1160, 1170, 1178, 1185, 1248, 1262, 1313, 1314, 1325, 1326, 1340, 1347, 1373, 1380, 1386,
    1391, 1394, 1430, 1431, 1433, 1464, 1472, 1505, 1511, 1521, 1523, 1524, 1548, 1568, 1581,
    1595, 1625, 1638, 1640, 1665, 1677, 1700, 1703, 1716, 1755, 1764, 1795, 1817, 1856, 1860,
    1901, 1938, 1952, 1953, 1958, 1971, 1975, 1985, 2004, 2015, 2030, 2051, 2063,
)
SLOW_MIDDLE = (
    0, 5, 20, 27, 35, 55, 63, 70, 95, 104, 123, 150, 180, 203, 207, 210, 215, 225, 230, 270,
    299, 305, 335, 347, 377, 383, 411, 420, 426, 431, 435, 440, 441, 465, 473, 476, 480, 495,
    515, 522, 536, 537, 543, 560, 585, 587, 595, 623, 635, 699, 705, 710, 728, 755, 770, 783,
    805, 809, 848, 858, 872, 875, 879, 900, 930, 945,
)
# fmt: on


@dataclass(frozen=True)
class Question:
    """Two partitions, and what is asked of them."""

    name: str
    a: sf.Partition
    b: sf.Partition
    measure: sf.Measure
    quantity: Any
    engine: Any
    seed: int
    has_extras: bool  # whether witnesses, shares of objects and the pignistic mean are asked too

    def ask(self) -> sf.Comparison:
        return sf.compare(
            self.a,
            self.b,
            measure=self.measure,
            quantity=self.quantity,
            engine=self.engine,
            rng=self.seed,
        )

    def plan(self) -> sf.Plan:
        return sf.explain(
            self.a, self.b, measure=self.measure, quantity=self.quantity, engine=self.engine
        )


def small_question(i: int) -> Question:
    """Question ``i`` of ``N_SMALL``: at most 12 objects, a small budget."""
    rng = np.random.default_rng([1, i])
    turn, at = divmod(i, len(JOINED) + 1)
    kinds = JOINED[at] if at < len(JOINED) else STRANGERS[turn % len(STRANGERS)]
    shape = SHAPES[i % len(SHAPES)]
    if shape == "degenerate":
        shape = DEGENERATE[i // len(SHAPES) % len(DEGENERATE)]
    n = 1 if shape == "one_object" else 12 if shape == "wide" else 2 + _below(rng, 11)
    k = (6, 2) if shape == "wide" else (2 + _below(rng, 3), 2 + _below(rng, 3))
    measure, engine = MEASURES[i % len(MEASURES)], ENGINES[i % len(ENGINES)]
    return _question(i, rng, kinds, measure, engine, shape, n, k)


def middle_question(i: int) -> Question:
    """Question ``i`` of ``N_MIDDLE``: at most 60 objects, two clusters often, a small budget."""
    rng = np.random.default_rng([2, i])
    shape = SHAPES[i % (len(SHAPES) - 1)]
    k = (2, 2) if rng.random() < 0.5 else (2 + _below(rng, 3), 2 + _below(rng, 3))
    n, kinds = 13 + _below(rng, 48), FREQUENT[i % len(FREQUENT)]
    measure = MORE_MEASURES[i % len(MORE_MEASURES)]
    engine = MIDDLE_ENGINES[i % len(MIDDLE_ENGINES)]
    return _question(i, rng, kinds, measure, engine, shape, n, k)


def large_question(i: int) -> Question:
    """Question ``i`` of ``N_LARGE``: up to 300 objects, the default budget."""
    rng = np.random.default_rng([3, i])
    turn, at = divmod(i, len(JOINED) + 1)
    kinds = JOINED[at] if at < len(JOINED) else FREQUENT[turn % len(FREQUENT)]
    shape = SHAPES[i % (len(SHAPES) - 1)]
    n = (20, 40, 80, 150, 300)[_below(rng, 5)]
    k = (2 + _below(rng, 4), 2 + _below(rng, 4))
    measure = MORE_MEASURES[i % len(MORE_MEASURES)]
    engine = DEFAULT_ENGINES[i % len(DEFAULT_ENGINES)]
    return _question(i, rng, kinds, measure, engine, shape, n, k)


def special_question(i: int) -> Question:
    """Question ``i`` of those written by hand."""
    sides, measure, quantity, engine = ALL[i]
    a, b = sides()
    asked = measure if isinstance(measure, str) else _label(measure)
    name = f"{i}: {a} against {b}, {asked} {quantity} {_label(engine)}"
    return Question(name, a, b, measure, quantity, engine, seed=i, has_extras=False)


def _question(
    i: int,
    rng: np.random.Generator,
    kinds: tuple[str, str],
    measure: sf.Measure,
    engine: Any,
    shape: str,
    n: int,
    k: tuple[int, int],
) -> Question:
    quantity = QUANTITIES[i % len(QUANTITIES)]
    a = _partition(rng, kinds[0], shape, n, 1 if shape == "one_cluster" else k[0])
    b = _partition(rng, kinds[1], "certain" if shape == "one_sided" else shape, n, k[1])
    asked = f"{kinds[0]}/{kinds[1]} {_label(measure)} {quantity} {_label(engine)}"
    name = f"{i}: {asked} ({shape}, n={n}, k={k[0]}x{k[1]})"
    return Question(name, a, b, measure, quantity, engine, seed=i, has_extras=i % 5 == 0)


def _label(part: Any) -> str:
    """A measure or an engine as it would be typed, without its defaults."""
    if isinstance(part, str) or callable(getattr(part, "function", None)):
        return getattr(part, "name", part)
    given = [f for f in fields(part) if getattr(part, f.name) != f.default]
    options = ", ".join(f"{f.name}={getattr(part, f.name)!r}" for f in given)
    return f"{type(part).__name__}({options})"


def _questions(
    make: Callable[[int], Question], numbers: Iterable[int]
) -> list[Callable[[], Question]]:
    """Questions by their place among those asked; each is made when it is needed."""
    return [partial(make, i) for i in numbers]


SETS = {
    "small": _questions(small_question, (i for i in range(N_SMALL) if i not in SLOW_SMALL)),
    "middle": _questions(middle_question, (i for i in range(N_MIDDLE) if i not in SLOW_MIDDLE)),
    "special": _questions(special_question, range(len(ALL))),
    "slow": _questions(small_question, SLOW_SMALL) + _questions(middle_question, SLOW_MIDDLE),
    "large": _questions(large_question, range(N_LARGE)),
}


def _below(rng: np.random.Generator, limit: int) -> int:
    return int(rng.random() * limit)


def _partition(rng: np.random.Generator, kind: str, shape: str, n: int, k: int) -> sf.Partition:
    """A random partition. Objects differ, except where the shape says that they repeat."""
    n_types = {"repeated": min(n, 3), "equal_objects": 1}.get(shape, n)
    weights = _weights(rng, shape, n_types, k)
    types = weights[(rng.random(n) * n_types).astype(int)] if n_types < n else weights
    match kind:
        case "hard":
            return sf.HardPartition(types.argmax(axis=1))
        case "rough":
            return sf.RoughPartition(types >= 0.5)
        case "fuzzy":
            return sf.FuzzyPartition(types / types.sum(axis=1, keepdims=True))
        case "evidential":
            return _evidential(rng, types)
        case _:
            return sf.PossibilisticPartition(types, t_norm=T_NORMS[kind])


def _weights(rng: np.random.Generator, shape: str, n: int, k: int) -> np.ndarray:
    """Degrees from 0 to 1 with a 1 in every row, shape (n, k)."""
    weights = rng.random((n, k))
    if shape in ("quarters", "repeated"):
        weights = np.floor(weights * 5) / 4
    if shape == "certain":
        weights[:] = 0.0
    if shape == "nearly_certain":
        weights[rng.random(n) < 0.7] = 0.0
    weights[np.arange(n), (rng.random(n) * k).astype(int)] = 1.0
    return weights


def _evidential(rng: np.random.Generator, weights: np.ndarray) -> sf.Partition:
    """Mass on single clusters, on two overlapping sets, and sometimes on the empty set."""
    n, k = weights.shape
    sets = [*np.eye(k, dtype=bool), np.arange(k) >= k // 2, np.arange(k) >= 0, np.arange(k) < 0]
    family = np.unique(np.array(sets), axis=0)[::-1]  # the empty set comes last
    alone = family.sum(axis=1) == 1
    masses = np.zeros((n, len(family)))
    masses[:, alone] = weights[:, family[alone].argmax(axis=1)]
    softness = 1.0 - weights.mean(axis=1, keepdims=True)  # equal objects stay equal
    is_soft = (weights > 0).sum(axis=1, keepdims=True) > 1
    masses[:, ~alone] = np.where(is_soft, softness, 0.0)
    if rng.random() < 0.5:
        family, masses = family[:-1], masses[:, :-1]
    empty: Any = "yager" if rng.random() < 0.5 else "dempster"
    return sf.EvidentialPartition(masses / masses.sum(axis=1, keepdims=True), family, empty=empty)
