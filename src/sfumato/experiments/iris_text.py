"""Table 1 for reading."""

from textwrap import fill

from sfumato.display.text import duration, interval, table
from sfumato.experiments.iris import AGREES, CLOSE, Cell, TableOne
from sfumato.experiments.iris_fits import FITS

__all__ = ["text"]

_HEADERS = ["", "", "ours", "PD as /n", "paper", "verdict", "guarantee", "time", "paper's"]
_WIDTH = 100


def text(found: TableOne) -> str:
    """The table beside the paper's, what was done, and what sampling loses."""
    verdicts = [cell.verdict for cell in found.cells]
    parts = [
        "Iris: 150 flowers, five algorithms, three clusters against the three species.",
        table(_HEADERS, [_row(cell) for cell in found.cells]),
        _paragraph(
            "D: the distributional measure; S: sampled as the paper does (100 draws; evidential "
            "and possibilistic 100 x 100). RI: Rand index; PD: partition distance, ours divided by "
            "n - 1 as the paper defines it; the printed numbers fit a division by n, so that is "
            "what is compared. Verdict: the worse end differs from the printed one by at most "
            f"{AGREES:g} (agrees), at most {CLOSE:g} (close) or more (differs): "
            + ", ".join(f"{verdicts.count(kind)} {kind}" for kind in ("agrees", "close", "differs"))
            + ". Guarantee: +- is an error that holds with 99% (D) or 95% (S); inner means that "
            "the true interval may be wider."
        ),
        *(_paragraph(f"{fit.name}: {fit.remark}") for fit in FITS),
        _paragraph(
            "The paper's exact values come from enumeration, and its times suggest that some 20 "
            "(FCM), 13 (PCM) and 10 (ECM) flowers were uncertain. In every fit above that is "
            "neither hard nor rough all 150 are."
        ),
        _paragraph(_narrowing(found)),
        f"All of it, fits included, took {duration(found.seconds)}.",
    ]
    return "\n\n".join(parts)


def _row(cell: Cell) -> list[str]:
    is_precise = cell.published.lower == cell.published.upper
    is_first = cell.cell == "D-RI"
    return [
        cell.fit if is_first else "",
        cell.cell,
        interval(cell.lower, cell.upper, is_precise=is_precise),
        interval(*cell.compared, is_precise=is_precise) if cell.cell.endswith("PD") else "",
        interval(*cell.published[:2], is_precise=is_precise, digits=3),
        f"{cell.verdict} ({cell.difference:.4f})",
        _guarantee(cell),
        duration(cell.seconds),
        duration(cell.published.seconds),
    ]


def _guarantee(cell: Cell) -> str:
    if cell.found["guarantee"] == "confidence":
        return f"+-{cell.found['error']:.4f}"
    return str(cell.found["guarantee"])


def _narrowing(found: TableOne) -> str:
    """How much of the true interval nested sampling shows."""
    shares: list[str] = []
    for fit in FITS:
        cells = found.of_fit(fit.name)
        for measure in ("RI", "PD"):
            sampled, true = cells.get(f"S-{measure}"), cells[f"D-{measure}"]
            if sampled is not None and sampled.found["guarantee"] == "inner":
                shares.append(f"{sampled.width / true.width:.0%} ({fit.name}, {measure})")
    return (
        "Nested sampling is narrower than the true interval, however many rough partitions are "
        f"drawn: of its width it shows {', '.join(shares)}."
    )


def _paragraph(words: str) -> str:
    return fill(words, _WIDTH)
