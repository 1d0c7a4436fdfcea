// Hashes of words and bytes, and the slots of a hash table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
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
class HashSlots {
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

}  // namespace sfumato
