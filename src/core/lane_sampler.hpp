// Tables of types that choose among few cells, drawn side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "choices.hpp"
#include "lanes.hpp"
#include "slots.hpp"
#include "xoshiro.hpp"

namespace sfumato {

class LaneSampler {
  public:
    LaneSampler() = default;
    // Only the types listed take part.
    LaneSampler(const Choices& choices, std::span<const std::size_t> types) {
        for (const std::size_t type : types) {
            const auto cells = choices.cells_of(type);
            const auto weights = choices.weights_of(type);
            Group& group = groups_[{cells.begin(), cells.end()}];
            group.counts.push_back(choices.counts[type]);
            group.weights.insert(group.weights.end(), weights.begin(), weights.end());
            group.cuts.resize(group.weights.size());
            make_cuts(weights, group.cuts.data() + group.cuts.size() - weights.size());
        }
    }

    // Adds `n_draws` tables to `out`, row by row of `width` counts.
    void draw(std::size_t n_draws, std::size_t width, Xoshiro& seeds, std::int64_t* out) const {
        if (groups_.empty()) return;
        LaneCounter counter(width, seeds);
        for (std::size_t first = 0; first < n_draws; first += n_lanes) {
            for (const auto& [cells, group] : groups_) {
                counter.start(cells, std::min(n_lanes, n_draws - first), out + first * width);
                for (std::size_t type = 0; type < group.counts.size(); ++type) {
                    const std::size_t at = type * cells.size();
                    counter.add({&group.weights[at], &group.cuts[at]}, group.counts[type]);
                }
                counter.finish();
            }
        }
    }

  private:
    // Types with the same cells, which share their counters.
    struct Group {
        std::vector<std::int64_t> counts;  // (n_types,)
        std::vector<double> weights;       // (n_types, n_cells)
        std::vector<std::int16_t> cuts;    // (n_types, n_cells), see slots.hpp
    };

    std::map<std::vector<std::int64_t>, Group> groups_;
};

}  // namespace sfumato
