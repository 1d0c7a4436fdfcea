// Two rough clusterings as one problem: types of objects, each with the set of cells it may take.
// The value of a table is
//     G = sum psi(R) + sum psi(C) - 2 sum psi(N).
//
// Letters. Margins: the row sums R, then the column sums C. A_t, B_t: rows and columns of type t.
// Cost: O(cells) per type.
#pragma once

#include <algorithm>
#include <bit>

#include "spans.hpp"

namespace sfumato::both_rough {

// A set of cells as a bit mask. Row i, column j is cell i * n_columns + j.
using Cells = std::uint64_t;

inline bool has(Cells set, std::size_t cell) { return (set >> cell & 1U) != 0; }
inline Cells only(std::size_t cell) { return Cells{1} << cell; }
inline bool is_open(Cells set) { return (set & (set - 1)) != 0; }  // more than one cell
inline std::size_t first(Cells set) { return static_cast<std::size_t>(std::countr_zero(set)); }

// Runs action(cell) over the cells of a set in increasing order.
template <class Action>
void for_each(Cells set, const Action& action) {
    for (; set != 0; set &= set - 1) action(first(set));
}

struct Shape {
    std::size_t n_rows;
    std::size_t n_columns;

    std::size_t n_cells() const { return n_rows * n_columns; }
    std::size_t n_margins() const { return n_rows + n_columns; }  // row sums, then column sums
    std::size_t row(std::size_t cell) const { return cell / n_columns; }
    std::size_t column(std::size_t cell) const { return n_rows + cell % n_columns; }
};

// The cells of A_t x B_t for each type.
inline std::vector<Cells> rectangles(Shape shape, std::span<const std::uint32_t> row_sets,
                                     std::span<const std::uint32_t> column_sets) {
    std::vector<Cells> sets(row_sets.size(), 0);
    for (std::size_t type = 0; type < sets.size(); ++type) {
        for (std::size_t i = 0; i < shape.n_rows; ++i) {
            if ((row_sets[type] >> i & 1U) == 0) continue;
            sets[type] |= static_cast<Cells>(column_sets[type]) << i * shape.n_columns;
        }
    }
    return sets;
}

// One instance: the objects whose cell is certain, and the types that have a choice, the largest
// first.
struct Problem {
    Shape shape;
    std::int64_t n_objects = 0;
    std::vector<std::int64_t> certain;  // by cell
    std::vector<std::int64_t> most;     // by cell: all objects that may be there
    std::vector<Cells> sets;
    std::vector<std::int64_t> counts;

    Problem(Shape shape, std::span<const Cells> all_sets, Ints all_counts)
        : shape(shape), certain(shape.n_cells(), 0), most(shape.n_cells(), 0) {
        std::vector<std::size_t> order;
        for (std::size_t type = 0; type < all_sets.size(); ++type) {
            const std::int64_t count = all_counts[type];
            if (count == 0) continue;
            n_objects += count;
            for_each(all_sets[type], [&](std::size_t cell) { most[cell] += count; });
            if (is_open(all_sets[type])) {
                order.push_back(type);
            } else {
                certain[first(all_sets[type])] += count;
            }
        }
        std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
            return all_counts[left] > all_counts[right];
        });
        for (const std::size_t type : order) {
            sets.push_back(all_sets[type]);
            counts.push_back(all_counts[type]);
        }
    }

    std::size_t n_types() const { return sets.size(); }
};

// The value G of a table; fills in its margins.
template <class Psi>
typename Psi::Number objective(const Psi& psi, Shape shape, Ints table,
                               std::span<std::int64_t> margins) {
    typename Psi::Number inner = 0, outer = 0;
    std::fill(margins.begin(), margins.end(), std::int64_t{0});
    for (std::size_t i = 0, cell = 0; i < shape.n_rows; ++i) {
        for (std::size_t j = 0; j < shape.n_columns; ++j, ++cell) {
            margins[i] += table[cell];
            margins[shape.n_rows + j] += table[cell];
            inner += psi(table[cell]);
        }
    }
    for (const std::int64_t margin : margins) outer += psi.of_margins()(margin);
    return outer - 2 * inner;
}

}  // namespace sfumato::both_rough
