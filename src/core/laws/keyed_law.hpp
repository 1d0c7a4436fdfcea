// Probabilities collected by integer keys, and the law of a sum of two independent keys. Vectors of
// counts are packed into keys that add up like the vectors do.
//
// Cost: O(1) per key added, on average; O(m1 m2) for the sum of m1 and m2 keys, less the pairs that
// are dropped.
#pragma once

#include <algorithm>
#include <utility>

#include "hash.hpp"
#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato {

// For few possible keys: one place for each.
class DenseLaw {
  public:
    explicit DenseLaw(std::uint64_t n_keys) : masses_(n_keys, 0.0) {}

    void add(std::uint64_t key, double mass) { masses_[key] += mass; }

    template <class Visit>
    void each(const Visit& visit) const {
        for (std::size_t key = 0; key < masses_.size(); ++key) {
            if (masses_[key] > 0.0) visit(key, masses_[key]);
        }
    }

  private:
    std::vector<double> masses_;
};

// For many possible keys, most of which never occur: a hash table. A place of probability 0 is
// empty.
class SparseLaw {
  public:
    SparseLaw() : keys_(1024), masses_(1024, 0.0) {}

    void add(std::uint64_t key, double mass) {
        std::size_t at = place(key);
        while (masses_[at] > 0.0 && keys_[at] != key) at = (at + 1) & (keys_.size() - 1);
        if (masses_[at] <= 0.0) {
            keys_[at] = key;
            if (2 * ++size_ > keys_.size()) {
                masses_[at] = mass;
                grow();
                return;
            }
        }
        masses_[at] += mass;
    }

    template <class Visit>
    void each(const Visit& visit) const {
        for (std::size_t at = 0; at < keys_.size(); ++at) {
            if (masses_[at] > 0.0) visit(keys_[at], masses_[at]);
        }
    }

  private:
    std::size_t place(std::uint64_t key) const { return mix(key) & (keys_.size() - 1); }

    void grow() {
        const std::vector<std::uint64_t> keys = std::exchange(keys_, {});
        const std::vector<double> masses = std::exchange(masses_, {});
        keys_.resize(2 * keys.size());
        masses_.assign(2 * keys.size(), 0.0);
        for (std::size_t old = 0; old < keys.size(); ++old) {
            if (masses[old] <= 0.0) continue;
            std::size_t at = place(keys[old]);
            while (masses_[at] > 0.0) at = (at + 1) & (keys_.size() - 1);
            keys_[at] = keys[old];
            masses_[at] = masses[old];
        }
    }

    std::vector<std::uint64_t> keys_;
    std::vector<double> masses_;
    std::size_t size_ = 0;
};

// tails[i] is the mass of element i and all that follow it.
inline std::vector<double> tails_of(Floats masses) {
    std::vector<double> tails(masses.size() + 1, 0.0);
    for (std::size_t at = masses.size(); at-- > 0;) tails[at] = tails[at + 1] + masses[at];
    return tails;
}

// Calls visit(f, s, mass) for the pairs of two laws, the second most probable first. Pairs with a
// probability below `drop` are left out; returns what they have together.
template <class Visit>
double each_pair(Floats first, Floats second, double drop, const Visit& visit) {
    const std::vector<double> tails = tails_of(second);
    double lost = 0.0;
    for (std::size_t f = 0; f < first.size(); ++f) {
        allow_interrupt();
        for (std::size_t s = 0; s < second.size(); ++s) {
            const double mass = first[f] * second[s];
            if (mass < drop || mass <= 0.0) {
                lost += first[f] * tails[s];
                break;
            }
            visit(f, s, mass);
        }
    }
    return lost;
}

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
inline KeyedMasses merge_keys(Ints first, Floats first_masses, Ints second, Floats second_masses,
                              double drop) {
    const auto merge_into = [&](auto law) {
        KeyedMasses merged;
        const auto add = [&](std::size_t f, std::size_t s, double mass) {
            law.add(static_cast<std::uint64_t>(first[f] + second[s]), mass);
        };
        merged.lost = each_pair(first_masses, second_masses, drop, add);
        collect(law, 0, merged);
        return merged;
    };
    const auto largest = std::ranges::max(first) + std::ranges::max(second);
    const auto n_keys = static_cast<std::uint64_t>(largest) + 1;
    // Clearing four places costs about as much as finding one by its hash.
    const std::size_t n_pairs = first.size() * second.size();
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
