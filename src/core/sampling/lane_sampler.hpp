// Tables of types with few options, drawn in lanes (lane_counter.hpp).
//
// Cost: per 128 tables one number and a comparison with each option, for every object and lane.
#pragma once

#include <algorithm>

#include "sampling/lane_counter.hpp"
#include "sampling/sixteen_bit_choice.hpp"
#include "sampling/xoshiro.hpp"
#include "spans.hpp"
#include "tables/cell_choices.hpp"

namespace sfumato {

class LaneSampler {
  public:
    // The types must have the same cells.
    void add(const CellChoices& choices, std::span<const std::size_t> types) {
        const auto cells = choices.cells_of(types[0]);
        Group& group = groups_.emplace_back();
        group.cells.assign(cells.begin(), cells.end());
        group.cuts.resize(types.size() * cells.size());
        for (const std::size_t type : types) {
            const auto weights = choices.weights_of(type);
            make_cuts(weights, group.cuts.data() + group.weights.size());
            group.weights.insert(group.weights.end(), weights.begin(), weights.end());
            group.counts.push_back(choices.counts[type]);
        }
    }

    // Adds `n_draws` tables to `out`, which has one row of `width` counts per table.
    void draw(std::size_t n_draws, std::size_t width, Xoshiro& seeds, std::int64_t* out) const {
        if (groups_.empty()) return;
        LaneCounter counter(width, seeds);
        for (std::size_t first = 0; first < n_draws; first += n_lanes) {
            for (const Group& group : groups_) {
                counter.start(group.cells, std::min(n_lanes, n_draws - first), out + first * width);
                for (std::size_t type = 0; type < group.counts.size(); ++type) {
                    const std::size_t at = type * group.cells.size();
                    counter.add({&group.weights[at], &group.cuts[at]}, group.counts[type]);
                }
                counter.finish();
            }
        }
    }

  private:
    // Types with the same cells; they share their counters.
    struct Group {
        std::vector<std::int64_t> cells;
        std::vector<std::int64_t> counts;  // (n_types,)
        std::vector<double> weights;       // (n_types, n_cells)
        std::vector<std::int16_t> cuts;    // (n_types, n_cells), see sixteen_bit_choice.hpp
    };

    std::vector<Group> groups_;
};

}  // namespace sfumato
