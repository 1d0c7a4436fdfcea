// Distinct rows of a matrix of bytes, in order of first appearance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace sfumato {

inline std::uint64_t mix(std::uint64_t x) {  // the finaliser of SplitMix64 (Steele et al. 2014)
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

inline std::uint64_t hash_bytes(const unsigned char* bytes, std::size_t width) {
    std::uint64_t hash = width;
    while (width >= 8) {
        std::uint64_t word;
        std::memcpy(&word, bytes, 8);
        hash = mix(hash ^ word) + 0x9e3779b97f4a7c15ULL;
        bytes += 8;
        width -= 8;
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, bytes, width);
    return mix(hash ^ rest);
}

// Slots of a hash table for groups: each holds the number of a group, or -1. How a group is
// recognised is the caller's business.
class GroupSlots {
  public:
    // Returns the group for which is_same(group) holds, or -1 after giving its slot to `fresh`.
    template <class IsSame>
    std::int64_t find_or_place(std::uint64_t hash, std::int64_t fresh, const IsSame& is_same) {
        std::size_t at = hash & (slots_.size() - 1);
        while (slots_[at] >= 0) {
            if (is_same(slots_[at])) return slots_[at];
            at = (at + 1) & (slots_.size() - 1);
        }
        slots_[at] = fresh;
        return -1;
    }

    // Make room after a group was added; hash_of(group) gives the hashes again.
    template <class HashOf>
    void grow_for(std::size_t n_groups, const HashOf& hash_of) {
        if (2 * n_groups <= slots_.size()) return;
        slots_.assign(2 * slots_.size(), -1);
        for (std::size_t group = 0; group < n_groups; ++group) {
            std::size_t at = hash_of(group) & (slots_.size() - 1);
            while (slots_[at] >= 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = static_cast<std::int64_t>(group);
        }
    }

  private:
    std::vector<std::int64_t> slots_ = std::vector<std::int64_t>(1024, -1);
};

// codes[x] = group of row x, for rows of at most eight bytes, which fit into one word; returns
// the first row of each group.
inline std::vector<std::int64_t> group_words(const unsigned char* rows, std::size_t n_rows,
                                             std::size_t width, std::span<std::int64_t> codes) {
    std::vector<std::int64_t> first;
    std::vector<std::uint64_t> words;
    GroupSlots slots;
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
    GroupSlots slots;
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
