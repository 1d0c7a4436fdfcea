// The best table that searches for the far end against a hard truth have found so far: with the
// largest value of
//     kappa sum_i psi(R_i) - 2 sum_ij psi(N_ij).
//
// Letters. kappa: weight of the rows.
// Cost: O(l k 2^k) for each round of improvements.
#pragma once

#include "ends/hard_truth/best_column.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

template <class Psi, int K>
class BestTable {
  public:
    using Number = typename Psi::Number;

    BestTable(const Psi& psi, int k) : psi_(psi), k_(k), best_column_(psi, k) {}

    void start(const Ranks& ranks, Number weight) {
        ranks_ = &ranks;
        weight_ = weight;
        margin_ = Psi::margin(psi_.slack(ranks.total()));
        is_known_ = false;
        table_.resize(ranks.n_columns() * static_cast<std::size_t>(k_));
    }

    bool is_known() const { return is_known_; }
    Number value() const { return value_; }
    std::span<const Count> table() const { return table_; }

    // Takes a table with these row sums and this value if it is the best so far, and improves it
    // column by column. psi(R_i) lies above its tangent, so the best column for the slopes of the
    // tangents is never worse than the old one. False if the table is not better.
    bool offer(const std::vector<Count>& table, PerRow<Count, K> rows, Number value) {
        if (is_known_ && value <= value_) return false;
        is_known_ = true;
        table_ = table;
        PerRow<Count, K> v;
        Slopes<Number, K> slopes{};
        for (bool improved = true; improved;) {
            improved = false;
            for (std::size_t j = 0; j < ranks_->n_columns(); ++j) {
                for (int i = 0; i < k_; ++i) slopes.s[i] = weight_ * psi_.tangent_slope(rows[i]);
                psi_.prepare(slopes, k_);
                best_column_((*ranks_)[j], slopes, v.data());
                Count* old = table_.data() + j * static_cast<std::size_t>(k_);
                const Number gain = change(rows, old, v.data());
                if (gain <= margin_) continue;
                improved = true;
                value += gain;
                for (int i = 0; i < k_; ++i) {
                    rows[i] += v[i] - old[i];
                    old[i] = v[i];
                }
            }
        }
        value_ = value;
        return true;
    }

  private:
    // How much the value gains when a column changes.
    Number change(const PerRow<Count, K>& rows, const Count* from, const Count* to) const {
        Number gain = 0;
        for (int i = 0; i < k_; ++i) {
            if (to[i] == from[i]) continue;
            gain += weight_ * (psi_(rows[i] + to[i] - from[i]) - psi_(rows[i])) -
                    2 * (psi_(to[i]) - psi_(from[i]));
        }
        return gain;
    }

    Psi psi_;
    int k_;
    BestColumn<Psi, K> best_column_;
    const Ranks* ranks_ = nullptr;
    Number weight_{}, margin_{}, value_{};
    bool is_known_ = false;
    std::vector<Count> table_;  // column by column
};

}  // namespace sfumato::hard_truth
