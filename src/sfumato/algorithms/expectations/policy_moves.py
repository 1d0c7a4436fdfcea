"""Move objects away from where a policy sends them, and bound what that gains on average.

Objects draw pairs of focal sets at random. A *policy* sends each pair of sets to one of its cells.
"""

from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.deadline import seconds_left
from sfumato.algorithms.expectations.set_pairs import SetPairs, sums_by, table_by

__all__ = [
    "MOST_GROUPS",
    "ROUNDING",
    "Moves",
    "group_masses",
    "log_mean",
    "mean_gain",
    "moves_of",
]

MOST_GROUPS = 192  # of similar objects, on which rates are chosen
ROUNDING = 1 + 1e-9
_MOST_MOVES = 256  # roots of matrices of this size are found some hundred times
_MOST_NUMBERS = 1 << 23  # in the masses of the groups, and in the slopes of all moves
_SECONDS_EACH = 1e-5  # about, for each move and group


class Moves(NamedTuple):
    """From the cell of the policy to another cell that a pair of sets leaves open."""

    may: Bools  # (m, p): whether the objects that draw a pair of sets may move so
    sources: Ints  # (m,): cells
    targets: Ints  # (m,)


def moves_of(pairs: SetPairs, sent: Ints) -> Moves | None:
    """All moves of pairs of sets that are drawn at all; none if too many, or without the time.

    ``sent`` has the cell of the policy for each pair of sets.
    """
    n_cells, owners = pairs.n_cells, pairs.cell_owners
    is_move = (pairs.cells != sent[owners]) & (pairs.weights[owners] > 0)
    owners, targets = owners[is_move], pairs.cells[is_move]
    kinds, which = np.unique(sent[owners] * n_cells + targets, return_inverse=True)
    n_groups = min(MOST_GROUPS, len(pairs.counts))
    if len(kinds) > _MOST_MOVES or max(len(kinds), n_groups) * len(sent) > _MOST_NUMBERS:
        return None
    if seconds_left() < 2 * _SECONDS_EACH * len(kinds) * n_groups:
        return None
    may = np.zeros((len(kinds), len(sent)), dtype=bool)
    may[which, owners] = True
    return Moves(may, kinds // n_cells, kinds % n_cells)


def group_masses(pairs: SetPairs) -> tuple[Floats, Floats]:
    """Mean masses of groups of similar objects, of shape (groups, pairs), and their numbers."""
    groups = _groups(pairs)
    sizes = sums_by(groups, pairs.counts.astype(np.float64), int(groups.max()) + 1)
    weights = pairs.masses * pairs.counts[pairs.owners]
    shape = len(sizes), len(pairs.a_set)
    masses = table_by(groups[pairs.owners], pairs.pairs, weights, shape)
    return masses / sizes[:, None], sizes


def _groups(pairs: SetPairs) -> Ints:
    """The group of each type: alike in the pair of sets that it draws most often, and how often."""
    n_types = len(pairs.counts)
    if n_types <= MOST_GROUPS:
        return np.arange(n_types)
    by_mass = np.lexsort((pairs.masses, pairs.owners))
    last = by_mass[pairs.starts[1:] - 1]
    groups = np.empty(n_types, dtype=np.int64)
    groups[np.lexsort((pairs.masses[last], pairs.pairs[last]))] = (
        np.arange(n_types) * MOST_GROUPS // n_types
    )
    return groups


def log_mean(pairs: SetPairs, steps: Floats) -> float:
    """Logarithm of E exp(y): y the sum over all objects of the steps of the pairs they draw."""
    top = float(steps.max())
    weights = pairs.masses * np.exp(steps - top)[pairs.pairs]
    means = sums_by(pairs.owners, weights, len(pairs.counts))
    return float(pairs.counts @ (np.log(means) + top))


def mean_gain(pairs: SetPairs, steps: Floats, may: Bools, rate: float, start: float = 0.0) -> float:
    r"""Upper bound of E c max(0, y): c objects may move, y is ``start`` and all their steps.

    .. math:: E\,c \max(0, y) \le \frac{1}{e \theta} \sum_x E\,1_x e^{\theta y}

    with :math:`1_x` the event that x may move: products over the objects, at the rate
    :math:`\theta`.
    """
    top = float(steps.max())
    weights = pairs.masses * np.exp(rate * (steps - top))[pairs.pairs]
    n_types = len(pairs.counts)
    means = sums_by(pairs.owners, weights, n_types)
    moving = sums_by(pairs.owners, weights * may[pairs.pairs], n_types)
    log_of_all = float(pairs.counts @ (np.log(means) + rate * top)) + rate * start
    share = float(pairs.counts @ (moving / means))
    with np.errstate(over="ignore"):
        return float(share * np.exp(log_of_all) / (np.e * rate))
