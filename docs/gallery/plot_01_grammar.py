"""
How to read the pictures
========================

One glyph tells three kinds of doubt apart. The *bar* is ambiguity: sets of clusters are given, and
nothing says which cluster it is. The pale *band* is partial assignment: the value of a clustering
drawn from the memberships spreads that much. Only more knowledge narrows these two. The ink
*whisker* is the error of the computation, which more time narrows. What is zero is not drawn.
"""

from sfumato.display.known import Known
from sfumato.display.plot import ForestDisplay

# %%
# Caps carry the guarantee: ``|`` holds at a stated confidence, ``[ ]`` for certain, and an arrow
# says that only values that were seen are known, so that the true ends may lie further out.


def row(name, lower, upper, **given):
    """One line of the picture."""
    return Known(name, "", "adjusted_rand", "higher", lower, upper, bounds=(-0.5, 1.0), **given)


rows = [
    row("hard", 0.93, 0.93),
    row("fuzzy, exact", 0.85, 0.85, stds=(0.03, 0.03), hardened=0.9),
    row(
        "fuzzy, drawn",
        0.77,
        0.77,
        stds=(0.05, 0.05),
        brackets=((0.75, 0.79), (0.75, 0.79)),
        guarantee="confidence",
        confidence=0.95,
        hardened=0.86,
    ),
    row("rough", 0.67, 0.77, is_precise=False, is_closed=True, hardened=0.71),
    row(
        "evidential, drawn",
        0.45,
        0.75,
        is_precise=False,
        stds=(0.04, 0.05),
        brackets=((0.43, 0.47), (0.73, 0.77)),
        guarantee="confidence",
        confidence=0.95,
        hardened=0.62,
    ),
    row(
        "evidential, certified",
        0.40,
        0.74,
        is_precise=False,
        brackets=((0.40, 0.43), (0.70, 0.74)),
        guarantee="certified",
        stds=(float("nan"), float("nan")),
    ),
    row(
        "possibilistic, min",
        0.36,
        0.9,
        is_precise=False,
        cuts=((0.25, 0.2, 0.97), (0.5, 0.3, 0.93), (0.75, 0.4, 0.88), (1.0, 0.55, 0.6)),
    ),
    row("rough, attained values", 0.30, 0.35, is_precise=False, guarantee="inner"),
    row(
        "fuzzy, only a range",
        0.2,
        0.3,
        brackets=((0.2, 0.3), (0.2, 0.3)),
        guarantee="certified",
    ),
]
ForestDisplay({"adjusted_rand": rows}).plot()
