// The law of the sum of two independent integer keys. Vectors of counts are packed into keys that
// add up like the vectors do.
//
// Cost: O(m1 m2) for laws of m1 and m2 keys, less the pairs that are dropped.
#pragma once

#include <algorithm>

#include "laws/keyed_law.hpp"
#include "spans.hpp"

namespace sfumato {

struct KeyedMasses {
    std::vector<std::int64_t> keys;
    std::vector<double> masses;
    double lost = 0.0;
};

// Lists what a law holds, with `lowest` added to its keys.
template <class Law>
void collect(const Law& law, std::int64_t lowest, KeyedMasses& found) {
    law.each([&](std::uint64_t key, double mass) {
        found.keys.push_back(lowest + static_cast<std::int64_t>(key));
        found.masses.push_back(mass);
    });
}

struct KeyedLaw {
    Ints keys;
    Floats masses;
};

// The second law comes most probable first. Pairs with a probability below `drop` are left out and
// counted as lost.
inline KeyedMasses merge_keys(const KeyedLaw& first, const KeyedLaw& second, double drop) {
    const auto merge_into = [&](auto law) {
        KeyedMasses merged;
        const auto add = [&](std::size_t f, std::size_t s, double mass) {
            law.add(static_cast<std::uint64_t>(first.keys[f] + second.keys[s]), mass);
        };
        merged.lost = each_pair(first.masses, second.masses, drop, add);
        collect(law, 0, merged);
        return merged;
    };
    const auto largest = std::ranges::max(first.keys) + std::ranges::max(second.keys);
    const auto n_keys = static_cast<std::uint64_t>(largest) + 1;
    // Clearing four places costs about as much as finding one by its hash.
    const std::size_t n_pairs = first.keys.size() * second.keys.size();
    const bool is_dense = n_keys <= 4 * n_pairs && n_keys < 1U << 24;
    return is_dense ? merge_into(DenseLaw(n_keys)) : merge_into(SparseLaw());
}

// Sorts states into groups of equal key / width (rounded down), and the most probable first within
// a group.
inline std::vector<std::int64_t> group_order(Ints keys, Floats masses, std::int64_t width) {
    struct State {
        std::int64_t group;
        double mass;
        std::int64_t at;
    };
    std::vector<State> states(keys.size());
    for (std::size_t at = 0; at < keys.size(); ++at) {
        states[at] = {keys[at] / width, masses[at], static_cast<std::int64_t>(at)};
    }
    std::ranges::sort(states, [&](const State& one, const State& other) {
        if (one.group != other.group) return one.group < other.group;
        if (one.mass != other.mass) return one.mass > other.mass;
        return keys[static_cast<std::size_t>(one.at)] < keys[static_cast<std::size_t>(other.at)];
    });
    std::vector<std::int64_t> order(states.size());
    std::ranges::transform(states, order.begin(), [](const State& state) { return state.at; });
    return order;
}

}  // namespace sfumato
