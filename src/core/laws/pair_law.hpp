// The law of a weighted number of pairs, for a random table against a hard truth:
//     row_weight * sum_i C(R_i, 2) + cell_weight * sum_ij C(N_ij, 2).
//
// Cost: O(1) per pair of a state and a last column, O(k) per pair of a group and a last column.
#pragma once

#include <algorithm>

#include "laws/keyed_law.hpp"
#include "laws/last_column.hpp"
#include "spans.hpp"

namespace sfumato {

// In whole numbers. The row sums of the last column add to the others, and C(r + c, 2) = C(r, 2) +
// C(c, 2) + r c.
inline KeyedMasses pair_law(const IntGrid& rows, Ints starts, Ints totals, Floats masses,
                            const IntGrid& counts, Ints column_totals, Floats column_masses,
                            std::int64_t row_weight, std::int64_t cell_weight, double drop) {
    const GroupedStates<std::int64_t> states{rows, starts, totals, masses};
    const ColumnStates<std::int64_t> column{counts, column_totals, column_masses};
    const auto pairs = [](Ints sizes) {
        std::int64_t sum = 0;
        for (const std::int64_t size : sizes) sum += size * (size - 1) / 2;
        return sum;
    };
    std::vector<std::int64_t> own, columns, groups;
    for (const std::int64_t total : totals) own.push_back(cell_weight * total);
    for (std::size_t c = 0; c < column.size(); ++c) {
        columns.push_back(cell_weight * column_totals[c] + row_weight * pairs(counts[c]));
    }
    for (std::size_t g = 0; g < states.n_groups(); ++g) {
        groups.push_back(row_weight * pairs(rows[g]));
    }
    const auto base = [&](std::size_t g, std::size_t c) {
        const Ints r = rows[g], added = counts[c];
        std::int64_t product = 0;
        for (std::size_t i = 0; i < r.size(); ++i) product += r[i] * added[i];
        return groups[g] + columns[c] + row_weight * product;
    };
    std::int64_t lowest = INT64_MAX, highest = INT64_MIN;
    for (std::size_t g = 0; g < states.n_groups(); ++g) {
        const auto [low, high] = std::ranges::minmax(part(Ints(own), starts, g));
        for (std::size_t c = 0; c < column.size(); ++c) {
            const std::int64_t from = base(g, c);
            lowest = std::min(lowest, from + low);
            highest = std::max(highest, from + high);
        }
    }
    const auto law_into = [&](auto law) {
        KeyedMasses found;
        const auto add = [&](std::size_t g, std::size_t c, std::size_t end) {
            const std::int64_t from = base(g, c) - lowest;
            for (std::size_t m = states.first(g); m < end; ++m) {
                law.add(static_cast<std::uint64_t>(from + own[m]), column_masses[c] * masses[m]);
            }
        };
        found.lost = each_likely_pair(states, column, drop, add);
        collect(law, lowest, found);
        return found;
    };
    const auto n_keys = static_cast<std::uint64_t>(highest - lowest) + 1;
    return n_keys <= 1U << 24 ? law_into(DenseLaw(n_keys)) : law_into(SparseLaw());
}

}  // namespace sfumato
