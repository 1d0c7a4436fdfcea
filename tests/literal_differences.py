"""The difference of two candidates under one truth, enumerated from its definition.

Nothing of sfumato is imported; sides are those of ``oracle``.
"""

from typing import Any

from oracle import Mass, Side, distribution_and_mass


def difference_mass(a: Side, b: Side, truth: Side, measure: Any) -> Mass:
    """The mass function over sets of values of D = v(a, truth) - v(b, truth)."""
    return distribution_and_mass((a, b, truth), measure)[1]


def lower(mass: Mass) -> float:
    return sum(m * min(values) for values, m in mass.items())


def upper(mass: Mass) -> float:
    return sum(m * max(values) for values, m in mass.items())


def belief_above_zero(mass: Mass) -> float:
    return sum(m for values, m in mass.items() if min(values) > 1e-9)


def plausibility_above_zero(mass: Mass) -> float:
    return sum(m for values, m in mass.items() if max(values) > 1e-9)
