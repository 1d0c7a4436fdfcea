"""Evidential partitions: a mass function over sets of clusters per object."""

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias, final

import numpy as np

from sfumato._arguments import generator_of
from sfumato._typing import Bools, Floats, Ints, Kind, Name, RandomSource
from sfumato.algorithms.tables.group import group_rows
from sfumato.algorithms.tables.ragged import gather, owners_of
from sfumato.algorithms.tables.set_draws import draw_sets
from sfumato.errors import CostError
from sfumato.partitions.base import IndependentPartition, Partition
from sfumato.partitions.fuzzy import FuzzyPartition, draw_columns, has_equal_best
from sfumato.partitions.reading.checks import check_choice, check_names, counted
from sfumato.partitions.reading.focal_sets import (
    check_focal_sets,
    is_list_of_sets,
    read_focal_sets,
    read_mass_rows,
    resolve_empty,
)
from sfumato.partitions.reading.inputs import read_mask, read_table
from sfumato.partitions.rough import RoughPartition
from sfumato.partitions.setlist import SetList, group_mask
from sfumato.partitions.statements import Statements

if TYPE_CHECKING:
    from sfumato.partitions.hard import HardPartition

__all__ = ["Empty", "EvidentialPartition"]

_MOST_MASSES = 1 << 28  # 2 GiB

Empty: TypeAlias = Literal["dempster", "yager", "raise"]


@final
class EvidentialPartition(IndependentPartition):
    r"""Every object carries a mass function over sets of clusters, independently of the others.

    .. math:: m(R) = \prod_x m_x(R(x)), \qquad \sum_A m_x(A) = 1

    Parameters
    ----------
    masses : array-like of shape (n, f)
        Rows sum to 1, within the tolerance of :class:`FuzzyPartition`.
    focal_sets : array-like of shape (f, k), or list of f sets
        True or 1 where the cluster is in the set, or the clusters of each set by name, or by
        number where they have no such names. The empty set may be among them.
    empty : {"dempster", "yager", "raise"}
        What mass on the empty set means: conditioned away object by object, moved to the set of
        all clusters, or refused.
    normalize : bool
        Divide rows by their sums, however large.
    names : sequence of k distinct hashables, optional

    Attributes
    ----------
    masses : ndarray of shape (n, f)
    focal_sets : ndarray of shape (f, k)
        Both without the empty set.
    empty_mass : ndarray of shape (n,)
        Mass of the empty set as it was given.
    empty : str

    Raises
    ------
    InputError
        For rows that do not sum to 1, bad entries, duplicate focal sets, and objects with all
        their mass on the empty set unless ``empty="yager"``.

    Notes
    -----
    Memory n f; of consonant masses only the positive ones are stored. Conditioning each object is
    conditioning the whole on having a compatible hard partition. Defined by Eq. 4
    of :cite:`campagner2022distributional`; see also :cite:`masson2008ecm`.

    Examples
    --------
    >>> EvidentialPartition([[0.5, 0.5], [1.0, 0.0]], [[1, 0], [1, 1]])
    EvidentialPartition(2 objects, 2 clusters, 2 focal sets)
    >>> EvidentialPartition([[0.5, 0.5], [1.0, 0.0]], [{"a"}, {"a", "b"}]).names
    ('a', 'b')
    """

    __slots__ = ("_masses", "_statements", "empty", "empty_mass", "focal_sets")

    kind: ClassVar[Kind] = "evidential"
    focal_sets: Bools
    empty_mass: Floats
    empty: Empty
    _masses: Floats | None
    _statements: Statements | None

    def __init__(
        self,
        masses: object,
        focal_sets: object,
        *,
        empty: Empty = "dempster",
        normalize: bool = False,
        names: Iterable[Name] | None = None,
    ) -> None:
        check_choice(empty, ("dempster", "yager", "raise"), "empty")
        if is_list_of_sets(focal_sets):
            focal_sets, names = read_focal_sets(focal_sets, names)
        sets = read_table(focal_sets, "focal_sets")
        table = read_table(masses, "masses")
        mask = read_mask(sets, "focal_sets")
        check_focal_sets(mask, table.values.shape[1])
        values, rescaled = read_mass_rows(table, normalize=normalize)
        values, mask, empty_mass, conditioned = resolve_empty(values, mask, empty)
        self._make(
            check_names(sets.names if names is None else names, mask.shape[1]),
            len(values),
            table.index,
            (rescaled, conditioned),
            focal_sets=mask,
            empty_mass=empty_mass,
            empty=empty,
            _masses=values,
            _statements=None,
        )

    @classmethod
    def from_statements(
        cls,
        statements: Statements,
        *,
        like: Partition,
        names: tuple[Name, ...] | None = None,
    ) -> "EvidentialPartition":
        """Build from statements about the clusters of another partition, known to be right."""
        return cls._like(
            like,
            names,
            focal_sets=statements.family.to_mask(statements.n_clusters),
            empty_mass=np.zeros(len(statements.codes)),
            empty="dempster",
            _masses=None,
            _statements=statements,
        )

    @classmethod
    def from_sets(
        cls,
        masses: object,
        sets: Iterable[Iterable[Name]],
        *,
        empty: Empty = "dempster",
        normalize: bool = False,
        names: Iterable[Name] | None = None,
    ) -> "EvidentialPartition":
        """Build from masses and focal sets given as collections of cluster names.

        Examples
        --------
        >>> EvidentialPartition.from_sets([[0.5, 0.5]], [{"a"}, {"a", "b"}]).plausibility()
        array([[1. , 0.5]])
        """
        mask, checked = read_focal_sets(sets, names)
        return cls(masses, mask, empty=empty, normalize=normalize, names=checked)

    @property
    def masses(self) -> Floats:
        """Masses of the non-empty focal sets, of shape (n, f)."""
        if self._masses is not None:
            return self._masses
        shape = self.n_objects, len(self.focal_sets)
        if shape[0] * shape[1] > _MOST_MASSES:
            raise CostError(
                f"masses of shape ({shape[0]:,}, {shape[1]:,}) would take "
                f"{8e-9 * shape[0] * shape[1]:.1f} GB (limit {8e-9 * _MOST_MASSES:.1f} GB): "
                "use statements(), which lists the positive ones."
            )
        statements = self.statements()
        rows = np.zeros((statements.n_statements, len(self.focal_sets)))
        rows[statements.owners, statements.sets] = statements.weights
        masses = rows[statements.codes]
        masses.flags.writeable = False
        return masses

    @property
    def is_listed(self) -> bool:
        """Whether the masses are lists of the positive ones, not laid out as a matrix."""
        return self._masses is None

    def mass(self, rough: "RoughPartition | HardPartition") -> float:
        """Mass of a rough partition, matching clusters by name.

        Examples
        --------
        >>> halves = EvidentialPartition([[0.5, 0.5], [1.0, 0.0]], [[1, 0], [1, 1]])
        >>> halves.mass(RoughPartition([[1, 1], [1, 0]]))
        0.5
        """
        clusters = self._places(rough)
        rough = rough.support()  # a hard partition is a special rough one
        mask = np.zeros((len(rough.sets.sizes), self.n_clusters), dtype=bool)
        mask[:, clusters] = rough.sets.to_mask(rough.n_clusters)
        focal = {members.tobytes(): i for i, members in enumerate(self.focal_sets)}
        columns = np.array([focal.get(members.tobytes(), -1) for members in mask])[rough.codes]
        if (columns < 0).any():
            return 0.0
        statements, n_sets = self.statements(), len(self.focal_sets)
        listed = statements.owners * n_sets + statements.sets
        order, wanted = np.argsort(listed), statements.codes * n_sets + columns
        at = order[np.minimum(np.searchsorted(listed, wanted, sorter=order), len(listed) - 1)]
        return float(np.prod(np.where(listed[at] == wanted, statements.weights[at], 0.0)))

    def focal_partitions(
        self, max_partitions: int = 10_000
    ) -> Iterator[tuple[RoughPartition, float]]:
        """Iterate over the rough partitions of positive mass; CostError beyond the allowed number.

        Examples
        --------
        >>> halves = EvidentialPartition([[0.5, 0.5], [1.0, 0.0]], [[1, 0], [1, 1]])
        >>> [mass for _, mass in halves.focal_partitions()]
        [0.5, 0.5]
        """
        statements = self.statements()
        sizes = np.diff(statements.starts)[statements.codes]
        digits = float(np.log10(sizes).sum())
        if digits > 300 or math.prod(sizes.tolist()) > max_partitions:
            raise CostError(
                f"About 1e{digits:.0f} focal rough partitions (max_partitions={max_partitions}); "
                "raise max_partitions or use sample()."
            )
        starts, sets, weights = statements.starts, statements.sets, statements.weights
        entries = [range(starts[code], starts[code + 1]) for code in statements.codes]
        return (
            (
                RoughPartition.trusted(sets[list(chosen)], statements.family, like=self),
                float(np.prod(weights[list(chosen)])),
            )
            for chosen in itertools.product(*entries)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EvidentialPartition):
            return NotImplemented
        if self.names != other.names or not np.array_equal(self.empty_mass, other.empty_mass):
            return False
        numbers: dict[bytes, int] = {}
        return all(
            np.array_equal(own, others)
            for own, others in zip(self._entries(numbers), other._entries(numbers), strict=True)
        )

    def _entries(self, numbers: dict[bytes, int]) -> tuple[Ints, Ints, Floats]:
        """Sets and masses of each object as lists, the sets by common numbers."""
        statements = self.statements()
        number = [
            numbers.setdefault(members.tobytes(), len(numbers)) for members in self.focal_sets
        ]
        starts, entries = gather(statements.starts, statements.codes)
        owners = owners_of(starts)
        sets = np.array(number, dtype=np.int64)[statements.sets[entries]]
        order = np.lexsort((sets, owners))
        return starts, sets[order], statements.weights[entries][order]

    def _fact(self) -> str:
        fact = counted(len(self.focal_sets), "focal set")
        mean = float(self.empty_mass.mean())
        return f"{fact}, mean empty mass {mean:.3g}" if mean > 0 else fact

    def statements(self) -> Statements:
        """The distinct mass functions; computed once."""
        if self._statements is not None:
            return self._statements
        assert self._masses is not None
        codes, first = group_rows(self._masses)
        statements = Statements.from_weights(
            codes, self._masses[first], SetList.from_mask(self.focal_sets), self.n_clusters
        )
        self._fill(_statements=statements)
        return statements

    def simplest(self) -> IndependentPartition:
        """A fuzzy, rough or hard partition if one says the same, else self."""
        has_one_set, is_single = self._shape_of_masses()
        if has_one_set:
            return self.support().simplest()
        return self.pignistic().simplest() if is_single else self

    def _shape_of_masses(self) -> tuple[bool, bool]:
        """Whether every object has one set, and whether all sets are single clusters."""
        if self._masses is None:
            statements = self.statements()
            sizes = statements.family.sizes[statements.sets]
            return bool((np.diff(statements.starts) == 1).all()), bool((sizes == 1).all())
        wide = np.flatnonzero(self.focal_sets.sum(axis=1) > 1)
        return (
            bool((np.count_nonzero(self._masses, axis=1) == 1).all()),
            not any(self._masses[:, column].any() for column in wide),
        )

    @property
    def has_distinct_objects(self) -> bool:
        """Whether most objects have masses of their own, so that collapsing them saves nothing."""
        n_distinct = (
            self.statements().n_statements
            if self._masses is None
            else len(group_rows(self._masses)[1])
        )
        return 2 * n_distinct > self.n_objects

    def to_evidential(self) -> "EvidentialPartition":
        """Return self."""
        return self

    def support(self) -> RoughPartition:
        """The clusters of positive plausibility of each object."""
        codes, sets = group_mask(self.plausibility() > 0)
        return RoughPartition.trusted(codes, sets, like=self)

    def plausibility(self) -> Floats:
        """Mass that does not speak against each cluster, of shape (n, k)."""
        return np.minimum(self._spread(np.ones(len(self.focal_sets))), 1.0)

    def belief(self) -> Floats:
        """Mass that speaks for each cluster alone, of shape (n, k)."""
        return self._spread((self.focal_sets.sum(axis=1) == 1).astype(np.float64))

    def pignistic(self) -> FuzzyPartition:
        """Equal shares of every set's mass for its clusters."""
        shares = 1.0 / self.focal_sets.sum(axis=1)
        return FuzzyPartition.trusted(self._spread(shares), like=self)

    def _spread(self, shares: Floats) -> Floats:
        """Give each cluster of a set its share of the set's mass; one share for each set.

        A matrix product, but added up in the order of the sets: BLAS may treat equal rows
        differently, and ties would then depend on where an object stands.
        """
        if self._masses is None:
            statements = self.statements()
            return statements.spread(shares)[statements.codes]
        spread = np.zeros((self.n_clusters, self.n_objects))
        columns = np.ascontiguousarray(self._masses.T)
        for masses, share, members in zip(columns, shares, self.focal_sets, strict=True):
            spread[np.flatnonzero(members)] += share * masses
        return np.ascontiguousarray(spread.T)

    def harden(self) -> "HardPartition":
        """The most plausible cluster of each object; ties go to the first."""
        return self._hard(np.argmax(self.plausibility(), axis=1))

    def has_ties(self) -> bool:
        """Whether some object has several clusters that are most plausible."""
        return has_equal_best(self.plausibility())

    def sample(self, rng: RandomSource = None) -> RoughPartition:
        """A rough partition drawn with its mass."""
        generator = generator_of(rng)
        if self._masses is None:
            said = self.statements()
            drawn = draw_sets(said.starts, said.sets, said.weights, said.codes, 1, generator)[0]
        else:
            drawn = draw_columns(self._masses, generator)
        return RoughPartition.trusted(drawn, SetList.from_mask(self.focal_sets), like=self)

    def _rows(self, rows: Ints) -> "EvidentialPartition":
        return self._but(
            empty_mass=self.empty_mass[rows],
            _masses=None if self._masses is None else self._masses[rows],
            _statements=self.statements().take(rows) if self._masses is None else None,
        )
