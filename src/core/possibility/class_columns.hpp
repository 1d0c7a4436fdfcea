// The columns of a class of a hard truth with their costs; `class_columns` in Python lists them.
#pragma once

#include <limits>

#include "spans.hpp"

namespace sfumato {

inline constexpr double no_cost = std::numeric_limits<double>::infinity();

// Cheapest first.
struct ClassColumns {
    IntGrid columns;  // (m, width)
    Floats costs;     // (m,)

    std::size_t size() const { return costs.size(); }
    Ints at(std::size_t which) const { return columns[which]; }
};

// Of class j: those from starts[j] to starts[j + 1].
inline ClassColumns columns_of(std::size_t j, const IntGrid& columns, Floats costs, Ints starts) {
    const Floats own = part(costs, starts, j);
    const std::size_t width = columns.shape[1];
    const auto first = static_cast<std::size_t>(starts[j]);
    return {{columns.values.subspan(first * width, own.size() * width), {own.size(), width}}, own};
}

}  // namespace sfumato
