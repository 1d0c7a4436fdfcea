"""Means of random draws, made until they are known well enough."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias, cast, final

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.deadline import OutOfTimeError
from sfumato.algorithms.sampling.betting import Horizon, betting_limits
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.concentration import line_half_width
from sfumato.algorithms.sampling.control_variates import Limits, together
from sfumato.algorithms.sampling.prior import Bound, Prior, prior_bound

__all__ = ["Draws", "Estimate", "Goal", "Source", "estimate_means", "prior_confidence"]

_PILOT = 1024  # draws that serve to fit the control variates
_WORTH_A_PILOT = 4 * _PILOT
_GROWTH = 1.5  # of the number of draws, from one look at the error to the next
_MANY, _GROWTH_OF_MANY = 1 << 15, 1.15  # where draws are many, a look costs less than they do
_INWARD = np.array([1.0, -1.0])  # from an outer lower and upper end to what is attained
_NEGLIGIBLE = 1e-9  # controls that hardly vary, or only together with others, are left alone


class Draws(NamedTuple):
    """Values of s draws: one column for each of the e means that are sought.

    ``controls`` are quantities of each draw with their exact means taken off. ``gaps`` say by how
    much a value may lie too far out.
    """

    values: Floats  # (s, e)
    controls: Floats  # (s, f)
    gaps: Floats  # (s, e)

    @classmethod
    def of(
        cls,
        columns: Sequence[Floats],
        gaps: Sequence[Floats] | None = None,
        controls: Floats | None = None,
    ) -> "Draws":
        """From one array of s values for each mean; without gaps and controls if none are given."""
        values = np.stack(columns, axis=1)
        return cls(
            values,
            np.zeros((len(values), 0)) if controls is None else controls,
            np.zeros_like(values) if gaps is None else np.stack(gaps, axis=1),
        )

    @property
    def inner(self) -> Floats:
        """What is attained: the other end of the bracket of each value."""
        return self.values + self.gaps * _INWARD[: self.values.shape[1]]


class Source(NamedTuple):
    """Where draws come from.

    ``sample(size, seed)`` makes draws; a thread takes ``block`` of them at a time.
    ``limits(slopes)`` are those of ``controls @ slopes``, if there are controls.
    """

    sample: Callable[[int, np.random.SeedSequence], Draws]
    block: int
    limits: Callable[[Floats], Limits] = together().limits


class Goal(NamedTuple):
    """When to stop: at ``most`` draws, or where the error is within ``tolerance``."""

    most: int
    tolerance: float | None
    confidence: float
    bound: Bound


class Estimate(NamedTuple):
    """Means of the columns, with brackets that hold at the confidence of the goal.

    ``error`` is the part of chance in them, beside the gaps. ``share`` is the part of a risk that
    belongs to this number of draws: all of it if that was fixed before the draws.
    """

    means: Floats  # (e,)
    lows: Floats  # (e,)
    highs: Floats  # (e,)
    gaps: Floats  # (e,)
    error: float
    bound: str  # whose brackets they are
    values: Floats  # (s, e)
    is_late: bool  # the time ran out
    share: float


_Bracket: TypeAlias = tuple[Floats, Floats, Floats, Floats, float, str]  # the first of these


def prior_confidence(confidence: float, bound: Bound) -> float:
    """Confidence of what is known beforehand; the other half of the risk is for the draws."""
    return confidence if bound == "hoeffding" else 1.0 - (1.0 - confidence) / 2


def estimate_means(source: Source, goal: Goal, prior: Prior, run: Run) -> Estimate:
    """Draw until a bound of the error meets the tolerance, or as often as allowed.

    Three bounds share the risk, and the best of them is taken. All hold whenever drawing stops.
    Half of the risk is for what is known beforehand. The other half is for bets on the values and,
    with a tolerance, on values that are corrected by control variates, whose coefficients come
    from draws of their own.
    """
    drawn = _Drawn(source, goal, prior, run)
    looks = iter([goal.most])
    if drawn.has_pilot:
        pilot = drawn.up_to(_PILOT)
        if drawn.is_late:
            return _best(drawn, 1)
        drawn.slopes = _fit(pilot)
        looks = _looks(2 * _PILOT, goal.most)
    found = None
    for n_looks, target in enumerate(looks, start=1):
        drawn.up_to(target)
        found = _best(drawn, n_looks)
        if drawn.is_late or (goal.tolerance is not None and found.error <= goal.tolerance):
            break
    assert found is not None
    return found


def _looks(first: int, most: int) -> Iterator[int]:
    target = first
    while target < most:
        yield target
        target = int((_GROWTH if target < _MANY else _GROWTH_OF_MANY) * target)
    yield most


@final
class _Drawn:
    """All draws so far, of which controls times slopes are kept."""

    def __init__(self, source: Source, goal: Goal, prior: Prior, run: Run) -> None:
        self.source, self.goal, self.prior, self.run = source, goal, prior, run
        self.size: int = 0
        self.n_blocks: int = 0
        self.is_late: bool = False
        self.slopes: Floats | None = None  # (f, e), once they are fitted
        self.parts: list[Draws] = []  # of each call, of which the first may be the pilot
        is_tolerant = goal.tolerance is not None and goal.bound == "best"
        self.has_pilot: bool = is_tolerant and goal.most >= _WORTH_A_PILOT

    def up_to(self, target: int) -> Draws:
        """Draw until there are ``target`` in all, or the time is over; give the last ones."""
        size, done = target - self.size, self.size

        def progress(share: float) -> None:
            self.run.progress((done + share * size) / self.goal.most)

        run = self.run._replace(progress=progress)
        sample, block = self.source.sample, self.source.block
        try:
            blocks = draw_in_blocks(sample, size, run, block=block, begins_small=not self.parts)
        except OutOfTimeError:
            if not self.parts:
                raise
            self.is_late = True
            return self.parts[-1]
        part = _joined(blocks)
        part = part._replace(values=np.clip(part.values, self.prior.lowest, self.prior.highest))
        no_correction = np.zeros_like(part.values)
        correction = no_correction if self.slopes is None else part.controls @ self.slopes
        self.parts.append(part._replace(controls=correction))
        self.size += len(part.values)
        self.n_blocks += len(blocks)
        is_short = self.size < self.goal.most
        self.is_late = self.size < target or (is_short and run.deadline.is_over)
        return part

    def share(self, n_looks: int) -> float:
        """Part of a risk that is for this number of draws, of all at which drawing may end."""
        if not self.run.deadline.is_set and self.goal.tolerance is None:
            return 1.0
        place = self.n_blocks if self.run.deadline.is_set else n_looks
        return 1.0 / (place * (place + 1))


def _joined(parts: list[Draws]) -> Draws:
    return Draws(*(np.concatenate(arrays) for arrays in zip(*parts, strict=True)))


def _fit(pilot: Draws) -> Floats:
    """Slopes of shape (f, e) that leave the least variance in the pilot."""
    scale = pilot.controls.std(axis=0)
    varies = scale > _NEGLIGIBLE
    controls = pilot.controls[:, varies] / scale[varies]
    values = pilot.values - pilot.values.mean(axis=0)
    controls -= controls.mean(axis=0)
    slopes = np.zeros((len(scale), values.shape[1]))
    slopes[varies] = cast(Floats, np.linalg.lstsq(controls, values, rcond=_NEGLIGIBLE)[0])
    slopes[varies] /= scale[varies, None]
    return slopes


def _best(drawn: _Drawn, n_looks: int) -> Estimate:
    """The estimate with the least error of chance, by bounds that share the risk."""
    draws = _joined(drawn.parts)
    found = [_known_beforehand(drawn, draws)]
    if drawn.goal.bound == "best":
        risk = (1.0 - drawn.goal.confidence) / 2 / (2 if drawn.has_pilot else 1)
        found.append(_by_bets(drawn, draws, None, risk))
        if len(drawn.parts) > 1 and drawn.slopes is not None:
            found.append(_by_bets(drawn, _joined(drawn.parts[1:]), drawn.slopes, risk))
    best = min(found, key=lambda bracket: bracket[4])
    return Estimate(*best, draws.values, drawn.is_late, drawn.share(n_looks))


def _known_beforehand(drawn: _Drawn, draws: Draws) -> _Bracket:
    """The plain mean, with an error that does not look at the draws."""
    goal = drawn.goal
    confidence = prior_confidence(goal.confidence, goal.bound)
    width, author = prior_bound(drawn.prior, goal.most, bound=goal.bound, confidence=confidence)
    width = line_half_width(width, goal.most, drawn.size)
    outer, inner = draws.values.mean(axis=0), draws.inner.mean(axis=0)
    lows, highs = np.minimum(outer, inner) - width, np.maximum(outer, inner) + width
    return outer, lows, highs, np.abs(inner - outer), width, f"{author}'s bound"


def _by_bets(drawn: _Drawn, draws: Draws, slopes: Floats | None, risk: float) -> _Bracket:
    """The mean of values less their corrections, if any, with limits by betting."""
    prior, goal = drawn.prior, drawn.goal
    n_means = draws.values.shape[1]
    horizon = Horizon(goal.most, goal.tolerance, is_hurried=drawn.run.deadline.is_set)
    lows, highs = np.empty(n_means), np.empty(n_means)
    correction = 0.0 if slopes is None else draws.controls
    outer, inner = draws.values - correction, draws.inner - correction
    for at in range(n_means):
        limits = Limits(0.0, 0.0, 0.0) if slopes is None else drawn.source.limits(slopes[:, at])
        bounds = prior.lowest - limits.high, prior.highest - limits.low
        sides = (end(outer[:, at], inner[:, at]) for end in (np.minimum, np.maximum))
        low, high = (np.clip(side, *bounds) for side in sides)
        limit = betting_limits(low, high, bounds, risk / n_means, horizon)
        rest = prior.rest + limits.rest
        lows[at], highs[at] = limit[0] - rest, limit[1] + rest
    means, inner_means = outer.mean(axis=0), inner.mean(axis=0)
    means = np.clip(means, lows, highs)
    error = max(
        float((np.minimum(means, inner_means) - lows).max()),
        float((highs - np.maximum(means, inner_means)).max()),
    )
    name = "the betting bound" + ("" if slopes is None else " with control variates")
    return means, lows, highs, np.abs(inner_means - means), error, name
