// Types of objects at the levels of two possibilistic partitions, and how objects change theirs.
//
// At a level, an object may be in the clusters whose possibility is at least that level. So its
// sets of clusters grow as the level falls. A type is a pair of sets, each a mask of 32 bits.
//
// Cost: O(e log(k l)) for e positive possibilities, k clusters and l levels.
#pragma once

#include <algorithm>
#include <bit>
#include <functional>
#include <utility>

#include "hash.hpp"
#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato {

// Possibilities of the clusters in each distinct row of one side, and the row of each object.
struct StatedSide {
    Floats degrees;  // (rows, n_clusters)
    std::size_t n_clusters;
    Ints row_of;

    [[nodiscard]] Floats of(std::size_t object) const {
        return degrees.subspan(static_cast<std::size_t>(row_of[object]) * n_clusters, n_clusters);
    }
};

// At level v, the moves from starts[v] to starts[v + 1] take counts[m] objects from type before[m]
// to type after[m]. At the first level all objects are of the types that `first` counts.
struct LevelMoves {
    std::vector<std::int64_t> types;  // row sets in the low 32 bits, column sets in the high ones
    std::vector<std::int64_t> first;  // (types,)
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> before, after;
    std::vector<std::int64_t> counts;
};

struct Move {
    std::int32_t level, before, after;
    std::int64_t count;
};

// Numbers types in the order of their first appearance.
class TypeNumbers {
  public:
    std::int32_t of(std::uint64_t sets, LevelMoves& found) {
        const auto type = static_cast<std::int64_t>(sets);
        const auto fresh = static_cast<std::int64_t>(found.types.size());
        const std::int64_t known = slots_.find_or_place(mix(sets), fresh, [&](std::int64_t at) {
            return found.types[static_cast<std::size_t>(at)] == type;
        });
        if (known >= 0) return static_cast<std::int32_t>(known);
        found.types.push_back(type);
        found.first.push_back(0);
        slots_.grow_for(found.types.size(), [&](std::size_t at) {
            return mix(static_cast<std::uint64_t>(found.types[at]));
        });
        return static_cast<std::int32_t>(fresh);
    }

  private:
    HashSlots slots_;
};

// Puts the moves of one level after those of the level before; within a level they keep their
// order.
inline void sort_by_level(const std::vector<Move>& moves, std::size_t n_levels, LevelMoves& found) {
    found.starts.assign(n_levels + 1, 0);
    for (const Move& move : moves) ++found.starts[static_cast<std::size_t>(move.level) + 1];
    for (std::size_t at = 0; at < n_levels; ++at) found.starts[at + 1] += found.starts[at];
    std::vector<std::int64_t> next(found.starts.begin(), found.starts.end() - 1);
    found.before.resize(moves.size());
    found.after.resize(moves.size());
    found.counts.resize(moves.size());
    for (const Move& move : moves) {
        const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(move.level)]++);
        found.before[at] = move.before;
        found.after[at] = move.after;
        found.counts[at] = move.count;
    }
}

// `levels` are all positive possibilities, highest first, or the lowest of them.
inline LevelMoves level_moves(const StatedSide& rows, const StatedSide& columns, Ints counts,
                              Floats levels) {
    LevelMoves found;
    std::vector<Move> moves;
    TypeNumbers numbers;
    std::vector<std::pair<double, std::uint64_t>> opened;  // below the first level, with their bits
    for (std::size_t object = 0; object < counts.size(); ++object) {
        if (object % 4096 == 0) allow_interrupt();
        std::uint64_t sets = 0;
        opened.clear();
        const auto look_at = [&](const StatedSide& side, unsigned shift) {
            const auto degrees = side.of(object);
            for (std::size_t at = 0; at < degrees.size(); ++at) {
                const std::uint64_t bit = std::uint64_t{1} << (shift + at);
                if (degrees[at] >= levels[0]) {
                    sets |= bit;
                } else if (degrees[at] > 0.0) {
                    opened.emplace_back(degrees[at], bit);
                }
            }
        };
        look_at(rows, 0);
        look_at(columns, 32);
        std::int32_t now = numbers.of(sets, found);
        found.first[static_cast<std::size_t>(now)] += counts[object];
        std::ranges::sort(opened, std::greater{}, &std::pair<double, std::uint64_t>::first);
        auto from = levels.begin();
        for (std::size_t at = 0; at < opened.size();) {
            const double degree = opened[at].first;
            for (; at < opened.size() && opened[at].first == degree; ++at)
                sets |= opened[at].second;
            from = std::lower_bound(from, levels.end(), degree, std::greater{});
            const std::int32_t next = numbers.of(sets, found);
            moves.push_back(
                {static_cast<std::int32_t>(from - levels.begin()), now, next, counts[object]});
            now = next;
        }
    }
    sort_by_level(moves, levels.size(), found);
    return found;
}

struct MovesView {
    Ints first, starts;
    std::span<const std::int32_t> before, after;
    Ints counts;

    std::size_t n_levels() const { return starts.size() - 1; }

    // Calls visit(before, after, count) for the moves at the levels from `from` to before `to`.
    template <class Visit>
    void each(std::size_t from, std::size_t to, const Visit& visit) const {
        const auto end = static_cast<std::size_t>(starts[to]);
        for (auto move = static_cast<std::size_t>(starts[from]); move < end; ++move) {
            visit(static_cast<std::size_t>(before[move]), static_cast<std::size_t>(after[move]),
                  counts[move]);
        }
    }

    // Makes the moves at these levels: `now` are the objects of each type.
    void make(std::size_t from, std::size_t to, std::span<std::int64_t> now) const {
        each(from, to, [&](std::size_t left, std::size_t entered, std::int64_t count) {
            now[left] -= count;
            now[entered] += count;
        });
    }
};

// Objects of each type at the levels `at`, in ascending order, one row of `out` for each.
inline void counts_at_levels(const MovesView& moves, Ints at, std::span<std::int64_t> out) {
    std::vector<std::int64_t> now(moves.first.begin(), moves.first.end());
    auto row = out.begin();
    std::size_t made = 0;  // levels whose moves are made
    for (const std::int64_t level : at) {
        allow_interrupt();
        const auto end = static_cast<std::size_t>(level) + 1;
        moves.make(std::exchange(made, end), end, now);
        row = std::ranges::copy(now, row).out;
    }
}

// Cells that are open to the types present at each level: rows times columns of their sets.
inline std::vector<std::int64_t> cells_at_levels(const MovesView& moves, Ints types) {
    std::vector<std::int64_t> now(moves.first.size(), 0);
    std::int64_t n_cells = 0;
    const auto add = [&](std::size_t type, std::int64_t change) {
        const bool was_there = now[type] > 0;
        now[type] += change;
        if (was_there == (now[type] > 0)) return;
        const auto sets = static_cast<std::uint64_t>(types[type]);
        const std::int64_t cells =
            std::int64_t{std::popcount(sets & 0xffffffffU)} * std::popcount(sets >> 32);
        n_cells += was_there ? -cells : cells;
    };
    for (std::size_t type = 0; type < now.size(); ++type) add(type, moves.first[type]);
    std::vector<std::int64_t> found;
    for (std::size_t level = 0; level < moves.n_levels(); ++level) {
        moves.each(level, level + 1, [&](std::size_t from, std::size_t to, std::int64_t count) {
            add(from, -count);
            add(to, count);
        });
        found.push_back(n_cells);
    }
    return found;
}

}  // namespace sfumato
