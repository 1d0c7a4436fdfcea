// Draws of clusterings with their clusters numbered by first appearance.
//
// Two draws group the objects alike if and only if they are equal after that.
// Cost: O(draws x objects).
#pragma once

#include "spans.hpp"

namespace sfumato::draws {

// `labels` holds one draw of n objects after the other, in numbers below n_labels. Writes the new
// numbers to `codes` and the clusters of each draw to `sizes`.
inline void relabel(Ints labels, std::size_t n, std::size_t n_labels, std::span<std::int32_t> codes,
                    std::span<std::int64_t> sizes) {
    constexpr std::int32_t unseen = -1;
    std::vector<std::int32_t> number(n_labels, unseen);
    std::vector<std::size_t> seen;
    for (std::size_t draw = 0; draw < sizes.size(); ++draw) {
        for (const std::size_t label : seen) number[label] = unseen;
        seen.clear();
        for (std::size_t at = draw * n; at < (draw + 1) * n; ++at) {
            const auto label = static_cast<std::size_t>(labels[at]);
            if (number[label] == unseen) {
                number[label] = static_cast<std::int32_t>(seen.size());
                seen.push_back(label);
            }
            codes[at] = number[label];
        }
        sizes[draw] = static_cast<std::int64_t>(seen.size());
    }
}

}  // namespace sfumato::draws
