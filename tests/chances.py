"""Whether draws follow a law that is known exactly."""

import numpy as np
from scipy.stats import chisquare


def assert_drawn_by(law, drawn, least_p=1e-4):
    """Rows drawn, against the probability of each row, a dictionary over tuples.

    Nothing impossible is drawn, and the likely rows pass a chi-square test. Seeds are fixed: with a
    hundred of such tests none falls below 1e-4 by chance.
    """
    rows, times = np.unique(drawn, axis=0, return_counts=True)
    seen = {tuple(row): count for row, count in zip(rows.tolist(), times, strict=True)}
    assert seen.keys() <= {row for row, mass in law.items() if mass > 0}
    likely = [row for row, mass in law.items() if mass * len(drawn) >= 5]
    observed = np.array([seen.get(row, 0) for row in likely], dtype=float)
    expected = np.array([law[row] for row in likely])
    if len(likely) > 1:
        assert chisquare(observed, expected / expected.sum() * observed.sum()).pvalue > least_p
