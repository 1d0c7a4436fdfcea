// Random tables of two fuzzy partitions. An object draws its row and its column independently; the
// cells it may take, far more than its rows and columns together, are never listed.
//
// Cost: O(1) per object and table.
#pragma once

#include <utility>

#include "interrupt.hpp"
#include "sampling/random.hpp"
#include "spans.hpp"
#include "tables/probability_rows.hpp"

namespace sfumato {

class ProductSampler {
  public:
    ProductSampler(const SparseRows& a, const SparseRows& b)
        : a_(sides_of(a)), b_(sides_of(b)), n_columns_(b.width), width_(a.width * b.width) {}

    NewGrid<std::int64_t> draw(std::size_t n_draws, Seed seed) const {
        std::vector<std::int64_t> tables(n_draws * width_);
        Xoshiro random(seed);
        for (std::size_t object = 0; object < a_.size(); ++object) {
            if (object % 64 == 0) allow_interrupt();
            for (std::size_t draw = 0; draw < n_draws; ++draw) {
                const std::size_t row = a_[object].draw(random);
                const std::size_t column = b_[object].draw(random);
                ++tables[draw * width_ + row * n_columns_ + column];
            }
        }
        return {std::move(tables), {n_draws, width_}};
    }

  private:
    struct Side {
        std::vector<std::int64_t> clusters;
        Alias alias;

        std::size_t draw(Xoshiro& random) const {
            return static_cast<std::size_t>(clusters[alias.draw(random)]);
        }
    };

    static std::vector<Side> sides_of(const SparseRows& rows) {
        std::vector<Side> sides;
        sides.reserve(rows.size());
        for (std::size_t x = 0; x < rows.size(); ++x) {
            const auto clusters = rows.columns_of(x);
            sides.push_back({{clusters.begin(), clusters.end()}, Alias(rows.values_of(x))});
        }
        return sides;
    }

    std::vector<Side> a_, b_;
    std::size_t n_columns_, width_;
};

}  // namespace sfumato
