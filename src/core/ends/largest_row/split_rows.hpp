// Rows of a table split into two parts, and the convex function that is left if one of them is
// replaced by lines. For bound.hpp, which explains why.
//
// Problem. Minimise over all tables N that objects with sets of rows and certain columns can fill
//     f = w (sum of N_ij^2) - v (sum over rows of m^2 + plus q + minus r),
// where a row has m = sum of a N, p = sum of (1 - a) N and q = sum of (1 + a) N, and r is the share
// of p of objects with a choice. Plus and minus are the numbers of a line, one each for each row;
// minus depends on the kind of the entry too.
//
// Idea. f is bounded by its slopes at any table, and those by the cheapest row of each entry.
// Tables are found by descent: each entry in turn fills its rows as is best for it.
// Invariant. v (sum over j of a_ij^2) <= w, so f is convex.
//
// Letters. Entry: objects that share a set of rows and a column. Listed cell: one of its cells.
// Cost: O(listed cells) for a sweep, times a few rounds for the level of each entry.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato::largest_row {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

// The entries of one table: entry e has counts[e] objects and the listed cells from starts[e] to
// starts[e + 1], of which cells[at] is row * n_columns + column.
struct OpenTable {
    Ints starts, counts, cells;
    std::size_t n_columns;

    std::size_t n_entries() const { return counts.size(); }
    std::size_t first(std::size_t entry) const {
        return static_cast<std::size_t>(starts[entry] - starts[0]);
    }
    std::size_t cell(std::size_t at) const { return static_cast<std::size_t>(cells[at]); }
    std::size_t row(std::size_t at) const { return cell(at) / n_columns; }
    double count(std::size_t entry) const { return static_cast<double>(counts[entry]); }
};

// An entry is certain if it has one row, near if a < 1 in at most one of its rows, else wide.
enum Kind : std::size_t { certain, near, wide };

class SplitRows {
  public:
    OpenTable open;
    double v = 0.0, w = 0.0;
    std::span<double> shares;                  // objects in each listed cell
    std::vector<double> table, keep;           // N and a
    std::vector<double> main;                  // of each row: m
    std::vector<double> plus;                  // of each row
    std::array<std::vector<double>, 3> minus;  // by kind of entry, of each row
    std::vector<Kind> kinds;                   // of the entries
    double n_objects = 0.0;
    double bound_here = 0.0;  // by the slopes at the present table

    SplitRows(std::size_t n_rows, std::size_t n_columns)
        : table(n_rows * n_columns), keep(n_rows * n_columns), main(n_rows), row_of_(table.size()) {
        for (std::size_t cell = 0; cell < row_of_.size(); ++cell) {
            row_of_[cell] = static_cast<std::uint32_t>(cell / n_columns);
        }
    }

    std::size_t n_rows() const { return main.size(); }
    // A share of w n^2, the size that gaps of f are compared with.
    double part(double share) const { return share * w * n_objects * n_objects; }

    double p(std::size_t i) const {
        return sum_row(i, [&](std::size_t cell) { return 1.0 - keep[cell]; });
    }
    double q(std::size_t i) const {
        return sum_row(i, [&](std::size_t cell) { return 1.0 + keep[cell]; });
    }

    void sum_shares() {
        std::fill(table.begin(), table.end(), 0.0);
        for (std::size_t at = 0; at < shares.size(); ++at) table[open.cell(at)] += shares[at];
    }
    void sum_main() {
        for (std::size_t i = 0; i < n_rows(); ++i) {
            main[i] = sum_row(i, [&](std::size_t cell) { return keep[cell]; });
        }
    }

    // What one more object in a cell adds to f, to first order.
    double slope(std::size_t cell, Kind kind) const {
        const std::size_t i = row_of_[cell];
        const double a = keep[cell];
        return 2.0 * w * table[cell] -
               v * (2.0 * main[i] * a + plus[i] * (1.0 + a) + minus[kind][i] * (1.0 - a));
    }

    double cell_squares() const { return w * dot(table, table); }
    double main_squares() const { return v * dot(main, main); }

    // The best bound of f + constant found by descent; it ends early where the bound reaches
    // `enough`.
    double descend(double constant, double enough) {
        double best = -infinity;
        for (std::size_t sweep = 0;; ++sweep) {
            const double gap = certify(constant);
            best = std::max(best, bound_here);
            if (best >= enough || gap <= part(close) || sweep == max_sweeps) return best;
            for (std::size_t entry = 0; entry < open.n_entries(); ++entry) {
                if (entry % 64 == 0) allow_interrupt();
                if (kinds[entry] != certain) settle(entry);
            }
        }
    }

  private:
    static constexpr double close = 1e-7;        // of w n^2: what further sweeps might still add
    static constexpr double least_curve = 1e-3;  // of w
    static constexpr std::size_t max_sweeps = 8;

    struct Option {
        double slope, ease;
        std::size_t at;
    };

    static double dot(const std::vector<double>& x, const std::vector<double>& y) {
        return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
    }

    template <class Factor>
    double sum_row(std::size_t i, Factor factor) const {
        double sum = 0.0;
        for (std::size_t cell = i * open.n_columns; cell < (i + 1) * open.n_columns; ++cell) {
            sum += factor(cell) * table[cell];
        }
        return sum;
    }

    // Finds the bound by the slopes at the present table; returns how far the table is above it.
    double certify(double constant) {
        sum_main();
        double least = 0.0, here = 0.0;
        for (std::size_t entry = 0; entry < open.n_entries(); ++entry) {
            double cheapest = infinity;
            for (std::size_t at = open.first(entry); at < open.first(entry + 1); ++at) {
                const double own = slope(open.cell(at), kinds[entry]);
                cheapest = std::min(cheapest, own);
                here += own * shares[at];
            }
            least += cheapest * open.count(entry);
        }
        bound_here = constant - (cell_squares() - main_squares()) + least;
        return here - least;
    }

    // Fills the cells of one entry as is best while all others stay: each cell of it is in another
    // row, so the function is a sum over these cells, and all that are used have the same slope.
    void settle(std::size_t entry) {
        options_.clear();
        for (std::size_t at = open.first(entry); at < open.first(entry + 1); ++at) {
            const std::size_t cell = open.cell(at);
            const double curve = 2.0 * std::max(w - v * keep[cell] * keep[cell], least_curve * w);
            options_.push_back({slope(cell, kinds[entry]) - curve * shares[at], 1.0 / curve, at});
        }
        const double level = water_level(open.count(entry));
        for (const Option& option : options_) {
            const double share = std::max(0.0, (level - option.slope) * option.ease);
            const double change = share - shares[option.at];
            shares[option.at] = share;
            const std::size_t cell = open.cell(option.at);
            table[cell] += change;
            main[row_of_[cell]] += keep[cell] * change;
        }
    }

    // The slope that all options have that are used, if they are filled by `count` in all.
    double water_level(double count) {
        double level = infinity;
        for (;;) {
            double filled = count, ease = 0.0;
            for (const Option& option : options_) {
                if (option.slope >= level) continue;
                ease += option.ease;
                filled += option.slope * option.ease;
            }
            const double next = filled / ease;
            if (!(next < level)) return level;  // also where no option is left
            level = next;
        }
    }

    std::vector<std::uint32_t> row_of_;  // of each cell: saves a division
    std::vector<Option> options_;
};

}  // namespace sfumato::largest_row
