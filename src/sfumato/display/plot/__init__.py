"""Draw plain data. Only this package imports matplotlib; importing it says what is missing."""

from sfumato._optional import require

require("matplotlib", extra="plot", needed_by="Drawing")

from sfumato.display.plot.base import Display
from sfumato.display.plot.cluster_sizes import SizesDisplay
from sfumato.display.plot.flow import FlowDisplay
from sfumato.display.plot.forest import ForestDisplay
from sfumato.display.plot.heatmap import PairwiseDisplay
from sfumato.display.plot.law import LawDisplay
from sfumato.display.plot.object_shares import SharesDisplay
from sfumato.display.plot.pbox import PBoxDisplay
from sfumato.display.plot.possibility import PossibilityDisplay
from sfumato.display.plot.ranks import RankingDisplay
from sfumato.display.plot.style import COLOURS, RAMP
from sfumato.display.plot.svg import VARIABLES
from sfumato.display.plot.table import TableDisplay
from sfumato.display.plot.value import ValueDisplay

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
