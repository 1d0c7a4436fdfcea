"""The ways to answer a question; the planner chooses among them."""

from sfumato.methods.base import Ask, Choose, Method
from sfumato.methods.cheapest_tables import CheapestTables
from sfumato.methods.drawn_law import DrawnLaw
from sfumato.methods.enumerate_tables import EnumerateTables
from sfumato.methods.expectation_bounds import ExpectationBounds
from sfumato.methods.fuzzy_law import FuzzyLaw
from sfumato.methods.hard_value import HardValue
from sfumato.methods.level_sweep import LevelSweep
from sfumato.methods.matching_bracket import MatchingBracket
from sfumato.methods.moments import Moments
from sfumato.methods.ratio_mean import RatioMean
from sfumato.methods.rough_ends import RoughEnds
from sfumato.methods.sample import Sample

__all__ = ["all_methods"]


def all_methods(choose: Choose, ask: Ask) -> tuple[Method, ...]:
    """Every method, in the order of asking.

    What reduces a question to others is given how these are planned and answered.
    """
    return (
        HardValue(),
        DrawnLaw(choose, ask),
        Moments(),
        RatioMean(),
        RoughEnds(),
        ExpectationBounds(),
        LevelSweep(),
        MatchingBracket(),
        EnumerateTables(),
        CheapestTables(),
        FuzzyLaw(),
        Sample(),
    )
