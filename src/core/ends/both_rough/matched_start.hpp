// A first table for the near end between two rough clusterings: one with a small
//     G = sum psi(R) + sum psi(C) - 2 sum psi(N).
//
// Idea. Tables with a small G are nearly matchings of rows to columns. From a matching, where every
// type starts in a matched cell if it has one, types move to better cells one after the other.
// Invariant. margins_ holds the margins of table_; G never grows along a descent.
//
// Cost: O(sum of the sizes of all sets) per sweep; a matching takes a few sweeps, at most 100.
#pragma once

#include <algorithm>
#include <numeric>

#include "ends/both_rough/problem.hpp"
#include "spans.hpp"

namespace sfumato::both_rough {

// The table with the smallest value so far.
template <class Number>
struct BestTable {
    Number value;
    std::vector<std::int64_t> table;

    void take(Number other_value, const std::vector<std::int64_t>& other_table) {
        if (other_value < value) *this = {other_value, other_table};
    }
};

template <class Psi>
class MatchedStart {
    using Number = typename Psi::Number;

  public:
    MatchedStart(const Psi& psi, const Problem& problem)
        : psi_(psi),
          problem_(problem),
          shape_(problem.shape),
          margins_(shape_.n_margins()),
          chosen_(problem.n_types()) {}

    // Tries all matchings if they are few, else a greedy one and its rotations.
    BestTable<Number> find() {
        table_ = problem_.certain;
        for (std::size_t t = 0; t < problem_.n_types(); ++t) {
            chosen_[t] = first(problem_.sets[t]);
            table_[chosen_[t]] += problem_.counts[t];
        }
        best_ = {objective(psi_, shape_, table_, margins_), table_};
        if (problem_.n_types() == 0) return best_;
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
        return best_;
    }

  private:
    static constexpr int most_sweeps = 100;  // few are needed; rounding might go in circles

    // Matches rows to columns, cells with most objects first. A column past the last means none.
    std::vector<std::size_t> greedy_matching(std::size_t side) const {
        std::vector<std::size_t> partner(side, side), order(shape_.n_cells());
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
        best_.take(objective(psi_, shape_, table_, margins_), table_);
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

    const Psi& psi_;
    const Problem& problem_;
    Shape shape_;
    std::vector<std::int64_t> table_, margins_;
    std::vector<std::size_t> chosen_;  // the cell of each type
    BestTable<Number> best_{};
};

}  // namespace sfumato::both_rough
