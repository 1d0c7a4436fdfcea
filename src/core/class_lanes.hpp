// Random choices of sets against a hard truth, straight from a matrix of masses: nothing is stored
// beside it, so that many objects that all differ cost no memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "lanes.hpp"
#include "xoshiro.hpp"

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

// Objects by class and likeliest set: those of one group share their counters.
struct ObjectGroups {
    std::vector<std::size_t> starts;
    std::vector<std::uint32_t> objects;
};

inline ObjectGroups group_objects(const ClassMasses& data) {
    const auto group_of = [&](std::size_t object) {
        const auto own = data.of(object);
        const auto likeliest = std::max_element(own.begin(), own.end()) - own.begin();
        return static_cast<std::size_t>(data.classes[object]) * data.n_sets +
               static_cast<std::size_t>(likeliest);
    };
    ObjectGroups groups{std::vector<std::size_t>(data.n_classes * data.n_sets + 1, 0),
                        std::vector<std::uint32_t>(data.n_objects())};
    for (std::size_t object = 0; object < data.n_objects(); ++object) {
        ++groups.starts[group_of(object) + 1];
    }
    std::partial_sum(groups.starts.begin(), groups.starts.end(), groups.starts.begin());
    std::vector<std::size_t> next(groups.starts);
    for (std::size_t object = 0; object < data.n_objects(); ++object) {
        groups.objects[next[group_of(object)]++] = static_cast<std::uint32_t>(object);
    }
    return groups;
}

// Adds to `out`, of shape (n_draws, n_classes * n_sets), how often each class chose each set.
inline void draw_class_counts(const ClassMasses& data, std::size_t n_draws, Xoshiro& seeds,
                              std::int64_t* out) {
    const ObjectGroups groups = group_objects(data);
    const std::size_t width = data.n_classes * data.n_sets, n_cuts = data.n_sets - 1;
    LaneGenerators random(seeds);
    std::vector<std::int32_t> cuts(n_cuts);
    std::vector<std::int64_t> cells(data.n_sets);
    std::vector<LaneCounts> below;
    for (std::size_t first = 0; first < n_draws; first += n_lanes) {
        const std::size_t used = std::min(n_lanes, n_draws - first);
        for (std::size_t group = 0; group < width; ++group) {
            const std::size_t begin = groups.starts[group], end = groups.starts[group + 1];
            if (begin == end) continue;
            const std::size_t likeliest = group % data.n_sets;
            below.assign(n_cuts, LaneCounts{});
            for (std::size_t at = begin; at < end; ++at) {
                const auto own = data.of(groups.objects[at]);
                const double scale = 0x1.0p32 / std::accumulate(own.begin(), own.end(), 0.0);
                double sum = seeds.uniform();  // see LaneSampler
                for (std::size_t set = 0, cut = 0; set < data.n_sets; ++set) {
                    if (set == likeliest) continue;
                    sum += own[set] * scale;
                    cuts[cut++] = as_cut(sum);
                }
                count_below(random, 1, cuts.data(), n_cuts, below.data());
            }
            std::size_t cell = 0;
            for (std::size_t set = 0; set < data.n_sets; ++set) {
                if (set != likeliest) {
                    cells[cell++] = static_cast<std::int64_t>(group - likeliest + set);
                }
            }
            cells[n_cuts] = static_cast<std::int64_t>(group);
            add_counts(below, cells, static_cast<std::int64_t>(end - begin), used, width,
                       out + first * width);
        }
    }
}

}  // namespace sfumato
