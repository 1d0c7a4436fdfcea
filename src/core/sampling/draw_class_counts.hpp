// Draws a set for every object of an evidential clustering against a hard truth, and counts how
// often each class chose each set. Masses are read where they are: many objects that all differ
// take no further memory.
//
// Cost: per object, set and lane one comparison (lane_counter.hpp).
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "sampling/lane_counter.hpp"
#include "sampling/random.hpp"
#include "spans.hpp"

namespace sfumato {

// masses: (n_objects, n_sets). The counts have the shape (n_draws, n_classes * n_sets).
inline NewGrid<std::int64_t> draw_class_counts(const FloatGrid& masses, Ints classes,
                                               std::size_t n_classes, std::size_t n_draws,
                                               Seed seed) {
    // Objects of one class share their counters.
    std::vector<std::vector<std::uint32_t>> objects(n_classes);
    for (std::size_t x = 0; x < classes.size(); ++x) {
        objects[static_cast<std::size_t>(classes[x])].push_back(static_cast<std::uint32_t>(x));
    }
    const std::size_t n_sets = masses.shape[1], width = n_classes * n_sets;
    std::vector<std::int64_t> counts(n_draws * width);
    Xoshiro seeds(seed);
    LaneCounter counter(width, seeds);
    std::vector<std::int64_t> cells(n_sets);
    std::vector<std::int16_t> cuts(LaneCounter::most_waiting * n_sets);
    for (std::size_t first = 0; first < n_draws; first += n_lanes) {
        for (std::size_t cls = 0; cls < n_classes; ++cls) {
            std::iota(cells.begin(), cells.end(), static_cast<std::int64_t>(cls * n_sets));
            counter.start(cells, std::min(n_lanes, n_draws - first), counts.data() + first * width);
            for (std::size_t at = 0; at < objects[cls].size(); ++at) {
                const Floats own = masses[objects[cls][at]];
                std::int16_t* const own_cuts =
                    cuts.data() + at % LaneCounter::most_waiting * n_sets;
                make_cuts(own, own_cuts);
                counter.add({own.data(), own_cuts});
            }
            counter.finish();
        }
    }
    return {std::move(counts), {n_draws, width}};
}

}  // namespace sfumato
