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
inline std::vector<double> climb_policy(Floats weights, Ints starts, Ints cells, Floats old_shares,
                                        std::size_t n_rows, std::size_t n_columns, bool is_largest,
                                        std::size_t max_sweeps) {
    std::vector<double> shares(old_shares.begin(), old_shares.end());
    std::vector<double> rows(n_rows), columns(n_columns), table(n_rows * n_columns);
    const auto cell = [&](std::size_t at) { return static_cast<std::size_t>(cells[at]); };
    const auto row = [&](std::size_t at) { return cell(at) / n_columns; };
    const auto column = [&](std::size_t at) { return cell(at) % n_columns; };
    const auto add = [&](std::size_t at, double amount) {
        table[cell(at)] += amount;
        rows[row(at)] += amount;
        columns[column(at)] += amount;
    };
    // g, half the slope of F.
    const auto slope = [&](std::size_t at) {
        return rows[row(at)] + columns[column(at)] - 2.0 * table[cell(at)];
    };
    // For the smallest F: puts all objects of a set, whose cells are those from `first` to `end`,
    // into the cell where they raise F least.
    const auto gather = [&](double weight, std::size_t first, std::size_t end) {
        for (std::size_t at = first; at < end; ++at) add(at, -weight * shares[at]);
        std::size_t best = first;
        for (std::size_t at = first; at < end; ++at) {
            if (slope(at) < slope(best)) best = at;
        }
        const bool moved = shares[best] < 1.0;
        for (std::size_t at = first; at < end; ++at) shares[at] = 0.0;
        shares[best] = 1.0;
        add(best, weight);
        return moved;
    };
    // For the largest F: moves objects of the set from the cell of the lowest slope to that of the
    // highest.
    const auto spread = [&](double weight, std::size_t first, std::size_t end) {
        bool moved = false;
        for (std::size_t step = first; step < end; ++step) {
            std::size_t to = first, from = end;
            for (std::size_t at = first; at < end; ++at) {
                if (slope(at) > slope(to)) to = at;
                if (shares[at] > 0.0 && (from == end || slope(at) < slope(from))) from = at;
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
    };
    const auto first_of = [&](std::size_t set) { return static_cast<std::size_t>(starts[set]); };
    for (std::size_t set = 0; set < weights.size(); ++set) {
        for (std::size_t at = first_of(set); at < first_of(set + 1); ++at) {
            add(at, weights[set] * shares[at]);
        }
    }
    bool is_moving = true;
    for (std::size_t sweep = 0; sweep < max_sweeps && is_moving; ++sweep) {
        is_moving = false;
        for (std::size_t set = 0; set < weights.size(); ++set) {
            if (set % 64 == 0) allow_interrupt();
            const std::size_t first = first_of(set), end = first_of(set + 1);
            if (end - first < 2 || weights[set] <= 0.0) continue;
            is_moving |=
                is_largest ? spread(weights[set], first, end) : gather(weights[set], first, end);
        }
    }
    return shares;
}

}  // namespace sfumato
