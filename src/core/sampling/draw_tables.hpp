// Random tables of many populations with the same types. Every object chooses independently.
//
// Cost: O(log(number of options)) per object.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "interrupt.hpp"
#include "sampling/random.hpp"
#include "spans.hpp"

namespace sfumato {

// n_repeats tables for each row of counts (f, t): so many objects of each type.
inline NewGrid<std::int32_t> draw_tables(const IntGrid& counts, Ints starts, Ints cells,
                                         Floats weights, std::size_t n_cells, std::size_t n_repeats,
                                         Seed seed) {
    std::vector<double> cumulative;
    for (std::size_t type = 0; type + 1 < starts.size(); ++type) {
        const Floats own = part(weights, starts, type);
        const double total = std::accumulate(own.begin(), own.end(), 0.0);
        double sum = 0.0;
        for (const double weight : own) cumulative.push_back((sum += weight) / total);
    }
    const std::size_t size = counts.shape[0] * n_repeats;
    std::vector<std::int32_t> tables(size * n_cells, 0);
    Xoshiro random(seed);
    for (std::size_t table = 0; table < size; ++table) {
        allow_interrupt();
        std::int32_t* const out = tables.data() + table * n_cells;
        const Ints own = counts[table / n_repeats];
        for (std::size_t type = 0; type < own.size(); ++type) {
            const Ints options = part(cells, starts, type);
            const double* const begin = cumulative.data() + starts[type];
            const double* const last = begin + options.size() - 1;  // takes what rounding leaves
            for (std::int64_t object = 0; object < own[type]; ++object) {
                const double* const chosen = std::upper_bound(begin, last, random.uniform());
                ++out[options[static_cast<std::size_t>(chosen - begin)]];
            }
        }
    }
    return {std::move(tables), {size, n_cells}};
}

}  // namespace sfumato
