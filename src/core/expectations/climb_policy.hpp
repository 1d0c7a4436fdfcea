// Where random sets send their objects: shares that make the mean of a pair count small or large.
// With N the mean table, a sweep improves
//     F = sum R^2 + sum C^2 - 2 sum N^2
// set by set.
//
// Letters. weights[s]: mean number of objects with set s. shares: how they are divided over the
// cells of the set.
// Cost: O(size of the set), or its square for the largest F, per set and sweep.
#pragma once

#include <algorithm>

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato {

// Moving d objects from cell a to cell b changes F by 2 d (g_b - g_a) + d^2 e, with g = R + C - 2 N
// and e = 0 if a and b differ in both row and column, else -2. So F is concave along a move: it is
// smallest with every set wholly in one cell, and the best d for the largest F is known.
class PolicyClimber {
  public:
    PolicyClimber(Floats weights, Ints starts, Ints cells, std::size_t n_rows,
                  std::size_t n_columns)
        : weights_(weights),
          starts_(starts),
          cells_(cells),
          n_columns_(n_columns),
          rows_(n_rows),
          columns_(n_columns),
          table_(n_rows * n_columns) {}

    std::vector<double> climb(std::vector<double> shares, bool is_largest, std::size_t max_sweeps) {
        for (std::size_t set = 0; set < weights_.size(); ++set) {
            for (std::size_t at = first(set); at < first(set + 1); ++at) {
                add(at, weights_[set] * shares[at]);
            }
        }
        bool is_moving = true;
        for (std::size_t sweep = 0; sweep < max_sweeps && is_moving; ++sweep) {
            is_moving = false;
            for (std::size_t set = 0; set < weights_.size(); ++set) {
                if (set % 64 == 0) allow_interrupt();
                if (first(set + 1) - first(set) < 2 || weights_[set] <= 0.0) continue;
                const bool moved = is_largest ? spread(set, shares) : gather(set, shares);
                is_moving = is_moving || moved;
            }
        }
        return shares;
    }

  private:
    std::size_t first(std::size_t set) const { return static_cast<std::size_t>(starts_[set]); }
    std::size_t cell(std::size_t at) const { return static_cast<std::size_t>(cells_[at]); }
    std::size_t row(std::size_t at) const { return cell(at) / n_columns_; }
    std::size_t column(std::size_t at) const { return cell(at) % n_columns_; }

    void add(std::size_t at, double amount) {
        table_[cell(at)] += amount;
        rows_[row(at)] += amount;
        columns_[column(at)] += amount;
    }

    // g, half the slope of F.
    double slope(std::size_t at) const {
        return rows_[row(at)] + columns_[column(at)] - 2.0 * table_[cell(at)];
    }

    // For the smallest F: puts all objects of the set into the cell where they raise F least.
    bool gather(std::size_t set, std::vector<double>& shares) {
        for (std::size_t at = first(set); at < first(set + 1); ++at) {
            add(at, -weights_[set] * shares[at]);
        }
        std::size_t best = first(set);
        for (std::size_t at = first(set); at < first(set + 1); ++at) {
            if (slope(at) < slope(best)) best = at;
        }
        const bool moved = shares[best] < 1.0;
        for (std::size_t at = first(set); at < first(set + 1); ++at) shares[at] = 0.0;
        shares[best] = 1.0;
        add(best, weights_[set]);
        return moved;
    }

    // For the largest F: moves objects of the set from the cell of the lowest slope to that of the
    // highest.
    bool spread(std::size_t set, std::vector<double>& shares) {
        const double weight = weights_[set];
        bool moved = false;
        for (std::size_t step = 0; step < first(set + 1) - first(set); ++step) {
            std::size_t to = first(set), from = first(set + 1);
            for (std::size_t at = first(set); at < first(set + 1); ++at) {
                if (slope(at) > slope(to)) to = at;
                if (shares[at] > 0.0 && (from == first(set + 1) || slope(at) < slope(from))) {
                    from = at;
                }
            }
            const double gain = slope(to) - slope(from);
            if (from == to || gain <= 1e-9 * weight) break;
            const bool is_straight = row(from) != row(to) && column(from) != column(to);
            double moving = weight * shares[from];
            if (!is_straight) moving = std::min(moving, gain / 2.0);
            add(from, -moving);
            add(to, moving);
            const double share = std::min(shares[from], moving / weight);
            shares[from] -= share;
            shares[to] += share;
            moved = true;
        }
        return moved;
    }

    Floats weights_;
    Ints starts_, cells_;
    std::size_t n_columns_;
    std::vector<double> rows_, columns_, table_;
};

}  // namespace sfumato
