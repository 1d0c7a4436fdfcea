// Random tables of many populations with the same types. Every object chooses independently.
//
// Cost: O(log(number of options)) per object.
#pragma once

#include <algorithm>

#include "interrupt.hpp"
#include "sampling/xoshiro.hpp"
#include "spans.hpp"
#include "tables/cell_choices.hpp"

namespace sfumato {

class ChoiceSampler {
  public:
    explicit ChoiceSampler(const CellChoices& choices) : choices_(choices) {
        cumulative_.reserve(choices.weights.size());
        for (std::size_t type = 0; type + 1 < choices.starts.size(); ++type) {
            double total = 0.0, sum = 0.0;
            for (const double weight : choices.weights_of(type)) total += weight;
            for (const double weight : choices.weights_of(type)) {
                cumulative_.push_back((sum += weight) / total);
            }
        }
    }

    // Adds one table with counts[t] objects of each type t to `out`, of n_cells counts.
    void draw(Ints counts, Xoshiro& random, std::span<std::int32_t> out) const {
        allow_interrupt();
        for (std::size_t type = 0; type < counts.size(); ++type) {
            const auto cells = choices_.cells_of(type);
            const auto* begin = cumulative_.data() + choices_.starts[type];
            const auto* last = begin + cells.size() - 1;  // takes what rounding leaves over
            for (std::int64_t object = 0; object < counts[type]; ++object) {
                const auto* chosen = std::upper_bound(begin, last, random.uniform());
                ++out[static_cast<std::size_t>(cells[static_cast<std::size_t>(chosen - begin)])];
            }
        }
    }

  private:
    CellChoices choices_;
    std::vector<double> cumulative_;
};

}  // namespace sfumato
