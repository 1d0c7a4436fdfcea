// The law of a weighted number of pairs, for a random table against a hard truth:
//     row_weight * sum_i C(R_i, 2) + cell_weight * sum_ij C(N_ij, 2).
//
// Cost: O(1) per pair of a state and a last column, O(k) per pair of a group and a last column.
#pragma once

#include <algorithm>
#include <utility>

#include "laws/keyed_law.hpp"
#include "laws/last_column.hpp"
#include "laws/merge_keys.hpp"
#include "spans.hpp"

namespace sfumato {

// In whole numbers. The row sums of the last column add to the others, and C(r + c, 2) = C(r, 2) +
// C(c, 2) + r c.
class PairLaw {
  public:
    using States = GroupedStates<std::int64_t>;
    using Column = ColumnStates<std::int64_t>;

    PairLaw(const States& states, const Column& column, std::int64_t row_weight,
            std::int64_t cell_weight)
        : states_(states), column_(column), row_weight_(row_weight) {
        for (const std::int64_t total : states.totals) own_.push_back(cell_weight * total);
        for (std::size_t c = 0; c < column.size(); ++c) {
            columns_.push_back(cell_weight * column.totals[c] + row_weight * pairs(column.at(c)));
        }
        for (std::size_t g = 0; g < states.n_groups(); ++g) {
            groups_.push_back(row_weight * pairs(states.row_sums(g)));
        }
    }

    KeyedMasses law(double drop) const {
        const auto [lowest, highest] = range();
        const auto n_keys = static_cast<std::uint64_t>(highest - lowest) + 1;
        return n_keys <= 1U << 24 ? law_into(DenseLaw(n_keys), lowest, drop)
                                  : law_into(SparseLaw(), lowest, drop);
    }

  private:
    std::int64_t pairs(const std::int64_t* counts) const {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < states_.n_rows(); ++i) sum += counts[i] * (counts[i] - 1) / 2;
        return sum;
    }

    std::int64_t base(std::size_t g, std::size_t c) const {
        const std::int64_t *rows = states_.row_sums(g), *counts = column_.at(c);
        std::int64_t product = 0;
        for (std::size_t i = 0; i < states_.n_rows(); ++i) product += rows[i] * counts[i];
        return groups_[g] + columns_[c] + row_weight_ * product;
    }

    std::pair<std::int64_t, std::int64_t> range() const {
        std::int64_t lowest = INT64_MAX, highest = INT64_MIN;
        for (std::size_t g = 0; g < states_.n_groups(); ++g) {
            const auto own =
                std::span(own_).subspan(states_.first(g), states_.first(g + 1) - states_.first(g));
            const auto [low, high] = std::ranges::minmax(own);
            for (std::size_t c = 0; c < column_.size(); ++c) {
                const std::int64_t from = base(g, c);
                lowest = std::min(lowest, from + low);
                highest = std::max(highest, from + high);
            }
        }
        return {lowest, highest};
    }

    template <class Law>
    KeyedMasses law_into(Law law, std::int64_t lowest, double drop) const {
        KeyedMasses found;
        found.lost = each_likely_pair(
            states_, column_, drop, [&](std::size_t g, std::size_t c, std::size_t end) {
                const std::int64_t from = base(g, c) - lowest;
                const double mass = column_.masses[c];
                for (std::size_t m = states_.first(g); m < end; ++m) {
                    law.add(static_cast<std::uint64_t>(from + own_[m]), mass * states_.masses[m]);
                }
            });
        collect(law, lowest, found);
        return found;
    }

    States states_;
    Column column_;
    std::int64_t row_weight_;
    std::vector<std::int64_t> own_, columns_, groups_;
};

}  // namespace sfumato
