"""The difference of two candidates under one truth, enumerated from its definition.

Nothing of sfumato is imported; sides are those of ``oracle``.
"""

from collections import Counter
from itertools import pairwise, product
from typing import Any

from oracle import (
    T_NORMS,
    Clustering,
    Mass,
    RefusedError,
    Rough,
    Side,
    compatible,
    cuts,
    focal,
    possibilities,
    reading,
    value,
)

_SETS = {"hard", "rough"}


def difference_mass(a: Side, b: Side, truth: Side, measure: Any) -> Mass:
    """The mass function over sets of values of D = v(a, truth) - v(b, truth)."""
    readings = {reading(side) for side in (a, b, truth)}
    t_norms = readings & T_NORMS.keys()
    if not t_norms:
        return _of_masses(a, b, truth, measure)
    (t_norm, *more) = t_norms
    if more:
        raise RefusedError("two t-norms")
    if readings - t_norms <= _SETS:
        return cuts(_possibilities(a, b, truth, measure, t_norm))
    if t_norm != "min":
        raise RefusedError(f"{readings}")
    found: Counter[frozenset[float]] = Counter()
    for weight, sides in _at_levels(a, b, truth):
        for values, mass in _of_masses(*sides, measure).items():
            found[values] += weight * mass
    return dict(found)


def _d(measure: Any, a: Clustering, b: Clustering, truth: Clustering) -> float:
    return round(value(measure, a, truth) - value(measure, b, truth), 10)


def _of_masses(a: Side, b: Side, truth: Side, measure: Any) -> Mass:
    found: Counter[frozenset[float]] = Counter()
    for (m1, r1), (m2, r2), (m3, r3) in product(*(list(focal(side)) for side in (a, b, truth))):
        found[_values(measure, r1, r2, r3)] += m1 * m2 * m3
    return dict(found)


def _values(measure: Any, a: Rough, b: Rough, truth: Rough) -> frozenset[float]:
    """The truth is the same for both."""
    return frozenset(
        _d(measure, x, y, t)
        for t in compatible(truth)
        for x in compatible(a)
        for y in compatible(b)
    )


def _possibilities(a: Side, b: Side, truth: Side, measure: Any, t_norm: str) -> dict[float, float]:
    found: dict[float, float] = {}
    together = T_NORMS[t_norm]
    every = [possibilities(side, t_norm).items() for side in (a, b, truth)]
    for (x, p), (y, q), (t, r) in product(*every):
        level = together(together(p, q), r)
        d = _d(measure, x, y, t)
        found[d] = max(found.get(d, 0.0), level)
    return found


def _at_levels(a: Side, b: Side, truth: Side) -> list[tuple[float, tuple[Side, Side, Side]]]:
    """One level holds for all objects of all sides that are read with min."""
    levels = {0.0}
    for side in (a, b, truth):
        if reading(side) == "min":
            levels |= {p for row in side[1] for p in row if p > 0}
    ordered = sorted(levels)
    return [
        (level - below, tuple(_cut(side, level) for side in (a, b, truth)))  # type: ignore[misc]
        for below, level in pairwise(ordered)
    ]


def _cut(side: Side, level: float) -> Side:
    if reading(side) != "min":
        return side
    rows = tuple(frozenset(i for i, p in enumerate(row) if p >= level) for row in side[1])
    return ("rough", rows)


def lower(mass: Mass) -> float:
    return sum(m * min(values) for values, m in mass.items())


def upper(mass: Mass) -> float:
    return sum(m * max(values) for values, m in mass.items())


def belief_above_zero(mass: Mass) -> float:
    return sum(m for values, m in mass.items() if min(values) > 1e-9)


def plausibility_above_zero(mass: Mass) -> float:
    return sum(m for values, m in mass.items() if max(values) > 1e-9)
