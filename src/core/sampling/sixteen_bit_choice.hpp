// Exact choices among weighted options by random numbers of only 16 bits.
//
// Each option owns as many of the 2^16 numbers as its probability surely covers, one block after
// the other. The few numbers left at the top are open: if one is drawn, a second draw chooses an
// option by the part of its probability that its block does not cover.
//
// Cost: O(number of options).
#pragma once

#include <numeric>

#include "spans.hpp"

namespace sfumato {

// Writes one cut per option: the option owns the numbers below its cut and not below the previous
// one. Numbers not below the last cut are open. Blocks are taken of 2^16 - 1 numbers, so that at
// least one number is open and every cut fits into 16 bits.
inline void make_cuts(Floats weights, std::int16_t* cuts) {
    const double scale = 0xffff / std::accumulate(weights.begin(), weights.end(), 0.0);
    std::int32_t sum = INT16_MIN;
    for (std::size_t option = 0; option < weights.size(); ++option) {
        sum += static_cast<std::int32_t>(weights[option] * scale);
        cuts[option] = static_cast<std::int16_t>(sum);
    }
}

// The option of an object whose number is open, by a uniform number in [0, 1).
inline std::size_t settle(Floats weights, const std::int16_t* cuts, double uniform) {
    const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
    const std::int32_t n_open = INT16_MAX + 1 - cuts[weights.size() - 1];
    double place = uniform * n_open;
    std::size_t likely = 0;  // rounding may leave a place beyond the last option
    std::int32_t before = INT16_MIN;
    for (std::size_t option = 0; option < weights.size(); ++option) {
        place -= 0x1.0p16 * (weights[option] / total) - (cuts[option] - before);
        if (place < 0.0) return option;
        before = cuts[option];
        if (weights[option] > weights[likely]) likely = option;
    }
    return likely;
}

}  // namespace sfumato
