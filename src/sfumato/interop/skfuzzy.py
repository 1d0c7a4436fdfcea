"""scikit-fuzzy: memberships of clusters by objects."""

from typing import cast

import numpy as np

from sfumato.errors import InputError
from sfumato.partitions import FuzzyPartition
from sfumato.partitions.reading.checks import as_array, rows_sum_to_one, shown

__all__ = ["from_skfuzzy"]

_MEMBERSHIPS_AT = {7: 1, 6: 0}  # in what cmeans and cmeans_predict return


def from_skfuzzy(result: object) -> FuzzyPartition:
    """The fuzzy partition that scikit-fuzzy found.

    Parameters
    ----------
    result : tuple, or array-like of shape (k, n)
        What ``skfuzzy.cmeans`` or ``cmeans_predict`` returned, or its memberships ``u``, in which
        objects are columns.

    Returns
    -------
    FuzzyPartition

    Raises
    ------
    InputError
        If it is neither, or if rows instead of columns sum to 1.

    Examples
    --------
    >>> from_skfuzzy(np.array([[0.9, 0.2, 0.0], [0.1, 0.8, 1.0]])).n_objects
    3
    """
    if isinstance(result, tuple):
        parts = cast("tuple[object, ...]", result)
        if len(parts) not in _MEMBERSHIPS_AT:
            raise InputError(
                f"result is a tuple of {len(parts)}; skfuzzy.cmeans returns 7 values and "
                "cmeans_predict 6."
            )
        result = parts[_MEMBERSHIPS_AT[len(parts)]]
    memberships = as_array(result, "result")
    if memberships.ndim != 2 or memberships.dtype.kind not in "biuf" or 0 in memberships.shape:
        what = f"shape {memberships.shape}" if memberships.ndim else shown(result)
        raise InputError(f"result must be what skfuzzy.cmeans returns, or its u; got {what}.")
    numbers = memberships.astype(np.float64)
    if rows_sum_to_one(numbers, 1e-5) and not rows_sum_to_one(numbers.T, 1e-5):
        raise InputError(
            "Rows of u sum to 1, so they are objects; scikit-fuzzy has objects in columns: pass "
            "this matrix to as_partition, or its transpose here."
        )
    return FuzzyPartition(memberships.T)
