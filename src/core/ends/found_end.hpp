// What a search for an end gives back: a table, its value, and a bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sfumato {

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
};

}  // namespace sfumato
