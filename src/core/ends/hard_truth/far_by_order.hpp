// A second search for the far end against a hard truth, for squares:
//     the largest value of kappa sum_i R_i^2 - 2 sum_ij N_ij^2 over the compatible tables.
//
// Problem. Where rows are much alike, their row sums can be taken in any order, and a search on
// boxes of row sums (far.hpp) has to look at all orders, one by one.
// Idea. Best-first branch and bound on boxes of sorted row sums, with the bound of order_bound.hpp.
// Invariant. A table better than the best one known has its sorted row sums in some open box, whose
// bound is not below its value.
//
// Letters. x_m: the row sum of rank m.
// Cost: a few bounds of order_bound.hpp per box, O(k^2 2^k) each.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "ends/best_first.hpp"
#include "ends/hard_truth/best_table.hpp"
#include "ends/hard_truth/order_bound.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

template <class Psi, int K>
class FarByOrder {
  public:
    using Number = typename Psi::Number;

    FarByOrder(const Psi& psi, int k) : psi_(psi), k_(static_cast<std::size_t>(k)), order_(k) {}

    void start(const Ranks& ranks, Number weight, BestTable<Psi, K>& best) {
        best_ = &best;
        weight_ = weight;
        slack_ = psi_.slack(ranks.total());
        const auto n = static_cast<double>(ranks.total());
        largest_ = std::max(1.0, (2.0 + static_cast<double>(weight)) * n * n);
        order_.load(ranks, static_cast<double>(weight));
        open_.clear();
        n_visited_ = 0;
        order_.order_by_sums(best.table());
        visit(order_.whole_box(), order_.counts_of(best.table()), infinity, first_rounds);
    }

    // Goes on until no better table is left, or a limit is reached.
    void advance(const Limits& limits) {
        while (!is_closed() && !limits.reached(n_visited_)) {
            allow_interrupt();
            branch();
        }
    }

    bool is_closed() const { return open_.is_empty() || is_closed(open_.bound()); }

    // No table is better.
    Number bound() const { return is_closed() ? best_->value() : whole(open_.bound()); }

  private:
    static constexpr std::int64_t nodes_per_box = 20;  // that take as long in far.hpp
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    static constexpr int first_rounds = 12, rounds = 3;  // of improving the numbers a

    struct Node {
        OrderBound::Box box;
        OrderBound::CellCounts counts;
        std::size_t rank;  // the box will be cut into x_rank <= point
        Count point;       // and x_rank > point
    };

    // What a bound in floating point says of the value.
    Number whole(double bound) const {
        const double safe = bound + rounding * largest_;  // terms as large as that cancel
        if constexpr (std::is_integral_v<Number>) {
            return static_cast<Number>(std::floor(safe));
        } else {
            return safe + Psi::margin(slack_);
        }
    }

    bool is_closed(double bound) const { return whole(bound) <= best_->value() + slack_; }

    void branch() {
        const double bound = open_.bound();
        const Node node = open_.pop();
        OrderBound::Box below = node.box, above = node.box;
        for (std::size_t m = node.rank; m < k_; ++m) {
            below.hi[m] = std::min(below.hi[m], node.point);
        }
        for (std::size_t m = 0; m <= node.rank; ++m) {
            above.lo[m] = std::max(above.lo[m], node.point + 1);
        }
        visit(below, node.counts, bound, rounds);
        visit(above, node.counts, bound, rounds);
    }

    // Bounds a box, offers the table of the worst order, and keeps the box if it may hold a
    // better table. Each round goes towards the numbers that suit the worst order.
    void visit(OrderBound::Box box, OrderBound::CellCounts counts, double bound, int n_rounds) {
        n_visited_ += nodes_per_box;
        if (!order_.tighten(box)) return;
        Node node{box, counts, 0, 0};
        std::array<Count, most_rows> sums{}, at{};
        for (int round = 0; round < n_rounds; ++round) {
            const double found = order_.bound(box, counts);
            if (found == -infinity) return;
            order_.worst_table(table_, sums);
            if (round == 0 || found < bound) {
                node.counts = counts;
                at = sums;
            }
            bound = std::min(bound, found);
            if (round == 0) offer();
            if (is_closed(bound)) return;
            const double part = 1.0 / (round + 2.0);
            const OrderBound::CellCounts suited = order_.counts_of(table_);
            for (std::size_t m = 0; m < k_; ++m) {
                counts.later[m] += part * (suited.later[m] - counts.later[m]);
                counts.home[m] += part * (suited.home[m] - counts.home[m]);
                counts.earlier[m] += part * (suited.earlier[m] - counts.earlier[m]);
            }
        }
        choose_cut(node, at);
        open_.push(bound, node);
    }

    void offer() {
        PerRow<Count, K> rows{};
        Number value = 0;
        for (std::size_t at = 0; at < table_.size(); ++at) {
            rows[at % k_] += table_[at];
            value -= 2 * psi_(table_[at]);
        }
        for (std::size_t i = 0; i < k_; ++i) value += weight_ * psi_(rows[i]);
        best_->offer(table_, rows, value);
    }

    // Cuts the rank at which the chord is furthest above the square, at the sum in the worst order,
    // but not near an end; among those that are as good the longest.
    void choose_cut(Node& node, const std::array<Count, most_rows>& sums) const {
        double widest = -1.0;
        for (std::size_t m = 0; m < k_; ++m) {
            const Count lo = node.box.lo[m], hi = node.box.hi[m];
            const Count at = std::clamp(sums[m], lo, hi);
            const auto side = static_cast<double>(hi - lo);
            const double gap =
                static_cast<double>(hi - at) * static_cast<double>(at - lo) + 0.05 * side * side;
            if (gap <= widest) continue;
            widest = gap;
            node.rank = m;
            node.point = cut_point(at, lo, hi);
        }
    }

    Psi psi_;
    std::size_t k_;
    OrderBound order_;
    BestTable<Psi, K>* best_ = nullptr;
    Number weight_{}, slack_{};
    double largest_ = 1.0;  // value of any table, in size
    std::int64_t n_visited_ = 0;
    OpenNodes<double, Node, Ties::oldest> open_;
    std::vector<Count> table_;
};

}  // namespace sfumato::hard_truth
