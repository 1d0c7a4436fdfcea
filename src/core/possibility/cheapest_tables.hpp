// The cheapest tables that the choices of objects can make, each with its least cost:
//     cost(N) = min over all choices that make N, of the sum of their costs.
//
// Letters. Costs are not negative; the cheapest option of every object costs nothing. A table is
// packed into a key of a few words: every cell has a unit in one of them, so keys add up as tables.
// Cost: O(options * tables kept) per object.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato {

struct CheapTables {
    NewGrid<std::uint64_t> keys;  // (m, words), cheapest first
    std::vector<double> costs;    // (m,)
    double least_dropped;         // least cost left out
};

// Types of equal objects; the options of a type come cheapest first.
struct PricedChoices {
    Ints counts;                          // (t,)
    Ints starts;                          // (t + 1,)
    std::span<const std::uint64_t> keys;  // (starts[t], words)
    Floats costs;                         // (starts[t],)
};

// Tables are kept in the order of their keys. Adding an option to all of them keeps the order. So
// the tables with one more object are merged from sorted lists, one for each option.
template <std::size_t Words>
class CheapestTables {
  public:
    // Tables that cost `limit` or more are left out. If more than `most` remain, the dearest are
    // left out too, which lowers the limit.
    CheapestTables(double limit, std::size_t most) : limit_(limit), most_(most) {}

    void add(const PricedChoices& choices, std::size_t type) {
        const auto first = static_cast<std::size_t>(choices.starts[type]);
        const auto last = static_cast<std::size_t>(choices.starts[type + 1]);
        for (std::int64_t left = choices.counts[type]; left > 0; --left) {
            std::size_t end = first + 1;
            while (end < last && choices.costs[end] < limit_) ++end;
            if (end < last) drop(choices.costs[end]);
            if (end == first + 1) {  // all objects left take the free option
                shift_ = sum(shift_, key_at(choices, first), static_cast<std::uint64_t>(left));
                return;
            }
            // Dear options first: their lists are short.
            merged_.clear();
            for (std::size_t at = end; at-- > first;) {
                merge(key_at(choices, at), choices.costs[at]);
            }
            std::swap(states_, merged_);
            if (states_.size() > most_) keep_cheapest();
        }
    }

    CheapTables take() {
        std::ranges::sort(states_, [this](const State& one, const State& other) {
            look();
            return one.cost != other.cost ? one.cost < other.cost : one.key < other.key;
        });
        CheapTables found{{{}, {states_.size(), Words}}, {}, least_dropped_};
        for (const State& state : states_) {
            look();
            const Key key = sum(state.key, shift_, 1);
            found.keys.values.insert(found.keys.values.end(), key.begin(), key.end());
            found.costs.push_back(state.cost);
        }
        return found;
    }

  private:
    using Key = std::array<std::uint64_t, Words>;
    struct State {
        Key key;
        double cost;
    };

    static Key key_at(const PricedChoices& choices, std::size_t at) {
        Key key;
        std::copy_n(choices.keys.begin() + static_cast<std::ptrdiff_t>(at * Words), Words,
                    key.begin());
        return key;
    }

    static Key sum(Key key, const Key& other, std::uint64_t times) {
        for (std::size_t word = 0; word < Words; ++word) key[word] += times * other[word];
        return key;
    }

    // Once in a while, whether the user wants to stop.
    void look() {
        if (++seen_ % 65536 == 0) allow_interrupt();
    }

    void drop(double cost) { least_dropped_ = std::min(least_dropped_, cost); }

    // Merges the tables with one more object in this option into those of dearer options.
    void merge(const Key& option, double cost) {
        next_.clear();  // grows to the size it needs: zeros for the rest would be time unseen
        next_.reserve(merged_.size() + states_.size());
        std::size_t at = 0;
        for (const State& state : states_) {
            look();
            const double total = state.cost + cost;
            if (total >= limit_ && cost > 0.0) {
                drop(total);
                continue;
            }
            const Key key = sum(state.key, option, 1);
            while (at < merged_.size() && merged_[at].key < key) next_.push_back(merged_[at++]);
            const bool is_known = at < merged_.size() && merged_[at].key == key;
            next_.push_back({key, is_known ? std::min(merged_[at].cost, total) : total});
            at += is_known ? 1 : 0;
        }
        next_.insert(next_.end(), merged_.begin() + static_cast<std::ptrdiff_t>(at), merged_.end());
        std::swap(next_, merged_);
    }

    // Keeps the `most_` cheapest tables; among equal costs the first in order. What is dropped
    // costs no less than any table kept, so the costs of those are right.
    void keep_cheapest() {
        std::vector<double> costs(states_.size());
        std::ranges::transform(states_, costs.begin(), [](const State& s) { return s.cost; });
        const auto first_dropped = costs.begin() + static_cast<std::ptrdiff_t>(most_);
        std::ranges::nth_element(costs, first_dropped, [this](double one, double other) {
            look();
            return one < other;
        });
        limit_ = *first_dropped;
        drop(limit_);
        auto ties =
            most_ - static_cast<std::size_t>(std::count_if(
                        costs.begin(), first_dropped, [&](double cost) { return cost < limit_; }));
        std::erase_if(states_, [&](const State& state) {
            if (state.cost != limit_) return state.cost > limit_;
            return ties == 0 || ties-- == 0;
        });
    }

    double limit_;
    std::size_t most_;
    double least_dropped_ = std::numeric_limits<double>::infinity();
    Key shift_{};  // added to all keys
    std::size_t seen_ = 0;
    std::vector<State> states_ = std::vector<State>(1);
    std::vector<State> merged_, next_;
};

// Keys of 1, 2, 4 or 16 words.
inline CheapTables cheapest_tables(Ints counts, Ints starts, const Grid<std::uint64_t>& keys,
                                   Floats costs, double limit, std::size_t most) {
    const auto list = [&]<std::size_t Words>() {
        CheapestTables<Words> tables(limit, most);
        const PricedChoices choices{counts, starts, keys.values, costs};
        for (std::size_t type = 0; type < counts.size(); ++type) tables.add(choices, type);
        return tables.take();
    };
    switch (keys.shape[1]) {
        case 1:
            return list.operator()<1>();
        case 2:
            return list.operator()<2>();
        case 4:
            return list.operator()<4>();
        default:
            return list.operator()<16>();
    }
}

}  // namespace sfumato
