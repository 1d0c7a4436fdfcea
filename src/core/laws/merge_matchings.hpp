// The law of the best matchings of random columns into sets of rows, when one more column is added:
//     F'[U] = max over moves to U of F[source] + column[row], for independent F and column.
//
// Letters. F[U]: the largest total of a matching of the columns so far into the rows U.
// Cost: O(moves) per pair of a state and a column.
#pragma once

#include <algorithm>
#include <utility>

#include "laws/keyed_law.hpp"
#include "spans.hpp"

namespace sfumato {

// A law on vectors of `width` integers.
struct VectorLaw {
    Ints values;    // (m, width)
    Floats masses;  // (m,)
    std::size_t width;

    std::size_t size() const { return masses.size(); }
    const std::int64_t* at(std::size_t which) const { return values.data() + which * width; }
    std::pair<std::int64_t, std::int64_t> range(std::size_t coordinate) const {
        std::int64_t low = at(0)[coordinate], high = low;
        for (std::size_t m = 1; m < size(); ++m) {
            low = std::min(low, at(m)[coordinate]);
            high = std::max(high, at(m)[coordinate]);
        }
        return {low, high};
    }
};

// The moves from starts[u] to starts[u + 1] lead to set u: the set before is `sources`, and the new
// column takes row `rows`, or no row if that is negative.
struct Moves {
    Ints starts, sources, rows;

    std::size_t n_sets() const { return starts.size() - 1; }
};

struct MergedMatchings {
    std::vector<std::int64_t> values;  // (m, n_sets)
    std::vector<double> masses;        // (m,)
    double lost = 0.0;
};

// Vectors F' are packed into keys: one digit for each set U.
class MatchingMerger {
  public:
    // Columns come most probable first.
    MatchingMerger(const VectorLaw& states, const VectorLaw& columns, const Moves& moves)
        : states_(states), columns_(columns), moves_(moves) {
        // The digit of U runs from the smallest to the largest value of F'[U].
        for (std::size_t set = 0; set < moves.n_sets(); ++set) {
            std::int64_t low = 0, high = 0;
            each_move(set, [&](std::size_t source, std::int64_t row) {
                auto [from, to] = states.range(source);
                if (row >= 0) {
                    const auto added = columns.range(static_cast<std::size_t>(row));
                    from += added.first;
                    to += added.second;
                }
                low = std::max(low, from);
                high = std::max(high, to);
            });
            lows_.push_back(low);
            sides_.push_back(static_cast<std::uint64_t>(high - low) + 1);
            n_keys_ *= sides_.back();
        }
    }

    // Pairs with a probability below `drop` are left out and counted as lost.
    MergedMatchings merge(double drop) const {
        constexpr std::uint64_t most_dense_keys = std::uint64_t{1} << 22;
        return n_keys_ <= most_dense_keys ? merge_into(DenseLaw(n_keys_), drop)
                                          : merge_into(SparseLaw(), drop);
    }

  private:
    template <class Visit>
    void each_move(std::size_t set, const Visit& visit) const {
        const auto end = static_cast<std::size_t>(moves_.starts[set + 1]);
        for (auto move = static_cast<std::size_t>(moves_.starts[set]); move < end; ++move) {
            visit(static_cast<std::size_t>(moves_.sources[move]), moves_.rows[move]);
        }
    }

    std::uint64_t key_of(const std::int64_t* state, const std::int64_t* column) const {
        std::uint64_t key = 0;
        for (std::size_t set = 0; set < lows_.size(); ++set) {
            std::int64_t best = lows_[set];
            each_move(set, [&](std::size_t source, std::int64_t row) {
                best = std::max(best, state[source] + (row >= 0 ? column[row] : 0));
            });
            key = key * sides_[set] + static_cast<std::uint64_t>(best - lows_[set]);
        }
        return key;
    }

    template <class Law>
    MergedMatchings merge_into(Law law, double drop) const {
        MergedMatchings merged;
        const auto add = [&](std::size_t s, std::size_t c, double mass) {
            law.add(key_of(states_.at(s), columns_.at(c)), mass);
        };
        merged.lost = each_pair(states_.masses, columns_.masses, drop, add);
        const std::size_t n_sets = lows_.size();
        law.each([&](std::uint64_t key, double mass) {
            merged.masses.push_back(mass);
            merged.values.resize(merged.values.size() + n_sets);
            for (std::size_t set = n_sets; set-- > 0; key /= sides_[set]) {
                merged.values[merged.values.size() - n_sets + set] =
                    lows_[set] + static_cast<std::int64_t>(key % sides_[set]);
            }
        });
        return merged;
    }

    VectorLaw states_, columns_;
    Moves moves_;
    std::vector<std::int64_t> lows_;
    std::vector<std::uint64_t> sides_;
    std::uint64_t n_keys_ = 1;
};

}  // namespace sfumato
