"""Shared test set-up: hypothesis is reproducible on continuous integration, patient everywhere.

There fewer examples do, as they are the same every time; elsewhere they are new ones.
"""

import os

import matplotlib
from hypothesis import HealthCheck, settings

matplotlib.use("agg")
settings.register_profile(
    "default", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.register_profile(
    "ci", parent=settings.get_profile("default"), derandomize=True, max_examples=50
)
settings.load_profile("ci" if os.environ.get("CI") else "default")
