// The near end between two rough clusterings: the smallest
//     G = sum psi(R) + sum psi(C) - 2 sum psi(N)
// over the compatible tables.
//
// Letters. c, d: cells. low, high: the fewest and the most objects that a cell can have at a node.
// Relaxed table: the table that attains a bound.
// Cost: per node a few steps of O(sum of the sizes of all sets); at most max_nodes nodes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "ends/both_rough/problem.hpp"
#include "ends/found_end.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "psi/for_both_rough.hpp"

namespace sfumato::both_rough {

// G is concave along every exchange of objects of one type, so it is smallest at a vertex of the
// compatible tables: there is an order of the cells, and every type goes wholly to the first cell
// of its set in that order. Best-first branch and bound on this order: the decision "c before d"
// takes d out of every set that holds both.
template <class Psi>
class NearSearch {
    using Number = typename Psi::Number;

  public:
    NearSearch(const Psi& psi, const Problem& problem)
        : psi_(psi),
          problem_(problem),
          shape_(problem.shape),
          n_cells_(shape_.n_cells()),
          tolerance_(Psi::tolerance(problem.n_objects)),
          sets_(problem.sets),
          child_sets_(problem.sets),
          low_(n_cells_),
          high_(n_cells_),
          table_(n_cells_),
          relaxed_(n_cells_),
          chosen_(problem.n_types()),
          margins_(shape_.n_margins()),
          corner_slopes_(n_cells_),
          chord_slopes_(n_cells_),
          tangent_slopes_(n_cells_),
          costs_(n_cells_),
          points_(shape_.n_margins()),
          best_points_(shape_.n_margins()) {}

    FoundEnd<double> run(const Limits& limits) {
        start();
        if (problem_.n_types() == 0) return found(best_);
        objective(psi_, shape_, best_table_, margins_);
        for (std::size_t m = 0; m < margins_.size(); ++m) {
            points_[m] = std::max(0.5, static_cast<double>(margins_[m]));
        }
        visit(no_node, 0, 0, psi_.smallest(problem_.n_objects), n_root_steps);
        std::int64_t n_nodes = 0;
        while (!open_.empty()) {
            allow_interrupt();
            const Open top = open_.top();
            if (Psi::is_closed(best_ - top.bound, tolerance_)) break;
            if (limits.reached(n_nodes)) return found(top.bound);
            open_.pop();
            n_nodes += 2;
            restrict_to(top.node);
            const Node node = nodes_[top.node];
            for (const bool is_swapped : {false, true}) {
                const std::size_t before = is_swapped ? node.second : node.first;
                const std::size_t after = is_swapped ? node.first : node.second;
                child_sets_ = sets_;
                for (Cells& set : child_sets_) {
                    if (has(set, before)) set &= ~only(after);
                }
                const auto points = all_points_.begin() +
                                    static_cast<std::ptrdiff_t>(top.node * shape_.n_margins());
                std::copy_n(points, shape_.n_margins(), points_.begin());
                visit(top.node, before, after, top.bound, n_node_steps);
            }
        }
        return found(best_);
    }

  private:
    static constexpr std::size_t no_node = static_cast<std::size_t>(-1);
    static constexpr int n_root_steps = 40, n_node_steps = 6;
    static constexpr int most_sweeps = 100;  // few are needed; rounding might go in circles
    static constexpr int parts = 32;         // two bounds are mixed in 32nds, in whole numbers

    struct Node {
        std::size_t parent;
        std::size_t before, after;  // the decision that made this node
        std::size_t first, second;  // the cells to order next
    };
    struct Open {
        Number bound;
        std::size_t node;

        // The smallest bound first; among equals the newest, which is the deepest.
        bool operator<(const Open& other) const {
            return bound != other.bound ? bound > other.bound : node < other.node;
        }
    };

    FoundEnd<double> found(Number bound) const {
        const auto value = static_cast<double>(best_);
        const bool is_closed = Psi::is_closed(best_ - bound, tolerance_);
        return {best_table_, value, is_closed ? value : Psi::outward_near(bound, tolerance_)};
    }

    void take(Number value) {
        if (value >= best_) return;
        best_ = value;
        best_table_ = table_;
    }

    // Finds first tables by local search from matchings of rows to columns, where every type starts
    // in a matched cell if it has one. Tries all matchings if they are few, else a greedy one and
    // its rotations.
    void start() {
        table_ = problem_.certain;
        for (std::size_t t = 0; t < problem_.n_types(); ++t) {
            chosen_[t] = first(problem_.sets[t]);
            table_[chosen_[t]] += problem_.counts[t];
        }
        best_table_ = table_;
        best_ = objective(psi_, shape_, table_, margins_);
        if (problem_.n_types() == 0) return;
        const std::size_t side = std::max(shape_.n_rows, shape_.n_columns);
        std::vector<std::size_t> partner = greedy_matching(side);
        descend_from(partner);
        if (side <= 4) {
            std::iota(partner.begin(), partner.end(), std::size_t{0});
            do {
                descend_from(partner);
            } while (std::next_permutation(partner.begin(), partner.end()));
        } else {
            for (std::size_t shift = 1; shift < side; ++shift) {
                std::rotate(partner.begin(), partner.begin() + 1, partner.end());
                descend_from(partner);
            }
        }
    }

    // Matches rows to columns, cells with most objects first. A column past the last means none.
    std::vector<std::size_t> greedy_matching(std::size_t side) const {
        std::vector<std::size_t> partner(side, side), order(n_cells_);
        std::vector<bool> is_taken(side, false);
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
            return problem_.most[left] > problem_.most[right];
        });
        for (const std::size_t cell : order) {
            const std::size_t i = cell / shape_.n_columns, j = cell % shape_.n_columns;
            if (partner[i] != side || is_taken[j]) continue;
            partner[i] = j;
            is_taken[j] = true;
        }
        for (std::size_t i = 0, j = 0; i < side; ++i) {
            if (partner[i] != side) continue;
            while (is_taken[j]) ++j;
            partner[i] = j;
            is_taken[j] = true;
        }
        return partner;
    }

    void descend_from(std::span<const std::size_t> partner) {
        Cells matched = 0;
        for (std::size_t i = 0; i < shape_.n_rows; ++i) {
            if (partner[i] < shape_.n_columns) matched |= only(i * shape_.n_columns + partner[i]);
        }
        table_ = problem_.certain;
        for (std::size_t t = 0; t < problem_.n_types(); ++t) {
            const Cells set = problem_.sets[t];
            chosen_[t] = first((set & matched) != 0 ? set & matched : set);
            table_[chosen_[t]] += problem_.counts[t];
        }
        objective(psi_, shape_, table_, margins_);
        for (int sweep = 0; sweep < most_sweeps && move_types(); ++sweep) {
        }
        take(objective(psi_, shape_, table_, margins_));
    }

    // Moves every type to its best cell, one after the other. False if none moved.
    bool move_types() {
        bool has_moved = false;
        for (std::size_t t = 0; t < problem_.n_types(); ++t) {
            const std::int64_t count = problem_.counts[t];
            const std::size_t old = chosen_[t];
            add(old, -count);
            std::size_t best = old;
            Number least = increase(old, count);
            for_each(problem_.sets[t], [&](std::size_t cell) {
                const Number cost = increase(cell, count);
                if (Psi::is_gain(least - cost)) {
                    least = cost;
                    best = cell;
                }
            });
            add(best, count);
            chosen_[t] = best;
            has_moved |= best != old;
        }
        return has_moved;
    }

    void add(std::size_t cell, std::int64_t count) {
        table_[cell] += count;
        margins_[shape_.row(cell)] += count;
        margins_[shape_.column(cell)] += count;
    }

    // How much G grows when objects are added to a cell.
    Number increase(std::size_t cell, std::int64_t count) const {
        const std::int64_t x = table_[cell];
        const std::int64_t r = margins_[shape_.row(cell)], c = margins_[shape_.column(cell)];
        const auto& outer = psi_.of_margins();
        return outer(r + count) - outer(r) + outer(c + count) - outer(c) -
               2 * (psi_(x + count) - psi_(x));
    }

    // Finds the sets of a node by the decisions on the way from the root, oldest first.
    void restrict_to(std::size_t node) {
        path_.clear();
        for (; nodes_[node].parent != no_node; node = nodes_[node].parent) path_.push_back(node);
        sets_ = problem_.sets;
        for (Cells& set : sets_) {
            for (auto step = path_.rbegin(); step != path_.rend() && is_open(set); ++step) {
                if (has(set, nodes_[*step].before)) set &= ~only(nodes_[*step].after);
            }
        }
    }

    // Bounds a node, and keeps it unless it cannot hold a better table.
    void visit(std::size_t parent, std::size_t before, std::size_t after, Number parent_bound,
               int n_steps) {
        const bool is_open_node = measure_cells();
        const Number certain = objective(psi_, shape_, low_, margins_);
        if (!is_open_node) {
            table_ = low_;
            take(certain);
            return;
        }
        Number bound = std::max(parent_bound, corner_bound(certain));
        if constexpr (Psi::grows) bound = std::max(bound, certain);  // objects are only added
        if (Psi::is_closed(best_ - bound, tolerance_)) return;
        bound = std::max(bound, mixed_bound(certain, bound, n_steps));
        if (Psi::is_closed(best_ - bound, tolerance_)) return;
        const auto [c, d] = choose_order();
        open_.push({bound, nodes_.size()});
        nodes_.push_back({parent, before, after, c, d});
        all_points_.insert(all_points_.end(), best_points_.begin(), best_points_.end());
    }

    // Finds the fewest and the most objects of each cell. False if every type is decided.
    bool measure_cells() {
        low_ = problem_.certain;
        bool is_undecided = false;
        for (std::size_t t = 0; t < child_sets_.size(); ++t) {
            if (!is_open(child_sets_[t])) low_[first(child_sets_[t])] += problem_.counts[t];
        }
        high_ = low_;
        for (std::size_t t = 0; t < child_sets_.size(); ++t) {
            if (!is_open(child_sets_[t])) continue;
            is_undecided = true;
            for_each(child_sets_[t], [&](std::size_t cell) { high_[cell] += problem_.counts[t]; });
        }
        return is_undecided;
    }

    // Sends every open type to its cheapest cell by costs_, keeps the table if it is the best so
    // far, and returns the sum of the costs.
    Number assign_cheapest() {
        Number total = 0;
        table_ = low_;
        for (std::size_t t = 0; t < child_sets_.size(); ++t) {
            Cells set = child_sets_[t];
            if (!is_open(set)) continue;
            std::size_t best = first(set);
            for_each(set & (set - 1), [&](std::size_t cell) {
                if (costs_[cell] < costs_[best]) best = cell;
            });
            total += costs_[best] * static_cast<Number>(problem_.counts[t]);
            table_[best] += problem_.counts[t];
        }
        take(objective(psi_, shape_, table_, margins_));
        return total;
    }

    // The first bound. Let Phi_c be G as a function of the objects x_c added to cell c alone. psi
    // is convex, so objects in other cells of the row or column only raise what c costs:
    //     G(low + x) >= G(low) + sum_c Phi_c(x_c) - Phi_c(0).
    // Phi_c is concave, so its chord on [low, high] lies below it.
    Number corner_bound(Number certain) {
        for (std::size_t cell = 0; cell < n_cells_; ++cell) {
            if (high_[cell] == low_[cell]) continue;
            corner_slopes_[cell] =
                psi_.corner_slope(low_[cell], high_[cell], margins_[shape_.row(cell)] - low_[cell],
                                  margins_[shape_.column(cell)] - low_[cell]);
            const Line<Number> chord = psi_.chord(low_[cell], high_[cell]);
            chord_slopes_[cell] = -2 * chord.slope;
            costs_[cell] = corner_slopes_[cell];
        }
        const Number bound = certain + assign_cheapest();
        relaxed_ = table_;
        return bound;
    }

    // Mixes the first bound with a second one, in which psi(R) and psi(C) are replaced by tangents
    // and -2 psi(N) by its chord. Looks for the best points of the tangents and the best share of
    // the second bound, step by step.
    Number mixed_bound(Number certain, Number bound, int n_steps) {
        best_points_ = points_;
        Number best_mixed = 0;
        double step = 1.0;
        int share = parts / 2;  // of the second bound
        for (int round = 0; round < n_steps; ++round) {
            const Number second = tangent_costs();
            for (std::size_t cell = 0; cell < n_cells_; ++cell) {
                costs_[cell] = static_cast<Number>(share) * tangent_slopes_[cell] +
                               static_cast<Number>(parts - share) * corner_slopes_[cell];
            }
            const Number scaled = static_cast<Number>(share) * second +
                                  static_cast<Number>(parts - share) * certain + assign_cheapest();
            const Number mixed = Psi::divide_up(scaled, static_cast<Number>(parts));
            if (round == 0 || mixed > best_mixed) {
                best_mixed = mixed;
                best_points_ = points_;
                relaxed_ = table_;
            } else {
                step *= 0.7;
            }
            bound = std::max(bound, mixed);
            if (Psi::is_closed(best_ - bound, tolerance_)) break;
            const double gap = static_cast<double>(best_ - mixed);
            share = move_share(share, step * gap, second - certain);
            move_points(step * gap, static_cast<double>(share) / parts);
        }
        return bound;
    }

    // Costs of the second bound per object above low_; returns its value at low_.
    Number tangent_costs() {
        Number total = 0;
        tangents_.clear();
        for (const double point : points_) {
            tangents_.push_back(psi_.of_margins().tangent(point));
            total += tangents_.back().offset;
        }
        for (std::size_t cell = 0; cell < n_cells_; ++cell) {
            const Number slope =
                tangents_[shape_.row(cell)].slope + tangents_[shape_.column(cell)].slope;
            total += slope * static_cast<Number>(low_[cell]) - 2 * psi_(low_[cell]);
            tangent_slopes_[cell] = high_[cell] > low_[cell] ? slope + chord_slopes_[cell] : 0;
        }
        return total;
    }

    // Changes the share. The derivative of the bound is the second bound minus the first, at the
    // relaxed table.
    int move_share(int share, double gap, Number difference) const {
        auto slope = static_cast<double>(difference);
        for (std::size_t cell = 0; cell < n_cells_; ++cell) {
            if (high_[cell] == low_[cell]) continue;
            slope += static_cast<double>(tangent_slopes_[cell] - corner_slopes_[cell]) *
                     static_cast<double>(table_[cell] - low_[cell]);
        }
        if (std::abs(slope) < 1e-12) return share;
        const double change = std::clamp(0.5 * gap / slope, -0.15, 0.15) * parts;
        return std::clamp(share + static_cast<int>(std::lround(change)), 0, parts);
    }

    // Moves the points of the tangents towards the margins of the relaxed table.
    void move_points(double gap, double share) {
        double square = 0.0;
        for (std::size_t m = 0; m < margins_.size(); ++m) {
            const double change = static_cast<double>(margins_[m]) - points_[m];
            square += Psi::curvature(points_[m]) * change * change;
        }
        if (square < 1e-12) return;
        const double pace = std::min(1.0, gap / (std::max(share, 0.05) * square));
        for (std::size_t m = 0; m < margins_.size(); ++m) {
            points_[m] += pace * (static_cast<double>(margins_[m]) - points_[m]);
            points_[m] = std::max(points_[m], 0.5);
        }
    }

    // The cells to order next: the one where the chord is furthest from psi at the relaxed table,
    // and the one that shares most objects with it.
    std::pair<std::size_t, std::size_t> choose_order() const {
        std::size_t cell = n_cells_;
        Number widest_gap = -1;
        std::int64_t width = 0;
        for (std::size_t c = 0; c < n_cells_; ++c) {
            if (high_[c] == low_[c]) continue;
            const Line<Number> chord = psi_.chord(low_[c], high_[c]);
            const Number gap =
                chord.slope * static_cast<Number>(relaxed_[c]) + chord.offset - psi_(relaxed_[c]);
            if (cell == n_cells_ || gap > widest_gap ||
                (gap == widest_gap && high_[c] - low_[c] > width)) {
                widest_gap = gap;
                width = high_[c] - low_[c];
                cell = c;
            }
        }
        std::vector<std::int64_t> shared(n_cells_, 0);
        for (std::size_t t = 0; t < child_sets_.size(); ++t) {
            const Cells set = child_sets_[t];
            if (!has(set, cell)) continue;
            for_each(set & ~only(cell), [&](std::size_t c) { shared[c] += problem_.counts[t]; });
        }
        const auto largest = std::max_element(shared.begin(), shared.end());
        return {cell, static_cast<std::size_t>(largest - shared.begin())};
    }

    const Psi& psi_;
    const Problem& problem_;
    Shape shape_;
    std::size_t n_cells_;
    double tolerance_;
    std::vector<Cells> sets_, child_sets_;
    std::vector<std::int64_t> low_, high_, table_, relaxed_;
    std::vector<std::size_t> chosen_;  // the cell of each type in the local search
    std::vector<std::int64_t> margins_;
    std::vector<Number> corner_slopes_, chord_slopes_, tangent_slopes_, costs_;
    std::vector<Line<Number>> tangents_;
    std::vector<double> points_, best_points_, all_points_;  // all_points_: by node
    std::vector<std::size_t> path_;
    std::vector<Node> nodes_;
    std::priority_queue<Open> open_;
    Number best_;
    std::vector<std::int64_t> best_table_;
};

}  // namespace sfumato::both_rough
