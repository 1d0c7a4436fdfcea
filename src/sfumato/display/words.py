"""Names of measures and directions in words, for axes, tables and sentences."""

from typing import Literal

__all__ = ["direction", "in_words", "shortened"]

_WORDS = {
    "rand": "Rand index",
    "adjusted_rand": "adjusted Rand index",
    "jaccard": "Jaccard index",
    "dice": "Dice index",
    "fowlkes_mallows": "Fowlkes-Mallows index",
    "v_measure": "V-measure",
    "mutual_information": "mutual information (nats)",
    "variation_of_information": "variation of information (nats)",
}


def in_words(measure: str) -> str:
    """The name of a measure in words; that of another one without underscores.

    Examples
    --------
    >>> in_words("adjusted_rand"), in_words("partition_distance"), in_words("indices.campello")
    ('adjusted Rand index', 'partition distance', 'campello index')
    """
    if measure in _WORDS:
        return _WORDS[measure]
    if measure.startswith("indices."):
        return f"{measure.removeprefix('indices.').replace('_', ' ')} index"
    return measure.replace("_", " ")


def direction(better: Literal["higher", "lower"]) -> str:
    """Which way is better, with an arrow that points there on an axis that grows rightwards.

    Examples
    --------
    >>> direction("higher"), direction("lower")
    ('higher is better →', '← lower is better')
    """
    return "higher is better →" if better == "higher" else "← lower is better"


def shortened(name: str, most: int = 24) -> str:
    """A long name without its middle: names often differ in their first or last letters.

    Examples
    --------
    >>> shortened("evidential c-means with a quadratic penalty", 16)
    'evidenti…penalty'
    """
    if len(name) <= most:
        return name
    tail = (most - 1) // 2
    return f"{name[: most - 1 - tail]}…{name[-tail:]}"
