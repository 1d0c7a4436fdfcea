"""
All against all
===============

Similar clusterings stand side by side; a white hole is the width of the interval.
"""

import numpy as np

import sfumato as sf

rng = np.random.default_rng(2)
truth = np.repeat([0, 1, 2], 15)


def blurred(share):
    return (1 - share) * np.eye(3)[truth] + share * rng.dirichlet(np.ones(3), 45)


partitions = {f"blur {share}": blurred(share) for share in (0.2, 0.4, 0.6)}
partitions["sets"] = sf.RoughPartition(blurred(0.6) > 0.15)
partitions["truth"] = truth
sf.pairwise(partitions, measure="rand").plot()
