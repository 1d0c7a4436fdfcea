// The law of the best matchings of random columns into sets of rows, when one more column is added:
//     F'[U] = max over moves to U of F[source] + column[row], for independent F and column.
//
// Letters. F[U]: the largest total of a matching of the columns so far into the rows U.
// Cost: O(moves) per pair of a state and a column.
#pragma once

#include <algorithm>
#include <utility>

#include "laws/keyed_law.hpp"
#include "spans.hpp"

namespace sfumato {

struct MergedMatchings {
    NewGrid<std::int64_t> values;  // (m, sets)
    std::vector<double> masses;    // (m,)
    double lost = 0.0;
};

// states (m, sets) and columns (m', rows), the columns most probable first. The moves from
// starts[U] to starts[U + 1] lead to set U: the set before is `sources`, and the new column takes
// row `rows`, or no row if that is negative. Pairs with a probability below `drop` are left out and
// counted as lost.
inline MergedMatchings merge_matchings(const IntGrid& states, Floats state_masses,
                                       const IntGrid& columns, Floats column_masses, Ints starts,
                                       Ints sources, Ints rows, double drop) {
    const std::size_t n_sets = starts.size() - 1;
    const auto each_move = [&](std::size_t set, const auto& visit) {
        const auto end = static_cast<std::size_t>(starts[set + 1]);
        for (auto move = static_cast<std::size_t>(starts[set]); move < end; ++move) {
            visit(static_cast<std::size_t>(sources[move]), rows[move]);
        }
    };
    const auto range = [](const IntGrid& law, std::size_t coordinate) {
        std::int64_t low = law[0][coordinate], high = low;
        for (std::size_t m = 1; m < law.shape[0]; ++m) {
            low = std::min(low, law[m][coordinate]);
            high = std::max(high, law[m][coordinate]);
        }
        return std::pair(low, high);
    };
    // Vectors F' are packed into keys. The digit of U runs from the smallest to the largest value
    // of F'[U].
    std::vector<std::int64_t> lows;
    std::vector<std::uint64_t> sides;
    std::uint64_t n_keys = 1;
    for (std::size_t set = 0; set < n_sets; ++set) {
        std::int64_t low = 0, high = 0;
        each_move(set, [&](std::size_t source, std::int64_t row) {
            auto [from, to] = range(states, source);
            if (row >= 0) {
                const auto added = range(columns, static_cast<std::size_t>(row));
                from += added.first;
                to += added.second;
            }
            low = std::max(low, from);
            high = std::max(high, to);
        });
        lows.push_back(low);
        sides.push_back(static_cast<std::uint64_t>(high - low) + 1);
        n_keys *= sides.back();
    }
    const auto key_of = [&](Ints state, Ints column) {
        std::uint64_t key = 0;
        for (std::size_t set = 0; set < n_sets; ++set) {
            std::int64_t best = lows[set];
            each_move(set, [&](std::size_t source, std::int64_t row) {
                const std::int64_t added = row >= 0 ? column[static_cast<std::size_t>(row)] : 0;
                best = std::max(best, state[source] + added);
            });
            key = key * sides[set] + static_cast<std::uint64_t>(best - lows[set]);
        }
        return key;
    };
    const auto merge_into = [&](auto law) {
        MergedMatchings merged;
        const auto add = [&](std::size_t s, std::size_t c, double mass) {
            law.add(key_of(states[s], columns[c]), mass);
        };
        merged.lost = each_pair(state_masses, column_masses, drop, add);
        std::vector<std::int64_t>& values = merged.values.values;
        law.each([&](std::uint64_t key, double mass) {
            merged.masses.push_back(mass);
            values.resize(values.size() + n_sets);
            for (std::size_t set = n_sets; set-- > 0; key /= sides[set]) {
                values[values.size() - n_sets + set] =
                    lows[set] + static_cast<std::int64_t>(key % sides[set]);
            }
        });
        merged.values.shape = {merged.masses.size(), n_sets};
        return merged;
    };
    constexpr std::uint64_t most_dense_keys = std::uint64_t{1} << 22;
    return n_keys <= most_dense_keys ? merge_into(DenseLaw(n_keys)) : merge_into(SparseLaw());
}

}  // namespace sfumato
