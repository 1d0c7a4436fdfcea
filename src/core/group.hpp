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

// codes[x] = group of row x; returns the first row of each group.
inline std::vector<std::int64_t> group_rows(const unsigned char* rows, std::size_t n_rows,
                                            std::size_t width, std::span<std::int64_t> codes) {
    std::vector<std::int64_t> first;
    std::vector<std::uint64_t> hashes;
    std::vector<std::int64_t> slots(1024, -1);
    const auto place = [&](std::uint64_t hash) { return hash & (slots.size() - 1); };
    const auto grow = [&] {
        slots.assign(2 * slots.size(), -1);
        for (std::size_t group = 0; group < first.size(); ++group) {
            std::size_t at = place(hashes[group]);
            while (slots[at] >= 0) at = (at + 1) & (slots.size() - 1);
            slots[at] = static_cast<std::int64_t>(group);
        }
    };
    for (std::size_t row = 0; row < n_rows; ++row) {
        const unsigned char* bytes = rows + row * width;
        const std::uint64_t hash = hash_bytes(bytes, width);
        std::size_t at = place(hash);
        std::int64_t group = -1;
        while (slots[at] >= 0) {
            const auto candidate = static_cast<std::size_t>(slots[at]);
            const unsigned char* other = rows + static_cast<std::size_t>(first[candidate]) * width;
            if (hashes[candidate] == hash && std::memcmp(bytes, other, width) == 0) {
                group = slots[at];
                break;
            }
            at = (at + 1) & (slots.size() - 1);
        }
        if (group < 0) {
            group = static_cast<std::int64_t>(first.size());
            slots[at] = group;
            first.push_back(static_cast<std::int64_t>(row));
            hashes.push_back(hash);
            if (2 * first.size() > slots.size()) grow();
        }
        codes[row] = group;
    }
    return first;
}

}  // namespace sfumato
