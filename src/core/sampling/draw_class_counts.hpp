// Draws a set for every object of an evidential clustering against a hard truth, and counts how
// often each class chose each set. Masses are read where they are: many objects that all differ
// take no further memory.
//
// Cost: per object, set and lane one comparison (lane_counter.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "sampling/lane_counter.hpp"
#include "sampling/xoshiro.hpp"

namespace sfumato {

struct ClassMasses {
    const double* masses;                   // (n_objects, n_sets)
    std::span<const std::int64_t> classes;  // (n_objects,)
    std::size_t n_sets;
    std::size_t n_classes;

    std::size_t n_objects() const { return classes.size(); }
    std::span<const double> of(std::size_t object) const {
        return {masses + object * n_sets, n_sets};
    }
};

// Objects by class; objects of one class share their counters.
struct ObjectGroups {
    std::vector<std::size_t> starts;
    std::vector<std::uint32_t> objects;
};

inline ObjectGroups group_objects(const ClassMasses& data) {
    ObjectGroups groups{std::vector<std::size_t>(data.n_classes + 1, 0),
                        std::vector<std::uint32_t>(data.n_objects())};
    const auto class_of = [&](std::size_t object) {
        return static_cast<std::size_t>(data.classes[object]);
    };
    for (std::size_t object = 0; object < data.n_objects(); ++object) {
        ++groups.starts[class_of(object) + 1];
    }
    std::partial_sum(groups.starts.begin(), groups.starts.end(), groups.starts.begin());
    std::vector<std::size_t> next(groups.starts);
    for (std::size_t object = 0; object < data.n_objects(); ++object) {
        groups.objects[next[class_of(object)]++] = static_cast<std::uint32_t>(object);
    }
    return groups;
}

// Adds the counts to `out`, of shape (n_draws, n_classes * n_sets).
inline void draw_class_counts(const ClassMasses& data, std::size_t n_draws, Xoshiro& seeds,
                              std::int64_t* out) {
    const ObjectGroups groups = group_objects(data);
    const std::size_t width = data.n_classes * data.n_sets;
    LaneCounter counter(width, seeds);
    std::vector<std::int64_t> cells(data.n_sets);
    std::vector<std::int16_t> cuts(LaneCounter::most_waiting * data.n_sets);
    for (std::size_t first = 0; first < n_draws; first += n_lanes) {
        for (std::size_t cls = 0; cls < data.n_classes; ++cls) {
            std::iota(cells.begin(), cells.end(), static_cast<std::int64_t>(cls * data.n_sets));
            counter.start(cells, std::min(n_lanes, n_draws - first), out + first * width);
            for (std::size_t at = groups.starts[cls]; at < groups.starts[cls + 1]; ++at) {
                const auto own = data.of(groups.objects[at]);
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
