"""Several annotators: how many chose each class."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal, TypeAlias

import numpy as np

from sfumato._typing import Name
from sfumato.errors import InputError
from sfumato.partitions import FuzzyPartition, Partition, RoughPartition
from sfumato.partitions.reading.checks import (
    check_choice,
    check_divisors,
    check_entries,
    given_names,
)
from sfumato.partitions.reading.inputs import read_numbers, read_table
from sfumato.partitions.reading.open_rows import read_memberships, read_vacuous
from sfumato.partitions.reading.reading_options import Missing, Reading

__all__ = ["VoteKind", "from_votes"]

VoteKind: TypeAlias = Literal["fuzzy", "rough"]


def from_votes(
    counts: object,
    *,
    kind: VoteKind = "fuzzy",
    missing: Missing = "raise",
    names: Iterable[Name] | None = None,
) -> Partition:
    """What several annotators say of the class of each object.

    Parameters
    ----------
    counts : array-like of shape (n, k)
        How many annotators chose each class.
    kind : {"fuzzy", "rough"}
        Fuzzy: the share of the votes is the probability of a class, as if one annotator drawn at
        random were right. Rough: where they disagree, any class that got a vote is possible.
    missing : {"raise", "unknown", "drop"}
        What objects without votes are, as in `as_partition`.
    names : sequence of k distinct hashables, optional

    Returns
    -------
    Partition
        Of the kind asked for; evidential if it is fuzzy and something is unknown.

    Examples
    --------
    >>> from_votes([[3, 0], [1, 2]]).memberships.round(2).tolist()
    [[1.0, 0.0], [0.33, 0.67]]
    >>> from_votes([[3, 0], [1, 2]], kind="rough").mask.astype(int).tolist()
    [[1, 0], [1, 1]]
    """
    check_choice(kind, ("fuzzy", "rough"), "kind")
    reading = Reading(missing=missing, normalize=True)
    table = read_table(counts, "counts")
    if names is not None:
        table = replace(table, names=given_names(names))
    votes = read_numbers(table, "counts")
    check_entries(votes, "counts", largest=np.inf)
    with np.errstate(over="ignore"):  # an infinite sum is refused
        totals = votes.sum(axis=1)
    is_silent = totals == 0
    if missing == "raise" and is_silent.any():
        raise InputError(
            f'counts: row {int(np.argmax(is_silent))} has no votes; pass missing="unknown" or '
            '"drop", or leave the object out.'
        )
    check_divisors(np.where(is_silent, 1.0, totals), "counts", "")
    votes[is_silent] = np.nan
    if kind == "rough":
        possible = np.where(is_silent[:, None], np.nan, (votes > 0).astype(np.float64))
        return read_vacuous(replace(table, values=possible), reading, RoughPartition)
    if not is_silent.any():
        return FuzzyPartition(replace(table, values=votes / totals[:, None]))
    return read_memberships(replace(table, values=votes), reading)
