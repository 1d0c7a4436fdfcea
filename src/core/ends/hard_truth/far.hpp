// The far end against a hard truth: the largest value of
//     kappa sum_i psi(R_i) - 2 sum_ij psi(N_ij)
// over the compatible tables.
//
// Idea. Best-first branch and bound on boxes. In a box psi(R_i) lies below its chord. With chords
// in place of psi(R_i) the columns are independent and each is a BestColumn problem, which gives an
// upper bound. If no side of the box is longer than 1, chord and psi agree at whole numbers, so the
// bound is attained.
// Invariant. A table better than the best one known has its row sums in some open box, whose bound
// is not below its value.
//
// Letters. kappa: weight of the rows. Box: limits lo_i <= R_i <= hi_i of the row sums.
// Cost: O(l k 2^k) per box; at most max_nodes boxes.
#pragma once

#include <algorithm>

#include "ends/best_first.hpp"
#include "ends/hard_truth/best_column.hpp"
#include "ends/hard_truth/best_table.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

template <class Psi, int K>
class FarSearch {
  public:
    using Number = typename Psi::Number;

    FarSearch(const Psi& psi, int k) : psi_(psi), k_(k), best_column_(psi, k) {}

    // Bounds the box of all tables.
    void start(const Ranks& ranks, Number weight, BestTable<Psi, K>& best) {
        ranks_ = &ranks;
        weight_ = weight;
        best_ = &best;
        slack_ = psi_.slack(ranks.total());
        open_.clear();
        n_visited_ = 0;
        relaxed_.resize(ranks.n_columns() * static_cast<std::size_t>(k_));
        visit(whole_box(), nullptr);
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
    Number bound() const {
        return is_closed() ? best_->value() : open_.bound() + Psi::margin(slack_);
    }

  private:
    struct Box {
        PerRow<Count, K> lo, hi;
    };
    struct Node {
        Box box;
        int row;      // the box will be cut into R_row <= point
        Count point;  // and R_row > point
    };

    bool is_closed(Number bound) const {
        return best_->is_known() && bound <= best_->value() + slack_;
    }

    Box whole_box() const {
        Box box;
        const Set all = ranks_->all();
        for (int i = 0; i < k_; ++i) {
            box.lo[i] = box.hi[i] = 0;
            for (std::size_t j = 0; j < ranks_->n_columns(); ++j) {
                const Count* f = (*ranks_)[j];
                box.lo[i] += f[all] - f[all ^ (Set{1} << i)];
                box.hi[i] += f[Set{1} << i];
            }
        }
        return box;
    }

    void branch() {
        const Number bound = open_.bound();
        const Node node = open_.pop();
        Box below = node.box, above = node.box;
        below.hi[node.row] = node.point;
        above.lo[node.row] = node.point + 1;
        visit(below, &bound);
        visit(above, &bound);
    }

    // Bounds a box, improves the table that attains the bound, and keeps the box if it may hold a
    // better table.
    void visit(Box box, const Number* parent_bound) {
        const auto k = static_cast<std::size_t>(k_);
        if (!narrow_to_sum({box.lo.data(), k}, {box.hi.data(), k}, ranks_->total())) return;
        ++n_visited_;
        Number relaxed_value;
        Number bound = relax(box, relaxed_value);
        if (parent_bound != nullptr) bound = std::min(bound, *parent_bound);
        if (is_closed(bound)) return;
        if (best_->offer(relaxed_, rows_, relaxed_value) && is_closed(bound)) return;
        Node node{box, 0, 0};
        if (!choose_cut(node)) return;
        open_.push(bound, node);
    }

    // The bound by chords. The table that attains it is left in relaxed_, its row sums in rows_,
    // its true value in `value`.
    Number relax(const Box& box, Number& value) {
        Slopes<Number, K> slopes{};
        PerRow<Line<Number>, K> chords;
        Number bound = 0;
        for (int i = 0; i < k_; ++i) {
            chords[i] = psi_.chord(box.lo[i], box.hi[i]);
            slopes.s[i] = weight_ * chords[i].slope;
            bound += weight_ * chords[i].offset;
            rows_[i] = 0;
        }
        psi_.prepare(slopes, k_);
        for (std::size_t j = 0; j < ranks_->n_columns(); ++j) {
            Count* v = relaxed_.data() + j * static_cast<std::size_t>(k_);
            bound += best_column_((*ranks_)[j], slopes, v);
            for (int i = 0; i < k_; ++i) rows_[i] += v[i];
        }
        value = bound;
        for (int i = 0; i < k_; ++i) value -= weight_ * (chords[i].at(rows_[i]) - psi_(rows_[i]));
        return bound;
    }

    // Chooses the row where the chord is furthest above psi, and cuts at its relaxed row sum, but
    // not near an end of the side. False if no side is longer than 1: there the bound is attained.
    bool choose_cut(Node& node) const {
        const Box& box = node.box;
        Count longest = 0;
        double widest = -1.0;
        for (int i = 0; i < k_; ++i) {
            const Count lo = box.lo[i], hi = box.hi[i], side = hi - lo;
            longest = std::max(longest, side);
            if (side == 0) continue;
            const Count at = std::clamp(rows_[i], lo, hi);
            const auto length = static_cast<double>(side);
            // The second term decides if all gaps are zero.
            const double gap =
                static_cast<double>(psi_.chord(lo, hi).at(at) - psi_(at)) + 1e-9 * length * length;
            if (gap > widest) {
                widest = gap;
                node.row = i;
            }
        }
        if (longest <= 1) return false;
        node.point = cut_point(rows_[node.row], box.lo[node.row], box.hi[node.row]);
        return true;
    }

    Psi psi_;
    int k_;
    BestColumn<Psi, K> best_column_;
    const Ranks* ranks_ = nullptr;
    BestTable<Psi, K>* best_ = nullptr;
    Number weight_{}, slack_{};
    std::int64_t n_visited_ = 0;
    OpenNodes<Number, Node, Ties::oldest> open_;
    PerRow<Count, K> rows_{};
    std::vector<Count> relaxed_;  // a table, column by column
};

}  // namespace sfumato::hard_truth
