"""Classical soft indices: one number for two partitions, each by its author's name."""

from sfumato.indices.adjusted_concordance import (
    adjusted_concordance,
    estimate_adjusted_concordance,
)
from sfumato.indices.anderson import anderson
from sfumato.indices.base import Estimate, Index
from sfumato.indices.brouwer import brouwer
from sfumato.indices.campello import campello
from sfumato.indices.frigui import frigui
from sfumato.indices.frobenius_rand import frobenius_rand
from sfumato.indices.fuzzy_adjusted_rand import fuzzy_adjusted_rand
from sfumato.indices.huellermeier import huellermeier
from sfumato.indices.listing import available, index

__all__ = [
    "Estimate",
    "Index",
    "adjusted_concordance",
    "anderson",
    "available",
    "brouwer",
    "campello",
    "estimate_adjusted_concordance",
    "frigui",
    "frobenius_rand",
    "fuzzy_adjusted_rand",
    "huellermeier",
    "index",
]
