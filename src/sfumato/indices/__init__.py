"""Classical soft indices: one number for two partitions, each by its author's name."""

from sfumato.indices.base import Estimate, Index
from sfumato.indices.denoeux import denoeux
from sfumato.indices.depaolini import depaolini
from sfumato.indices.frigui import frigui
from sfumato.indices.listing import available, index
from sfumato.indices.pair_brier import pair_brier, pair_brier_interval
from sfumato.indices.pair_intervals import ScoreInterval
from sfumato.indices.pair_log import pair_log, pair_log_estimate, pair_log_interval
from sfumato.indices.soft_mutual_information import soft_mutual_information
from sfumato.indices.transport_pairs import transport_pairs
from sfumato.indices.zhou import zhou

__all__ = [
    "Estimate",
    "Index",
    "ScoreInterval",
    "available",
    "denoeux",
    "depaolini",
    "frigui",
    "index",
    "pair_brier",
    "pair_brier_interval",
    "pair_log",
    "pair_log_estimate",
    "pair_log_interval",
    "soft_mutual_information",
    "transport_pairs",
    "zhou",
]
