// The law of the sum of two independent integer keys. Vectors of counts are packed into keys that
// add up like the vectors do.
//
// Cost: O(m1 m2) for laws of m1 and m2 keys, less the pairs that are dropped.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "interrupt.hpp"
#include "laws/keyed_law.hpp"

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

// The second law comes most probable first. Pairs with a probability below `drop` are left out and
// counted as lost.
class KeyMerger {
  public:
    using Keys = std::span<const std::int64_t>;
    using Masses = std::span<const double>;

    KeyMerger(Keys first_keys, Masses first, Keys second_keys, Masses second)
        : first_keys_(first_keys), first_(first), second_keys_(second_keys), second_(second) {}

    KeyedMasses merge(double drop) const {
        const auto largest = std::ranges::max(first_keys_) + std::ranges::max(second_keys_);
        const auto n_keys = static_cast<std::uint64_t>(largest) + 1;
        // Clearing four places costs about as much as finding one by its hash.
        const bool is_dense = n_keys <= 4 * first_.size() * second_.size() && n_keys < 1U << 24;
        return is_dense ? merge_into(DenseLaw(n_keys), drop) : merge_into(SparseLaw(), drop);
    }

  private:
    template <class Law>
    KeyedMasses merge_into(Law law, double drop) const {
        const std::vector<double> tails = tails_of(second_);
        KeyedMasses merged;
        for (std::size_t f = 0; f < first_.size(); ++f) {
            allow_interrupt();
            for (std::size_t s = 0; s < second_.size(); ++s) {
                const double mass = first_[f] * second_[s];
                if (mass < drop || mass <= 0.0) {
                    merged.lost += first_[f] * tails[s];
                    break;
                }
                law.add(static_cast<std::uint64_t>(first_keys_[f] + second_keys_[s]), mass);
            }
        }
        collect(law, 0, merged);
        return merged;
    }

    Keys first_keys_;
    Masses first_;
    Keys second_keys_;
    Masses second_;
};

// Sorts states into groups of equal key / width (rounded down), and the most probable first within
// a group.
inline std::vector<std::int64_t> group_order(std::span<const std::int64_t> keys,
                                             std::span<const double> masses, std::int64_t width) {
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
