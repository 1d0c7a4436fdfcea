"""Table 1 of the paper, as printed there."""

from typing import NamedTuple

__all__ = ["PUBLISHED", "Published"]


class Published(NamedTuple):
    """One cell: the ends of the value, equal where one number is printed, and its time."""

    lower: float
    upper: float
    seconds: float


# By algorithm and cell: D is the distributional measure, S its sampled version; RI is the Rand
# index, PD the partition distance.
PUBLISHED: dict[str, dict[str, Published]] = {
    "KM": {
        "D-RI": Published(0.877, 0.877, 0.034),
        "D-PD": Published(0.111, 0.111, 0.031),
    },
    "RKM": {
        "D-RI": Published(0.874, 0.886, 0.802),
        "S-RI": Published(0.874, 0.886, 0.429),
        "D-PD": Published(0.099, 0.113, 0.803),
        "S-PD": Published(0.100, 0.113, 0.202),
    },
    "FCM": {
        "D-RI": Published(0.876, 0.876, 784.388),
        "S-RI": Published(0.876, 0.876, 11.266),
        "D-PD": Published(0.112, 0.112, 184.707),
        "S-PD": Published(0.112, 0.112, 11.391),
    },
    "PCM": {
        "D-RI": Published(0.839, 0.941, 979.053),
        "S-RI": Published(0.860, 0.927, 19.848),
        "D-PD": Published(0.033, 0.122, 224.31),
        "S-PD": Published(0.072, 0.103, 13.739),
    },
    "ECM": {
        "D-RI": Published(0.781, 0.944, 1394.69),
        "S-RI": Published(0.681, 0.819, 19.845),
        "D-PD": Published(0.041, 0.229, 431.57),
        "S-PD": Published(0.154, 0.209, 16.424),
    },
}
