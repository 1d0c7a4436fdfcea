"""The ways to answer a question; the planner chooses among them."""

from sfumato.methods.base import Method
from sfumato.methods.cheapest_tables import CheapestTables
from sfumato.methods.draw_and_solve import DrawAndSolve
from sfumato.methods.draw_at_levels import DrawAtLevels
from sfumato.methods.draw_clusterings import DrawClusterings
from sfumato.methods.draw_possibilities import DrawPossibilities
from sfumato.methods.enumerate_tables import EnumerateTables
from sfumato.methods.expectation_bounds import ExpectationBounds
from sfumato.methods.fuzzy_law import FuzzyLaw
from sfumato.methods.hard_value import HardValue
from sfumato.methods.level_sweep import LevelSweep
from sfumato.methods.matching_bracket import MatchingBracket
from sfumato.methods.moments import Moments
from sfumato.methods.nested_sampling import NestedSampling
from sfumato.methods.ratio_mean import RatioMean
from sfumato.methods.rough_ends import RoughEnds
from sfumato.methods.support_bounds import SupportBounds

__all__ = ["METHODS"]

METHODS: tuple[Method, ...] = (
    HardValue(),
    Moments(),
    RatioMean(),
    RoughEnds(),
    ExpectationBounds(),
    LevelSweep(),
    EnumerateTables(),
    CheapestTables(),
    FuzzyLaw(),
    MatchingBracket(),
    DrawAndSolve(),
    DrawAtLevels(),
    DrawClusterings(),
    DrawPossibilities(),
    NestedSampling(),
    SupportBounds(),
)
