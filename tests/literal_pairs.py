"""What partitions say of pairs of objects, by double loops over plain data.

Nothing of sfumato is imported. Sides are those of ``oracle``; the masses of an object are a
dictionary from sets of clusters to numbers, the empty set among them as it was given.
"""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import fsum, inf, log, sqrt

from oracle import Side, masses

SETS = ("empty", "same", "different", "either")
MEMBERS = {
    "empty": frozenset(),
    "same": frozenset("s"),
    "different": frozenset("d"),
    "either": frozenset("sd"),
}


def object_masses(side: Side) -> list[dict[frozenset, float]]:
    """The mass function of each object; possibilities are read object by object."""
    if side[0] != "evidential":
        return masses(side)
    _, rows, empty, n_clusters = side
    found = [Counter(row) for row in rows]
    if empty == "yager":  # nothing is known of what is on the empty set
        for row in found:
            row[frozenset(range(n_clusters))] += row.pop(frozenset(), 0.0)
    return found


def conditioned(masses):
    """Without the empty set."""
    kept = fsum(mass for members, mass in masses.items() if members)
    return {members: mass / kept for members, mass in masses.items() if members and mass}


def pair_masses(x, y):
    """Masses on empty, same, different and either of two objects."""
    found = dict.fromkeys(SETS, 0.0)
    for (a, mass_a), (b, mass_b) in product(x.items(), y.items()):
        if not a or not b:
            said = "empty"
        elif a == b and len(a) == 1:
            said = "same"
        else:
            said = "either" if a & b else "different"
        found[said] += mass_a * mass_b
    return found


def all_pair_masses(side: Side, *, is_conditioned: bool = False):
    objects = object_masses(side)
    if is_conditioned:
        objects = [conditioned(one) for one in objects]
    return [pair_masses(x, y) for x, y in combinations(objects, 2)]


def mean_over_pairs(first: Side, second: Side, distance, **reading):
    pairs = zip(all_pair_masses(first, **reading), all_pair_masses(second, **reading), strict=True)
    values = [distance(m, w) for m, w in pairs]
    return inf if inf in values else fsum(values) / len(values)


# --- Denoeux, Li and Sriboonchitta -------------------------------------------------------------


def conflict(m, w):
    """Mass of the pairs of sets without a common element."""
    return fsum(m[a] * w[b] for a in SETS for b in SETS if not MEMBERS[a] & MEMBERS[b])


def belief_of(m, of):
    return fsum(m[a] for a in SETS if MEMBERS[a] and MEMBERS[a] <= MEMBERS[of])


def plausibility_of(m, of):
    return fsum(m[a] for a in SETS if MEMBERS[a] & MEMBERS[of])


def belief(m, w):
    return fsum(abs(belief_of(m, a) - belief_of(w, a)) for a in SETS if MEMBERS[a]) / 2


def jousselme(m, w):
    def alike(a, b):
        union = MEMBERS[a] | MEMBERS[b]
        return len(MEMBERS[a] & MEMBERS[b]) / len(union) if union else 1.0

    square = fsum((m[a] - w[a]) * alike(a, b) * (m[b] - w[b]) for a in SETS for b in SETS)
    return sqrt(max(square, 0.0) / 2)


def belief_interval(m, w):
    square = 0.0
    for a in SETS:
        if MEMBERS[a]:
            (low, high), (low_w, high_w) = (
                (belief_of(one, a), plausibility_of(one, a)) for one in (m, w)
            )
            middle = (low + high - low_w - high_w) / 2
            radius = (high - low - high_w + low_w) / 2
            square += middle**2 + radius**2 / 3
    return sqrt(square / 2)  # 1 / 2^(size of the frame - 1)


# --- Transport -----------------------------------------------------------------------------------


def transport(m, w, alpha):
    """Cheapest transport of whole units: one object per unit, by trying every permutation."""
    units = 4
    left, right = ([a for a in SETS for _ in range(round(one[a] * units))] for one in (m, w))
    assert len(left) == len(right) == units

    def cost(a, b):
        if a == b:
            return Fraction(0)
        pair = {a, b}
        return Fraction(alpha) if "either" in pair and "empty" not in pair else Fraction(1)

    return min(
        sum(cost(a, b) for a, b in zip(left, order, strict=True)) for order in permutations(right)
    ) / Fraction(units)


# --- Scores --------------------------------------------------------------------------------------


def brier(m, w):
    p, q = m["same"], w["same"]
    return q * (1 - p) ** 2 + (1 - q) * p**2


def logarithm(m, w):
    return -fsum(
        0.0 if true == 0 else true * (log(stated) if stated > 0 else -inf)
        for stated, true in ((m["same"], w["same"]), (m["different"], w["different"]))
    )
