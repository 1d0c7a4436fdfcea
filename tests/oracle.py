"""The definitions, enumerated: slow, literal, and independent of the package.

Nothing of sfumato is imported. A partition is plain data, called a *side*:

``("hard", labels)``, ``("rough", sets)``, ``("fuzzy", rows)``,
``("possibilistic", rows, t_norm or None)``,
``("evidential", [{frozenset: mass}, ...], "dempster" | "yager" | "raise", n_clusters)``.

A measure is its name, or ``(name, option)`` such as ``("rand", "all")``. Two values closer than
``SAME_VALUE`` count as one: with at most a dozen objects, different values of the measures below
are far wider apart, and equal ones differ by rounding alone.
"""

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, reduce
from itertools import combinations, permutations, product
from math import comb, fsum, log, prod, sqrt
from typing import Any

SAME_VALUE = 1e-9

Side = tuple[Any, ...]
Sides = tuple[Side, ...]  # two, or two candidates and a truth
Rough = tuple[frozenset[int], ...]
Clustering = tuple[int, ...]
Mass = dict[frozenset[float], float]


class RefusedError(ValueError):
    """The theory gives no answer for this pair of sides."""


# --- Hard clusterings: every measure from two lists of labels --------------------------------


def _pairs(a: Clustering, b: Clustering) -> tuple[int, int, int, int]:
    """Pairs of objects: together in both, in a only, in b only, in neither."""
    together, a_only, b_only, apart = 0, 0, 0, 0
    for x, y in combinations(range(len(a)), 2):
        in_a, in_b = a[x] == a[y], b[x] == b[y]
        together += in_a and in_b
        a_only += in_a and not in_b
        b_only += in_b and not in_a
        apart += not in_a and not in_b
    return together, a_only, b_only, apart


def rand(a: Clustering, b: Clustering, pairs: str = "distinct") -> float:
    n = len(a)
    if pairs == "all":
        agreeing = sum((a[x] == a[y]) == (b[x] == b[y]) for x in range(n) for y in range(n))
        return agreeing / n**2
    together, _, _, apart = _pairs(a, b)
    return (together + apart) / comb(n, 2) if n > 1 else 1.0


def adjusted_rand(a: Clustering, b: Clustering) -> float:
    together, a_only, b_only, apart = _pairs(a, b)
    total = together + a_only + b_only + apart
    expected = Fraction((together + a_only) * (together + b_only), total) if total else Fraction(0)
    largest = Fraction(2 * together + a_only + b_only, 2)
    return float((together - expected) / (largest - expected)) if largest != expected else 1.0


def jaccard(a: Clustering, b: Clustering) -> float:
    together, a_only, b_only, _ = _pairs(a, b)
    union = together + a_only + b_only
    return together / union if union else 1.0


def dice(a: Clustering, b: Clustering) -> float:
    together, a_only, b_only, _ = _pairs(a, b)
    both = 2 * together + a_only + b_only
    return 2 * together / both if both else 1.0


def fowlkes_mallows(a: Clustering, b: Clustering) -> float:
    together, a_only, b_only, _ = _pairs(a, b)
    return together / sqrt((together + a_only) * (together + b_only)) if together else 0.0


def _blocks(a: Clustering) -> list[set[int]]:
    return [{x for x in range(len(a)) if a[x] == label} for label in sorted(set(a))]


def partition_distance(a: Clustering, b: Clustering, normalizer: str = "n-1") -> float:
    n = len(a)
    few, many = sorted((_blocks(a), _blocks(b)), key=len)
    matched = max(
        sum(len(block & other) for block, other in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    return (n - matched) / max(n - 1 if normalizer == "n-1" else n, 1)


def entropy(a: Clustering) -> float:
    return abs(fsum(-len(block) / len(a) * log(len(block) / len(a)) for block in _blocks(a)))


def joint_entropy(a: Clustering, b: Clustering) -> float:
    return entropy(tuple(zip(a, b, strict=True)))


def mutual_information(a: Clustering, b: Clustering) -> float:
    n = len(a)
    terms = [
        len(i & j) / n * log(n * len(i & j) / (len(i) * len(j)))
        for i, j in product(_blocks(a), _blocks(b))
        if i & j
    ]
    return max(fsum(terms), 0.0)


@cache
def expected_information(rows: tuple[int, ...], columns: tuple[int, ...]) -> float:
    """Mean mutual information of tables with these margins, cell by hypergeometric cell."""
    n = sum(rows)
    terms = [
        float(Fraction(cell * comb(c, cell) * comb(n - c, r - cell), n * comb(n, r)))
        * log(n * cell / (r * c))
        for r, c in product(rows, columns)
        for cell in range(max(1, r + c - n), min(r, c) + 1)
    ]
    return fsum(terms)


def _average(x: float, y: float, average: str) -> float:
    means = {"arithmetic": (x + y) / 2, "geometric": sqrt(x * y), "min": min(x, y)}
    return means.get(average, max(x, y))


def normalized_mutual_information(
    a: Clustering, b: Clustering, average: str = "arithmetic"
) -> float:
    if len(set(a)) == len(set(b)) == 1:
        return 1.0
    normalizer = _average(entropy(a), entropy(b), average)
    return mutual_information(a, b) / normalizer if normalizer else 0.0


def adjusted_mutual_information(a: Clustering, b: Clustering, average: str = "arithmetic") -> float:
    sizes = [tuple(sorted(len(block) for block in _blocks(c))) for c in (a, b)]
    expected = expected_information(*sizes)
    normalizer = _average(entropy(a), entropy(b), average) - expected
    if abs(normalizer) < SAME_VALUE:
        return float(canonical(a) == canonical(b))
    return (mutual_information(a, b) - expected) / normalizer


def homogeneity(a: Clustering, b: Clustering) -> float:
    return mutual_information(a, b) / entropy(b) if entropy(b) else 1.0


def completeness(a: Clustering, b: Clustering) -> float:
    return homogeneity(b, a)


def v_measure(a: Clustering, b: Clustering) -> float:
    h, c = homogeneity(a, b), completeness(a, b)
    return 2 * h * c / (h + c) if h + c else 0.0


def variation_of_information(a: Clustering, b: Clustering) -> float:
    return max(entropy(a) + entropy(b) - 2 * mutual_information(a, b), 0.0)


def normalized_variation_of_information(a: Clustering, b: Clustering, by: str = "log_n") -> float:
    normalizer = log(len(a)) if by == "log_n" else joint_entropy(a, b)
    return variation_of_information(a, b) / normalizer if normalizer else 0.0


def purity(a: Clustering, b: Clustering) -> float:
    return sum(max(len(i & j) for j in _blocks(b)) for i in _blocks(a)) / len(a)


MEASURES: dict[str, Callable[..., float]] = {
    function.__name__: function
    for function in (
        rand,
        adjusted_rand,
        jaccard,
        dice,
        fowlkes_mallows,
        partition_distance,
        mutual_information,
        normalized_mutual_information,
        adjusted_mutual_information,
        homogeneity,
        completeness,
        v_measure,
        variation_of_information,
        normalized_variation_of_information,
        purity,
    )
}


@cache
def canonical(c: Clustering) -> Clustering:
    """Relabel by first appearance: two clusterings are equivalent iff this agrees."""
    codes: dict[int, int] = {}
    return tuple(codes.setdefault(label, len(codes)) for label in c)


@cache
def _representatives(measure: Any) -> list[float]:
    return []


@cache
def _value_of_joint(measure: Any, joint: tuple[tuple[int, int], ...]) -> float:
    name, *option = (measure,) if isinstance(measure, str) else measure
    a, b = zip(*joint, strict=True)
    exact = MEASURES[name](canonical(a), canonical(b), *option)
    known = _representatives(measure)
    place = bisect_left(known, exact - SAME_VALUE)
    if place < len(known) and known[place] <= exact + SAME_VALUE:
        return known[place]
    insort(known, exact)
    return exact


@cache
def value(measure: Any, *clusterings: Clustering) -> float:
    """d(C1, C2); of two candidates and a truth their difference, d(C1, C3) - d(C2, C3)."""
    if len(clusterings) == 3:
        first, second, truth = clusterings
        return round(value(measure, first, truth) - value(measure, second, truth), 10)
    # The order of the objects is of no account, so it is not part of the cache.
    return _value_of_joint(measure, tuple(sorted(zip(*clusterings, strict=True))))


# --- Sides: what is known of one clustering --------------------------------------------------


def from_partition(partition: Any) -> Side:
    """Plain data of a partition object, read from its public attributes alone."""
    match partition.kind:
        case "hard":
            return ("hard", tuple(int(code) for code in partition.codes))
        case "rough":
            return ("rough", tuple(_members(row) for row in partition.mask))
        case "fuzzy":
            return ("fuzzy", _rows(partition.memberships))
        case "possibilistic":
            return ("possibilistic", _rows(partition.memberships), partition.t_norm)
        case _:
            sets = [_members(row) for row in partition.focal_sets]
            rows = tuple(dict(zip(sets, row, strict=True)) for row in _rows(partition.masses))
            empty = getattr(partition, "empty", "dempster")
            return ("evidential", rows, empty, int(partition.n_clusters))


def _members(row: Iterable[Any]) -> frozenset[int]:
    return frozenset(cluster for cluster, inside in enumerate(row) if inside)


def _rows(array: Any) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(float(entry) for entry in row) for row in array)


def reading(side: Side) -> str:
    """The kind; of a possibilistic side its t-norm, or "consonant" when it has none."""
    return side[0] if side[0] != "possibilistic" else side[2] or "consonant"


def masses(side: Side) -> list[dict[frozenset[int], float]]:
    """One normal mass function per object; possibilities become consonant ones."""
    match side[0]:
        case "hard":
            return [{frozenset({label}): 1.0} for label in side[1]]
        case "rough":
            return [{frozenset(cluster_set): 1.0} for cluster_set in side[1]]
        case "fuzzy":
            return [{frozenset({i}): p for i, p in enumerate(row) if p > 0} for row in side[1]]
        case "possibilistic":
            return [cuts(dict(enumerate(row))) for row in normalised(side[1])]
        case _:
            return [_without_empty(row, side[2], side[3]) for row in side[1]]


def _without_empty(
    row: dict[frozenset[int], float], empty: str, n_clusters: int
) -> dict[frozenset[int], float]:
    kept = Counter({s: m for s, m in row.items() if s and m > 0})
    lost = row.get(frozenset(), 0.0)
    if empty == "raise" and lost > 0:
        raise RefusedError("mass on the empty set")
    if empty == "yager" and lost > 0:
        kept[frozenset(range(n_clusters))] += lost
    total = fsum(kept.values())
    if not total:
        raise RefusedError("all mass on the empty set")
    return {s: m / total for s, m in kept.items()}


def normalised(rows: Iterable[Iterable[float]]) -> list[tuple[float, ...]]:
    return [tuple(p / max(row) for p in row) for row in map(tuple, rows)]


def cuts(possibility: dict[Any, float]) -> dict[frozenset[Any], float]:
    """The consonant mass function of a possibility distribution: each cut, and its gap."""
    levels = sorted({p for p in possibility.values() if p > 0}, reverse=True)
    return {
        frozenset(v for v, p in possibility.items() if p >= level): level - below
        for level, below in zip(levels, [*levels[1:], 0.0], strict=True)
    }


def focal(side: Side) -> Iterator[tuple[float, Rough]]:
    """Eq. (4): m_M(R) is the product of m_x(R(x)), over every focal rough partition R."""
    for chosen in product(*(row.items() for row in masses(side))):
        yield prod(m for _, m in chosen), tuple(s for s, _ in chosen)


def compatible(rough: Rough) -> Iterator[Clustering]:
    """C(R): every clustering with C(x) in R(x)."""
    return product(*(sorted(s) for s in rough))


@cache
def classes(rough: Rough) -> frozenset[Clustering]:
    """C(R) up to equivalence."""
    return frozenset(map(canonical, compatible(rough)))


def support(side: Side) -> Rough:
    """Clusters that are not ruled out, object by object."""
    return tuple(frozenset().union(*row) for row in masses(side))


T_NORMS: dict[str, Callable[[float, float], float]] = {
    "min": min,
    "product": lambda x, y: x * y,
    "lukasiewicz": lambda x, y: max(0.0, x + y - 1.0),
}
DUAL_S_NORMS: dict[str, Callable[[float, float], float]] = {
    "min": max,
    "product": lambda x, y: x + y - x * y,
    "lukasiewicz": lambda x, y: min(1.0, x + y),
}


def possibilities(side: Side, t_norm: str, *, normalise: bool = True) -> dict[Clustering, float]:
    """Poss_P(C) for every clustering where it is positive; 1 on C(R) for hard and rough sides."""
    if side[0] != "possibilistic":
        return dict.fromkeys(compatible(support(side)), 1.0)
    rows = normalised(side[1]) if normalise else side[1]
    every = {
        c: reduce(T_NORMS[t_norm], (row[i] for row, i in zip(rows, c, strict=True)))
        for c in product(*(range(len(row)) for row in rows))
    }
    return {c: p for c, p in every.items() if p > 0}


# --- Two sides, or two candidates and a truth: d_R, d_F, d_P, d_E ------------------------------


def d_R(roughs: Iterable[Rough], measure: Any) -> frozenset[float]:
    return _values(measure, *map(classes, roughs))


@cache
def _values(measure: Any, *every: frozenset[Clustering]) -> frozenset[float]:
    return frozenset(value(measure, *chosen) for chosen in product(*every))


def d_F(sides: Sides, measure: Any) -> dict[float, float]:
    found: Counter[float] = Counter()
    for chosen in product(*(_law(side).items() for side in sides)):
        clusterings, chances = zip(*chosen, strict=True)
        found[value(measure, *clusterings)] += prod(chances)
    return dict(found)


def _law(side: Side) -> Counter[Clustering]:
    """Probability of every clustering up to equivalence; the side must be hard or fuzzy."""
    law: Counter[Clustering] = Counter()
    for mass, rough in focal(side):
        law[canonical(tuple(next(iter(s)) for s in rough))] += mass
    return law


def d_P(
    sides: Sides,
    measure: Any,
    t_norm: str,
    *,
    disjunction: Callable[[float, float], float] = max,
    normalise: bool = True,
) -> dict[float, float]:
    found: dict[float, float] = {}
    every = [possibilities(side, t_norm, normalise=normalise).items() for side in sides]
    for chosen in product(*([(canonical(c), p) for c, p in own] for own in every)):
        clusterings, levels = zip(*chosen, strict=True)
        level = reduce(T_NORMS[t_norm], levels)
        if level > 0:
            v = value(measure, *clusterings)
            found[v] = disjunction(found[v], level) if v in found else level
    return found


def d_E(sides: Sides, measure: Any) -> Mass:
    found: Counter[frozenset[float]] = Counter()
    for chosen in product(*(list(focal(side)) for side in sides)):
        weights, roughs = zip(*chosen, strict=True)
        found[d_R(roughs, measure)] += prod(weights)
    return dict(found)


def by_level(sides: Sides) -> list[tuple[float, Sides]]:
    """Sides under min become rough by their cuts at one level; others are as they are.

    The level is the same for all objects of all sides, and has the gap to the next one as weight.
    """
    cut = {at: normalised(side[1]) for at, side in enumerate(sides) if reading(side) == "min"}
    levels = sorted({p for rows in cut.values() for row in rows for p in row if p > 0})[::-1]

    def at_level(level: float) -> Iterator[Side]:
        for at, side in enumerate(sides):
            rows = (_members(p >= level for p in row) for row in cut.get(at, ()))
            yield ("rough", tuple(rows)) if at in cut else side

    below = [*levels[1:], 0.0]
    return [(x - y, tuple(at_level(x))) for x, y in zip(levels, below, strict=True)]


def d_levels(sides: Sides, measure: Any) -> Mass:
    """Some sides have one random level for all their objects; the others are mass functions."""
    found: Counter[frozenset[float]] = Counter()
    for weight, cut in by_level(sides):
        for v, m in d_E(cut, measure).items():
            found[v] += weight * m
    return dict(found)


def theory(*sides: Side) -> str:
    """Which of the definitions applies: "set", "probability", "mass", "levels" or a t-norm."""
    readings = {reading(side) for side in sides}
    t_norms = readings & T_NORMS.keys()
    if t_norms:
        (t_norm, *more) = t_norms
        if not more and readings - t_norms <= {"hard", "rough"}:
            return t_norm
        if not more and t_norm == "min":
            return "levels"
        raise RefusedError(f"{readings}")
    if readings <= {"hard", "rough"}:
        return "set"
    return "probability" if readings <= {"hard", "fuzzy"} else "mass"


def n_pairs(a: Side, b: Side) -> int:
    """Pairs of clusterings that the literal enumeration visits."""
    kind = theory(a, b)
    if kind in T_NORMS:
        return prod(prod(map(len, support(side))) for side in (a, b))
    pairs = by_level((a, b)) if kind == "levels" else [(1.0, (a, b))]
    return sum(n_choices(one) * n_choices(other) for _, (one, other) in pairs)


def n_choices(side: Side) -> int:
    """Clusterings inside focal rough partitions, each counted as often as it occurs."""
    return prod(sum(map(len, row)) for row in masses(side))


# --- What a comparison says ------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """A comparison by enumeration.

    ``distribution`` is d_R (a frozenset), d_F, d_P (dicts over values) or d_E (a dict over sets of
    values), as ``theory`` says; ``mass`` holds the same as a mass function over sets of values.
    """

    theory: str
    distribution: Any
    mass: Mass
    lower: float
    upper: float
    lower_std: float
    upper_std: float
    range: tuple[float, float]
    pignistic: float

    def belief(self, event: Callable[[float], bool]) -> float:
        return fsum(m for values, m in self.mass.items() if all(map(event, values)))

    def plausibility(self, event: Callable[[float], bool]) -> float:
        return fsum(m for values, m in self.mass.items() if any(map(event, values)))

    def quantile(self, q: float) -> tuple[float, float]:
        """Quantiles of the low and of the high ends."""
        return tuple(_quantile(self.mass, end, q) for end in (min, max))


def _quantile(mass: Mass, end: Callable[[frozenset[float]], float], q: float) -> float:
    ends = sorted((end(values), m) for values, m in mass.items())
    return next(
        v for i, (v, _) in enumerate(ends) if fsum(m for _, m in ends[: i + 1]) >= q - SAME_VALUE
    )


def _mean_and_std(mass: Mass, end: Callable[[frozenset[float]], float]) -> tuple[float, float]:
    mean = fsum(m * end(values) for values, m in mass.items())
    return mean, sqrt(fsum(m * (end(values) - mean) ** 2 for values, m in mass.items()))


def pignistic(a: Side, b: Side, measure: Any) -> float:
    """Mean value after every object's mass is shared equally within its sets."""
    return fsum(v * p for v, p in d_F((_shared(a), _shared(b)), measure).items())


def _shared(side: Side) -> Side:
    k = 1 + max(max(s) for s in support(side))
    rows = [
        tuple(fsum(m / len(s) for s, m in row.items() if i in s) for i in range(k))
        for row in masses(side)
    ]
    return ("fuzzy", rows)


def distribution_and_mass(sides: Sides, measure: Any) -> tuple[Any, Mass]:
    """What is known of the value, as the theory of the sides says it and as a mass function."""
    kind = theory(*sides)
    match kind:
        case "set":
            values = d_R(map(support, sides), measure)
            return values, {values: 1.0}
        case "probability":
            law = d_F(sides, measure)
            return law, {frozenset({v}): p for v, p in law.items()}
        case "mass" | "levels":
            mass = (d_E if kind == "mass" else d_levels)(sides, measure)
            return mass, mass
        case _:
            levels = d_P(sides, measure, kind)
            return levels, cuts(levels)


def compare_literally(a: Side, b: Side, measure: Any = "rand") -> Answer:
    """Everything a comparison holds, straight from the definitions."""
    distribution, mass = distribution_and_mass((a, b), measure)
    (lower, lower_std), (upper, upper_std) = (_mean_and_std(mass, end) for end in (min, max))
    support_of_values = frozenset().union(*mass)
    return Answer(
        theory=theory(a, b),
        distribution=distribution,
        mass=mass,
        lower=lower,
        upper=upper,
        lower_std=lower_std,
        upper_std=upper_std,
        range=(min(support_of_values), max(support_of_values)),
        pignistic=pignistic(a, b, measure),
    )


def uniform_law(r1: Rough, r2: Rough, measure: Any) -> dict[float, Fraction]:
    """p_R: the law of d for clusterings drawn uniformly from C(R1) and C(R2)."""
    counts = Counter(value(measure, c1, c2) for c1 in compatible(r1) for c2 in compatible(r2))
    return {v: Fraction(c, counts.total()) for v, c in counts.items()}
