// Limits that random counts exceed with a small probability only.
//
// Cost: O(1) per count, 40 steps of bisection.
#pragma once

#include <algorithm>
#include <cmath>

#include "moments/poisson_binomial.hpp"
#include "spans.hpp"
#include "tables/cell_choices.hpp"

namespace sfumato {

struct CountLimits {
    std::int64_t least, most;
};

// Limits of the counts of a component's cells, while its types are added one by one.
class LikelyCounts {
  public:
    // With probability 1 - loss or more all limits hold: for all cells, after every type.
    LikelyCounts(std::size_t n_cells, double loss, const Component& component)
        : mean_(n_cells, 0.0),
          variance_(n_cells, 0.0),
          most_(n_cells, 0),
          limits_(n_cells, {0, 0}),
          log_term_(std::log(
              2.0 * static_cast<double>(component.cells.size() * component.types.size()) / loss)) {}

    // Adds a type. Returns limits on how many of its objects choose each option, for tables that
    // keep to the limits of the cells before and after.
    std::vector<CountLimits> add(const CellChoices& choices, std::size_t type) {
        const std::int64_t count = choices.counts[type];
        std::vector<CountLimits> own;
        own.reserve(choices.n_options(type));
        for (std::size_t option = 0; option < choices.n_options(type); ++option) {
            const auto cell = static_cast<std::size_t>(choices.cells_of(type)[option]);
            const double weight = choices.weights_of(type)[option];
            const CountLimits before = limits_[cell];
            mean_[cell] += static_cast<double>(count) * weight;
            variance_[cell] += static_cast<double>(count) * weight * (1.0 - weight);
            most_[cell] += count;
            const CountLimits after = limits_[cell] = find_limits(cell);
            own.push_back({std::max(std::int64_t{0}, after.least - before.most),
                           std::min(count, after.most)});
        }
        return own;
    }

    CountLimits limits(std::size_t cell) const { return limits_[cell]; }

  private:
    CountLimits find_limits(std::size_t cell) const {
        const double mean = mean_[cell];
        // A little wider, for rounding.
        const double reach = bennett_radius(variance_[cell], log_term_) + 1e-9 * (1.0 + mean);
        return {std::max(std::int64_t{0}, static_cast<std::int64_t>(std::ceil(mean - reach))),
                std::min(most_[cell], static_cast<std::int64_t>(std::floor(mean + reach)))};
    }

    std::vector<double> mean_, variance_;
    std::vector<std::int64_t> most_;
    std::vector<CountLimits> limits_;
    double log_term_;
};

}  // namespace sfumato
