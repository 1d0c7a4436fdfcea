// A compatible table of two rough clusterings within capacities of the cells:
//     N_c <= capacity_c for all cells c, if there is such a table.
//
// Cost: one breadth-first search, O(types * cells * types), per augmenting path.
#pragma once

#include <algorithm>

#include "ends/matching/set_types.hpp"
#include "spans.hpp"

namespace sfumato {

// Maximum flow from types to cells along shortest augmenting paths (Edmonds & Karp 1972). Objects
// that find no room go to the first cell of their type. Capacities are not negative.
class CellFiller {
  public:
    CellFiller(const SetTypes& types, Ints counts, Ints capacities)
        : n_cells_(types.n_rows * types.n_columns),
          room_(capacities.begin(), capacities.end()),
          waiting_(counts.begin(), counts.end()),
          placed_(counts.size() * n_cells_, 0),
          cells_(counts.size()) {
        for (std::size_t t = 0; t < counts.size(); ++t) {
            for (std::size_t cell = 0; cell < n_cells_; ++cell) {
                if (types.allow(t, cell / types.n_columns, cell % types.n_columns)) {
                    cells_[t].push_back(cell);
                }
            }
        }
    }

    std::vector<std::int64_t> fill() {
        for (std::size_t t = 0; t < waiting_.size(); ++t) {
            while (waiting_[t] > 0 && augment(t)) {
            }
        }
        std::vector<std::int64_t> table(n_cells_, 0);
        for (std::size_t t = 0; t < waiting_.size(); ++t) {
            for (const std::size_t cell : cells_[t]) table[cell] += placed_[t * n_cells_ + cell];
            if (waiting_[t] > 0) table[cells_[t].front()] += waiting_[t];
        }
        return table;
    }

  private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    // Looks for room, starting from a type with waiting objects. A type leads to its cells. A full
    // cell leads to the types that have objects in it: these may move on.
    bool augment(std::size_t source) {
        type_before_.assign(n_cells_, none);
        cell_before_.assign(waiting_.size(), none);
        queue_.assign(1, source);
        for (std::size_t head = 0; head < queue_.size(); ++head) {
            const std::size_t t = queue_[head];
            for (const std::size_t cell : cells_[t]) {
                if (type_before_[cell] != none) continue;
                type_before_[cell] = t;
                if (room_[cell] > 0) {
                    push(source, cell);
                    return true;
                }
                for (std::size_t other = 0; other < waiting_.size(); ++other) {
                    if (other == source || cell_before_[other] != none ||
                        placed_[other * n_cells_ + cell] == 0) {
                        continue;
                    }
                    cell_before_[other] = cell;
                    queue_.push_back(other);
                }
            }
        }
        return false;
    }

    void push(std::size_t source, std::size_t last) {
        std::int64_t amount = std::min(waiting_[source], room_[last]);
        for (std::size_t cell = last; type_before_[cell] != source;) {
            const std::size_t t = type_before_[cell];
            cell = cell_before_[t];
            amount = std::min(amount, placed_[t * n_cells_ + cell]);
        }
        waiting_[source] -= amount;
        room_[last] -= amount;
        for (std::size_t cell = last;;) {
            const std::size_t t = type_before_[cell];
            placed_[t * n_cells_ + cell] += amount;
            if (t == source) return;
            cell = cell_before_[t];
            placed_[t * n_cells_ + cell] -= amount;
        }
    }

    std::size_t n_cells_;
    std::vector<std::int64_t> room_, waiting_, placed_;
    std::vector<std::vector<std::size_t>> cells_;
    std::vector<std::size_t> type_before_, cell_before_, queue_;
};

}  // namespace sfumato
