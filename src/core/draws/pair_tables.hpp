// Contingency tables of many pairs of clusterings.
//
// Cost: O(n + k l) per pair.
#pragma once

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato::draws {

// Pair p is draw first[p] of `rows` and draw second[p] of `columns`; its table of k x l cells is
// added to `tables`, which holds zeros.
inline void pair_tables(std::span<const std::int32_t> rows, std::span<const std::int32_t> columns,
                        Ints first, Ints second, std::size_t n, std::size_t k, std::size_t l,
                        std::span<std::int64_t> tables) {
    for (std::size_t pair = 0; pair < first.size(); ++pair) {
        allow_interrupt();
        const std::int32_t* row = rows.data() + static_cast<std::size_t>(first[pair]) * n;
        const std::int32_t* column = columns.data() + static_cast<std::size_t>(second[pair]) * n;
        std::int64_t* table = tables.data() + pair * k * l;
        for (std::size_t x = 0; x < n; ++x) {
            ++table[static_cast<std::size_t>(row[x]) * l + static_cast<std::size_t>(column[x])];
        }
    }
}

}  // namespace sfumato::draws
