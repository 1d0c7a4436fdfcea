"""Estimate means by random draws; draw until the error is small enough."""

import time
from collections.abc import Callable, Iterator
from math import inf
from typing import NamedTuple, cast, final

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.sampling.blocks import Run, draw_in_blocks
from sfumato.algorithms.sampling.concentration import bernstein_half_width
from sfumato.algorithms.sampling.prior import Bound, Prior, prior_bound

__all__ = ["Draws", "Estimate", "Goal", "Source", "estimate_means", "prior_confidence"]

_PILOT = 1024  # draws to fit the control variates
_WORTH_A_PILOT = 4 * _PILOT
_GROWTH = 1.5  # the number of draws grows by this factor between two checks of the error
_INWARD = np.array([1.0, -1.0])  # signs that lead from an outer lower and upper end inwards
_NEGLIGIBLE = 1e-9  # ignore controls that vary less, or that others almost determine


class Draws(NamedTuple):
    """Values of s draws: one column for each of the e means to estimate.

    ``controls`` are quantities of each draw, minus their exact means. A value may lie too far out,
    by at most its entry of ``gaps``.
    """

    values: Floats  # (s, e)
    controls: Floats  # (s, f)
    gaps: Floats  # (s, e)


class Source(NamedTuple):
    """Where draws come from.

    ``sample(size, seed)`` makes draws. ``spread(slopes)`` is an upper bound of the distance from
    the smallest to the largest ``controls @ slopes``. A thread makes ``block`` draws at a time.
    """

    sample: Callable[[int, np.random.SeedSequence], Draws]
    spread: Callable[[Floats], float]
    block: int


class Goal(NamedTuple):
    """When to stop: after ``most`` draws, or when the error is at most ``tolerance``."""

    most: int
    tolerance: float | None
    confidence: float
    bound: Bound


class Estimate(NamedTuple):
    """Means of the columns; with the goal's confidence, all errors are within the half-widths."""

    means: Floats  # (e,)
    half_widths: Floats  # (e,)
    gaps: Floats  # (e,)
    values: Floats  # (s, e)
    is_late: bool  # the time ran out before the goal was met
    bound: str  # the name of the bound that gave the half-widths

    @property
    def error(self) -> float:
        """The largest half-width."""
        return float(self.half_widths.max())


def prior_confidence(confidence: float, bound: Bound) -> float:
    """Confidence of the bound known before drawing, which takes half of the risk.

    The bound from the draws takes the other half.
    """
    return confidence if bound == "hoeffding" else 1.0 - (1.0 - confidence) / 2


def estimate_means(source: Source, goal: Goal, prior: Prior, run: Run) -> Estimate:
    """Draw until the error of the means is at most the tolerance, or until ``goal.most`` draws.

    With a tolerance, control variates correct the values. Their coefficients come from a separate
    set of draws, so the corrected values are independent and unbiased. The error is checked several
    times, by the empirical Bernstein bound. The t-th check takes 1 / (t (t + 1)) of half the risk.
    The other half is for a bound of the plain mean that was known before drawing; it is used after
    ``goal.most`` draws. Where values may lie too far out, the bounds hold for the outer and for the
    attained values.
    """
    tolerance = goal.tolerance
    drawn = _Drawn(source, goal, prior, run)
    looks = iter([goal.most])
    fitted = None
    if tolerance is not None and goal.bound == "best" and goal.most >= _WORTH_A_PILOT:
        fitted = _fit(drawn.up_to(_PILOT))
        looks = _looks(2 * _PILOT, goal.most)
    corrected = _Corrected(source, goal, prior, fitted)
    for target in looks:
        corrected.add(drawn.up_to(target))
        if drawn.is_late or (tolerance is not None and corrected.half_widths.max() <= tolerance):
            break
    return _conclude(goal, prior, drawn, corrected)


def _looks(first: int, most: int) -> Iterator[int]:
    target = first
    while target < most:
        yield target
        target = int(_GROWTH * target)
    yield most


@final
class _Drawn:
    """All draws so far."""

    def __init__(self, source: Source, goal: Goal, prior: Prior, run: Run) -> None:
        self.parts: list[Draws] = []
        self.size, self.most = 0, goal.most
        self.is_late = False
        self._source, self._run = source, run
        self._range = prior.lowest, prior.highest

    def up_to(self, target: int) -> Draws:
        """Draw until there are ``target`` draws, or the time is over; return the new draws."""
        size, done = target - self.size, self.size

        def progress(share: float) -> None:
            self._run.progress((done + share * size) / self.most)

        run = self._run._replace(progress=progress)
        blocks = draw_in_blocks(self._source.sample, size, run, block=self._source.block)
        part = Draws(*(np.concatenate(arrays) for arrays in zip(*blocks, strict=True)))
        part = part._replace(values=np.clip(part.values, *self._range))
        self.parts.append(part)
        self.size += len(part.values)
        is_over = run.deadline is not None and time.monotonic() > run.deadline
        self.is_late = self.size < target or (is_over and self.size < self.most)
        return part


@final
class _Corrected:
    """Values minus their control variates, and the empirical Bernstein bound of their means."""

    def __init__(self, source: Source, goal: Goal, prior: Prior, slopes: Floats | None) -> None:
        self._source, self._goal, self._prior, self._slopes = source, goal, prior, slopes
        self._parts: list[Floats] = []
        self._gaps: list[Floats] = []
        self._looks = 0
        self.means = np.zeros(1)
        self.gaps = np.zeros(1)
        self.half_widths = np.full(1, inf)

    @property
    def has_controls(self) -> bool:
        return self._slopes is not None

    def add(self, part: Draws) -> None:
        """Add draws and check the error."""
        self._looks += 1
        self._parts.append(
            part.values if self._slopes is None else part.values - part.controls @ self._slopes
        )
        self._gaps.append(part.gaps)
        values, gaps = np.concatenate(self._parts), np.concatenate(self._gaps)
        self.means, self.gaps = values.mean(axis=0), gaps.mean(axis=0)
        attained = values + gaps * _INWARD[: values.shape[1]]
        self.half_widths = np.array(
            [
                max(self._half_width(values, at), self._half_width(attained, at))
                for at in range(values.shape[1])
            ]
        )

    def _half_width(self, values: Floats, at: int) -> float:
        if self._goal.bound == "hoeffding" or len(values) < 2:
            return inf
        own = 0.0 if self._slopes is None else self._source.spread(self._slopes[:, at])
        risk = (1.0 - self._goal.confidence) / 2 / (self._looks * (self._looks + 1))
        if self._slopes is None:  # the error is checked only once
            risk *= 2
        return self._prior.rest + bernstein_half_width(
            len(values),
            float(values[:, at].var(ddof=1)),
            self._prior.spread + own,
            1.0 - risk,
            values.shape[1],
        )


def _fit(pilot: Draws) -> Floats:
    """Slopes of shape (f, e) that make the variance of the pilot draws smallest."""
    scale = pilot.controls.std(axis=0)
    varies = scale > _NEGLIGIBLE
    controls = pilot.controls[:, varies] / scale[varies]
    values = pilot.values - pilot.values.mean(axis=0)
    controls -= controls.mean(axis=0)
    slopes = np.zeros((len(scale), values.shape[1]))
    slopes[varies] = cast(Floats, np.linalg.lstsq(controls, values, rcond=_NEGLIGIBLE)[0])
    slopes[varies] /= scale[varies, None]
    return slopes


def _conclude(goal: Goal, prior: Prior, drawn: _Drawn, corrected: _Corrected) -> Estimate:
    values = np.concatenate([part.values for part in drawn.parts])
    means, widths, gaps = corrected.means, corrected.half_widths, corrected.gaps
    note = "the empirical Bernstein bound" + " with control variates" * corrected.has_controls
    if drawn.size == drawn.most or drawn.is_late:  # the end did not depend on the values drawn
        confidence = prior_confidence(goal.confidence, goal.bound)
        width, author = prior_bound(prior, drawn.size, bound=goal.bound, confidence=confidence)
        if width <= widths.max():
            means, widths = values.mean(axis=0), np.full(len(means), width)
            gaps = np.concatenate([part.gaps for part in drawn.parts]).mean(axis=0)
            note = f"{author}'s bound"
    return Estimate(means, widths, gaps, values, drawn.is_late, note)
