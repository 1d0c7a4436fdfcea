// Objects whose cell is open, collapsed into types of equal objects.
#pragma once

#include "spans.hpp"

namespace sfumato {

// Type t stands for counts[t] equal objects. Each of them chooses one of its options, the cells
// cells[starts[t]] ... cells[starts[t + 1] - 1], with the weight at the same place: a probability,
// or a possibility.
struct CellChoices {
    Ints counts;
    Ints starts;
    Ints cells;
    Floats weights;
    std::size_t n_cells;

    std::size_t n_types() const { return counts.size(); }
    std::size_t n_options(std::size_t type) const {
        return static_cast<std::size_t>(starts[type + 1] - starts[type]);
    }
    Ints cells_of(std::size_t type) const {
        return cells.subspan(static_cast<std::size_t>(starts[type]), n_options(type));
    }
    Floats weights_of(std::size_t type) const {
        return weights.subspan(static_cast<std::size_t>(starts[type]), n_options(type));
    }
};

}  // namespace sfumato
