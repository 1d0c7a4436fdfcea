// Hashes of words and bytes, and the slots of a hash table with open addressing.
//
// Cost: O(1) per word hashed, O(1) on average per item looked up.
#pragma once

#include <cstring>

#include "spans.hpp"

namespace sfumato {

// Spreads the bits of a word: the last step of SplitMix64 (Steele et al. 2014).
inline std::uint64_t mix(std::uint64_t x) {
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

// Each slot holds the number of an item, or -1 if it is free. The caller keeps the items and says
// how to recognise one.
class HashSlots {
  public:
    // `size` is a power of two.
    explicit HashSlots(std::size_t size = 1024) : slots_(size, -1) {}

    // Returns the item for which is_same(item) holds. If there is none, puts `fresh` into a free
    // slot and returns -1.
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

    // Doubles the slots once half of them are taken; hash_of(item) gives the hash of an item again.
    template <class HashOf>
    void grow_for(std::size_t n_items, const HashOf& hash_of) {
        if (2 * n_items <= slots_.size()) return;
        slots_.assign(2 * slots_.size(), -1);
        for (std::size_t item = 0; item < n_items; ++item) {
            std::size_t at = hash_of(item) & (slots_.size() - 1);
            while (slots_[at] >= 0) at = (at + 1) & (slots_.size() - 1);
            slots_[at] = static_cast<std::int64_t>(item);
        }
    }

  private:
    std::vector<std::int64_t> slots_;
};

}  // namespace sfumato
