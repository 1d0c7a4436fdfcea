// Distinct rows of a matrix of bytes, numbered in the order of their first appearance.
//
// Cost: O(number of bytes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "hash.hpp"

namespace sfumato {

// Writes the group of row x to codes[x], and returns the first row of each group. For rows of at
// most eight bytes, which fit into one word.
inline std::vector<std::int64_t> group_words(const unsigned char* rows, std::size_t n_rows,
                                             std::size_t width, std::span<std::int64_t> codes) {
    std::vector<std::int64_t> first;
    std::vector<std::uint64_t> words;
    HashSlots slots;
    for (std::size_t row = 0; row < n_rows; ++row) {
        std::uint64_t word = 0;
        for (std::size_t byte = 0; byte < width; ++byte) {
            word |= std::uint64_t{rows[row * width + byte]} << (8 * byte);
        }
        const auto fresh = static_cast<std::int64_t>(first.size());
        const std::int64_t group =
            slots.find_or_place(mix(word), fresh, [&](std::int64_t candidate) {
                return words[static_cast<std::size_t>(candidate)] == word;
            });
        codes[row] = group < 0 ? fresh : group;
        if (group < 0) {
            first.push_back(static_cast<std::int64_t>(row));
            words.push_back(word);
            slots.grow_for(words.size(), [&](std::size_t at) { return mix(words[at]); });
        }
    }
    return first;
}

// The same for rows of any width.
inline std::vector<std::int64_t> group_rows(const unsigned char* rows, std::size_t n_rows,
                                            std::size_t width, std::span<std::int64_t> codes) {
    if (width <= 8) return group_words(rows, n_rows, width, codes);
    std::vector<std::int64_t> first;
    std::vector<std::uint64_t> hashes;
    HashSlots slots;
    for (std::size_t row = 0; row < n_rows; ++row) {
        const unsigned char* bytes = rows + row * width;
        const std::uint64_t hash = hash_bytes(bytes, width);
        const auto fresh = static_cast<std::int64_t>(first.size());
        const std::int64_t group = slots.find_or_place(hash, fresh, [&](std::int64_t candidate) {
            const auto at = static_cast<std::size_t>(candidate);
            const unsigned char* other = rows + static_cast<std::size_t>(first[at]) * width;
            return hashes[at] == hash && std::memcmp(bytes, other, width) == 0;
        });
        codes[row] = group < 0 ? fresh : group;
        if (group < 0) {
            first.push_back(static_cast<std::int64_t>(row));
            hashes.push_back(hash);
            slots.grow_for(hashes.size(), [&](std::size_t at) { return hashes[at]; });
        }
    }
    return first;
}

}  // namespace sfumato
