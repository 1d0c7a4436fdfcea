"""The experiment beyond Iris, for reading."""

from collections import Counter
from textwrap import fill

import sfumato as sf
from sfumato.display.text import duration, interval, number, table
from sfumato.experiments.extended import DATASETS, ENGINE, EXPONENT, Extended

__all__ = ["text"]

_HEADERS = ["", "measure", "value", "width", "guarantee", "error", "method", "time"]


def text(found: Extended) -> str:
    """One table per data set, and how many answers have which guarantee."""
    parts = [
        fill(
            "k-means, rough k-means (threshold 1.1), fuzzy, possibilistic and evidential c-means "
            f"(exponent {EXPONENT:g}) against the classes, by every measure. "
            f"Estimates aim at an error of {ENGINE.tolerance:g} and stop after "
            f"{ENGINE.max_seconds:g} s; where a single draw is dear, the fewest draws "
            "that are made take longer.",
            100,
        )
    ]
    for dataset in dict.fromkeys(key[0] for key in found.comparisons):
        cells = {key[1:]: one for key, one in found.comparisons.items() if key[0] == dataset}
        guarantees = Counter(one.guarantee for one in cells.values())
        parts += [
            f"{dataset}: {DATASETS[dataset]}",
            table(_HEADERS, [_row(*key, one) for key, one in cells.items()]),
            ", ".join(f"{times} {guarantee}" for guarantee, times in guarantees.most_common())
            + f" in {duration(sum(one.seconds for one in cells.values()))}",
        ]
    parts += [f"warning: {warning}" for warning in found.warned]
    parts.append(f"All of it, fits included, took {duration(found.seconds)}.")
    return "\n\n".join(parts)


def _row(algorithm: str, measure: str, found: sf.Comparison) -> list[str]:
    is_single = found.mean is not None
    return [
        algorithm,
        measure,
        interval(found.lower, found.upper, is_precise=is_single, guarantee=found.guarantee),
        number(found.width),
        found.guarantee,
        "0" if found.is_exact else number(found.error),
        found.method,
        duration(found.seconds),
    ]
