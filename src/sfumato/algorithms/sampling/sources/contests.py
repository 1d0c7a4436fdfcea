"""Draw several candidates and one truth at once, and find in each draw who leads whom.

All pairs of candidates share the draws, and what is found of each candidate alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.algorithms.ends.relax import RelaxedEnds, contrast_ends, relax_seconds, relaxed_ends
from sfumato.algorithms.ends.rough_batch import RoughBatch
from sfumato.algorithms.sampling.sources.bracketed import BracketedEnds, batch_of_draws, outer_ends
from sfumato.algorithms.tables.ragged import cross
from sfumato.algorithms.tables.set_draws import DrawnSide, draw_sets, sets_at
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
    each = n_objects * float(np.prod([player.side.mean_sizes.mean() for player in players]))
    return min(each, float(np.prod([float(len(player.side.set_members)) for player in players])))


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

    Each player draws from a seed of its own, and levels from one more. O(n) for each player
    and draw, and the relaxations of `relaxed_ends`: one for each candidate and, if the truth draws
    sets of several clusters, one for each pair.
    """
    *seeds, level_seed = seed.spawn(len(contest.candidates) + 2)
    levels = np.random.default_rng(level_seed).random((n_draws, 1))
    players = *contest.candidates, contest.truth
    *drawn, truths = (
        _drawn(player, levels, child) for player, child in zip(players, seeds, strict=True)
    )
    truth = contest.truth
    alone = {
        at: _ends_alone(contest.alone[at], (contest.candidates[at], drawn[at]), (truth, truths))
        for at in {at for pair in contest.pairs for at in pair}
    }
    found: list[BracketedEnds] = []
    for (i, j), objective in zip(contest.pairs, contest.contrasts, strict=True):
        if truth.is_precise:
            found.append(_apart(outer_ends(alone[i]), outer_ends(alone[j])))
            continue
        players = contest.candidates[i], contest.candidates[j], truth
        batch = _composite_batch(objective, players, drawn[i], drawn[j], truths)
        found.append(outer_ends(contrast_ends(objective, batch, alone[i], alone[j])))
    lows, highs, low_gaps, high_gaps = (np.stack(each, axis=1) for each in zip(*found, strict=True))
    return lows, highs, low_gaps, high_gaps


def _drawn(player: Player, levels: Floats, seed: np.random.SeedSequence) -> Ints:
    """The sets of all objects, of shape (n_draws, n)."""
    side = player.side
    lists = side.starts, side.sets, side.weights, side.statements
    if player.has_levels:
        return sets_at(*lists, levels)
    return draw_sets(*lists, len(levels), np.random.default_rng(seed))


def _ends_alone(
    objective: Objective, own: tuple[Player, Ints], truth: tuple[Player, Ints]
) -> RelaxedEnds:
    """Both ends of a candidate against the drawn truths."""
    (player, drawn), (other, truths) = own, truth
    if player.is_precise and other.is_precise:
        values = _values(objective, own, truth)
        nothing = np.zeros(0, dtype=np.int64)
        return RelaxedEnds(values, values, nothing, values, values, nothing)
    batch = batch_of_draws(objective, (player.side, drawn), (other.side, truths))
    return relaxed_ends(objective, batch)


def _values(objective: Objective, *sides: tuple[Player, Ints]) -> Floats:
    """The value of each draw, where all sets are single clusters."""
    rows, columns = (
        player.side.set_members[player.side.set_starts[sets]] for player, sets in sides
    )
    n_draws, n_columns = len(rows), objective.shape[1]
    cells = np.arange(n_draws)[:, None] * objective.n_cells + rows * n_columns + columns
    tables = np.bincount(cells.ravel(), minlength=n_draws * objective.n_cells)
    return np.asarray(objective.of_tables(tables.reshape(n_draws, *objective.shape)), np.float64)


def _apart(first: BracketedEnds, second: BracketedEnds) -> BracketedEnds:
    """The ends of a difference where the truth leaves nothing open that both could share."""
    return first[0] - second[1], first[1] - second[0], first[2] + second[3], first[3] + second[2]


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
    return batch_of_draws(objective, (pairs, both), (truth.side, truths))


def _compact(keys: Ints, n_keys: int) -> tuple[Ints, Ints]:
    """The keys that occur, in increasing order, and the number of each key among them."""
    if n_keys > keys.size:
        kept, which = np.unique(keys, return_inverse=True)
        return kept, which.reshape(keys.shape)
    is_kept = np.zeros(n_keys, dtype=bool)
    is_kept[keys.ravel()] = True
    return np.flatnonzero(is_kept), (np.cumsum(is_kept) - 1)[keys]
