// Draws a set for every object of an evidential clustering against a hard truth, and counts how
// often each class chose each set. Masses are read where they are: many objects that all differ
// take no further memory.
//
// Cost: per object, set and lane one comparison (lane_counter.hpp).
#pragma once

#include <algorithm>
#include <numeric>

#include "sampling/lane_counter.hpp"
#include "sampling/xoshiro.hpp"
#include "spans.hpp"

namespace sfumato {

struct ClassMasses {
    const double* masses;  // (n_objects, n_sets)
    Ints classes;          // (n_objects,)
    std::size_t n_sets;
    std::size_t n_classes;

    std::size_t n_objects() const { return classes.size(); }
    Floats of(std::size_t object) const { return {masses + object * n_sets, n_sets}; }
};

// Adds the counts to `out`, of shape (n_draws, n_classes * n_sets).
inline void draw_class_counts(const ClassMasses& data, std::size_t n_draws, Xoshiro& seeds,
                              std::int64_t* out) {
    // Objects of one class share their counters.
    std::vector<std::vector<std::uint32_t>> objects(data.n_classes);
    for (std::size_t x = 0; x < data.n_objects(); ++x) {
        objects[static_cast<std::size_t>(data.classes[x])].push_back(static_cast<std::uint32_t>(x));
    }
    const std::size_t width = data.n_classes * data.n_sets;
    LaneCounter counter(width, seeds);
    std::vector<std::int64_t> cells(data.n_sets);
    std::vector<std::int16_t> cuts(LaneCounter::most_waiting * data.n_sets);
    for (std::size_t first = 0; first < n_draws; first += n_lanes) {
        for (std::size_t cls = 0; cls < data.n_classes; ++cls) {
            std::iota(cells.begin(), cells.end(), static_cast<std::int64_t>(cls * data.n_sets));
            counter.start(cells, std::min(n_lanes, n_draws - first), out + first * width);
            for (std::size_t at = 0; at < objects[cls].size(); ++at) {
                const auto own = data.of(objects[cls][at]);
                std::int16_t* const own_cuts =
                    cuts.data() + at % LaneCounter::most_waiting * data.n_sets;
                make_cuts(own, own_cuts);
                counter.add({own.data(), own_cuts});
            }
            counter.finish();
        }
    }
}

}  // namespace sfumato
