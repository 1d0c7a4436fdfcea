// The random number generator xoshiro256++ of Blackman & Vigna (2021), seeded with four words.
#pragma once

#include <bit>

#include "spans.hpp"

namespace sfumato {

class Xoshiro {
  public:
    explicit Xoshiro(std::span<const std::uint64_t> seed)
        : state_{seed[0], seed[1], seed[2], seed[3] | 1} {}  // never all zero

    std::uint64_t next() {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  private:
    std::uint64_t state_[4];
};

}  // namespace sfumato
