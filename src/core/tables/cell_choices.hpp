// Objects whose cell is open, collapsed into types of equal objects, and independent parts of them.
//
// Cost: about O(number of options) to find the parts, by union-find.
#pragma once

#include <numeric>

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
    Ints cells_of(std::size_t type) const { return part(cells, starts, type); }
    Floats weights_of(std::size_t type) const { return part(weights, starts, type); }
};

// Types that share cells, directly or through other types, and these cells. The counts of two
// components are independent. Types without objects are left out.
struct Component {
    std::vector<std::size_t> types;
    std::vector<std::size_t> cells;
};

inline std::vector<Component> components(const CellChoices& choices) {
    std::vector<std::size_t> parent(choices.n_cells);
    std::iota(parent.begin(), parent.end(), std::size_t{0});
    const auto root = [&](std::size_t cell) {
        while (parent[cell] != cell) cell = parent[cell] = parent[parent[cell]];
        return cell;
    };
    std::vector<bool> used(choices.n_cells, false);
    for (std::size_t type = 0; type < choices.n_types(); ++type) {
        if (choices.counts[type] == 0) continue;
        const auto cells = choices.cells_of(type);
        for (const std::int64_t cell : cells) {
            used[static_cast<std::size_t>(cell)] = true;
            parent[root(static_cast<std::size_t>(cell))] = root(static_cast<std::size_t>(cells[0]));
        }
    }
    std::vector<Component> found;
    std::vector<std::size_t> component_of(choices.n_cells, 0);  // by root; 0: none yet
    for (std::size_t cell = 0; cell < choices.n_cells; ++cell) {
        if (!used[cell]) continue;
        std::size_t& id = component_of[root(cell)];
        if (id == 0) {
            found.emplace_back();
            id = found.size();
        }
        found[id - 1].cells.push_back(cell);
    }
    for (std::size_t type = 0; type < choices.n_types(); ++type) {
        if (choices.counts[type] == 0) continue;
        const auto cell = static_cast<std::size_t>(choices.cells_of(type)[0]);
        found[component_of[root(cell)] - 1].types.push_back(type);
    }
    return found;
}

}  // namespace sfumato
