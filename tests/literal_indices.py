"""Literal definitions of the classical soft indices: double loops, nothing of sfumato."""

from itertools import combinations, permutations
from math import inf, sqrt

import numpy as np


def pairs(n):
    return list(combinations(range(n), 2))


def counts(degrees):
    """Sums of (both, first only, second only, neither) over pairs."""
    return [sum(part) for part in zip(*degrees, strict=True)] or [0.0] * 4


def campello(first, second, t_norm):
    norm = min if t_norm == "min" else (lambda x, y: x * y)

    def same(side, i, j):
        return max(norm(x, y) for x, y in zip(side[i], side[j], strict=True))

    def differ(side, i, j):
        clusters = range(len(side[i]))
        found = [norm(side[i][p], side[j][q]) for p in clusters for q in clusters if p != q]
        return max(found, default=0.0)

    return counts(
        [
            norm(of_first(first, i, j), of_second(second, i, j))
            for of_first in (same, differ)
            for of_second in (same, differ)
        ]
        for i, j in pairs(len(first))
    )


def product_counts(relation_first, relation_second, n):
    return counts(
        (x * y, x * (1 - y), (1 - x) * y, (1 - x) * (1 - y))
        for x, y in ((relation_first(i, j), relation_second(i, j)) for i, j in pairs(n))
    )


def together(side):
    return lambda i, j: min(1.0, sum(x * y for x, y in zip(side[i], side[j], strict=True)))


def cosine(side):
    return lambda i, j: float(
        np.dot(side[i], side[j]) / (np.linalg.norm(side[i]) * np.linalg.norm(side[j]))
    )


def frigui(first, second):
    return product_counts(together(first), together(second), len(first))


def brouwer(first, second):
    return product_counts(cosine(first), cosine(second), len(first))


def anderson(first, second):
    n, rows, columns = len(first), len(first[0]), len(second[0])
    table = [
        [sum(first[x][i] * second[x][j] for x in range(n)) for j in range(columns)]
        for i in range(rows)
    ]
    scale = n / sum(map(sum, table))
    table = [[scale * cell for cell in row] for row in table]
    squares = sum(cell**2 for row in table for cell in row)
    of_rows = sum(sum(row) ** 2 for row in table)
    of_columns = sum(sum(row[j] for row in table) ** 2 for j in range(columns))
    both = sum(cell * (cell - 1) for row in table for cell in row) / 2
    return (
        both,
        (of_rows - squares) / 2,
        (of_columns - squares) / 2,
        n * (n - 1) / 2 - both - (of_rows + of_columns) / 2 + squares,
    )


def half_distance(side, i, j):
    return sum(abs(x - y) for x, y in zip(side[i], side[j], strict=True)) / 2


def huellermeier(first, second):
    degrees = []
    for i, j in pairs(len(first)):
        one, other = 1 - half_distance(first, i, j), 1 - half_distance(second, i, j)
        concordance = 1 - abs(one - other)
        both = concordance * one * other
        degrees.append((both, max(one - other, 0), max(other - one, 0), concordance - both))
    return counts(degrees)


def index(name, found):
    """The usual expressions of the four counts, 0/0 by our conventions."""
    # Sums that are 0 in theory may carry rounding here.
    a, b, c, d = (0.0 if abs(x) < 1e-14 else x for x in found)
    linear = {
        "rand": (a + d, a + b + c + d),
        "jaccard": (a, a + b + c),
        "dice": (2 * a, 2 * a + b + c),
    }
    if name in linear:
        above, below = linear[name]
        return above / below if abs(below) > 1e-14 else 1.0
    if name == "fowlkes_mallows":
        below = (a + b) * (a + c)
        return a / sqrt(below) if below > 0 else 0.0
    if name == "adjusted_rand":
        below = b**2 + c**2 + 2 * a * d + (a + d) * (b + c)
        return 2 * (a * d - b * c) / below if below else 1.0
    if name == "hubert":
        below = sqrt((a + b) * (a + c) * (c + d) * (b + d))
        total = a + b + c + d
        above = total * a - (a + b) * (a + c)
        return above / below if below else float(b == c == 0)
    return sqrt((b + c) / (a + c)) if a + c else (inf if b else 0.0)


def frobenius_rand(first, second):
    first, second = np.asarray(first), np.asarray(second)
    n = len(first)
    scaled = []
    for side in (first, second):
        matrix = side @ side.T
        scaled.append(matrix * matrix.sum() / (matrix**2).sum())
    one, other = scaled
    return ((one * other).sum() + ((1 - one) * (1 - other)).sum() - n) / (n * (n - 1))


def discordance(name, first, second):
    """Mean over pairs of the discordance of two sides."""
    found = []
    for i, j in pairs(len(first)):
        if name == "concordance":
            x, y = half_distance(first, i, j), half_distance(second, i, j)
        else:
            x, y = together(first)(i, j), together(second)(i, j)
        found.append(x + y - 2 * x * y if name == "conflict" else abs(x - y))
    return sum(found) / len(found)


def shuffled(value, first, second):
    """Mean of a value when the objects of the second side are permuted in every way."""
    found = [
        value(first, [second[at] for at in order]) for order in permutations(range(len(first)))
    ]
    return sum(found) / len(found)
