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

// The starts of the entries of one table, which are those from table_starts[t] to
// table_starts[t + 1], and where the last one ends.
inline Ints entries_of(std::size_t table, Ints table_starts, Ints starts) {
    const Ints own = part(starts, table_starts, table);
    return {own.data(), own.size() + 1};
}

// Tables one after the other, each with its own weights w (tables, views); returns `sent` after the
// moves. A move takes one object of an entry, or all that it has in a cell, to the best cell of its
// list. psi is given at 0, 1, ..., n.
inline std::vector<std::int64_t> climb_tables(Ints table_starts, Ints starts, const IntGrid& places,
                                              Ints old_sent, const FloatGrid& weights, Floats psi,
                                              std::size_t n_places, std::size_t max_sweeps) {
    constexpr double least_gain = 1e-9;  // a smaller change of F may be rounding
    std::vector<std::int64_t> sent(old_sent.begin(), old_sent.end()), counts(n_places);
    Floats w;
    const auto add = [&](std::size_t at, std::int64_t amount) {
        for (const std::int64_t place : places[at]) {
            counts[static_cast<std::size_t>(place)] += amount;
        }
    };
    const auto cost = [&](std::size_t at, std::int64_t amount) {
        const Ints own = places[at];
        double sum = 0.0;
        for (std::size_t view = 0; view < own.size(); ++view) {
            const auto now = static_cast<std::size_t>(counts[static_cast<std::size_t>(own[view])]);
            sum += w[view] * (psi[now + static_cast<std::size_t>(amount)] - psi[now]);
        }
        return sum;
    };
    // Moves objects of the entry in the places from `first` to `end`.
    const auto move = [&](std::size_t first, std::size_t end, std::size_t from,
                          std::int64_t amount) {
        add(from, -amount);
        std::size_t best = from;
        double least = cost(from, amount) - least_gain;
        for (std::size_t at = first; at < end; ++at) {
            const double own = cost(at, amount);
            if (own < least) {
                least = own;
                best = at;
            }
        }
        add(best, amount);
        sent[from] -= amount;
        sent[best] += amount;
        return best != from;
    };
    for (std::size_t table = 0; table + 1 < table_starts.size(); ++table) {
        const Ints entries = entries_of(table, table_starts, starts);
        std::ranges::fill(counts, 0);
        w = weights[table];
        for (std::int64_t at = entries.front(); at < entries.back(); ++at) {
            add(static_cast<std::size_t>(at), sent[static_cast<std::size_t>(at)]);
        }
        bool is_moving = true;
        for (std::size_t sweep = 0; sweep < max_sweeps && is_moving; ++sweep) {
            is_moving = false;
            for (std::size_t entry = 0; entry + 1 < entries.size(); ++entry) {
                if (entry % 64 == 0) allow_interrupt();
                const auto first = static_cast<std::size_t>(entries[entry]);
                const auto end = static_cast<std::size_t>(entries[entry + 1]);
                if (end - first < 2) continue;
                for (std::size_t at = first; at < end; ++at) {
                    if (sent[at] > 0) is_moving |= move(first, end, at, sent[at]);
                    while (sent[at] > 1 && move(first, end, at, 1)) is_moving = true;
                }
            }
        }
    }
    return sent;
}

}  // namespace sfumato
