// The least cost of a table whose largest matching is at most T, for T = 0, ..., n and three rows
// and three columns. Every column is chosen at its cost.
//
// Letters. (x, y, z): the third column. A_i: the best matching of the first two columns to the rows
// other than i. The largest matching is at most T if x + A_0, y + A_1 and z + A_2 are.
// Cost: O(m1 m2 n) for m1 and m2 first and second columns. Gain over cheapest_tables.hpp: 4 to 90
// times at Iris size.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "interrupt.hpp"
#include "possibility/class_columns.hpp"
#include "spans.hpp"

namespace sfumato {

// The least cost of a column (x, y, z) below given counts.
class LeastWithin {
  public:
    explicit LeastWithin(const ClassColumns& columns) {
        for (std::size_t row = 0; row < 3; ++row) {
            lows_[row] = columns.at(0)[row];
            std::int64_t high = lows_[row];
            for (std::size_t c = 1; c < columns.size(); ++c) {
                lows_[row] = std::min(lows_[row], columns.at(c)[row]);
                high = std::max(high, columns.at(c)[row]);
            }
            sides_[row] = high - lows_[row] + 1;
        }
        const std::int64_t step_0 = sides_[1] * sides_[2], step_1 = sides_[2];
        least_.assign(static_cast<std::size_t>(sides_[0] * step_0), no_cost);
        for (std::size_t c = 0; c < columns.size(); ++c) {
            double& cost = least_[static_cast<std::size_t>((columns.at(c)[0] - lows_[0]) * step_0 +
                                                           (columns.at(c)[1] - lows_[1]) * step_1 +
                                                           columns.at(c)[2] - lows_[2])];
            cost = std::min(cost, columns.costs[c]);
        }
        spread(step_0, sides_[0]);
        spread(step_1, sides_[1]);
        spread(1, sides_[2]);
    }

    // `is_all` tells if the counts are so large that all columns lie below them.
    double operator()(std::array<std::int64_t, 3> counts, bool& is_all) const {
        std::int64_t place = 0;
        is_all = true;
        for (std::size_t row = 0; row < 3; ++row) {
            const std::int64_t at = counts[row] - lows_[row];
            if (at < 0) {
                is_all = false;
                return no_cost;
            }
            if (at < sides_[row] - 1) is_all = false;
            place = place * sides_[row] + std::min(at, sides_[row] - 1);
        }
        return least_[static_cast<std::size_t>(place)];
    }

  private:
    // Replaces every cost by the least one at or below its place along one axis.
    void spread(std::int64_t step, std::int64_t side) {
        const auto size = static_cast<std::int64_t>(least_.size());
        for (std::int64_t at = step; at < size; ++at) {
            if (at / step % side == 0) continue;
            double& cost = least_[static_cast<std::size_t>(at)];
            cost = std::min(cost, least_[static_cast<std::size_t>(at - step)]);
        }
    }

    std::array<std::int64_t, 3> lows_{}, sides_{};
    std::vector<double> least_;
};

// costs[T] for T = 0, ..., n_objects; infinite if no table that costs less than `limit` has such a
// small matching. Returns also the least cost left out.
inline std::pair<std::vector<double>, double> matching_at_most(const IntGrid& columns,
                                                               Floats column_costs, Ints starts,
                                                               std::int64_t n_objects,
                                                               double limit) {
    std::vector<double> costs(static_cast<std::size_t>(n_objects) + 1, no_cost);
    double least_dropped = no_cost;
    const ClassColumns first = columns_of(0, columns, column_costs, starts);
    const ClassColumns second = columns_of(1, columns, column_costs, starts);
    const LeastWithin least(columns_of(2, columns, column_costs, starts));
    for (std::size_t a = 0; a < first.size(); ++a) {
        allow_interrupt();
        for (std::size_t b = 0; b < second.size(); ++b) {
            const double cost = first.costs[a] + second.costs[b];
            if (cost >= limit) {
                least_dropped = std::min(least_dropped, cost);
                break;
            }
            std::array<std::int64_t, 3> others{};
            for (std::size_t row = 0; row < 3; ++row) {
                const std::size_t i = (row + 1) % 3, j = (row + 2) % 3;
                others[row] =
                    std::max(first.at(a)[i] + second.at(b)[j], first.at(a)[j] + second.at(b)[i]);
            }
            bool is_all = false;
            for (std::int64_t most = std::ranges::max(others); most <= n_objects && !is_all;
                 ++most) {
                const double with_third =
                    cost + least({most - others[0], most - others[1], most - others[2]}, is_all);
                double& best = costs[static_cast<std::size_t>(most)];
                best = std::min(best, with_third);
            }
        }
    }
    for (std::size_t most = 1; most < costs.size(); ++most) {
        costs[most] = std::min(costs[most], costs[most - 1]);
    }
    for (double& cost : costs) {
        if (cost < limit) continue;
        least_dropped = std::min(least_dropped, cost);
        cost = no_cost;
    }
    return {std::move(costs), least_dropped};
}

}  // namespace sfumato
