"""Draw several candidates and one truth at once, and find in each draw who leads whom.

All pairs of candidates share the draws, and what is found of each candidate alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato._typing import Bools, Floats, Ints
from sfumato.algorithms.ends.relax import RelaxedEnds, contrast_ends, relax_seconds, relaxed_ends
from sfumato.algorithms.ends.rough_batch import RoughBatch, rough_batch
from sfumato.algorithms.sampling.sources.bracketed import BracketedEnds, outer_ends
from sfumato.algorithms.tables.ragged import cross
from sfumato.algorithms.tables.set_draws import DrawnSide, sets_at
from sfumato.families import Difference, Objective

__all__ = ["Contest", "Player", "contest_block", "contest_seconds", "draw_contest", "is_drawable"]

_NUMBERS_AT_ONCE = 1 << 20
_MOST_NUMBERS = 2e7  # cells of a table, and cells that are open to the objects of one draw
_SECONDS_PER_OBJECT = 6e-8


class Player(NamedTuple):
    """A candidate or the truth: what may be drawn for each object.

    Where ``has_levels`` is true, one random level holds for all objects, and for all other players
    with levels: sets are listed from the smallest to the largest.
    """

    side: DrawnSide
    n_clusters: int
    has_levels: bool = False

    @property
    def is_precise(self) -> bool:
        """Whether only single clusters are drawn."""
        return bool((np.diff(self.side.set_starts)[self.side.sets] == 1).all())

    @property
    def mean_size(self) -> float:
        """Clusters in a set, on average over the objects."""
        side = self.side
        each = np.add.reduceat(side.sizes * side.weights, side.starts[:-1])
        return float(each[side.statements].mean())

    @property
    def n_members(self) -> int:
        """Clusters of all sets together."""
        return len(self.side.set_members)


class Contest(NamedTuple):
    """Candidates, the truth, and the pairs of candidates that are asked for.

    ``alone`` is the measure of each candidate against the truth, ``contrasts`` the difference of
    each pair: rows are all pairs of clusters, those of the first candidate one after the other.
    """

    candidates: tuple[Player, ...]
    truth: Player
    alone: tuple[Objective, ...]
    pairs: tuple[tuple[int, int], ...]
    contrasts: tuple[Objective, ...]


def is_drawable(truth: Player, candidates: Sequence[Player], contrast: Objective) -> bool:
    """Whether both ends of the difference of two candidates can be found in each draw."""
    if truth.is_precise and all(player.is_precise for player in candidates):
        return True
    if not isinstance(contrast.family, Difference):
        return False
    sizes = [float(player.side.sizes.max()) for player in (truth, *candidates)]
    listed = contrast.n_objects * float(np.prod(sizes))
    return max(float(contrast.n_cells), listed) <= _MOST_NUMBERS


def contest_seconds(contest: Contest) -> float:
    """About the time of one draw, for all pairs."""
    n = contest.alone[0].n_objects
    seconds = _SECONDS_PER_OBJECT * n * (len(contest.candidates) + 1)
    for player, objective in zip(contest.candidates, contest.alone, strict=True):
        if not (player.is_precise and contest.truth.is_precise):
            seconds += relax_seconds(objective, _n_listed(n, player, contest.truth))
    if contest.truth.is_precise:
        return seconds
    for (i, j), objective in zip(contest.pairs, contest.contrasts, strict=True):
        players = contest.candidates[i], contest.candidates[j], contest.truth
        seconds += _SECONDS_PER_OBJECT * n + relax_seconds(objective, _n_listed(n, *players))
    return seconds


def _n_listed(n_objects: int, *players: Player) -> float:
    """Open cells of one draw, with equal objects merged."""
    each = n_objects * float(np.prod([player.mean_size for player in players]))
    return min(each, float(np.prod([float(player.n_members) for player in players])))


def contest_block(contest: Contest) -> int:
    """Number of draws to make side by side."""
    n = contest.alone[0].n_objects
    numbers = [float(n * (len(contest.candidates) + 1))]
    numbers += [float(objective.n_cells) for objective in contest.alone]
    if not contest.truth.is_precise:
        for (i, j), objective in zip(contest.pairs, contest.contrasts, strict=True):
            players = contest.candidates[i], contest.candidates[j], contest.truth
            numbers.append(float(objective.n_cells) + _n_listed(n, *players))
    return max(1, int(_NUMBERS_AT_ONCE / max(numbers)))


def draw_contest(contest: Contest, n_draws: int, seed: np.random.SeedSequence) -> BracketedEnds:
    """Outer sides and widths of both ends of each difference, of shape (n_draws, pairs).

    Parameters
    ----------
    contest : Contest
    n_draws : int
    seed : SeedSequence
        Each player draws from a child of its own, and levels from one more.

    Notes
    -----
    O(n) for each player and draw, and the relaxations of `relaxed_ends`: one for each candidate
    and, if the truth draws sets of several clusters, one for each pair.
    """
    *seeds, level_seed = seed.spawn(len(contest.candidates) + 2)
    levels = np.random.default_rng(level_seed).random((n_draws, 1))
    players = *contest.candidates, contest.truth
    *drawn, truths = (
        _drawn(player, levels, child) for player, child in zip(players, seeds, strict=True)
    )
    is_used = np.zeros(len(contest.candidates), dtype=bool)
    is_used[np.ravel(contest.pairs)] = True
    alone = _ends_alone(contest, drawn, truths, is_used)
    found: list[BracketedEnds] = []
    for (i, j), objective in zip(contest.pairs, contest.contrasts, strict=True):
        if contest.truth.is_precise:
            found.append(_apart(alone[i], alone[j]))
            continue
        players = contest.candidates[i], contest.candidates[j], contest.truth
        batch = _composite_batch(objective, players, drawn[i], drawn[j], truths)
        found.append(outer_ends(contrast_ends(objective, batch, alone[i], alone[j])))
    lows, highs, low_gaps, high_gaps = (np.stack(each, axis=1) for each in zip(*found, strict=True))
    return lows, highs, low_gaps, high_gaps


def _drawn(player: Player, levels: Floats, seed: np.random.SeedSequence) -> Ints:
    """The sets of all objects, of shape (n_draws, n)."""
    side = player.side
    if player.has_levels:
        points = levels
    else:
        n_open = int((np.diff(side.starts)[side.statements] > 1).sum())
        points = np.random.default_rng(seed).random((len(levels), n_open))
    return sets_at(side.starts, side.sets, side.weights, side.statements, points)


def _ends_alone(
    contest: Contest, drawn: Sequence[Ints], truths: Ints, is_used: Bools
) -> dict[int, RelaxedEnds]:
    """Both ends of the candidates that are asked for, against the drawn truths."""
    truth, found = contest.truth, dict[int, RelaxedEnds]()
    for at in np.flatnonzero(is_used).tolist():
        player, objective = contest.candidates[at], contest.alone[at]
        if player.is_precise and truth.is_precise:
            values = _values(objective, (player, drawn[at]), (truth, truths))
            nothing = np.zeros(0, dtype=np.int64)
            found[at] = RelaxedEnds(values, values, nothing, values, values, nothing)
        else:
            batch = _batch(objective, (player.side, drawn[at]), (truth.side, truths))
            found[at] = relaxed_ends(objective, batch)
    return found


def _values(objective: Objective, *sides: tuple[Player, Ints]) -> Floats:
    """The value of each draw, where all sets are single clusters."""
    rows, columns = (
        player.side.set_members[player.side.set_starts[sets]] for player, sets in sides
    )
    n_draws, n_columns = len(rows), objective.shape[1]
    cells = np.arange(n_draws)[:, None] * objective.n_cells + rows * n_columns + columns
    tables = np.bincount(cells.ravel(), minlength=n_draws * objective.n_cells)
    return np.asarray(objective.of_tables(tables.reshape(n_draws, *objective.shape)), np.float64)


def _apart(first: RelaxedEnds, second: RelaxedEnds) -> BracketedEnds:
    """The ends of a difference where the truth leaves nothing open that both could share."""
    first_gaps = first.lows - first.low_bounds, first.high_bounds - first.highs
    second_gaps = second.lows - second.low_bounds, second.high_bounds - second.highs
    return (
        first.low_bounds - second.high_bounds,
        first.high_bounds - second.low_bounds,
        first_gaps[0] + second_gaps[1],
        first_gaps[1] + second_gaps[0],
    )


def _batch(
    objective: Objective, rows: tuple[DrawnSide, Ints], columns: tuple[DrawnSide, Ints]
) -> RoughBatch:
    n_draws = len(rows[1])
    return rough_batch(
        np.repeat(np.arange(n_draws), objective.n_objects),
        (rows[1].ravel(), columns[1].ravel()),
        np.ones(rows[1].size, dtype=np.int64),
        (rows[0].set_starts, rows[0].set_members),
        (columns[0].set_starts, columns[0].set_members),
        n_tables=n_draws,
        shape=objective.shape,
    )


def _composite_batch(
    objective: Objective,
    players: tuple[Player, Player, Player],
    first: Ints,
    second: Ints,
    truths: Ints,
) -> RoughBatch:
    """The drawn tables of pairs of clusters: only pairs of sets that were drawn are listed."""
    a, b, truth = players
    n_sets = len(b.side.set_starts) - 1
    kept, both = _compact(first * n_sets + second, (len(a.side.set_starts) - 1) * n_sets)
    starts, ours, theirs = cross(
        a.side.set_starts, kept // n_sets, b.side.set_starts, kept % n_sets
    )
    members = a.side.set_members[ours] * b.n_clusters + b.side.set_members[theirs]
    pairs = truth.side._replace(set_starts=starts, set_members=members)
    return _batch(objective, (pairs, both), (truth.side, truths))


def _compact(keys: Ints, n_keys: int) -> tuple[Ints, Ints]:
    """The keys that occur, in increasing order, and the number of each key among them."""
    if n_keys > keys.size:
        kept, which = np.unique(keys, return_inverse=True)
        return kept, which.reshape(keys.shape)
    is_kept = np.zeros(n_keys, dtype=bool)
    is_kept[keys.ravel()] = True
    return np.flatnonzero(is_kept), (np.cumsum(is_kept) - 1)[keys]
