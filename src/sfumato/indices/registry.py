"""The table of contents: every index of the package, and how a name becomes one."""

from functools import partial
from typing import cast

from sfumato._wording import either
from sfumato.errors import InputError
from sfumato.indices.adjusted_concordance import ADJUSTED_CONCORDANCE
from sfumato.indices.anderson import ANDERSON
from sfumato.indices.base import Index
from sfumato.indices.brouwer import BROUWER
from sfumato.indices.campello import CAMPELLO
from sfumato.indices.denoeux import DENOEUX
from sfumato.indices.depaolini import DEPAOLINI
from sfumato.indices.frigui import FRIGUI
from sfumato.indices.frobenius_rand import FROBENIUS_RAND, FUZZY_ADJUSTED_RAND
from sfumato.indices.huellermeier import HUELLERMEIER
from sfumato.indices.pair_brier import PAIR_BRIER
from sfumato.indices.pair_log import PAIR_LOG
from sfumato.indices.soft_mutual_information import SOFT_MUTUAL_INFORMATION
from sfumato.indices.transport_pairs import TRANSPORT_PAIRS
from sfumato.indices.zhou import ZHOU
from sfumato.measures.options import did_you_mean

__all__ = ["INDICES", "as_index"]

INDICES: tuple[Index, ...] = (
    CAMPELLO,
    FRIGUI,
    BROUWER,
    ANDERSON,
    HUELLERMEIER,
    ADJUSTED_CONCORDANCE,
    FROBENIUS_RAND,
    FUZZY_ADJUSTED_RAND,
    DENOEUX,
    DEPAOLINI,
    SOFT_MUTUAL_INFORMATION,
    ZHOU,
    TRANSPORT_PAIRS,
    PAIR_BRIER,
    PAIR_LOG,
)

_BY_NAME = {index.name: index for index in INDICES}


def as_index(given: object) -> Index | None:
    """The index that a name, a function or a partial function stands for; None if none does.

    A name like ``"indices.campelo"`` that no index has is an error.
    """
    if given is None or isinstance(given, Index):
        return given
    if isinstance(given, str):
        return _named(given.removeprefix("indices.")) if given.startswith("indices.") else None
    if isinstance(given, partial):
        bound = cast("partial[object]", given)
        inner = None if bound.args else as_index(bound.func)
        return None if inner is None else inner.with_options(**bound.keywords)
    return next((card for card in INDICES if given in (card.function, card.estimate)), None)


def _named(name: str) -> Index:
    if name not in _BY_NAME:
        raise InputError(
            f"No index is called {name!r}.{did_you_mean(name, _BY_NAME)} "
            f"{either('sfumato.indices.available()', '`sfumato indices`')} lists them."
        )
    return _BY_NAME[name]
