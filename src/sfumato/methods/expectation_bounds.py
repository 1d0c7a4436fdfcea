"""Lower and upper expectations without sampling: exact or in certified brackets."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import final

import numpy as np

from sfumato._typing import Bools, Floats
from sfumato.algorithms.expectations.information_policies import bracket_information
from sfumato.algorithms.expectations.least_matching import bracket_least_matching
from sfumato.algorithms.expectations.most_matching import bracket_most_matching
from sfumato.algorithms.expectations.pair_policies import contrast_form, most_against_two
from sfumato.algorithms.expectations.policy_gap import bracket_contrast, bracket_disagreements
from sfumato.algorithms.expectations.set_pairs import SetPairs, sums_by
from sfumato.algorithms.expectations.sure_pairs import sure_pairs
from sfumato.algorithms.laws.two_clusters import (
    two_cluster_disagreement_stds,
    two_cluster_disagreements,
    two_cluster_ends,
    two_cluster_stds,
)
from sfumato.algorithms.sampling.blocks import Run
from sfumato.families import Difference, Family, Matching, Objective, Separable
from sfumato.methods.base import Method, Scope
from sfumato.question.plan import Plan, Policy
from sfumato.question.query import Query
from sfumato.results.answers import Answer, Bracket, bracketed_answer

__all__ = ["ExpectationBounds"]

_MOST_CELLS = 2e7  # over all objects and the sets that they may draw
_MAX_LOST_MASS = 1e-13  # of the laws: no more than rounding does to the means
_MOST_OBJECTS_WITH_SPREAD = 1500  # the joint law behind it takes about n^2 additions per object
_LARGEST_ERROR = 1e-12  # of expectations that are called exact: by transforms of long laws
_WORTHWHILE = 0.02  # of a measure: draws bracket a difference no worse
_SLACK = 1e-12  # relative: rounding must not cut into a bracket
_NO_SPREAD = "The spread of the two ends is not known to this method."

_Scope = partial(Scope, theories=("evidential",), quantities=("expectation",))


@final
class ExpectationBounds(Method):
    """Both expectations of an evidential comparison in one pass.

    With two clusters on either side an object surely agrees, surely differs or may do either, and
    both ends of the largest matching, or of the pairs that disagree, depend on how many do the
    first and the second: laws on a line give both expectations exactly. Otherwise each end is
    bracketed. Pair counting: outer sides from the pairs of objects that the drawn sets surely join
    or part, or from what is left to gain over a policy that sends each set to a well chosen
    cluster, inner sides from such policies. The variation of information against a hard side: the
    same, and its slopes, as it is concave. Matching: outer sides from a mixture of matchings and
    from the laws of their differences, inner sides likewise. The difference of two candidates in
    pairs that agree with one truth is bracketed by a policy, and by what is left to gain over it.
    """

    name = "expectation_bounds"
    cost = "about the cells that the sets of all objects leave open; a linear program for matchings"
    scopes = (
        _Scope(guarantees=("exact",), families=("pairs", "matching"), most_clusters=2),
        _Scope(guarantees=("certified",), families=("pairs", "matching", "difference")),
        _Scope(guarantees=("certified",), families=("information",), needs_hard_side=True),
    )

    def plan(self, query: Query, policy: Policy) -> Iterator[Plan]:
        """Sum up who agrees and who differs, or bound both ends from outside and from inside."""
        objective, family = query.objective, query.objective.family
        is_matching = isinstance(family, Matching)
        counts_pairs = isinstance(family, Separable) and family.counts_pairs
        is_distance = isinstance(family, Separable) and family.distance_scale is not None
        if (is_matching or counts_pairs) and max(objective.shape) <= 2:
            yield Plan(
                guarantee="exact",
                tables=1,
                bytes=200.0 * query.n_objects,
                seconds=(5e-4 if is_matching else 2e-3) + 4e-6 * query.n_objects,
                may_fall_short=counts_pairs,
                why="with two clusters both ends follow from who surely agrees or differs",
                work=partial(_two_clusters, query),
            )
            return
        cells = query.joint.n_open_cells
        if cells > _MOST_CELLS or not (is_matching or is_distance or _is_contrast(family)):
            return
        yield Plan(
            guarantee="certified",
            tables=1,
            bytes=64.0 * cells,
            seconds=(2e-2 if is_matching else _seconds_of_pairs(query, policy)) + 1e-6 * cells,
            why="both expectations have brackets that need no draws",
            work=partial(_brackets, query),
        )


def _is_contrast(family: Family | None) -> bool:
    """Whether it is the difference of two candidates in pairs that agree with the truth."""
    match family:
        case Difference(first=Objective(family=Separable(counts_pairs=True))):
            return True
        case _:
            return False


def _seconds_of_pairs(query: Query, policy: Policy) -> float:
    """Of sums over sets, and of the gain over policies by moves between cells and by groups.

    The gain is left undone where time is short.
    """
    rows, columns = query.objective.shape
    moves = min(256, rows * columns * max(rows, columns) / 2)
    gain = 2e-5 * moves * min(192, query.n_objects)
    if isinstance(query.objective.family, Separable) and query.objective.family.psi == "xlogx":
        gain += 2e-7 * moves * query.n_objects
    is_undone = policy.max_seconds is not None and gain > policy.max_seconds / 2
    return 2e-3 + (0.0 if is_undone else gain)


def _brackets(query: Query, _: Run) -> Answer:
    objective, pairs = query.objective, query.joint.set_pairs
    match objective.family:
        case Matching(offset=offset, slope=slope):
            least, most = bracket_least_matching(pairs), bracket_most_matching(pairs)
            ends = _values(objective, least, most, offset, slope)
        case Separable(psi=psi, value=value, distance_scale=float(scale)):
            if psi == "square":
                least, most = _disagreements(pairs)
            else:  # times n
                least, most = (bracket_information(pairs, end) for end in ("least", "most"))
            ends = _values(objective, least, most, value.offset, scale)
        case Difference(first=Objective(family=Separable(distance_scale=float(scale)))) as family:
            ends = _values(objective, *_contrasts(pairs, family, scale), 0.0, scale)
        case _:
            raise AssertionError("out of scope")
    return bracketed_answer("certified", *ends, notes=(_NO_SPREAD,))


def _disagreements(pairs: SetPairs) -> tuple[Bracket, Bracket]:
    """Brackets of the least and the most expected ordered pairs that disagree."""
    n = pairs.n_objects
    sure = sure_pairs(pairs)
    most = min(n * (n - 1) - sure.agree, most_against_two(pairs))
    return bracket_disagreements(pairs, (sure.disagree, most))


def _contrasts(pairs: SetPairs, family: Difference, scale: float) -> tuple[Bracket, Bracket]:
    """Brackets of the least and the most expected pairs that only the first candidate has wrong."""
    most = pairs.n_objects * (pairs.n_objects - 1.0)
    form = contrast_form(family.first_rows, family.second_rows, pairs.shape[1])
    worth = _WORTHWHILE / abs(scale)
    low, high = (bracket_contrast(pairs, form, end, worth) for end in ("least", "most"))
    return (max(low[0], -most), low[1]), (high[0], min(high[1], most))


def _values(
    objective: Objective, least: Bracket, most: Bracket, offset: float, slope: float
) -> tuple[Bracket, Bracket]:
    """Brackets of the lower and the upper end of the measure, widened by rounding.

    ``least`` and ``most`` are those of a count in which the measure is affine.
    """
    lowest, highest = objective.bounds
    values = [
        np.clip(np.sort(offset + slope * np.array(bracket)), lowest, highest).tolist()
        for bracket in (least, most)
    ]
    lower, upper = values if slope > 0 else values[::-1]
    # The lower end is no higher than the upper one, so each bracket limits the other.
    lower[1], upper[0] = min(lower[1], upper[1]), max(upper[0], lower[0])
    slack = _SLACK * max(1.0, abs(lower[0]), abs(upper[1]))
    low, high = (
        (max(lowest, bracket[0] - slack), min(highest, bracket[1] + slack))
        for bracket in (lower, upper)
    )
    return low, high


def _two_clusters(query: Query, _: Run) -> Answer:
    objective = query.objective
    events = _events(query.joint.set_pairs)
    find_stds, error = two_cluster_stds, 0.0
    match objective.family:
        case Matching(offset=offset, slope=slope):
            ends = two_cluster_ends(*events, max_lost_mass=_MAX_LOST_MASS)
        case Separable(value=value, distance_scale=float(scale)):
            offset, slope = value.offset, 2 * scale  # of ordered pairs
            least, most, error = two_cluster_disagreements(*events, max_lost_mass=_MAX_LOST_MASS)
            ends, error = (least, most), abs(slope) * error
            find_stds = two_cluster_disagreement_stds
        case _:
            raise AssertionError("out of scope")
    low, high = np.clip(sorted(offset + slope * end for end in ends), *objective.bounds).tolist()
    is_small = query.n_objects <= _MOST_OBJECTS_WITH_SPREAD
    is_exact = error <= _LARGEST_ERROR
    off = 0.0 if is_exact else error
    return bracketed_answer(
        "exact" if is_exact else "certified",
        (low - off, low + off),
        (high - off, high + off),
        find_std=partial(_stds, find_stds, events, slope) if is_small else None,
        notes=()
        if is_small
        else ("The spread is not given: it takes the joint law of two counts.",),
    )


def _events(pairs: SetPairs) -> tuple[Floats, Floats, Floats]:
    """Probabilities that each object surely agrees, surely differs, or may do either."""
    on_diagonal, starts = np.equal(*pairs.lines), pairs.cell_starts[:-1]
    may_agree = np.logical_or.reduceat(on_diagonal, starts)
    may_differ = np.logical_or.reduceat(~on_diagonal, starts)

    def probability(which: Bools) -> Floats:
        masses = pairs.masses * which[pairs.pairs]
        return np.repeat(sums_by(pairs.owners, masses, len(pairs.counts)), pairs.counts)

    return probability(~may_differ), probability(~may_agree), probability(may_agree & may_differ)


def _stds(
    find: Callable[..., tuple[float, float]], events: tuple[Floats, Floats, Floats], slope: float
) -> tuple[float, float]:
    least, most = (abs(slope) * std for std in find(*events, max_lost_mass=_MAX_LOST_MASS))
    return (least, most) if slope > 0 else (most, least)
