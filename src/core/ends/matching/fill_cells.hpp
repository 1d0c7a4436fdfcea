// A compatible table of two rough clusterings within capacities of the cells:
//     N_c <= capacity_c for all cells c, if there is such a table.
//
// Cost: one breadth-first search, O(types * cells * types), per augmenting path.
#pragma once

#include <algorithm>
#include <utility>

#include "ends/found_end.hpp"
#include "spans.hpp"

namespace sfumato {

// Maximum flow from types to cells along shortest augmenting paths (Edmonds & Karp 1972). Objects
// that find no room go to the first cell of their type. Capacities are not negative.
inline NewGrid<std::int64_t> fill_cells(Sets row_sets, Sets column_sets, Ints counts,
                                        const IntGrid& capacities) {
    constexpr auto none = static_cast<std::size_t>(-1);
    const std::size_t n_types = counts.size(), n_cells = capacities.values.size();
    std::vector<std::int64_t> room(capacities.values.begin(), capacities.values.end());
    std::vector<std::int64_t> waiting(counts.begin(), counts.end()), placed(n_types * n_cells, 0);
    std::vector<std::vector<std::size_t>> cells(n_types);
    for (std::size_t t = 0; t < n_types; ++t) {
        for (std::size_t cell = 0; cell < n_cells; ++cell) {
            const std::size_t i = cell / capacities.shape[1], j = cell % capacities.shape[1];
            if ((row_sets[t] >> i & column_sets[t] >> j & 1U) != 0) cells[t].push_back(cell);
        }
    }
    std::vector<std::size_t> type_before, cell_before, queue;
    const auto push = [&](std::size_t source, std::size_t last) {
        std::int64_t amount = std::min(waiting[source], room[last]);
        for (std::size_t cell = last; type_before[cell] != source;) {
            const std::size_t t = type_before[cell];
            cell = cell_before[t];
            amount = std::min(amount, placed[t * n_cells + cell]);
        }
        waiting[source] -= amount;
        room[last] -= amount;
        for (std::size_t cell = last;;) {
            const std::size_t t = type_before[cell];
            placed[t * n_cells + cell] += amount;
            if (t == source) return;
            cell = cell_before[t];
            placed[t * n_cells + cell] -= amount;
        }
    };
    // Looks for room, starting from a type with waiting objects. A type leads to its cells. A full
    // cell leads to the types that have objects in it: these may move on.
    const auto augment = [&](std::size_t source) {
        type_before.assign(n_cells, none);
        cell_before.assign(n_types, none);
        queue.assign(1, source);
        for (std::size_t head = 0; head < queue.size(); ++head) {
            const std::size_t t = queue[head];
            for (const std::size_t cell : cells[t]) {
                if (type_before[cell] != none) continue;
                type_before[cell] = t;
                if (room[cell] > 0) {
                    push(source, cell);
                    return true;
                }
                for (std::size_t other = 0; other < n_types; ++other) {
                    if (other == source || cell_before[other] != none ||
                        placed[other * n_cells + cell] == 0) {
                        continue;
                    }
                    cell_before[other] = cell;
                    queue.push_back(other);
                }
            }
        }
        return false;
    };
    std::vector<std::int64_t> table(n_cells, 0);
    for (std::size_t t = 0; t < n_types; ++t) {
        while (waiting[t] > 0 && augment(t)) {
        }
    }
    for (std::size_t t = 0; t < n_types; ++t) {
        for (const std::size_t cell : cells[t]) table[cell] += placed[t * n_cells + cell];
        if (waiting[t] > 0) table[cells[t].front()] += waiting[t];
    }
    return {std::move(table), capacities.shape};
}

}  // namespace sfumato
