// Local search for a compatible table with a small value
//     F = sum over views v of w_v (sum of psi over the counts of the places of v),
// where a place is a row, a column or a cell of the table, or a union of some.
// Objects move within their sets of cells while that lowers F. The table found is compatible, but
// there may be a better one.
//
// Letters. Entry: objects that share a list of allowed cells. sent: how many of them are in each
// cell of the list. places: for each listed cell its place in each of the views, all numbered
// together.
// Cost: O(length of the list) per move tried, in at most max_sweeps passes over all entries.
#pragma once

#include <algorithm>

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato {

// A move takes one object of an entry, or all that it has in a cell, to the best cell of its list.
// psi is given at 0, 1, ..., n.
class TableClimber {
  public:
    TableClimber(Floats psi, std::size_t n_views, std::size_t n_places)
        : psi_(psi), n_views_(n_views), counts_(n_places) {}

    // `starts` are the starts of the entries of one table; `places` and `sent` hold all tables.
    void climb(Ints starts, Ints places, std::span<std::int64_t> sent, Floats weights,
               std::size_t max_sweeps) {
        std::fill(counts_.begin(), counts_.end(), 0);
        weights_ = weights;
        const auto first = static_cast<std::size_t>(starts.front());
        const auto last = static_cast<std::size_t>(starts.back());
        for (std::size_t at = first; at < last; ++at) add(places, at, sent[at]);
        bool is_moving = true;
        for (std::size_t sweep = 0; sweep < max_sweeps && is_moving; ++sweep) {
            is_moving = false;
            for (std::size_t entry = 0; entry + 1 < starts.size(); ++entry) {
                if (entry % 64 == 0) allow_interrupt();
                const auto from = static_cast<std::size_t>(starts[entry]);
                const auto size = static_cast<std::size_t>(starts[entry + 1]) - from;
                const auto own = places.subspan(from * n_views_, size * n_views_);
                if (size > 1 && settle(own, sent.subspan(from, size))) {
                    is_moving = true;
                }
            }
        }
    }

  private:
    static constexpr double least_gain = 1e-9;  // a smaller change of F may be rounding

    void add(Ints places, std::size_t at, std::int64_t amount) {
        for (const auto place : places.subspan(at * n_views_, n_views_)) {
            counts_[static_cast<std::size_t>(place)] += amount;
        }
    }

    double rise(std::int64_t from, std::int64_t amount) const {
        return psi_[static_cast<std::size_t>(from + amount)] - psi_[static_cast<std::size_t>(from)];
    }

    double cost(Ints places, std::size_t at, std::int64_t amount) const {
        const auto own = places.subspan(at * n_views_, n_views_);
        double sum = 0.0;
        for (std::size_t view = 0; view < n_views_; ++view) {
            sum += weights_[view] * rise(counts_[static_cast<std::size_t>(own[view])], amount);
        }
        return sum;
    }

    bool settle(Ints places, std::span<std::int64_t> sent) {
        bool moved = false;
        for (std::size_t at = 0; at < sent.size(); ++at) {
            if (sent[at] > 0 && move(places, sent, at, sent[at])) moved = true;
            while (sent[at] > 1 && move(places, sent, at, 1)) moved = true;
        }
        return moved;
    }

    bool move(Ints places, std::span<std::int64_t> sent, std::size_t from, std::int64_t amount) {
        add(places, from, -amount);
        std::size_t best = from;
        double least = cost(places, from, amount) - least_gain;
        for (std::size_t at = 0; at < sent.size(); ++at) {
            const double own = cost(places, at, amount);
            if (own < least) {
                least = own;
                best = at;
            }
        }
        add(places, best, amount);
        sent[from] -= amount;
        sent[best] += amount;
        return best != from;
    }

    Floats psi_;
    std::size_t n_views_;
    Floats weights_;
    std::vector<std::int64_t> counts_;
};

}  // namespace sfumato
