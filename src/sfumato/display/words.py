"""Names of measures and directions in words, for axes, tables and sentences."""

import re
from collections.abc import Sequence
from typing import Literal

__all__ = ["direction", "in_words", "legible", "one_line", "short_names", "shortened"]

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
# What neither a page nor a picture can hold: controls, orders to turn the text round, surrogates.
_UNFIT = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


def in_words(measure: str) -> str:
    """The name of a measure in words; that of another one without underscores.

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

    >>> direction("higher"), direction("lower")
    ('higher is better →', '← lower is better')
    """
    return "higher is better →" if better == "higher" else "← lower is better"


def shortened(name: str, most: int = 24) -> str:
    """A long name without its middle: names often differ in their first or last letters.

    >>> shortened("evidential c-means with a quadratic penalty", 16)
    'evidenti…penalty'
    """
    if len(name) <= most:
        return name
    tail = (most - 1) // 2
    return f"{name[: most - 1 - tail]}…{name[-tail:]}"


def legible(text: str) -> str:
    """A text for a page or a picture: what cannot stand there becomes a mark for a lost letter.

    >>> legible("a" + chr(7) + "b")
    'a�b'
    """
    return _UNFIT.sub("\N{REPLACEMENT CHARACTER}", text)


def one_line(name: str) -> str:
    """A name for a label: legible, on one line, without spaces that pictures would drop.

    >>> one_line(" a" + chr(10) + " b")
    'a b'
    """
    return " ".join(legible(name).split())


def short_names(names: Sequence[str], most: int = 24) -> list[str]:
    """Names as in `shortened`, but different ones stay different.

    Where two would become equal, the letters with which they begin alike are left out; what is
    equal even then is numbered.

    >>> short_names(["fuzzy c-means, m = 1.5, of iris", "fuzzy c-means, m = 2.5, of iris"], 20)
    ['…, m = 1.5, of iris', '…, m = 2.5, of iris']
    """
    alike: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        alike.setdefault(shortened(name, most), []).append(name)
    shown: dict[str, str] = {}
    for short, group in alike.items():
        shown |= zip(group, [short] if len(group) == 1 else _apart(group, most), strict=True)
    return [shown[name] for name in names]


def _apart(names: list[str], most: int) -> list[str]:
    letters = zip(*names, strict=False)
    n_alike = next((at for at, each in enumerate(letters) if len(set(each)) > 1), 0)
    start = max(0, n_alike - most // 3)
    tails = [shortened(f"…{name[start:]}", most) for name in names]
    if len(set(tails)) == len(tails):
        return tails
    return [f"{shortened(name, most - 5)} ({at})" for at, name in enumerate(names, start=1)]
