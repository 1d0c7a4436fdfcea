"""Classical soft indices: one number for two partitions, each by its author's name."""

from sfumato.indices.adjusted_concordance import (
    adjusted_concordance,
    estimate_adjusted_concordance,
)
from sfumato.indices.anderson import anderson
from sfumato.indices.base import Estimate, Index
from sfumato.indices.brouwer import brouwer
from sfumato.indices.campello import campello
from sfumato.indices.denoeux import denoeux
from sfumato.indices.depaolini import depaolini
from sfumato.indices.formulas.pair_intervals import ScoreInterval
from sfumato.indices.frigui import frigui
from sfumato.indices.frobenius_rand import frobenius_rand, fuzzy_adjusted_rand
from sfumato.indices.huellermeier import huellermeier
from sfumato.indices.listing import available, index
from sfumato.indices.pair_brier import pair_brier, pair_brier_interval
from sfumato.indices.pair_log import estimate_pair_log, pair_log, pair_log_interval
from sfumato.indices.soft_mutual_information import soft_mutual_information
from sfumato.indices.transport_pairs import transport_pairs
from sfumato.indices.zhou import zhou

__all__ = [
    "Estimate",
    "Index",
    "ScoreInterval",
    "adjusted_concordance",
    "anderson",
    "available",
    "brouwer",
    "campello",
    "denoeux",
    "depaolini",
    "estimate_adjusted_concordance",
    "estimate_pair_log",
    "frigui",
    "frobenius_rand",
    "fuzzy_adjusted_rand",
    "huellermeier",
    "index",
    "pair_brier",
    "pair_brier_interval",
    "pair_log",
    "pair_log_interval",
    "soft_mutual_information",
    "transport_pairs",
    "zhou",
]
