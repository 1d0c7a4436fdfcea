// What is known at some levels of two possibilistic partitions, carried to the levels between.
//
// A line below a sum, sum of c_ij N_ij, is smallest if each object takes the cheapest cell that is
// open to it. So as the level changes only the objects count whose type changes. And a table that
// is attained at a level is attained below it, where objects whose sets grew may move.
//
// Letters. Gap g: the levels between above[g] and below[g]; gaps do not overlap and ascend.
// Cost: O(k^2) for each type at a gap, O(1) or O(k^2) for each move of objects from type to type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "interrupt.hpp"
#include "tables/level_moves.hpp"

namespace sfumato {

struct LevelGaps {
    std::span<const std::int64_t> above, below;
};

// Calls visit(cell) for each cell that is open to a type, row by row.
template <class Visit>
void visit_cells(std::int64_t type, std::size_t n_columns, Visit visit) {
    const auto sets = static_cast<std::uint64_t>(type);
    for (std::uint64_t rows = sets & 0xffffffffU; rows != 0; rows &= rows - 1) {
        const auto row = static_cast<std::size_t>(std::countr_zero(rows));
        for (std::uint64_t columns = sets >> 32; columns != 0; columns &= columns - 1) {
            visit(row * n_columns + static_cast<std::size_t>(std::countr_zero(columns)));
        }
    }
}

// The smallest sum of costs at each level between, by the costs of its gap; 0 at other levels.
inline std::vector<double> carry_lines(const MovesView& moves, std::span<const std::int64_t> types,
                                       const LevelGaps& gaps, std::span<const double> costs,
                                       std::size_t n_cells, std::size_t n_columns) {
    std::vector<double> sums(moves.starts.size() - 1);
    std::vector<std::int64_t> now(moves.first.begin(), moves.first.end());
    std::vector<double> cheapest(types.size());
    std::vector<std::size_t> known(types.size());  // the gap of which the cheapest cell is known
    std::size_t move = 0;
    for (std::size_t gap = 0; gap < gaps.above.size(); ++gap) {
        allow_interrupt();
        const auto least = [&](std::size_t type) {
            if (known[type] != gap + 1) {
                known[type] = gap + 1;
                cheapest[type] = std::numeric_limits<double>::infinity();
                visit_cells(types[type], n_columns, [&](std::size_t cell) {
                    cheapest[type] = std::min(cheapest[type], costs[gap * n_cells + cell]);
                });
            }
            return cheapest[type];
        };
        const auto below = static_cast<std::size_t>(gaps.below[gap]);
        for (; move < static_cast<std::size_t>(moves.starts[below + 1]); ++move) {
            now[static_cast<std::size_t>(moves.before[move])] -= moves.counts[move];
            now[static_cast<std::size_t>(moves.after[move])] += moves.counts[move];
        }
        double sum = 0.0;
        for (std::size_t type = 0; type < now.size(); ++type) {
            if (now[type] > 0) sum += static_cast<double>(now[type]) * least(type);
        }
        for (std::size_t level = below; level > static_cast<std::size_t>(gaps.above[gap]) + 1;
             --level) {
            for (std::int64_t at = moves.starts[level]; at < moves.starts[level + 1]; ++at) {
                const auto own = static_cast<std::size_t>(at);
                sum += static_cast<double>(moves.counts[own]) *
                       (least(static_cast<std::size_t>(moves.before[own])) -
                        least(static_cast<std::size_t>(moves.after[own])));
            }
            sums[level - 1] = sum;
        }
    }
    return sums;
}

// Entry e of gap g has the type entry_types[e] and sends sent[...] objects to each cell open to it.
struct SentTables {
    std::span<const std::int64_t> entry_starts;  // of each gap
    std::span<const std::int64_t> entry_types, sent;
};

// Sums of psi over rows, columns and cells at each level between: of the table at the level above
// the gap, with the objects whose sets grew moved where the weighted sums fall most.
inline std::vector<double> carry_tables(const MovesView& moves, std::span<const std::int64_t> types,
                                        const LevelGaps& gaps, const SentTables& tables,
                                        std::span<const double> weights,
                                        std::span<const double> psi, std::size_t n_rows,
                                        std::size_t n_columns) {
    const std::size_t n_cells = n_rows * n_columns;
    std::vector<double> sums(3 * (moves.starts.size() - 1));
    std::vector<std::size_t> starts{0};  // of the cells of each type
    std::vector<std::size_t> cells;
    for (const std::int64_t type : types) {
        visit_cells(type, n_columns, [&](std::size_t cell) { cells.push_back(cell); });
        starts.push_back(cells.size());
    }
    std::vector<std::int64_t> there(cells.size());  // objects of each type in each cell
    std::vector<std::size_t> sizes(n_rows + n_columns + n_cells);
    std::size_t from = 0;
    for (std::size_t gap = 0; gap < gaps.above.size(); ++gap) {
        allow_interrupt();
        std::fill(there.begin(), there.end(), 0);
        std::fill(sizes.begin(), sizes.end(), 0);
        const auto places = [&](std::size_t cell) {
            return std::array{cell / n_columns, n_rows + cell % n_columns,
                              n_rows + n_columns + cell};
        };
        for (std::int64_t entry = tables.entry_starts[gap]; entry < tables.entry_starts[gap + 1];
             ++entry) {
            const auto type =
                static_cast<std::size_t>(tables.entry_types[static_cast<std::size_t>(entry)]);
            for (std::size_t at = starts[type]; at < starts[type + 1]; ++at, ++from) {
                there[at] = tables.sent[from];
                for (const std::size_t place : places(cells[at])) {
                    sizes[place] += static_cast<std::size_t>(there[at]);
                }
            }
        }
        std::array<double, 3> total{};
        for (std::size_t place = 0; place < sizes.size(); ++place) {
            const std::size_t view = place < n_rows ? 0 : place < n_rows + n_columns ? 1 : 2;
            total[view] += psi[sizes[place]];
        }
        const auto weight = weights.subspan(3 * gap, 3);
        // What an object in a cell adds, beside the others.
        const auto rise = [&](std::size_t cell, std::size_t own) {
            double sum = 0.0;
            for (std::size_t view = 0; view < 3; ++view) {
                const std::size_t size = sizes[places(cell)[view]] - own;
                sum += weight[view] * (psi[size + 1] - psi[size]);
            }
            return sum;
        };
        const auto change = [&](std::size_t cell, std::int64_t count) {
            for (std::size_t view = 0; view < 3; ++view) {
                std::size_t& size = sizes[places(cell)[view]];
                total[view] -= psi[size];
                size = static_cast<std::size_t>(static_cast<std::int64_t>(size) + count);
                total[view] += psi[size];
            }
        };
        for (auto level = static_cast<std::size_t>(gaps.above[gap]) + 1;
             level < static_cast<std::size_t>(gaps.below[gap]); ++level) {
            for (std::int64_t at = moves.starts[level]; at < moves.starts[level + 1]; ++at) {
                const auto own = static_cast<std::size_t>(at);
                const auto before = static_cast<std::size_t>(moves.before[own]);
                const auto after = static_cast<std::size_t>(moves.after[own]);
                std::int64_t left = moves.counts[own];
                while (left > 0) {
                    std::size_t dearest = starts[before + 1];
                    double most = -std::numeric_limits<double>::infinity();
                    for (std::size_t cell = starts[before]; cell < starts[before + 1]; ++cell) {
                        if (there[cell] == 0) continue;
                        if (const double saved = rise(cells[cell], 1); saved > most) {
                            most = saved;
                            dearest = cell;
                        }
                    }
                    const std::int64_t count = std::min(left, there[dearest]);
                    there[dearest] -= count;
                    left -= count;
                    change(cells[dearest], -count);
                    std::size_t target = starts[after];
                    double least = std::numeric_limits<double>::infinity();
                    for (std::size_t cell = starts[after]; cell < starts[after + 1]; ++cell) {
                        if (const double added = rise(cells[cell], 0); added < least) {
                            least = added;
                            target = cell;
                        }
                    }
                    there[target] += count;
                    change(cells[target], count);
                }
            }
            for (std::size_t view = 0; view < 3; ++view) sums[3 * level + view] = total[view];
        }
    }
    return sums;
}

}  // namespace sfumato
