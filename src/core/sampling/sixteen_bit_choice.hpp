// CellChoices by numbers of 16 bits that are exact all the same. Of the 2^16 numbers each option
// owns as many, one after the other, as its probability surely covers. The few left over at the top
// leave the choice open: then an option is drawn by what its own numbers do not cover.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>

namespace sfumato {

// One cut for each option: its numbers lie below its cut and not below the one before; a number
// not below the last cut leaves the choice open. Shares are taken of 2^16 - 1, so that some number
// does and every cut fits into 16 bits.
inline void make_cuts(std::span<const double> weights, std::int16_t* cuts) {
    const double scale = 0xffff / std::accumulate(weights.begin(), weights.end(), 0.0);
    std::int32_t sum = INT16_MIN;
    for (std::size_t option = 0; option < weights.size(); ++option) {
        sum += static_cast<std::int32_t>(weights[option] * scale);
        cuts[option] = static_cast<std::int16_t>(sum);
    }
}

// The option of an object whose number left the choice open, by a uniform number in [0, 1).
inline std::size_t settle(std::span<const double> weights, const std::int16_t* cuts,
                          double uniform) {
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
