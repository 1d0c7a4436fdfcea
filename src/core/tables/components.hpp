// Independent parts of a population: types that share cells, directly or through other types.
//
// Cost: about O(number of options), by union-find.
#pragma once

#include <numeric>

#include "spans.hpp"
#include "tables/cell_choices.hpp"

namespace sfumato {

// The types and the cells that belong together. The counts of two components are independent. Types
// without objects are left out.
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
