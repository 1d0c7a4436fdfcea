"""The ways to answer a question; the planner chooses among them."""

from sfumato.methods.base import Method
from sfumato.methods.cheapest_tables import CheapestTables
from sfumato.methods.draw_and_solve import DrawAndSolve
from sfumato.methods.draw_at_levels import DrawAtLevels
from sfumato.methods.draw_clusterings import DrawClusterings
from sfumato.methods.draw_possibilities import DrawPossibilities
from sfumato.methods.entropy_moments import EntropyMoments
from sfumato.methods.enumerate_tables import EnumerateTables
from sfumato.methods.expectation_bounds import ExpectationBounds
from sfumato.methods.fuzzy_laws import FuzzyLaws
from sfumato.methods.hard_value import HardValue
from sfumato.methods.information_laws import InformationLaws
from sfumato.methods.level_sweep import LevelSweep
from sfumato.methods.matching_bracket import MatchingBracket
from sfumato.methods.matching_expectation import MatchingExpectation
from sfumato.methods.matching_law import MatchingLaw
from sfumato.methods.nested_sampling import NestedSampling
from sfumato.methods.pair_moments import PairMoments
from sfumato.methods.ratio_mean import RatioMean
from sfumato.methods.rough_ends import RoughEnds
from sfumato.methods.support_bounds import SupportBounds

__all__ = ["METHODS"]

METHODS: tuple[Method, ...] = (
    HardValue(),
    PairMoments(),
    EntropyMoments(),
    RatioMean(),
    RoughEnds(),
    MatchingExpectation(),
    LevelSweep(),
    EnumerateTables(),
    CheapestTables(),
    ExpectationBounds(),
    MatchingLaw(),
    FuzzyLaws(),
    InformationLaws(),
    MatchingBracket(),
    DrawAndSolve(),
    DrawAtLevels(),
    DrawClusterings(),
    DrawPossibilities(),
    NestedSampling(),
    SupportBounds(),
)
