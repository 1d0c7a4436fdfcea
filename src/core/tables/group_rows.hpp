// Distinct rows of a matrix of bytes, numbered in the order of their first appearance.
//
// Cost: O(number of bytes).
#pragma once

#include <cstring>
#include <utility>

#include "hash.hpp"
#include "spans.hpp"

namespace sfumato {

// The group of each row, and the first row of each group. A row has a mark: itself if it fits into
// a word, which saves looking at its bytes again, else a hash.
inline std::pair<std::vector<std::int64_t>, std::vector<std::int64_t>> group_rows(
    const Grid<std::uint8_t>& rows) {
    const auto [n_rows, width] = rows.shape;
    const bool is_word = width <= 8;
    std::vector<std::int64_t> codes(n_rows), first;
    std::vector<std::uint64_t> marks;
    HashSlots slots;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const unsigned char* bytes = rows[row].data();
        std::uint64_t mark = 0;
        if (is_word) {
            for (std::size_t at = 0; at < width; ++at) mark |= std::uint64_t{bytes[at]} << (8 * at);
        } else {
            mark = hash_bytes(bytes, width);
        }
        const auto fresh = static_cast<std::int64_t>(first.size());
        const std::int64_t group =
            slots.find_or_place(mix(mark), fresh, [&](std::int64_t candidate) {
                const auto at = static_cast<std::size_t>(candidate);
                const unsigned char* other = rows[static_cast<std::size_t>(first[at])].data();
                return marks[at] == mark && (is_word || std::memcmp(bytes, other, width) == 0);
            });
        codes[row] = group < 0 ? fresh : group;
        if (group < 0) {
            first.push_back(static_cast<std::int64_t>(row));
            marks.push_back(mark);
            slots.grow_for(marks.size(), [&](std::size_t at) { return mix(marks[at]); });
        }
    }
    return {std::move(codes), std::move(first)};
}

}  // namespace sfumato
