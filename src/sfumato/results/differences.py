"""The difference of two candidates, from what is known of each of them."""

from dataclasses import replace
from typing import TypeAlias, get_args

from sfumato._typing import Guarantee
from sfumato.results.comparison import Comparison

__all__ = ["apart", "narrowed", "sharpened", "weakest"]

_Bracket: TypeAlias = tuple[float, float]

_GUARANTEES: tuple[Guarantee, ...] = get_args(Guarantee)  # the best first


def weakest(*found: Comparison) -> Guarantee:
    """The weakest of some guarantees; exact of none."""
    return _GUARANTEES[max((_GUARANTEES.index(each.guarantee) for each in found), default=0)]


def apart(name: str, a: Comparison, b: Comparison, *, confidence: float) -> Comparison:
    r"""The expectations of the difference where they are differences of expectations.

    .. math:: \underline{E} D = \underline{E} v(A) - \overline{E} v(B), \qquad
              \overline{E} D = \overline{E} v(A) - \underline{E} v(B)

    ``confidence`` is that of both answers together.
    """
    low, high = _ends_apart(a, b)
    draws = [each.n_samples for each in (a, b) if each.n_samples is not None]
    return replace(
        a,
        measure=name,
        lower=a.lower - b.upper,
        upper=a.upper - b.lower,
        is_precise=a.is_precise and b.is_precise,
        lower_bracket=low,
        upper_bracket=high,
        stds=(float("nan"), float("nan")),
        find_std=None,
        guarantee=weakest(a, b),
        method=f"{a.method} - {b.method}",
        confidence=confidence if draws else None,
        n_samples=max(draws, default=None),
        notes=tuple(dict.fromkeys((*a.notes, *b.notes))),
        seconds=a.seconds + b.seconds,
        bounds=(a.bounds[0] - b.bounds[1], a.bounds[1] - b.bounds[0]),
    )


def _ends_apart(a: Comparison, b: Comparison) -> tuple[_Bracket, _Bracket]:
    return (
        (a.lower_bracket[0] - b.upper_bracket[1], a.lower_bracket[1] - b.upper_bracket[0]),
        (a.upper_bracket[0] - b.lower_bracket[1], a.upper_bracket[1] - b.lower_bracket[0]),
    )


def sharpened(found: Comparison, a: Comparison, b: Comparison, *, is_apart: bool) -> Comparison:
    r"""The difference as it was found, no wider than what is known of each candidate allows.

    With D = v(A) - v(B), expectations obey

    .. math:: \underline{E} v(A) - \overline{E} v(B) \le \underline{E} D \le
              \min(\underline{E} v(A) - \underline{E} v(B),
              \overline{E} v(A) - \overline{E} v(B)),

    and the same for the upper end, turned round. On the left both sides are equal if ``is_apart``.
    """
    if found.guarantee == "exact":
        return found
    low, high = _ends_apart(a, b)
    if not is_apart:
        if weakest(a, b) not in ("exact", "certified"):
            return found
        pessimists = a.lower_bracket, b.lower_bracket
        optimists = a.upper_bracket, b.upper_bracket
        low = low[0], min(ours[1] - theirs[0] for ours, theirs in (pessimists, optimists))
        high = max(ours[0] - theirs[1] for ours, theirs in (pessimists, optimists)), high[1]
        return _moved(found, _within(found.lower_bracket, low), _within(found.upper_bracket, high))
    ends = a.lower - b.upper, a.upper - b.lower
    moved = replace(found, lower=ends[0], upper=ends[1], guarantee=weakest(found, a, b))
    return _moved(moved, low, high)


def narrowed(found: Comparison, sure: Comparison) -> Comparison:
    """The difference as it was found, no wider than brackets that surely hold."""
    low = _within(found.lower_bracket, sure.lower_bracket)
    return _moved(found, low, _within(found.upper_bracket, sure.upper_bracket))


def _moved(found: Comparison, low: _Bracket, high: _Bracket) -> Comparison:
    """The same with other brackets, and its ends moved into them."""
    return replace(
        found,
        lower=min(max(found.lower, low[0]), low[1]),
        upper=min(max(found.upper, high[0]), high[1]),
        lower_bracket=low,
        upper_bracket=high,
    )


def _within(likely: _Bracket, sure: _Bracket) -> _Bracket:
    """What two brackets share; the sure one where draws are among the unlucky ones."""
    both = max(likely[0], sure[0]), min(likely[1], sure[1])
    return both if both[0] <= both[1] else sure
