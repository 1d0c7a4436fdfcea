"""Draws against a soft partition: one question for each draw, which is hard."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from sfumato._typing import Floats, Ints
from sfumato.partitions.base import IndependentPartition
from sfumato.partitions.drawn import DrawnPartition
from sfumato.partitions.theories import join, range_is_that_of_supports
from sfumato.question.composite import difference_query, question_of_draw
from sfumato.question.drawn_pair import DrawnPair, check_number_of_draws
from sfumato.question.query import Query

__all__ = ["SingleDraws"]


@final
@dataclass(frozen=True, eq=False)
class SingleDraws:
    """The questions about single draws of what is drawn; some other partition is soft."""

    query: Query
    weights: Floats  # (s,): probabilities of the draws
    sizes: Ints  # (s,): clusters of each draw
    question: Callable[[int], Query]

    @classmethod
    def of(cls, query: Query) -> "SingleDraws":
        """The questions about a drawn partition beside a soft one, or about a drawn candidate."""
        if isinstance(query.a, DrawnPair):
            return cls._of_candidates(query, query.a)
        sides = query.a, query.b
        is_first = isinstance(query.a, DrawnPartition)
        drawn, other = sides if is_first else sides[::-1]
        assert isinstance(drawn, DrawnPartition)
        assert isinstance(other, IndependentPartition)
        draws = drawn.distinct
        hard = drawn.hard(draws.codes[0])
        theory = join(hard, other)
        if query.quantity == "range" and range_is_that_of_supports(hard, other, theory):
            other = other.support().simplest()

        def question(at: int) -> Query:
            hard = drawn.hard(draws.codes[at])
            a, b = (hard, other) if is_first else (other, hard)
            return question_of_draw(query, a, b)

        return cls(query, draws.weights, draws.sizes, question)

    @classmethod
    def _of_candidates(cls, query: Query, pair: DrawnPair) -> "SingleDraws":
        """Two candidates, at least one of them drawn; the truth may be drawn too."""
        truth, measure = query.b, query.measure_of_one
        truths = [truth], np.ones(1)
        if isinstance(truth, DrawnPartition):
            check_number_of_draws(*pair.candidates, truth)
            truths = [truth.hard(codes) for codes in truth.distinct.codes], truth.distinct.weights

        def question(at: int) -> Query:
            place, which = divmod(at, len(truths[0]))
            found = difference_query(*pair.draw(place), truths[0][which], measure, query.quantity)
            return replace(found, notes=())

        sizes = np.outer(pair.sizes, [one.n_clusters for one in truths[0]])
        return cls(query, np.outer(pair.weights, truths[1]).ravel(), sizes.ravel(), question)

    @property
    def hardest(self) -> Query:
        """The question about the draw with most clusters."""
        return self.question(int(np.argmax(self.sizes)))
