// The columns of a class of a hard truth with their costs; `class_columns` in Python lists them.
#pragma once

#include <limits>

#include "spans.hpp"

namespace sfumato {

inline constexpr double no_cost = std::numeric_limits<double>::infinity();

// Cheapest first.
struct ClassColumns {
    Ints columns;  // (m, width)
    Floats costs;  // (m,)
    std::size_t width;

    std::size_t size() const { return costs.size(); }
    Ints at(std::size_t which) const { return columns.subspan(which * width, width); }
};

}  // namespace sfumato
