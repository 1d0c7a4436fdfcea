"""Find the means of the sums of psi over a random table, and what bounds their higher moments.

`SumMoments` says what is found. For squares the parts of two objects are known too, or bounded; for
x log x what one object adds is bounded by Poisson numbers, and so are all larger parts.
"""

from math import sqrt

import numpy as np

from sfumato._typing import Floats
from sfumato.algorithms.moments.entropies import expected_sums, expected_sums_of_powers
from sfumato.algorithms.moments.fuzzy_table import Counts, FuzzyTable
from sfumato.algorithms.moments.known_moments import SumMoments
from sfumato.algorithms.moments.object_forms import object_forms
from sfumato.algorithms.moments.pair_means import (
    ObjectSums,
    covariance_cost,
    covariance_from_sums,
    object_sums,
    pair_powers,
    powers_of_features,
)
from sfumato.algorithms.moments.poisson_bounds import (
    curved_norm,
    eighth_moment,
    step_means,
    step_squares,
    tangent_points,
)
from sfumato.algorithms.moments.power_sums import PowerSums
from sfumato.families import Psi, xlogx

__all__ = ["object_functions", "sum_moments"]

_MOST_PRODUCTS = 1e8  # for the exact covariances of pair counts
_MOST_COPIED = 1 << 22  # numbers in single precision, for the same


def sum_moments(psi: Psi, table: FuzzyTable) -> SumMoments:
    """Means of the sums of psi over a random table, and bounds of their moments.

    Notes
    -----
    O(n k1 k2), or O(k1 k2) from power sums. For squares the covariances are exact, up to rounding,
    where that takes less than 1e8 multiplications; otherwise the parts of two objects are bounded.
    From power sums all covariances are bounded from above only, unless there was a second round.

    Examples
    --------
    >>> from sfumato.algorithms.moments.fuzzy_table import fuzzy_table
    >>> from sfumato.algorithms.tables.rows import dense_rows, hard_rows
    >>> a, b = dense_rows(np.array([[0.5, 0.5], [1.0, 0.0]])), hard_rows(np.array([0, 0]), 1)
    >>> found = sum_moments("square", fuzzy_table(a, b))
    >>> found.means.tolist(), round(found.variance(np.array([1.0, 0.0, 0.0])), 9)
    ([3.0, 4.0, 3.0], 1.0)
    """
    return _of_squares(table) if psi == "square" else _of_xlogx(table)


def _of_squares(table: FuzzyTable) -> SumMoments:
    rounding = table.rounding
    means = table.sums.pair_means(table.n_objects)
    counts = table.counts
    squares = np.array([float((each.means**2).sum()) for each in counts])
    cubes = np.array([float((each.means**3).sum()) for each in counts]) * _is_random(table)
    functions = object_functions("square", table)
    forms, slope_noise = object_forms(table, *functions, which=slice(1))
    unknown = 2.0 * rounding * cubes**0.5  # the expected counts are rounded too
    rest_form, rest_scale = None, np.zeros(3)
    if table.has_only_sums:
        # An object meets all others but itself: its slopes are less by 2 p, whose variance is at
        # most 4 sum p^3, in all 4 times the squares.
        covariances = forms[0]
        unknown = unknown + 2.0 * np.sqrt(table.sums.own) * _is_random(table)
        rest_form = _pairs_of_objects(table, squares)
        rest_scale = np.sqrt(rest_form.diagonal()) * (1 + 1e-9)
    else:
        found, powers = _over_objects(table)
        if powers is not None:
            covariances = covariance_from_sums(table.sums, found, powers)
        else:
            covariances = found.single_parts()
            rest_form = _pairs_of_objects(table, squares)
            rest_scale = sqrt(8.0 * found.unsure_pairs()) * (1 + 1e-9) * _is_random(table)
    return SumMoments(
        means=means,
        errors=rounding * means,
        covariances=covariances,
        # Sums over pairs are differences of larger sums, at most as large as the means.
        noise=rounding * (np.abs(covariances.diagonal()) + 16.0 * means) * _is_random(table),
        unknown=unknown,
        rest_form=rest_form,
        rest_most=np.outer(rest_scale, rest_scale),
        rest_likely=np.zeros((3, 3)),
        slopes=forms[0],
        slope_noise=slope_noise[0],
        slope_spans=_spans(table, *(each[-1] for each in functions)),
        curved=np.array([_squared_norms(each, rounding) for each in counts]) * _is_random(table),
        only_above=table.has_only_sums,
    )


def _over_objects(table: FuzzyTable) -> tuple[ObjectSums, Floats | None]:
    """What covariances of pair counts need of the objects; the second where it costs little."""
    objects = table.objects
    if isinstance(objects, PowerSums):
        assert objects.spread is not None
        features = objects.spread.features
        powers = None if features is None else powers_of_features(features, objects.are_hard)
        return objects.spread.pairs, powers
    n_copied = sum(len(side.values) for side in objects if side.is_single)
    is_cheap = covariance_cost(*objects) <= _MOST_PRODUCTS and n_copied <= _MOST_COPIED
    return object_sums(*objects, table.sums), pair_powers(*objects) if is_cheap else None


def object_functions(psi: Psi, table: FuzzyTable) -> tuple[Floats, Floats, Floats]:
    """What an object adds to the sums of psi by its row, its column and its cell.

    For squares the slope at the expected count; for x log x the middle of what is possible, and the
    slope. Of shapes (1 or 2, k1), (.., k2) and (.., k1, k2).
    """
    counts = table.counts
    if psi == "square":
        rows, columns, cells = (2.0 * each.means[None] for each in counts)
        return rows, columns, cells
    found = list[Floats]()
    for each in counts:
        both = np.zeros((2, *each.means.shape))
        used = each.means > 0.0
        if each.variances.any():
            both[0, used] = _steps(each.flat)[0]
        both[1, used] = np.log(tangent_points(each.means[used]))
        found.append(both)
    return found[0], found[1], found[2]


def _pairs_of_objects(table: FuzzyTable, squares: Floats) -> Floats:
    """Bound the variance of the parts of two objects by a form of c.

    Squared kernels, summed over all pairs of objects; see `pair_covariance`.
    """
    form = np.full((3, 3), 2.0 * squares[2])
    form[0, 0], form[1, 1] = 2.0 * squares[0], 2.0 * squares[1]
    if table.is_hard:
        form[1, :] = form[:, 1] = 0.0
    return form


def _squared_norms(counts: Counts, rounding: float) -> float:
    """The 4-norms of what squares have above their tangents, the squared distances, added up."""
    norms = eighth_moment(counts.variances) ** 0.125 + rounding * counts.means
    return float((norms**2).sum())


def _of_xlogx(table: FuzzyTable) -> SumMoments:
    objects = table.objects
    means, errors = (
        expected_sums_of_powers(objects, table.rounding)
        if isinstance(objects, PowerSums)
        else expected_sums(*objects)
    )
    counts = table.counts
    unknown, curved = np.zeros((2, 3))
    rest_most = np.zeros((3, 3))
    for at, each in enumerate(counts):
        if each.variances.any():
            flat = each.flat
            _, unknown[at], rest_most[at, at] = _steps(flat)
            curved[at] = float(curved_norm(flat.means, flat.variances).sum())
    _bound_mixed(rest_most, table)
    functions = object_functions("xlogx", table)
    forms, noise = object_forms(table, *functions, which=slice(1, 3))
    return SumMoments(
        means=means,
        errors=errors + 1e-14 * np.abs(means),
        covariances=forms[0],
        noise=noise[0],
        unknown=unknown,
        rest_most=rest_most,
        rest_likely=np.minimum(_likely_rest(table), rest_most),
        single_spans=_spans(table, *(each[0] for each in functions)),
        slopes=forms[1],
        slope_noise=noise[1],
        slope_spans=_spans(table, *(each[-1] for each in functions)),
        curved=curved,
        only_above=table.has_only_sums,
    )


def _steps(counts: Counts) -> tuple[Floats, float, float]:
    r"""What one object adds to the sum of x log x by its count, and how uncertain that is.

    An object with chances p adds :math:`\sum_i 1_i g_i`, where g is known up to :math:`e_i`.
    The variance of :math:`\sum_i 1_i e_i` is at most :math:`\sum p_i e_i^2` and at most
    :math:`2 \sum p_i (1 - p_i) e_i^2`. Larger parts have at most half of the variance that
    is left of the sum of Efron and Stein.
    """
    low, high = step_means(counts.means, counts.largest)

    def norm(squares: Floats) -> float:
        total = min(float(counts.means @ squares), 2.0 * float(counts.variances @ squares))
        return sqrt(total) * (1 + 1e-9)

    spread = counts.variances * step_squares(counts.means, counts.largest)
    return (low + high) / 2, norm(((high - low) / 2) ** 2), norm(spread) ** 2 / 2


def _bound_mixed(rest_most: Floats, table: FuzzyTable) -> None:
    r"""Bound the covariances of the larger parts of the cells and of a margin.

    Let :math:`\gamma_x` be the covariance of two events of an object x, one for each of two counts
    c and d. If all have the same sign, then the larger parts of psi of both counts have a
    covariance between 0 and :math:`\frac 1 2 V^2 q_c q_d`, where :math:`V = \sum \gamma_x` and
    :math:`q^2 \ge E \delta_2^2` without any two objects; see docs/theory.md. A cell with variance v
    and its own row have :math:`|V| \le v`; with all other rows the |V| add up to v at most.
    """
    cells, roots = table.cells, _roots(table.cells)
    for at, margin in ((0, table.rows), (1, table.columns)):
        bound = sqrt(rest_most[at, at] * rest_most[2, 2])
        if bound > 0.0:
            own = _roots(margin)
            others = np.array([np.delete(own, i).max(initial=0.0) for i in range(len(own))])
            mixed = float((cells.variances**2 * roots).sum(axis=1 - at) @ (own + others)) / 2
            bound = min(bound, mixed * (1 + 1e-9))
        rest_most[at, 2] = rest_most[2, at] = bound


def _likely_rest(table: FuzzyTable) -> Floats:
    """The larger parts by second differences at the means, of each count with itself or its row."""
    counts = table.counts
    rows, columns, cells = (
        xlogx(each.means + 2.0) - 2.0 * xlogx(each.means + 1.0) + xlogx(each.means)
        for each in counts
    )
    seconds = zip(counts, (rows, columns, cells), strict=True)
    found = np.diag([float((each.variances**2 * own**2).sum()) for each, own in seconds])
    weights = table.cells.variances**2 * cells
    found[0, 2] = found[2, 0] = float(weights.sum(axis=1) @ rows)
    found[1, 2] = found[2, 1] = float(weights.sum(axis=0) @ columns)
    return found / 2


def _roots(counts: Counts) -> Floats:
    """Roots of the mean squares of second differences, 0 for counts that are always 0."""
    found, used = np.zeros_like(counts.means), counts.means > 0.0
    found[used] = np.sqrt(step_squares(counts.means[used], counts.largest[used]))
    return found


def _spans(table: FuzzyTable, *functions: Floats) -> Floats:
    """From the least to the largest value of each function."""
    counts = table.counts
    pairs = zip(functions, counts, strict=True)
    spans = [float(np.ptp(each[count.means > 0.0])) for each, count in pairs]
    return np.array(spans) * _is_random(table)


def _is_random(table: FuzzyTable) -> Floats:
    """Whether A, B and S are random: 0 or 1 each."""
    return np.array([1.0, 0.0 if table.is_hard else 1.0, 1.0])
