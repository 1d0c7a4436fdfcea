// The far end against a hard truth: the largest value of
//     kappa sum_i psi(R_i) - 2 sum_ij psi(N_ij)
// over the compatible tables, for one instance, or for several that are much alike.
//
// Idea. Best-first branch and bound on boxes. In a box psi(R_i) lies below its chord. With chords
// in place of psi(R_i) the columns are independent and each is a BestColumn problem, which gives an
// upper bound. If no side of the box is longer than 1, chord and psi agree at whole numbers, so the
// bound is attained.
// Several instances, such as neighbouring levels of a possibilistic partition, differ in F_j alone
// (ranks.hpp). A box is solved for the one whose bound is farthest from its best table, which
// bounds the others, too (multiplier_bounds.hpp). Invariant. A table of an instance that is better
// than its best one known has its row sums in some open box, whose bound for the instance is not
// below its value.
//
// Letters. kappa: weight of the rows. Box: limits lo_i <= R_i <= hi_i of the row sums. L: the most
// instances at once.
// Cost: O(l k (2^k + L)) per bound of a box for an instance; about max_nodes of them.
#pragma once

#include <algorithm>
#include <limits>

#include "ends/best_first.hpp"
#include "ends/hard_truth/best_column.hpp"
#include "ends/hard_truth/best_table.hpp"
#include "ends/hard_truth/multiplier_bounds.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

template <class Psi, int K, std::size_t L>
class FarSearch {
  public:
    using Number = typename Psi::Number;

    FarSearch(const Psi& psi, int k) : psi_(psi), k_(k), best_column_(psi, k), others_(psi, k) {}

    // Bounds the box of all tables. The instances have classes of the same sizes, and a best table
    // each.
    void start(std::span<const Ranks> instances, Number weight, BestTable<Psi, K>* best) {
        instances_ = instances;
        weight_ = weight;
        best_ = best;
        slack_ = psi_.slack(instances[0].total());
        is_left_out_.fill(false);
        open_.clear();
        n_visited_ = 0;
        relaxed_.resize(instances[0].n_columns() * static_cast<std::size_t>(k_));
        if (instances.size() > 1) others_.load(instances);
        Bounds bounds;
        bounds.fill(std::numeric_limits<Number>::max());
        const Box box = whole_box();
        for (std::size_t at = 0; at < instances.size(); ++at) {
            bound_for(at, box, bounds);
            offer(at);
            first_values_[at] = best_[at].value();
        }
        keep(box, bounds);
    }

    // Goes on until no better table is left, or a limit is reached.
    void advance(const Limits& limits) {
        while (!is_closed() && !limits.reached(n_visited_)) {
            allow_interrupt();
            branch();
        }
    }

    // Does no more for this instance, whose bound stays.
    void leave_out(std::size_t at) {
        left_bounds_[at] = bound(at);
        is_left_out_[at] = true;
    }

    // No table of the instance is better.
    Number bound(std::size_t at) const {
        if (is_left_out_[at]) return left_bounds_[at];
        Number largest = best_[at].value();
        open_.each([&](const Node& node) {
            if (!is_closed(at, node.bounds[at])) {
                largest = std::max(largest, node.bounds[at] + Psi::margin(slack_));
            }
        });
        return largest;
    }

  private:
    using Bounds = std::array<Number, L>;  // by instance

    struct Box {
        PerRow<Count, K> lo, hi;
    };
    struct Node {
        Box box;
        Bounds bounds;
        int row;      // the box will be cut into R_row <= point
        Count point;  // and R_row > point
    };

    bool is_closed(std::size_t at, Number bound) const {
        return bound <= best_[at].value() + slack_;
    }

    // Nodes without a better table need not be taken out one by one if they are all of that kind.
    bool is_closed() const {
        return open_.is_empty() || (instances_.size() == 1 && is_closed(0, open_.bound()));
    }

    // The open instance whose bound is farthest from its best table; L if there is none.
    std::size_t widest(const Bounds& bounds) const {
        std::size_t found = L;
        for (std::size_t at = 0; at < instances_.size(); ++at) {
            if (is_left_out_[at] || is_closed(at, bounds[at])) continue;
            if (found == L || gap(at, bounds) > gap(found, bounds)) found = at;
        }
        return found;
    }

    Number gap(std::size_t at, const Bounds& bounds) const {
        return bounds[at] - best_[at].value();
    }

    // The limits of the row sums in all instances.
    Box whole_box() const {
        Box box;
        const Set all = instances_[0].all();
        for (int i = 0; i < k_; ++i) {
            box.lo[i] = instances_[0].total();
            box.hi[i] = 0;
            for (const Ranks& ranks : instances_) {
                Count lo = 0, hi = 0;
                for (std::size_t j = 0; j < ranks.n_columns(); ++j) {
                    const Count* f = ranks[j];
                    lo += f[all] - f[all ^ (Set{1} << i)];
                    hi += f[Set{1} << i];
                }
                box.lo[i] = std::min(box.lo[i], lo);
                box.hi[i] = std::max(box.hi[i], hi);
            }
        }
        return box;
    }

    void branch() {
        const Node node = open_.pop();
        const std::size_t at = widest(node.bounds);
        if (at == L) return;
        Box below = node.box, above = node.box;
        below.hi[node.row] = node.point;
        above.lo[node.row] = node.point + 1;
        visit(below, node.bounds, at);
        visit(above, node.bounds, at);
    }

    // Bounds a box for one open instance after the other. As soon as the own bound of one leaves it
    // open, the box is kept, to be cut. If no side is longer than 1 the bound is attained, so all
    // instances close.
    void visit(Box box, Bounds bounds, std::size_t at) {
        const auto k = static_cast<std::size_t>(k_);
        if (!narrow_to_sum({box.lo.data(), k}, {box.hi.data(), k}, instances_[0].total())) return;
        for (; at != L; at = widest(bounds)) {
            bound_for(at, box, bounds);
            if (is_closed(at, bounds[at])) continue;
            offer(at);
            if (!is_closed(at, bounds[at])) return keep(box, bounds);
        }
    }

    // Opens a box that was bounded.
    void keep(const Box& box, const Bounds& bounds) {
        if (widest(bounds) == L || longest_side(box) <= 1) return;
        Node node{box, bounds, 0, 0};
        choose_cut(node);
        open_.push(priority(bounds), node);
    }

    // Boxes are opened by their bounds, less what was attained at first where there are several.
    Number priority(const Bounds& bounds) const {
        if (instances_.size() == 1) return bounds[0];
        Number largest = std::numeric_limits<Number>::lowest();
        for (std::size_t at = 0; at < instances_.size(); ++at) {
            if (is_left_out_[at] || is_closed(at, bounds[at])) continue;
            largest = std::max(largest, bounds[at] - first_values_[at]);
        }
        return largest;
    }

    void offer(std::size_t at) { best_[at].offer(relaxed_, rows_, relaxed_value_); }

    // Lowers the bounds by chords. The table that attains that of the instance `at` is left in
    // relaxed_, its row sums in rows_, its true value in relaxed_value_.
    void bound_for(std::size_t at, const Box& box, Bounds& bounds) {
        ++n_visited_;
        const Ranks& ranks = instances_[at];
        const bool is_alone = instances_.size() == 1;
        Slopes<Number, K> slopes{};
        PerRow<Line<Number>, K> chords;
        Number own = 0;
        for (int i = 0; i < k_; ++i) {
            chords[i] = psi_.chord(box.lo[i], box.hi[i]);
            slopes.s[i] = weight_ * chords[i].slope;
            own += weight_ * chords[i].offset;
            rows_[i] = 0;
        }
        psi_.prepare(slopes, k_);
        Bounds sums;
        sums.fill(own);
        for (std::size_t j = 0; j < ranks.n_columns(); ++j) {
            Count* v = relaxed_.data() + j * static_cast<std::size_t>(k_);
            own += best_column_(ranks[j], slopes, v);
            for (int i = 0; i < k_; ++i) rows_[i] += v[i];
            if constexpr (L > 1) {
                if (!is_alone) others_.add(j, slopes, v, best_column_.parts(), sums);
            }
        }
        relaxed_value_ = own;
        for (int i = 0; i < k_; ++i) {
            relaxed_value_ -= weight_ * (chords[i].at(rows_[i]) - psi_(rows_[i]));
        }
        if (!is_alone) {
            for (std::size_t lane = 0; lane < L; ++lane) {
                bounds[lane] = std::min(bounds[lane], sums[lane]);
            }
        }
        bounds[at] = std::min(bounds[at], own);
    }

    Count longest_side(const Box& box) const {
        Count longest = 0;
        for (int i = 0; i < k_; ++i) longest = std::max(longest, box.hi[i] - box.lo[i]);
        return longest;
    }

    // Chooses the row where the chord is furthest above psi, and cuts at its relaxed row sum, but
    // not near an end of the side. That sum is of one instance: for several the cut is nearer to
    // the middle, which takes a seventh fewer boxes.
    void choose_cut(Node& node) const {
        const Box& box = node.box;
        double largest = -1.0;
        for (int i = 0; i < k_; ++i) {
            const Count lo = box.lo[i], hi = box.hi[i], side = hi - lo;
            if (side == 0) continue;
            const Count at = std::clamp(rows_[i], lo, hi);
            const auto length = static_cast<double>(side);
            // The second term decides if all gaps are zero.
            const double gap =
                static_cast<double>(psi_.chord(lo, hi).at(at) - psi_(at)) + 1e-9 * length * length;
            if (gap > largest) {
                largest = gap;
                node.row = i;
            }
        }
        const Count lo = box.lo[node.row], hi = box.hi[node.row];
        Count at = rows_[node.row];
        if (instances_.size() > 1) at = (std::clamp(at, lo, hi) + lo + (hi - lo) / 2) / 2;
        node.point = cut_point(at, lo, hi);
    }

    Psi psi_;
    int k_;
    BestColumn<Psi, K> best_column_;
    MultiplierBounds<Psi, K, L> others_;
    std::span<const Ranks> instances_;
    BestTable<Psi, K>* best_ = nullptr;  // one for each instance
    Number weight_{}, slack_{};
    Bounds first_values_{};  // of the first tables
    std::array<bool, L> is_left_out_{};
    Bounds left_bounds_{};  // of those that were left out
    std::int64_t n_visited_ = 0;
    OpenNodes<Number, Node, Ties::oldest> open_;
    // The table of the last bound, column by column, its row sums and its value.
    std::vector<Count> relaxed_;
    PerRow<Count, K> rows_{};
    Number relaxed_value_{};
};

}  // namespace sfumato::hard_truth
