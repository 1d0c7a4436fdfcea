"""Drawing one column per row of a matrix of probabilities."""

import numpy as np

from sfumato._typing import Codes, Floats

__all__ = ["draw_columns"]


def draw_columns(probabilities: Floats, generator: np.random.Generator) -> Codes:
    """One column for each row, drawn with the row's probabilities; never one of probability 0.

    Parameters
    ----------
    probabilities : ndarray of shape (n, k)
    generator : numpy.random.Generator

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> draw_columns(np.array([[0.0, 1.0], [1.0, 0.0]]), np.random.default_rng(0)).tolist()
    [1, 0]
    """
    upto = np.cumsum(probabilities, axis=1)
    drawn = (upto <= generator.random(len(upto))[:, None]).sum(axis=1)
    # A row may add up to a little less than 1: what falls beyond goes to its last column in use.
    last = probabilities.shape[1] - 1 - np.argmax(probabilities[:, ::-1] > 0, axis=1)
    return np.minimum(drawn, last).astype(np.int64)
