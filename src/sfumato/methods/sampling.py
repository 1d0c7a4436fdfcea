"""What all sampling methods share: how many draws, and what may be said of them."""

from math import inf

from sfumato.algorithms.concentration import dkw_band, hoeffding_draws, hoeffding_half_width
from sfumato.algorithms.tables.focal import FocalModel
from sfumato.errors import CostError, UnsupportedError
from sfumato.methods.base import Plan, Policy
from sfumato.query import Query

__all__ = [
    "distribution_note",
    "half_width",
    "objects_per_draw",
    "planned_draws",
    "shortfall_notes",
]

_FEWEST_DRAWS = 1000
_MOST_DRAWS = 1e9
_SECONDS_PER_OBJECT = 1e-8


def objects_per_draw(model: FocalModel) -> int:
    """Objects that have a choice, each drawn once or twice per table."""
    return max(1, int(model.masses.counts.sum()) + int(model.fixed.sum()))


def _n_means(query: Query) -> int:
    return 1 if query.is_precise else 2


def _spread(query: Query) -> float:
    lowest, highest = query.bounds
    return highest - lowest


def planned_draws(query: Query, policy: Policy, *, objects: float, default: int) -> int:
    """Draws to make: as asked for, else to reach the tolerance within the budget of objects."""
    if policy.n_samples is not None:
        return int(policy.n_samples)
    draws = default
    if policy.tolerance is not None and query.theory != "rough":
        spread = _spread(query)
        if spread < inf:
            draws = hoeffding_draws(policy.tolerance, spread, policy.confidence, _n_means(query))
        elif policy.max_draws_of_objects == inf:  # the tolerance is a demand, not a wish
            raise UnsupportedError(
                f"{query.measure.name} has no finite range, so no number of draws guarantees a "
                "tolerance: use Sampled(n_samples=...), or quantity='distribution' for quantiles."
            )
    if draws > _MOST_DRAWS and policy.max_draws_of_objects == inf:
        raise CostError(
            f"A tolerance of {policy.tolerance:g} needs {draws:.2g} draws by Hoeffding's "
            f"inequality ({_MOST_DRAWS:.0e} at most): use a larger tolerance, or engine=Exact()."
        )
    affordable = policy.max_draws_of_objects / objects
    return draws if draws <= affordable else max(_FEWEST_DRAWS, int(affordable))


def half_width(query: Query, policy: Policy, n_draws: int) -> float:
    """Error of the mean of that many draws at the confidence of the policy."""
    return hoeffding_half_width(n_draws, _spread(query), policy.confidence, _n_means(query))


def distribution_note(policy: Policy, n_draws: int) -> str:
    """What may be said of an empirical distribution."""
    return (
        f"The distribution is that of {n_draws:,} draws: its cumulative probabilities are within "
        f"{dkw_band(n_draws, policy.confidence):.3g} of the truth at {policy.confidence:.0%}."
    )


def shortfall_notes(plan: Plan, n_draws: int, error: float) -> tuple[str, ...]:
    """Say when fewer draws were made than planned, or the tolerance was not reached."""
    policy = plan.policy
    notes: list[str] = []
    if plan.n_samples is not None and n_draws < plan.n_samples:
        notes.append(
            f"Stopped by max_seconds={policy.max_seconds:g} after {n_draws:,} of "
            f"{plan.n_samples:,} draws, so the result depends on the machine."
        )
    if error == inf:
        notes.append(
            f"{plan.query.measure.name} has no finite range, so no error can be stated for the "
            "mean of the draws."
        )
    elif policy.tolerance is not None and error > policy.tolerance * (1 + 1e-9):
        way_out = (
            "for more draws use engine=Sampled(tolerance=...)"
            if policy.engine == "Auto"
            else "more draws would visit more tables than the budget allows"
        )
        notes.append(
            f"The error {error:.2g} is above the tolerance {policy.tolerance:g}: {way_out}."
        )
    return tuple(notes)
