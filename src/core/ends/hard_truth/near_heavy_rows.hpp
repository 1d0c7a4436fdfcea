// The near end against a hard truth for rows of weight kappa > 2: the smallest value of
//     kappa sum_i psi(R_i) - 2 sum_ij psi(N_ij).
// Here the columns of the best table need not be vertices.
//
// Cost: at most six searches of near.hpp, and exchanges of O(k 2^k) per pair of rows.
#pragma once

#include <algorithm>
#include <limits>

#include "ends/hard_truth/near.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

// psi(R_i) lies above every line that touches it. So the value is at least that of weight 2 plus
// kappa - 2 times lines in R_i, and NearSearch minimises that. A few sets of lines are tried, and
// the tables found are improved by exchanges. The bound always holds. It meets the value only if
// the lines touch psi at the row sums of the best table.
template <class Psi, int K>
class NearSearchHeavyRows {
  public:
    using Number = typename Psi::Number;

    NearSearchHeavyRows(const Psi& psi, int k) : psi_(psi), k_(k), near_(psi, k) {}

    Found<Number> solve(const Ranks& ranks, Number weight, const Limits& limits) {
        ranks_ = &ranks;
        weight_ = weight;
        const Number slack = psi_.slack(ranks.total());
        Number best = std::numeric_limits<Number>::max();
        Number bound = std::numeric_limits<Number>::lowest();
        PerRow<double, K> centre;
        centre.fill(static_cast<double>(ranks.total()) / k_);
        for (int round = 0; round < n_rounds && bound < best - slack; ++round) {
            PerRow<Number, K> linear{};
            Number offset = 0;
            for (int i = 0; i < k_; ++i) {
                const Line<Number> line = psi_.support(std::max(0.25, centre[i]));
                linear[i] = (weight - 2) * line.slope;
                offset += (weight - 2) * line.offset;
            }
            const Found<Number> found = near_.solve(ranks, Number{2}, linear, limits);
            bound = std::max(bound, found.bound + offset - Psi::margin(slack));
            table_.assign(found.table.begin(), found.table.end());
            sum_rows();
            exchange(Psi::margin(slack));
            const Number value = objective();
            const bool is_better = value < best;
            if (is_better) {
                best = value;
                best_ = table_;
            }
            for (int i = 0; i < k_; ++i) {
                const auto row = static_cast<double>(rows_[i]);
                centre[i] = is_better ? row : 0.5 * (centre[i] + row);
            }
        }
        return {best, bound >= best - slack ? best : bound, best_};
    }

  private:
    static constexpr int n_rounds = 6;

    void sum_rows() {
        rows_.fill(0);
        for (std::size_t at = 0; at < table_.size(); ++at) {
            rows_[at % static_cast<std::size_t>(k_)] += table_[at];
        }
    }

    Number objective() const {
        Number value = 0;
        for (int i = 0; i < k_; ++i) value += weight_ * psi_(rows_[i]);
        for (const Count x : table_) value -= 2 * psi_(x);
        return value;
    }

    // Moves objects between two rows of a column while that lowers the value: as many as possible,
    // or half as many, and so on.
    void exchange(Number margin) {
        for (bool improved = true; improved;) {
            improved = false;
            for (std::size_t j = 0; j < ranks_->n_columns(); ++j) {
                Count* v = table_.data() + j * static_cast<std::size_t>(k_);
                for (int from = 0; from < k_; ++from) {
                    for (int to = 0; to < k_; ++to) {
                        if (from != to && move(j, v, from, to, margin)) improved = true;
                    }
                }
            }
        }
    }

    bool move(std::size_t j, Count* v, int from, int to, Number margin) {
        for (Count step = capacity((*ranks_)[j], v, from, to); step > 0; step /= 2) {
            const Number change =
                weight_ * (psi_(rows_[from] - step) - psi_(rows_[from]) + psi_(rows_[to] + step) -
                           psi_(rows_[to])) -
                2 * (psi_(v[from] - step) - psi_(v[from]) + psi_(v[to] + step) - psi_(v[to]));
            if (change >= -margin) continue;
            v[from] -= step;
            v[to] += step;
            rows_[from] -= step;
            rows_[to] += step;
            return true;
        }
        return false;
    }

    // How many objects may move between two rows of a column v: the least F(S) - v(S) over all sets
    // S with `to` and without `from`.
    Count capacity(const Count* f, const Count* v, int from, int to) const {
        Count least = v[from];
        for (Set s = 0; s <= ranks_->all(); ++s) {
            if ((s >> to & 1) == 0 || (s >> from & 1) != 0) continue;
            Count sum = 0;
            for (int i = 0; i < k_; ++i) {
                if (s >> i & 1) sum += v[i];
            }
            least = std::min(least, f[s] - sum);
        }
        return least;
    }

    Psi psi_;
    int k_;
    NearSearch<Psi, K> near_;
    const Ranks* ranks_ = nullptr;
    Number weight_{};
    PerRow<Count, K> rows_{};
    std::vector<Count> table_, best_;
};

}  // namespace sfumato::hard_truth
