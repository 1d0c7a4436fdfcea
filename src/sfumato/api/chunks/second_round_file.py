"""What a second round found, as plain arrays."""

import numpy as np

from sfumato.algorithms.moments.counts import CountLaw, n_nodes
from sfumato.algorithms.moments.logarithm_fits import FITS
from sfumato.algorithms.moments.pair_means import ObjectSums, n_features
from sfumato.algorithms.moments.power_sums import LogSums, PowerSums, SpreadSums
from sfumato.api.chunks.stored_arrays import ROUNDING, Arrays, check, check_sizes, integers

__all__ = ["arrays_of_spread", "spread_of"]


def arrays_of_spread(spread: SpreadSums) -> Arrays:
    """Flat arrays by name."""
    found: Arrays = {
        f"spread.{name}": np.ravel(part) for name, part in spread.pairs._asdict().items()
    }
    found["spread.products"] = spread.products.ravel()
    if spread.features is not None:
        found["spread.features"] = spread.features.ravel()
    found |= {f"nodes.{name}": part.ravel() for name, part in spread.nodes._asdict().items()}
    laws = spread.laws
    probabilities = [law.probabilities for law in laws]
    return found | {
        "laws.firsts": np.array([law.first for law in laws], dtype=np.int64),
        "laws.lengths": np.array([len(each) for each in probabilities], dtype=np.int64),
        "laws.probabilities": np.concatenate([np.empty(0), *probabilities]),
        "laws.lost": np.array([law.lost for law in laws], dtype=np.float64),
    }


def spread_of(arrays: Arrays, sums: PowerSums) -> SpreadSums | None:
    """The second round of these arrays, if there was one, after the sums of the first."""
    if "spread.products" not in arrays:
        return None
    found = {
        name.removeprefix("spread."): array.astype(float)
        for name, array in arrays.items()
        if name.startswith("spread.")
    }
    check(all(np.isfinite(array).all() for array in found.values()), "second round")
    pairs = ObjectSums(
        *(found[name].reshape(9) for name in ("linear", "crossed", "own")),
        *(found[name].reshape(()) for name in ("unsure", "unsure_squares")),
    )
    features, (n_rows, n_columns) = found.get("features"), sums.cells[0].shape
    if features is not None:
        features = features.reshape(n_features((n_rows, n_columns), sums.are_hard))
    products = found["products"].reshape(3, 3, 3)
    nodes, laws = _nodes_of(arrays, sums), _laws_of(arrays, sums)
    return SpreadSums(sums.n_objects, pairs, products, features, nodes, laws)


def _nodes_of(arrays: Arrays, sums: PowerSums) -> LogSums:
    rows, columns, fits = (integers(arrays[f"nodes.{name}"]) for name in LogSums._fields[:3])
    scales, totals, logs, slopes = (
        arrays[f"nodes.{name}"].astype(float) for name in LogSums._fields[3:]
    )
    check(len(rows) == len(columns) == len(fits) == len(scales), "counts of nodes")
    for places, size in zip((rows, columns), sums.cells[0].shape, strict=True):
        check((places >= -1) & (places < size), "counts of nodes")
    check((rows >= 0) | (columns >= 0), "counts of nodes")
    numbers = rows * (sums.cells.shape[2] + 1) + columns
    check(len(np.unique(numbers)) == len(numbers), "counts of nodes")
    check((fits >= 0) & (fits < len(FITS)), "fits")
    check((scales >= 1) & (scales <= sums.n_objects), "scales")
    check(len(logs) == len(slopes) == n_nodes(fits).sum(), "nodes")
    for part in (totals, -logs, slopes):
        check_sizes(part, "sums at nodes")
    totals = totals.reshape(3, len(fits))
    off = np.abs(totals[0] - sums.means_of(rows, columns))
    check(off <= ROUNDING * sums.n_objects, "means at nodes")
    return LogSums(rows, columns, fits, scales, totals, logs, slopes)


def _laws_of(arrays: Arrays, sums: PowerSums) -> tuple[CountLaw, ...]:
    firsts, lengths = (integers(arrays[f"laws.{name}"]) for name in ("firsts", "lengths"))
    probabilities, lost = (
        arrays[f"laws.{name}"].astype(float) for name in ("probabilities", "lost")
    )
    n_fuzzy = sums.cells[0].shape[sums.are_hard.index(False)] if sum(sums.are_hard) == 1 else 0
    check(len(firsts) in (0, n_fuzzy), "laws")
    check(len(firsts) == len(lengths) == len(lost) and lengths.sum() == len(probabilities), "laws")
    is_inside = (firsts >= 0) & (lengths >= 1) & (firsts + lengths <= sums.n_objects + 1)
    check(is_inside & (lost >= 0) & (lost <= ROUNDING), "laws")
    check_sizes(probabilities, "laws")
    each = np.split(probabilities, np.cumsum(lengths)[:-1]) if len(lengths) else []
    check(all(abs(float(law.sum()) - 1) <= ROUNDING for law in each), "laws")
    return tuple(map(CountLaw, firsts.tolist(), each, lost.tolist()))
