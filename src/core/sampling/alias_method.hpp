// Draws an index with a probability proportional to its weight, by the alias method (Walker 1977;
// Vose 1991).
//
// Cost: O(m) to set up m weights, O(1) per draw.
#pragma once

#include <numeric>

#include "sampling/xoshiro.hpp"
#include "spans.hpp"

namespace sfumato {

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
