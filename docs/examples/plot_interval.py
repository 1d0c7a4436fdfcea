"""
An interval with its brackets
=============================

Ambiguity is a bar. Ends that are closed say that nothing lies beyond.
"""

import numpy as np

import sfumato as sf

rng = np.random.default_rng(0)
truth = np.repeat([0, 1, 2], 20)
sets = np.eye(3, dtype=bool)[truth] | (rng.random((60, 3)) < 0.1)
sf.compare(sf.RoughPartition(sets), truth, measure="adjusted_rand").plot(name="rough")
