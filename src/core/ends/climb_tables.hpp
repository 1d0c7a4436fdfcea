// Local search for a compatible table with a small value
//     F = w_0 sum psi(R) + w_1 sum psi(C) + w_2 sum psi(N).
// Objects move within their sets of cells while that lowers F. The table found is compatible, but
// there may be a better one.
//
// Letters. Entry: objects that share a list of allowed cells. sent: how many of them are in each
// cell of the list.
// Cost: O(length of the list) per move tried, in at most max_sweeps passes over all entries.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "interrupt.hpp"

namespace sfumato {

// A move takes one object of an entry, or all that it has in a cell, to the best cell of its list.
// psi is given at 0, 1, ..., n.
class TableClimber {
  public:
    TableClimber(std::span<const double> psi, std::size_t n_rows, std::size_t n_columns)
        : psi_(psi),
          n_columns_(n_columns),
          rows_(n_rows),
          columns_(n_columns),
          table_(n_rows * n_columns) {}

    // `starts` are the starts of the entries of one table; `cells` and `sent` hold all tables.
    void climb(std::span<const std::int64_t> starts, std::span<const std::int64_t> cells,
               std::span<std::int64_t> sent, const std::array<double, 3>& weights,
               std::size_t max_sweeps) {
        std::fill(rows_.begin(), rows_.end(), 0);
        std::fill(columns_.begin(), columns_.end(), 0);
        std::fill(table_.begin(), table_.end(), 0);
        weights_ = weights;
        const auto first = static_cast<std::size_t>(starts.front());
        const auto last = static_cast<std::size_t>(starts.back());
        for (std::size_t at = first; at < last; ++at) add(cell(cells[at]), sent[at]);
        bool is_moving = true;
        for (std::size_t sweep = 0; sweep < max_sweeps && is_moving; ++sweep) {
            is_moving = false;
            for (std::size_t entry = 0; entry + 1 < starts.size(); ++entry) {
                if (entry % 64 == 0) allow_interrupt();
                const auto from = static_cast<std::size_t>(starts[entry]);
                const auto size = static_cast<std::size_t>(starts[entry + 1]) - from;
                if (size > 1 && settle(cells.subspan(from, size), sent.subspan(from, size))) {
                    is_moving = true;
                }
            }
        }
    }

  private:
    static constexpr double least_gain = 1e-9;  // a smaller change of F may be rounding

    static std::size_t cell(std::int64_t at) { return static_cast<std::size_t>(at); }

    void add(std::size_t cell, std::int64_t amount) {
        table_[cell] += amount;
        rows_[cell / n_columns_] += amount;
        columns_[cell % n_columns_] += amount;
    }

    double rise(std::int64_t from, std::int64_t amount) const {
        return psi_[static_cast<std::size_t>(from + amount)] - psi_[static_cast<std::size_t>(from)];
    }

    double cost(std::size_t cell, std::int64_t amount) const {
        return weights_[0] * rise(rows_[cell / n_columns_], amount) +
               weights_[1] * rise(columns_[cell % n_columns_], amount) +
               weights_[2] * rise(table_[cell], amount);
    }

    bool settle(std::span<const std::int64_t> cells, std::span<std::int64_t> sent) {
        bool moved = false;
        for (std::size_t at = 0; at < cells.size(); ++at) {
            if (sent[at] > 0 && move(cells, sent, at, sent[at])) moved = true;
            while (sent[at] > 1 && move(cells, sent, at, 1)) moved = true;
        }
        return moved;
    }

    bool move(std::span<const std::int64_t> cells, std::span<std::int64_t> sent, std::size_t from,
              std::int64_t amount) {
        add(cell(cells[from]), -amount);
        std::size_t best = from;
        double least = cost(cell(cells[from]), amount) - least_gain;
        for (std::size_t at = 0; at < cells.size(); ++at) {
            const double own = cost(cell(cells[at]), amount);
            if (own < least) {
                least = own;
                best = at;
            }
        }
        add(cell(cells[best]), amount);
        sent[from] -= amount;
        sent[best] += amount;
        return best != from;
    }

    std::span<const double> psi_;
    std::size_t n_columns_;
    std::array<double, 3> weights_{};
    std::vector<std::int64_t> rows_, columns_, table_;
};

}  // namespace sfumato
