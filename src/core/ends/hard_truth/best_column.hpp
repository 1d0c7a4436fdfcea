// The best column of a table for given slopes of its rows:
//     max sum_i s_i v_i - 2 psi(v_i) over the whole points v of the base polytope of F (ranks.hpp).
//
// Letters. v_i: count of row i. s_i: slope of row i. v(S): sum of v_i over the rows S.
// Cost: at most k splits, O(2^k) each.
#pragma once

#include <bit>

#include "ends/hard_truth/ranks.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

// The decomposition algorithm (Fujishige 1980; Groenevelt 1991): find the best v with the right sum
// alone; take the set S for which v(S) exceeds F(S) most; fix v(S) = F(S), and solve S and the
// other rows each on their own.
template <class Psi, int K>
class BestColumn {
  public:
    using Number = typename Psi::Number;

    BestColumn(const Psi& psi, int k)
        : psi_(psi), k_(k), sums_(std::size_t{1} << k), sets_(std::size_t{1} << k) {}

    Number operator()(const Count* f, const Slopes<Number, K>& slopes, Count* v) {
        if constexpr (K == few_rows) {
            if (k_ == 2) {
                v[0] = psi_.split(slopes, 0, 1, f[3], f[3] - f[2], f[1]);
                v[1] = f[3] - v[0];
            } else {
                three_rows(f, slopes, v);
            }
        } else {
            point(f, slopes, v);
        }
        Number value = 0;
        for (int i = 0; i < k_; ++i) {
            value += slopes.s[i] * static_cast<Number>(v[i]) - 2 * psi_(v[i]);
        }
        return value;
    }

    // Rows that were solved on their own, after the rows `before` were.
    struct Part {
        Set set, before;
    };

    // The parts of the last best column, which follow one another; the last one comes first. Not
    // for few rows, which have shorter ways.
    std::span<const Part> parts() const { return {solved_.data(), n_solved_}; }

    // The best column without its value. Here F may be negative.
    void point(const Count* f, const Slopes<Number, K>& slopes, Count* v) {
        std::array<Part, 2 * most_rows> parts;
        std::size_t n_parts = 0;
        n_solved_ = 0;
        parts[n_parts++] = {(Set{1} << k_) - 1, 0};
        while (n_parts > 0) {
            const auto [set, before] = parts[--n_parts];
            std::array<int, most_rows> index;
            int m = 0;
            for (Set rest = set; rest != 0; rest &= rest - 1) index[m++] = std::countr_zero(rest);
            const Count total = f[before | set] - f[before];
            Set worst = 0;
            if (m == 1) {
                v[index[0]] = total;
            } else {
                psi_.share(slopes, index.data(), m, total, v);
                worst = most_violated(f, before, index.data(), m, v);
            }
            if (worst == 0) {
                solved_[n_solved_++] = {set, before};
            } else {
                parts[n_parts++] = {worst, before};
                parts[n_parts++] = {set ^ worst, before | worst};
            }
        }
    }

  private:
    // With three rows the constraints are low_i <= v_i <= high_i and a fixed sum.
    void three_rows(const Count* f, const Slopes<Number, K>& slopes, Count* v) const {
        constexpr int others[3][2] = {{1, 2}, {0, 2}, {0, 1}};
        constexpr int index[3] = {0, 1, 2};
        const Count total = f[7];
        const Count high[3] = {f[1], f[2], f[4]};
        const Count low[3] = {total - f[6], total - f[5], total - f[3]};
        psi_.share(slopes, index, 3, total, v);
        Count worst = 0, at = 0;
        int row = -1;
        for (int i = 0; i < 3; ++i) {
            if (v[i] - high[i] > worst) {
                worst = v[i] - high[i];
                row = i;
                at = high[i];
            }
            if (low[i] - v[i] > worst) {
                worst = low[i] - v[i];
                row = i;
                at = low[i];
            }
        }
        if (row < 0) return;
        const auto [a, b] = others[row];
        const Count left = total - at;
        v[row] = at;
        v[a] = psi_.split(slopes, a, b, left, std::max(low[a], left - high[b]),
                          std::min(high[a], left - low[b]));
        v[b] = left - v[a];
    }

    // The subset S of `index` with the largest v(S) - (F(before + S) - F(before)); the empty set if
    // none is positive.
    Set most_violated(const Count* f, Set before, const int* index, int m, const Count* v) {
        Count worst = 0;
        Set found = 0;
        sums_[0] = f[before];
        sets_[0] = before;
        for (int b = 0; b < m; ++b) {
            const std::size_t half = std::size_t{1} << b;
            const Count added = v[index[b]];
            const Set bit = Set{1} << index[b];
            for (std::size_t c = 0; c < half; ++c) {
                const Count sum = sums_[c] + added;
                const Set with = sets_[c] | bit;
                sums_[half + c] = sum;
                sets_[half + c] = with;
                if (sum - f[with] > worst) {
                    worst = sum - f[with];
                    found = with ^ before;
                }
            }
        }
        return found;
    }

    Psi psi_;
    int k_;
    std::vector<Count> sums_;
    std::vector<Set> sets_;
    std::array<Part, most_rows> solved_;
    std::size_t n_solved_ = 0;
};

}  // namespace sfumato::hard_truth
