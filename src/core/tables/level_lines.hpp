// What is known at some levels of two possibilistic partitions, carried to the levels between.
//
// A line below a sum, sum of c_ij N_ij, is smallest if each object takes the cheapest cell that is
// open to it. So as the level changes only the objects count whose type changes. And a table that
// is attained at a level is attained below it, where objects whose sets grew may move.
//
// Letters. Gap g: the levels between above[g] and below[g]; gaps do not overlap and ascend.
// Cost: O(k^2) for each type at a gap, O(1) or O(k^2) for each move of objects from type to type.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <utility>

#include "interrupt.hpp"
#include "limits.hpp"
#include "spans.hpp"
#include "tables/level_moves.hpp"

namespace sfumato {

struct LevelGaps {
    Ints above, below;

    std::size_t size() const { return above.size(); }
    std::size_t first(std::size_t gap) const { return static_cast<std::size_t>(above[gap]) + 1; }
    std::size_t end(std::size_t gap) const { return static_cast<std::size_t>(below[gap]); }
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
inline std::vector<double> carry_lines(const MovesView& moves, Ints types, const LevelGaps& gaps,
                                       Floats costs, std::size_t n_cells, std::size_t n_columns) {
    std::vector<double> sums(moves.n_levels());
    std::vector<std::int64_t> now(moves.first.begin(), moves.first.end());
    std::size_t made = 0;  // levels whose moves are made
    std::vector<double> cheapest(types.size());
    std::vector<std::size_t> known(types.size());  // the gap of which the cheapest cell is known
    for (std::size_t gap = 0; gap < gaps.size(); ++gap) {
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
        moves.make(std::exchange(made, gaps.end(gap) + 1), gaps.end(gap) + 1, now);
        double sum = 0.0;
        for (std::size_t type = 0; type < now.size(); ++type) {
            if (now[type] > 0) sum += static_cast<double>(now[type]) * least(type);
        }
        for (std::size_t level = gaps.end(gap); level > gaps.first(gap); --level) {
            moves.each(level, level + 1, [&](std::size_t from, std::size_t to, std::int64_t count) {
                sum += static_cast<double>(count) * (least(from) - least(to));
            });
            sums[level - 1] = sum;
        }
    }
    return sums;
}

// A table by types, with its sums of psi over rows, columns and cells: the three views of it.
class TypedTable {
  public:
    using Sums = std::array<double, 3>;

    TypedTable(Ints types, Floats psi, std::size_t n_rows, std::size_t n_columns)
        : psi_(psi),
          n_rows_(n_rows),
          n_columns_(n_columns),
          sizes_(n_rows + n_columns + n_rows * n_columns) {
        for (const std::int64_t type : types) {
            visit_cells(type, n_columns, [&](std::size_t cell) { cells_.push_back(cell); });
            starts_.push_back(cells_.size());
        }
        there_.resize(cells_.size());
    }

    const Sums& sums() const { return sums_; }

    void clear() {
        std::ranges::fill(there_, 0);
        std::ranges::fill(sizes_, 0);
    }

    // Adds the objects of a type, given for each cell open to it; returns what follows on them.
    Ints fill(std::size_t type, Ints sent) {
        const std::size_t n_cells = starts_[type + 1] - starts_[type];
        for (std::size_t at = 0; at < n_cells; ++at) {
            there_[starts_[type] + at] = sent[at];
            for (const std::size_t place : places(cells_[starts_[type] + at])) {
                sizes_[place] += static_cast<std::size_t>(sent[at]);
            }
        }
        return sent.subspan(n_cells);
    }

    void sum_up() {
        sums_ = {};
        for (std::size_t place = 0; place < sizes_.size(); ++place) {
            const std::size_t view = place < n_rows_ ? 0 : place < n_rows_ + n_columns_ ? 1 : 2;
            sums_[view] += psi_[sizes_[place]];
        }
    }

    // Takes objects from the cells of a type where they add most to the weighted sums, and puts
    // them into the cell of another type where they add least.
    void move(std::size_t from, std::size_t to, std::int64_t left, Floats weights) {
        while (left > 0) {
            std::size_t dearest = starts_[from + 1];
            double most = -std::numeric_limits<double>::infinity();
            for (std::size_t at = starts_[from]; at < starts_[from + 1]; ++at) {
                if (there_[at] == 0) continue;
                if (const double saved = rise(at, 1, weights); saved > most) {
                    most = saved;
                    dearest = at;
                }
            }
            const std::int64_t count = std::min(left, there_[dearest]);
            left -= count;
            add(dearest, -count);
            std::size_t target = starts_[to];
            double least = std::numeric_limits<double>::infinity();
            for (std::size_t at = starts_[to]; at < starts_[to + 1]; ++at) {
                if (const double added = rise(at, 0, weights); added < least) {
                    least = added;
                    target = at;
                }
            }
            add(target, count);
        }
    }

  private:
    std::array<std::size_t, 3> places(std::size_t cell) const {
        return {cell / n_columns_, n_rows_ + cell % n_columns_, n_rows_ + n_columns_ + cell};
    }

    // What an object in a cell adds, beside the others, of which `own` are left out.
    double rise(std::size_t at, std::size_t own, Floats weights) const {
        const auto own_places = places(cells_[at]);
        double sum = 0.0;
        for (std::size_t view = 0; view < 3; ++view) {
            const std::size_t size = sizes_[own_places[view]] - own;
            sum += weights[view] * (psi_[size + 1] - psi_[size]);
        }
        return sum;
    }

    void add(std::size_t at, std::int64_t count) {
        there_[at] += count;
        const auto own_places = places(cells_[at]);
        for (std::size_t view = 0; view < 3; ++view) {
            std::size_t& size = sizes_[own_places[view]];
            sums_[view] -= psi_[size];
            size += static_cast<std::size_t>(count);  // modulo 2^64: may be negative
            sums_[view] += psi_[size];
        }
    }

    Floats psi_;
    std::size_t n_rows_, n_columns_;
    std::vector<std::size_t> starts_{0}, cells_;  // of each type, the cells open to it
    std::vector<std::int64_t> there_;             // objects of the type in each of these
    std::vector<std::size_t> sizes_;              // of rows, columns and cells
    Sums sums_{};
};

// Entry e of gap g has the type entry_types[e] and sends sent[...] objects to each cell open to it.
struct SentTables {
    Ints entry_starts;  // of each gap
    Ints entry_types, sent;
};

// Sums of psi over rows, columns and cells at each level between: of the table at the level above
// the gap, with the objects whose sets grew moved where the weighted sums fall most. They are not
// numbers at other levels, and where time has run out.
inline std::vector<double> carry_tables(const MovesView& moves, Ints types, const LevelGaps& gaps,
                                        const SentTables& tables, Floats weights, Floats psi,
                                        std::size_t n_rows, std::size_t n_columns,
                                        const Limits& limits) {
    std::vector<double> sums(3 * moves.n_levels(), std::numeric_limits<double>::quiet_NaN());
    TypedTable table(types, psi, n_rows, n_columns);
    Ints sent = tables.sent;
    for (std::size_t gap = 0; gap < gaps.size(); ++gap) {
        allow_interrupt();
        table.clear();
        const auto end = static_cast<std::size_t>(tables.entry_starts[gap + 1]);
        for (auto entry = static_cast<std::size_t>(tables.entry_starts[gap]); entry < end;
             ++entry) {
            sent = table.fill(static_cast<std::size_t>(tables.entry_types[entry]), sent);
        }
        table.sum_up();
        const Floats own_weights = weights.subspan(3 * gap, 3);
        for (std::size_t level = gaps.first(gap); level < gaps.end(gap); ++level) {
            if (limits.is_late()) return sums;
            moves.each(level, level + 1, [&](std::size_t from, std::size_t to, std::int64_t count) {
                table.move(from, to, count, own_weights);
            });
            std::ranges::copy(table.sums(), sums.begin() + static_cast<std::ptrdiff_t>(3 * level));
        }
    }
    return sums;
}

}  // namespace sfumato
