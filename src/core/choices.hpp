// Objects that still have a choice, collapsed into types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace sfumato {

// Type t stands for counts[t] equal objects; each of them adds one to one of the cells
// cells[starts[t]] ... cells[starts[t + 1] - 1], with the weight that stands beside the cell.
struct Choices {
    std::span<const std::int64_t> counts;
    std::span<const std::int64_t> starts;
    std::span<const std::int64_t> cells;
    std::span<const double> weights;
    std::size_t n_cells;

    std::size_t n_types() const { return counts.size(); }
    std::size_t n_options(std::size_t type) const {
        return static_cast<std::size_t>(starts[type + 1] - starts[type]);
    }
    std::span<const std::int64_t> cells_of(std::size_t type) const {
        return cells.subspan(static_cast<std::size_t>(starts[type]), n_options(type));
    }
    std::span<const double> weights_of(std::size_t type) const {
        return weights.subspan(static_cast<std::size_t>(starts[type]), n_options(type));
    }
};

// Types that share no cell, even through others, vary independently: each component lists the
// types and the cells that belong together. Types without objects are left out.
struct Component {
    std::vector<std::size_t> types;
    std::vector<std::size_t> cells;
};

inline std::vector<Component> components(const Choices& choices) {
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
    std::vector<std::size_t> component_of(choices.n_cells, 0);  // by root, counted from one
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
