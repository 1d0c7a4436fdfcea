// Bounds of the best columns of several instances, from the best column of one of them.
//
// Problem. The instances differ in F (ranks.hpp) alone. For all of them, bound
//     max sum_i s_i u_i - 2 psi(u_i) over the columns u within F.
// Idea. The parts of the best column v of one instance (best_column.hpp) end at the sets S_1 < S_2
// < ... of rows. With any multipliers m_1 >= m_2 >= ... the maximum is at most
//     sum_b m_b (F(S_b) - F(S_{b-1})) + sum_i max_x (s_i - m_{b(i)}) x - 2 psi(x),
// where b(i) is the part of row i: u(S_b) <= F(S_b), times m_b - m_{b+1} >= 0. The multipliers are
// the slopes of the sum at v, which makes this equal to the maximum for the one instance, but for
// rounding to whole numbers. It is linear in F.
//
// Letters. s_i: slope of row i. L: the most instances.
// Cost: O(k + p L) for a column of p parts.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "ends/hard_truth/best_column.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

template <class Psi, int K, std::size_t L>
class MultiplierBounds {
  public:
    using Number = typename Psi::Number;

    MultiplierBounds(const Psi& psi, int k) : psi_(psi), k_(k) {}

    // Copies F of all instances, so that their values for a set of rows stand side by side.
    void load(std::span<const Ranks> instances) {
        const std::size_t n_sets = std::size_t{1} << k_;
        ranks_.resize(instances[0].n_columns() * n_sets);
        for (std::size_t at = 0; at < ranks_.size(); ++at) {
            for (std::size_t lane = 0; lane < L; ++lane) {
                const Ranks& ranks = instances[std::min(lane, instances.size() - 1)];
                ranks_[at][lane] = ranks[at / n_sets][at % n_sets];
            }
        }
    }

    // Adds the bounds of a column to those of all instances. v: the best column of one of them;
    // parts: those of v, the last one first.
    template <class Parts>
    void add(std::size_t column, const Slopes<Number, K>& slopes, const Count* v,
             const Parts& parts, std::array<Number, L>& bounds) const {
        Number later = 0, constant = 0;  // later: m_{b+1}
        bool is_last = true;
        for (const auto& [set, before] : parts) {
            Number multiplier = slope_at(slopes, v, set);
            if (!is_last) multiplier = std::max(multiplier, later);
            for (Set rest = set; rest != 0; rest &= rest - 1) {
                const Number slope = slopes.s[std::countr_zero(rest)] - multiplier;
                const Count x = Psi::peak(slope);
                constant += slope * x - 2 * psi_(x);
            }
            const auto& f = ranks_[(column << k_) + (before | set)];
            for (std::size_t lane = 0; lane < L; ++lane) {
                bounds[lane] += (multiplier - later) * f[lane];
            }
            later = multiplier;
            is_last = false;
        }
        for (Number& bound : bounds) bound += constant;
    }

  private:
    // The slope of s_i x - 2 psi(x) at v, which is about the same for all rows of a part.
    Number slope_at(const Slopes<Number, K>& slopes, const Count* v, Set set) const {
        Number smallest = std::numeric_limits<Number>::max();
        Number largest = std::numeric_limits<Number>::lowest();
        for (Set rest = set; rest != 0; rest &= rest - 1) {
            const int i = std::countr_zero(rest);
            const Number slope = slopes.s[i] - 2 * psi_.tangent_slope(v[i]);
            smallest = std::min(smallest, slope);
            largest = std::max(largest, slope);
        }
        return smallest + (largest - smallest) / 2;
    }

    Psi psi_;
    int k_;
    std::vector<std::array<Count, L>> ranks_;  // by column, set of rows and instance
};

}  // namespace sfumato::hard_truth
