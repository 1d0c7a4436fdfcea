// Random numbers, and random choices made with them.
//
// Cost: O(1) per number; the alias method takes O(m) to set up m weights and O(1) per draw.
#pragma once

#include <bit>
#include <numeric>

#include "spans.hpp"

namespace sfumato {

using Seed = std::span<const std::uint64_t>;  // four words

// The random number generator xoshiro256++ of Blackman & Vigna (2021).
class Xoshiro {
  public:
    explicit Xoshiro(Seed seed)
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

// Draws an index with a probability proportional to its weight, by the alias method (Walker 1977;
// Vose 1991).
class Alias {
  public:
    explicit Alias(Floats weights) : keep_(weights.size()), other_(weights.size()) {
        const double scale = static_cast<double>(weights.size()) /
                             std::accumulate(weights.begin(), weights.end(), 0.0);
        std::vector<std::size_t> small, large;
        for (std::size_t i = 0; i < weights.size(); ++i) {
            keep_[i] = weights[i] * scale;
            other_[i] = i;
            (keep_[i] < 1.0 ? small : large).push_back(i);
        }
        while (!small.empty() && !large.empty()) {
            const std::size_t poor = small.back(), rich = large.back();
            small.pop_back();
            other_[poor] = rich;
            keep_[rich] -= 1.0 - keep_[poor];
            if (keep_[rich] < 1.0) {
                large.pop_back();
                small.push_back(rich);
            }
        }
        for (const std::size_t i : small) keep_[i] = 1.0;  // they are 1 up to rounding
    }

    std::size_t draw(Xoshiro& random) const {
        const double place = random.uniform() * static_cast<double>(keep_.size());
        const auto index = static_cast<std::size_t>(place);
        return place - static_cast<double>(index) < keep_[index] ? index : other_[index];
    }

  private:
    std::vector<double> keep_;
    std::vector<std::size_t> other_;
};

}  // namespace sfumato
