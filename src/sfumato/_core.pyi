# Names of arguments are for the reader: the compiled functions take them by position only.
import numpy as np
from numpy.typing import NDArray

from sfumato._typing import Floats, Ints
from sfumato.algorithms.tables.rows import Rows

class OutOfTimeError(Exception): ...

def arc_weights(p: Floats, q: Floats, t: float) -> Floats: ...
def bound_tables(
    counts: Ints, starts: Ints, cells: Ints, weights: Floats, n_cells: int, max_lost_mass: float
) -> tuple[float, float]: ...
def climb_policy(
    weights: Floats,
    starts: Ints,
    cells: Ints,
    shares: Floats,
    n_rows: int,
    n_columns: int,
    is_largest: bool,
    max_sweeps: int,
) -> Floats: ...
def climb_tables(
    table_starts: Ints,
    starts: Ints,
    places: Ints,
    sent: Ints,
    weights: Floats,
    psi: Floats,
    n_places: int,
    max_sweeps: int,
) -> Ints: ...
def largest_row_bounds(
    table_starts: Ints,
    starts: Ints,
    cells: Ints,
    counts: Ints,
    weights: Floats,
    attained: Floats,
    n_rows: int,
    n_columns: int,
) -> tuple[Floats, Floats, Floats]: ...
def cheapest_tables(
    counts: Ints,
    starts: Ints,
    keys: NDArray[np.uint64],
    costs: Floats,
    limit: float,
    most: int,
) -> tuple[NDArray[np.uint64], Floats, float]: ...
def convolve_moments(
    left: Floats, left_shape: Ints, right: Floats, right_shape: Ints
) -> Floats: ...
def copy_rows(
    values: NDArray[np.float64] | NDArray[np.float32],
    starts: Ints,
    width: int,
    largest: float,
    rounding: float,
    out: Floats,
) -> tuple[bool, int, float, int, float, int]: ...
def count_entropies(
    events: Floats,
    offsets: Ints,
    largest: Floats,
    is_discrete: Floats,
    error: Floats,
    constant: Floats,
    starts: Ints,
    rates: Floats,
    weights: Floats,
) -> tuple[Floats, Floats]: ...
def count_law(events: Floats, negligible: float) -> tuple[int, Floats, float]: ...
def add_count_laws(
    first: int, one: Floats, two: Floats, negligible: float
) -> tuple[int, Floats, float]: ...
def choose_fits(
    means: Floats,
    variances: Floats,
    possible: float,
    largest: Floats,
    is_discrete: Floats,
    error: Floats,
    constant: Floats,
    starts: Ints,
    rates: Floats,
    weights: Floats,
) -> tuple[Ints, Floats]: ...
def count_log_sums(
    events: Floats,
    offsets: Ints,
    means: Floats,
    numbers: Ints,
    scales: Floats,
    largest: Floats,
    is_discrete: Floats,
    error: Floats,
    constant: Floats,
    starts: Ints,
    rates: Floats,
    weights: Floats,
) -> tuple[Floats, Floats, Floats]: ...
def entropies_of_log_sums(
    totals: Floats,
    logs: Floats,
    slopes: Floats,
    numbers: Ints,
    scales: Floats,
    possible: float,
    largest: Floats,
    is_discrete: Floats,
    error: Floats,
    constant: Floats,
    starts: Ints,
    rates: Floats,
    weights: Floats,
) -> tuple[Floats, Floats]: ...
def count_transform(
    events: Floats,
    largest: Floats,
    is_discrete: Floats,
    error: Floats,
    constant: Floats,
    starts: Ints,
    rates: Floats,
    weights: Floats,
) -> tuple[float, float, Floats, Floats, Floats, Floats]: ...
def couple_counts(
    first: Floats, second: Floats, shared: Floats, u: Floats, v: Floats
) -> tuple[Floats, Floats, Floats, Floats]: ...
def couple_counts_in_powers(
    first: Floats, second: Floats, shared: Floats, n_powers: int
) -> Floats: ...

class TableSampler:
    def draw(self, base: Ints, n_draws: int, seed: NDArray[np.uint64]) -> Ints: ...

class ProductSampler:
    def draw(self, n_draws: int, seed: NDArray[np.uint64]) -> Ints: ...

def product_sampler(
    a_starts: Ints,
    a_columns: Ints,
    a_values: Floats,
    a_width: int,
    b_starts: Ints,
    b_columns: Ints,
    b_values: Floats,
    b_width: int,
) -> ProductSampler: ...
def draw_class_counts(
    masses: Floats, classes: Ints, n_classes: int, n_draws: int, seed: NDArray[np.uint64]
) -> Ints: ...
def draw_tables(
    counts: Ints,
    starts: Ints,
    cells: Ints,
    weights: Floats,
    n_cells: int,
    n_repeats: int,
    seed: NDArray[np.uint64],
) -> NDArray[np.int32]: ...
def table_sampler(
    counts: Ints, starts: Ints, cells: Ints, weights: Floats, n_cells: int, n_draws: float
) -> TableSampler: ...
def expected_information(rows: Ints, columns: Ints) -> Floats: ...
def group_rows(rows: NDArray[np.uint8]) -> tuple[Ints, Ints]: ...
def largest_matching(tables: Ints) -> Ints: ...
def level_moves(
    rows: Floats, columns: Floats, row_of: Ints, column_of: Ints, counts: Ints, levels: Floats
) -> tuple[Ints, Ints, Ints, NDArray[np.int32], NDArray[np.int32], Ints]: ...
def counts_at_levels(
    first: Ints,
    starts: Ints,
    before: NDArray[np.int32],
    after: NDArray[np.int32],
    counts: Ints,
    at: Ints,
) -> Ints: ...
def carry_lines(
    first: Ints,
    starts: Ints,
    before: NDArray[np.int32],
    after: NDArray[np.int32],
    counts: Ints,
    types: Ints,
    above: Ints,
    below: Ints,
    costs: Floats,
    n_columns: int,
) -> Floats: ...
def carry_tables(
    first: Ints,
    starts: Ints,
    before: NDArray[np.int32],
    after: NDArray[np.int32],
    counts: Ints,
    types: Ints,
    above: Ints,
    below: Ints,
    entry_starts: Ints,
    entry_types: Ints,
    sent: Ints,
    weights: Floats,
    psi: Floats,
    n_rows: int,
    n_columns: int,
    max_seconds: float,
    stop: NDArray[np.uint8],
) -> Floats: ...
def cells_at_levels(
    first: Ints,
    starts: Ints,
    before: NDArray[np.int32],
    after: NDArray[np.int32],
    counts: Ints,
    types: Ints,
) -> Ints: ...
def limit_time(seconds: float, stop: NDArray[np.uint8]) -> None: ...
def unlimit_time() -> None: ...
def likely_most(
    counts: Ints, starts: Ints, cells: Ints, weights: Floats, n_cells: int, max_lost_mass: float
) -> Ints: ...
def merge_likely(
    counts: Ints, starts: Ints, cells: Ints, weights: Floats, n_cells: int, max_lost_mass: float
) -> tuple[NDArray[np.int32], Floats, float]: ...

merge_max_lukasiewicz = merge_likely
merge_max_min = merge_likely
merge_max_product = merge_likely

def law_of_steps(
    weights: Floats, steps: Ints, drop: float
) -> tuple[Ints, NDArray[np.uint64], Floats, float]: ...
def matching_at_most(
    columns: Ints, costs: Floats, starts: Ints, n_objects: int, limit: float
) -> tuple[Floats, float]: ...
def merge_matchings(
    states: Ints,
    state_masses: Floats,
    columns: Ints,
    column_masses: Floats,
    starts: Ints,
    sources: Ints,
    rows: Ints,
    drop: float,
) -> tuple[Ints, Floats, float]: ...
def pair_count_profile(
    columns: Ints, costs: Floats, starts: Ints, n_objects: int, limit: float, max_steps: float
) -> tuple[Ints, Ints, Floats, float]: ...

pair_difference_profile = pair_count_profile

def pair_feature_sums(a: Rows, b: Rows) -> Floats: ...
def pair_object_sums(
    a: Rows, b: Rows, rows: Floats, columns: Floats, cells: Floats
) -> tuple[list[float], list[float], list[float], float, float]: ...
def pair_powers_by_pairs(a: Rows, b: Rows) -> list[float]: ...
def pair_sums(a: Rows, b: Rows) -> tuple[Floats, Floats, Floats, list[float]]: ...
def class_powers(
    columns: list[Floats] | list[NDArray[np.float32]],
    classes: Ints,
    n_classes: int,
    order: int,
    largest: float,
    rounding: float,
) -> tuple[Floats, bool, float, int]: ...
def tally_pairs(
    a: NDArray[np.int32] | Ints, b: NDArray[np.int32] | Ints, most: int
) -> tuple[int, int, Ints]: ...
def rescale_rows(values: Floats, starts: Ints, width: int, rounding: float) -> None: ...
def reachable_tables(
    counts: Ints, starts: Ints, cells: Ints, weights: Floats, n_cells: int
) -> tuple[NDArray[np.int32], Ints, Ints]: ...
def fill_cells(
    row_sets: NDArray[np.uint32],
    column_sets: NDArray[np.uint32],
    counts: Ints,
    capacities: Ints,
) -> Ints: ...
def largest_match(
    row_sets: NDArray[np.uint32],
    column_sets: NDArray[np.uint32],
    counts: Ints,
    n_rows: int,
    n_columns: int,
    max_nodes: int,
    max_seconds: float,
    stop: NDArray[np.uint8],
) -> tuple[Ints, Ints, Ints]: ...
def largest_match_three(
    row_sets: NDArray[np.uint32],
    classes: Ints,
    counts: Ints,
    n_rows: int,
    n_columns: int,
) -> tuple[Ints, Ints, Ints]: ...
def smallest_match_three(
    row_sets: NDArray[np.uint32],
    classes: Ints,
    counts: Ints,
    n_rows: int,
    n_columns: int,
    max_nodes: int,
) -> tuple[Ints, Ints, Ints]: ...
def hard_truth_far_square(
    row_sets: NDArray[np.uint32],
    classes: Ints,
    counts: Ints,
    weights: Floats,
    n_rows: int,
    n_columns: int,
    is_shared: bool,
    max_nodes: int,
    max_seconds: float,
    stop: NDArray[np.uint8],
) -> tuple[Ints, Floats, Floats]: ...

hard_truth_far_xlogx = hard_truth_far_square
hard_truth_near_square = hard_truth_far_square
hard_truth_near_xlogx = hard_truth_far_square

def both_rough_far_xlogx(
    row_sets: NDArray[np.uint32],
    column_sets: NDArray[np.uint32],
    counts: Ints,
    n_rows: int,
    n_columns: int,
    max_nodes: int,
    threads: int,
    max_seconds: float,
    stop: NDArray[np.uint8],
) -> tuple[Ints, Floats, Floats]: ...

both_rough_near_xlogx = both_rough_far_xlogx

def both_rough_far_weighted(
    row_sets: NDArray[np.uint32],
    column_sets: NDArray[np.uint32],
    counts: Ints,
    weights: Floats,
    n_rows: int,
    n_columns: int,
    max_nodes: int,
    threads: int,
    max_seconds: float,
    stop: NDArray[np.uint8],
) -> tuple[Ints, Floats, Floats]: ...

both_rough_near_weighted = both_rough_far_weighted

def group_order(keys: Ints, masses: Floats, width: int) -> Ints: ...
def merge_keys(
    first_keys: Ints, first_masses: Floats, second_keys: Ints, second_masses: Floats, drop: float
) -> tuple[Ints, Floats, float]: ...
def pair_law(
    rows: Ints,
    starts: Ints,
    totals: Ints,
    masses: Floats,
    counts: Ints,
    column_totals: Ints,
    column_masses: Floats,
    row_weight: int,
    cell_weight: int,
    drop: float,
) -> tuple[Ints, Floats, float]: ...
def value_grid(
    rows: Ints,
    starts: Ints,
    totals: Floats,
    masses: Floats,
    counts: Ints,
    column_totals: Floats,
    column_masses: Floats,
    psi: Floats,
    weights: Floats,
    power: float,
    n_bins: int,
    drop: float,
) -> tuple[Floats, Floats, float, float, float, float]: ...
def relabel_draws(labels: Ints, n_labels: int) -> tuple[NDArray[np.int32], Ints]: ...
def pair_tables(
    rows: NDArray[np.int32], columns: NDArray[np.int32], first: Ints, second: Ints, k: int, l: int
) -> Ints: ...
def losses_by_information(codes: NDArray[np.int32], center: NDArray[np.int32]) -> Floats: ...
def mean_losses_by_information(
    codes: NDArray[np.int32], weights: Floats, candidates: Ints, limit: float, n_threads: int
) -> Floats: ...
def consensus_by_information(
    codes: NDArray[np.int32],
    weights: Floats,
    starts: NDArray[np.int32],
    seeds: NDArray[np.uint64],
    slots: int,
    n_threads: int,
) -> tuple[NDArray[np.int32], Floats]: ...

losses_by_pairs = losses_by_information
mean_losses_by_pairs = mean_losses_by_information
consensus_by_pairs = consensus_by_information
losses_by_adjusted_pairs = losses_by_information
mean_losses_by_adjusted_pairs = mean_losses_by_information
consensus_by_adjusted_pairs = consensus_by_information
