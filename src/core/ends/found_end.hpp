// What a search for an end gives back: a table, its value, and a bound.
#pragma once

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "spans.hpp"

namespace sfumato {

using Sets = std::span<const std::uint32_t>;  // bit masks of rows or columns, by type
using Flag = std::span<std::uint8_t>;         // one number, see limits.hpp

// No compatible table has a value beyond the bound. Value and bound are equal if the search was
// finished.
template <class Number>
struct FoundEnd {
    std::vector<std::int64_t> table;
    Number value;
    Number bound;
};

// The same for many instances, whose tables have the same shape.
template <class Number>
struct FoundEnds {
    std::vector<std::int64_t> tables;  // by instance, row and column
    std::vector<Number> values, bounds;

    FoundEnds() = default;
    FoundEnds(std::size_t size, std::size_t n_cells)
        : tables(size * n_cells), values(size), bounds(size) {}

    // All three, the tables with this shape.
    auto in_shape(std::size_t n_rows, std::size_t n_columns) && {
        const std::size_t size = values.size();
        return std::tuple(NewGrid<std::int64_t, 3>{std::move(tables), {size, n_rows, n_columns}},
                          std::move(values), std::move(bounds));
    }

    void set(std::size_t instance, const FoundEnd<Number>& end) {
        std::ranges::copy(end.table, tables.data() + instance * end.table.size());
        values[instance] = end.value;
        bounds[instance] = end.bound;
    }
};

// The most objects of an instance; counts: by instance and type.
inline std::int64_t largest_total(Ints counts, std::size_t n_types) {
    std::int64_t largest = 0;
    for (std::size_t at = 0; at < counts.size(); at += n_types) {
        const auto own = counts.subspan(at, n_types);
        largest = std::max(largest, std::accumulate(own.begin(), own.end(), std::int64_t{0}));
    }
    return largest;
}

}  // namespace sfumato
