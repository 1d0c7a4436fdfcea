"""Draw plain data. Only this package imports matplotlib; importing it says what is missing."""

from sfumato._optional import require

require("matplotlib", extra="plot", needed_by="Drawing")

from sfumato.display.plot.base import Display  # noqa: E402
from sfumato.display.plot.cluster_sizes import SizesDisplay  # noqa: E402
from sfumato.display.plot.flow import FlowDisplay  # noqa: E402
from sfumato.display.plot.forest import ForestDisplay  # noqa: E402
from sfumato.display.plot.heatmap import PairwiseDisplay  # noqa: E402
from sfumato.display.plot.law import LawDisplay  # noqa: E402
from sfumato.display.plot.object_shares import SharesDisplay  # noqa: E402
from sfumato.display.plot.pbox import PBoxDisplay  # noqa: E402
from sfumato.display.plot.possibility import PossibilityDisplay  # noqa: E402
from sfumato.display.plot.ranks import RankingDisplay  # noqa: E402
from sfumato.display.plot.style import COLOURS, RAMP  # noqa: E402
from sfumato.display.plot.svg import VARIABLES  # noqa: E402
from sfumato.display.plot.table import TableDisplay  # noqa: E402
from sfumato.display.plot.value import ValueDisplay  # noqa: E402

__all__ = [
    "COLOURS",
    "RAMP",
    "VARIABLES",
    "Display",
    "FlowDisplay",
    "ForestDisplay",
    "LawDisplay",
    "PBoxDisplay",
    "PairwiseDisplay",
    "PossibilityDisplay",
    "RankingDisplay",
    "SharesDisplay",
    "SizesDisplay",
    "TableDisplay",
    "ValueDisplay",
]
