"""
The possibility of every value
==============================

With the t-norm min: the values that are at least so possible, level by level.
"""

import numpy as np

import sfumato as sf

rng = np.random.default_rng(1)
truth = np.repeat([0, 1, 2], 10)
degrees = np.clip(np.eye(3)[truth] + 0.5 * rng.random((30, 3)) * (rng.random((30, 3)) < 0.4), 0, 1)
partition = sf.PossibilisticPartition(degrees, t_norm="min")
sf.compare(partition, truth, measure="rand", quantity="distribution").plot(name="possibilistic")
