// Limits of sums over the cells of a row, in tables that are not too dear. For bound.hpp.
//
// Idea. A bound charges an object c more in one of its rows than in the cheapest one. Where these
// charges may sum to a given number at most, a sum over some cells is furthest from the sum of the
// cheapest table if those objects move that change it most for their charge.
//
// Cost: O(listed cells) for the limits of all rows, on average.
#pragma once

#include <algorithm>
#include <array>

#include "ends/largest_row/split_rows.hpp"
#include "spans.hpp"

namespace sfumato::largest_row {

// What objects cost more than at best in each listed cell, and the most that this may sum to.
struct Charges {
    std::vector<double> of_cell;
    double most;
};

inline Charges charges_at(const SplitRows& rows, double most) {
    const OpenTable& open = rows.open;
    Charges charges{std::vector<double>(rows.shares.size()), most};
    for (std::size_t entry = 0; entry < open.n_entries(); ++entry) {
        double cheapest = infinity;
        const std::size_t from = open.first(entry), to = open.first(entry + 1);
        for (std::size_t at = from; at < to; ++at) {
            charges.of_cell[at] = rows.slope(open.cell(at), rows.kinds[entry]);
            cheapest = std::min(cheapest, charges.of_cell[at]);
        }
        for (std::size_t at = from; at < to; ++at) charges.of_cell[at] -= cheapest;
    }
    return charges;
}

// Objects that change a sum by `gain` each if they leave their cheapest row, at a charge each.
struct Move {
    double gain, charge, count;
};

// How far a sum can move if charges sum to `left` at most: by bisection, as in quickselect.
inline double reach(std::vector<Move>& moves, double left) {
    const auto is_before = [](const Move& a, const Move& b) {
        return a.charge * b.gain < b.charge * a.gain;
    };
    if (moves.empty()) return 0.0;
    double sum = 0.0;
    auto first = moves.begin(), last = moves.end();
    while (last - first > 1) {
        const auto middle = first + (last - first) / 2;
        std::nth_element(first, middle, last, is_before);
        double charge = 0.0, gain = 0.0;
        for (auto move = first; move != middle; ++move) {
            charge += move->charge * move->count;
            gain += move->gain * move->count;
        }
        if (charge > left) {
            last = middle;
        } else {
            sum += gain;
            left -= charge;
            first = middle;
        }
    }
    const auto [gain, charge, count] = *first;
    return sum + gain * (charge * count > left ? left / charge : count);
}

// The least and the most of some sums.
struct Ranges {
    std::vector<double> least, most;
};

// By group of cells: moves that lower its sum, and moves that raise it. They keep their room.
using MoveLists = std::vector<std::array<std::vector<Move>, 2>>;

// The ranges of sums over groups of listed cells, of gain(at) for each object there.
template <class Group, class Gain>
Ranges ranges_of(const OpenTable& open, const Charges& charges, std::size_t n_groups, Group group,
                 Gain gain, MoveLists& moves) {
    std::vector<double> base(n_groups);
    moves.resize(std::max(moves.size(), n_groups));
    for (auto& lists : moves) {
        for (auto& list : lists) list.clear();
    }
    const auto& charge = charges.of_cell;
    for (std::size_t entry = 0; entry < open.n_entries(); ++entry) {
        const std::size_t from = open.first(entry), to = open.first(entry + 1);
        const double count = open.count(entry);
        std::size_t cheapest = from;
        double next = infinity;
        for (std::size_t at = from; at < to; ++at) {
            if (charge[at] < charge[cheapest]) cheapest = at;
        }
        for (std::size_t at = from; at < to; ++at) {
            if (at == cheapest) continue;
            next = std::min(next, charge[at]);
            if (gain(at) > 0.0) moves[group(at)][1].push_back({gain(at), charge[at], count});
        }
        base[group(cheapest)] += gain(cheapest) * count;
        if (next < infinity && gain(cheapest) > 0.0) {
            moves[group(cheapest)][0].push_back({gain(cheapest), next, count});
        }
    }
    Ranges found{base, base};
    for (std::size_t i = 0; i < n_groups; ++i) {
        found.least[i] -= reach(moves[i][0], charges.most);
        found.most[i] += reach(moves[i][1], charges.most);
    }
    return found;
}

// The least and the most of p and of q of each row; empty where nothing is known.
struct RowLimits {
    Ranges p, q;
};

inline RowLimits limits_by(const Charges& charges, const SplitRows& rows, MoveLists& moves) {
    const OpenTable& open = rows.open;
    const auto of_rows = [&](double sign) {
        return ranges_of(
            open, charges, rows.n_rows(), [&](std::size_t at) { return open.row(at); },
            [&](std::size_t at) { return 1.0 + sign * rows.keep[open.cell(at)]; }, moves);
    };
    return {of_rows(-1.0), of_rows(1.0)};
}

template <class Least, class Most>
void merge(RowLimits& own, const RowLimits& other, Least least, Most most) {
    for (const auto sums : {&RowLimits::p, &RowLimits::q}) {
        auto& [lows, highs] = own.*sums;
        std::ranges::transform(lows, (other.*sums).least, lows.begin(), least);
        std::ranges::transform(highs, (other.*sums).most, highs.begin(), most);
    }
}

inline void intersect(RowLimits& own, const RowLimits& other) {
    merge(own, other, std::ranges::max, std::ranges::min);
}

// The narrowest limits that hold both; those of `own` do not count if they are empty.
inline void unite(RowLimits& own, const RowLimits& other) {
    if (own.p.least.empty()) {
        own = other;
    } else {
        merge(own, other, std::ranges::min, std::ranges::max);
    }
}

}  // namespace sfumato::largest_row
