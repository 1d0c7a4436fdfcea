"""Read draws: labels of draws by objects, and weights of the draws."""

from collections.abc import Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Bools, Floats
from sfumato.errors import CostError, InputError
from sfumato.partitions.reading.checks import as_array, first_true
from sfumato.partitions.reading.inputs import read
from sfumato.partitions.reading.labels import find_missing
from sfumato.partitions.reading.tabular import Column, Table

__all__ = ["MOST_LABELS", "read_draws", "read_weights"]

MOST_LABELS = 4e8
_BYTES_PER_LABEL = 24  # labels, their codes as read, and as they are kept


def read_draws(labels: object) -> Table:
    """Labels of draws by objects, none of them missing, and not too many."""
    found = read(labels, "labels")
    if isinstance(found, Column):
        raise InputError(
            f"labels must be 2-D, draws by objects; got {len(found.values)} entries in one "
            "dimension. One clustering goes into HardPartition."
        )
    if isinstance(labels, list | tuple):
        found = _as_listed(cast("list[Sequence[object]]", labels), found)
    values = found.dense()
    n_labels = float(values.shape[0]) * values.shape[1]
    if n_labels > MOST_LABELS:
        raise CostError(
            f"{values.shape[0]:,} draws of {values.shape[1]:,} objects need about "
            f"{_BYTES_PER_LABEL * n_labels / 1e9:.3g} GB "
            f"({_BYTES_PER_LABEL * MOST_LABELS / 1e9:.3g} GB at most): thin the draws."
        )
    _refuse_missing(values)
    return found


def read_weights(weights: object, n_draws: int) -> Floats:
    """Weights of draws that sum to 1, equal ones if none are given."""
    if weights is None:
        return np.full(n_draws, 1.0 / n_draws)
    given = as_array(weights, "weights")
    if given.shape != (n_draws,) or given.dtype.kind not in "biuf":
        raise InputError(
            f"weights must be {n_draws} numbers, one per draw; got shape {given.shape} of "
            f"{given.dtype}."
        )
    numbers = given.astype(np.float64)
    wrong = ~np.isfinite(numbers) | (numbers < 0)
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InputError(f"weights[{at}] is {numbers[at]:g}: weights are finite and at least 0.")
    largest = float(numbers.max())
    if largest == 0.0:
        raise InputError("All weights are zero: at least one draw must count.")
    numbers /= largest  # sums of huge weights are finite then
    return numbers / numbers.sum()


def _as_listed(rows: "list[Sequence[object]]", found: Table) -> Table:
    """The labels as they are listed, where one dtype for all of them would change some.

    NumPy makes text of nan and of numbers beside text, and floats of huge integers.
    """
    values = found.dense()
    is_text = values.dtype.kind in "US"
    if not is_text and not (values.dtype.kind == "f" and bool((np.abs(values) >= 2**53).any())):
        return found
    listed = [label for row in rows for label in row]
    if all(isinstance(label, str | bytes if is_text else float) for label in listed):
        return found
    boxed = np.empty(len(listed), dtype=object)
    boxed[:] = listed
    return Table(boxed.reshape(values.shape))


def _refuse_missing(values: NDArray[np.generic]) -> None:
    missing = find_missing(values.ravel()).reshape(values.shape)
    if missing.any():
        draw, at = first_true(missing)
        raise InputError(
            f"Draw {draw} has no label for object {at} ({values[draw, at]}): drop that draw, or "
            "the object from all draws."
        )
    if values.dtype.kind == "f":
        numbers = cast(Floats, values)
        fractions: Bools = ~np.isfinite(numbers) | (numbers != np.floor(numbers))
        if fractions.any():
            draw, at = first_true(fractions)
            raise InputError(
                f"Draw {draw}, object {at} is {float(numbers[draw, at])!r}: labels must be whole "
                "numbers. Memberships go into FuzzyPartition."
            )
