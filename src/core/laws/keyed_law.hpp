// Probabilities collected by integer keys.
//
// Cost: O(1) per key added, on average.
#pragma once

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

}  // namespace sfumato
