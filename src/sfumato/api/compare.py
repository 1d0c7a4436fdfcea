"""The doors for one comparison: compare and explain."""

from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import cast, get_args

from sfumato._typing import Floats, Name, PartitionLike, Quantity, RandomSource
from sfumato.api.seeds import Seeds
from sfumato.engines import Engine, as_engine
from sfumato.errors import InputError
from sfumato.measures import Measure, as_measure
from sfumato.partitions import IndependentPartition, Partition
from sfumato.partitions.reading.checks import shown
from sfumato.partitions.reading.coerce import read_as
from sfumato.partitions.reading.reading_options import AS_IT_IS, Missing, Noise, Reading
from sfumato.question.plan import Plan
from sfumato.question.query import Query
from sfumato.results.comparison import Comparison
from sfumato.results.expected_table import ExpectedTable

__all__ = ["answer", "check_quantity", "compare", "explain", "question", "with_means"]


def compare(
    a: PartitionLike,
    b: PartitionLike,
    *,
    measure: Measure | str = "rand",
    quantity: Quantity = "expectation",
    engine: Engine | str = "auto",
    rng: RandomSource = None,
    paired: bool = False,
    noise: Noise | None = None,
    noise_label: Name = -1,
    missing: Missing = "raise",
) -> Comparison:
    r"""What is known of a measure between two clusterings, each hard or soft.

    A soft clustering says what is known of an unknown hard one, so the answer is what is known of
    the value: an interval :math:`[\underline{E}, \overline{E}]` of expectations, equal ends for
    hard and fuzzy partitions, [min, max] for rough ones.

    Parameters
    ----------
    a, b : Partition or anything `as_partition` takes
        The candidate and the reference: labels of shape (n,), memberships of shape (n, k), or
        partition objects.
    measure : str or Measure
        See `measures`.
    quantity : {"expectation", "range", "distribution"}
        Lower and upper expectation; smallest and largest value that is not ruled out; or the
        whole distribution, set or mass function of values.
    engine : {"auto", "exact", "closed_form", "bounds", "sampled"} or Engine
    rng : Generator, int or None
        The one source of randomness; a seed gives the same answer on any number of threads.
    paired : bool
        Whether two drawn partitions come from one chain, so that draw i of one goes with draw i of
        the other. Otherwise the two sides are independent.
    noise, noise_label, missing
        What noise and missing labels are on either side, as in `as_partition`, which has further
        options. Dropped objects leave both sides, and a note says how many are left.

    Returns
    -------
    Comparison

    Raises
    ------
    InputError
        If the partitions do not speak of the same objects, or an argument is unknown.
    UnsupportedError
        If no theory joins the two kinds.
    CostError
        If the engine's budget is too small.

    Notes
    -----
    O(n) for two hard partitions; otherwise as `explain` predicts. Defined in
    :cite:`campagner2022distributional`.

    Examples
    --------
    >>> import sfumato as sf
    >>> truth = ["x", "x", "y", "y"]
    >>> candidate = sf.RoughPartition.from_sets([{0}, {0}, {0, 1}, {1}])
    >>> found = sf.compare(candidate, truth)
    >>> found.lower, found.upper, found.guarantee
    (0.5, 1.0, 'exact')
    """
    reading = Reading(noise, noise_label, missing)
    asked = question(a, b, measure, quantity, reading, paired=paired)
    return answer(asked, as_engine(engine), Seeds(rng))


def explain(
    a: PartitionLike,
    b: PartitionLike,
    *,
    measure: Measure | str = "rand",
    quantity: Quantity = "expectation",
    engine: Engine | str = "auto",
    paired: bool = False,
    noise: Noise | None = None,
    noise_label: Name = -1,
    missing: Missing = "raise",
) -> Plan:
    """How `compare` would answer, at what cost and with what guarantee; nothing heavy runs.

    Parameters are those of `compare`.

    Returns
    -------
    Plan
        With ``method``, ``guarantee``, ``tables``, ``bytes``, ``seconds``, ``why``,
        ``alternatives``, and ``then``: the plans that may follow, where a search does not close or
        bounds turn out wide. ``compare(...).method`` is that of the plan or of one of these.

    Examples
    --------
    >>> import sfumato as sf
    >>> sf.explain([0, 0, 1], [0, 1, 1]).method
    'hard_value'
    """
    from sfumato import planner  # loads all methods

    reading = Reading(noise, noise_label, missing)
    asked = question(a, b, measure, quantity, reading, paired=paired)
    return planner.explain(asked, as_engine(engine).policy())


def question(
    a: PartitionLike,
    b: PartitionLike,
    measure: Measure | str,
    quantity: Quantity,
    reading: Reading = AS_IT_IS,
    *,
    paired: bool = False,
) -> Query:
    """What is asked, in the words of users."""
    check_quantity(quantity)
    if not isinstance(cast(object, paired), bool):
        raise InputError(f"paired must be True or False, got {paired!r}.")
    first, second = (read_as(side, None, reading) for side in (a, b))
    return Query.of(first, second, as_measure(measure), quantity, paired=paired)


def check_quantity(quantity: object) -> None:
    """Complain about a quantity that there is not."""
    if not isinstance(quantity, str) or quantity not in get_args(Quantity):
        close = get_close_matches(str(quantity), get_args(Quantity), n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise InputError(
            f"Unknown quantity {shown(quantity)}: pass 'expectation', 'range' or "
            f"'distribution'{hint}."
        )


def answer(query: Query, engine: Engine, seeds: Seeds) -> Comparison:
    """The answer, with the means to find out more about it later."""
    # The methods and their algorithms take longer to load than NumPy: not before they are used.
    from sfumato import planner

    found = planner.answer(query, engine.policy(), partial(seeds.child, 0))
    return with_means(found, query, engine, seeds)


def with_means(found: Comparison, query: Query, engine: Engine, seeds: Seeds) -> Comparison:
    """An answer to a question, with the means to find out more about it later."""
    # Of a drawn side no object has a likeliest cluster.
    sides = [side for side in query.original if isinstance(side, IndependentPartition)]
    return replace(
        found,
        find_hardened=partial(_hardened, query, *sides) if len(sides) == 2 else None,
        find_table=partial(_table, query),
        find_pignistic=partial(_pignistic, query, engine, seeds),
        find_contributions=partial(_contributions, query, found, engine, seeds),
        objects=query.objects,
    )


def _hardened(query: Query, a: IndependentPartition, b: IndependentPartition) -> float | None:
    if a.has_ties() or b.has_ties():
        return None
    hard = Query.of(a.harden(), b.harden(), query.measure, "expectation")
    return answer(hard, as_engine("auto"), Seeds(None)).lower


def _table(query: Query) -> ExpectedTable:
    t_norm = query.t_norm if query.theory == "possibilistic" else None
    return ExpectedTable.of(*query.original, t_norm=t_norm)


def _pignistic(query: Query, engine: Engine, seeds: Seeds) -> float | None:
    first, second = (
        side.pignistic() if isinstance(side, IndependentPartition) else side
        for side in query.original
    )
    fuzzy = Query.of(first, second, query.measure, "expectation")
    return answer(fuzzy, engine, Seeds(seeds.child(1))).mean


def _contributions(query: Query, whole: Comparison, engine: Engine, seeds: Seeds) -> Floats:
    from sfumato.contributions import contributions  # loads all methods

    def compare_sides(a: Partition, b: Partition) -> Comparison:
        other = Query.of(a, b, query.measure, "expectation")
        return answer(other, engine, Seeds(seeds.child(1)))

    return contributions(query, whole, engine.policy(), compare_sides, rng=seeds.child(2))
