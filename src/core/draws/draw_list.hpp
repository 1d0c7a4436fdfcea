// Draws of clusterings: their clusters numbered anew, and contingency tables of pairs of them.
//
// Cost: O(n) per draw; O(n + k l) per table.
#pragma once

#include <utility>

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato::draws {

using Codes = Grid<std::int32_t>;  // (s, n): the cluster of each object in each draw

// Numbers the clusters of each draw by first appearance: then two draws group the objects alike if
// and only if they are equal. Labels are below n_labels. Returns also the clusters of each draw.
inline std::pair<NewGrid<std::int32_t>, std::vector<std::int64_t>> relabel(const IntGrid& labels,
                                                                           std::size_t n_labels) {
    constexpr std::int32_t unseen = -1;
    std::vector<std::int32_t> codes(labels.values.size()), number(n_labels, unseen);
    std::vector<std::int64_t> sizes;
    std::vector<std::size_t> seen;
    auto code = codes.begin();
    for (std::size_t draw = 0; draw < labels.shape[0]; ++draw) {
        for (const std::size_t label : seen) number[label] = unseen;
        seen.clear();
        for (const std::int64_t own : labels[draw]) {
            const auto label = static_cast<std::size_t>(own);
            if (number[label] == unseen) {
                number[label] = static_cast<std::int32_t>(seen.size());
                seen.push_back(label);
            }
            *code++ = number[label];
        }
        sizes.push_back(static_cast<std::int64_t>(seen.size()));
    }
    return {{std::move(codes), labels.shape}, std::move(sizes)};
}

// Pair p is draw first[p] of `rows` and draw second[p] of `columns`; it has a table of k x l cells.
inline NewGrid<std::int64_t, 3> pair_tables(const Codes& rows, const Codes& columns, Ints first,
                                            Ints second, std::size_t k, std::size_t l) {
    std::vector<std::int64_t> tables(first.size() * k * l);
    for (std::size_t pair = 0; pair < first.size(); ++pair) {
        allow_interrupt();
        const auto row = rows[static_cast<std::size_t>(first[pair])];
        const auto column = columns[static_cast<std::size_t>(second[pair])];
        std::int64_t* table = tables.data() + pair * k * l;
        for (std::size_t x = 0; x < row.size(); ++x) {
            ++table[static_cast<std::size_t>(row[x]) * l + static_cast<std::size_t>(column[x])];
        }
    }
    return {std::move(tables), {first.size(), k, l}};
}

}  // namespace sfumato::draws
