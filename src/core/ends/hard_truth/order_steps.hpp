// What the rows of a table add to a bound if they are placed in some order, for order_bound.hpp,
// where homes and w are explained.
//
// Idea. A row that is placed takes the objects that no row before it can take, and some that leave
// their home. How many depends only on the set of rows before, not on their order.
//
// Invariant. Over the steps of one order each object is counted once, by the first row of its set
// or by its home. `leaving` counts again those that might leave a home which came before.
//
// Letters. F(S): objects whose set meets S. w: objects of a column / objects of the largest column.
// Cost: O(l k 2^k) for an instance.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "ends/hard_truth/ranks.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

struct OrderSteps {
    struct Column {
        std::size_t home = 0;
        double weight = 0.0;                  // w
        Count stay = 0;                       // objects that may stay at home
        std::vector<Count> at_home, no_home;  // F of these, and of all others
    };
    // What the row that follows on a set of rows adds: sums over columns of objects that take it,
    // each times w, and times 1 - w.
    struct Step {
        double later = 0.0;    // in columns whose home is still to come
        double home = 0.0;     // in columns of which it is the home
        double earlier = 0.0;  // in other columns, of objects that are not open to the home
        double rest = 0.0;     // the three together, times 1 - w
    };
    // Sums over columns of 1, w and w^2.
    struct Weights {
        double one = 0.0, weight = 0.0, square = 0.0;

        Weights operator+(const Weights& other) const {
            return {one + other.one, weight + other.weight, square + other.square};
        }
        Weights operator-(const Weights& other) const {
            return {one - other.one, weight - other.weight, square - other.square};
        }
        // Sum of (d + w e)^2 / 8.
        double cost(double d, double e) const {
            const double most = square * e * e;
            return d == 0.0 ? most / 8.0 : (one * d * d + 2.0 * weight * d * e + most) / 8.0;
        }
    };

    std::size_t k;
    Set all;
    std::vector<Column> columns;
    std::vector<Count> total;                 // F of all columns
    std::array<Count, most_rows + 1> most{};  // largest F of m rows
    std::array<Count, most_rows> sure{};      // objects that are open to this row only
    std::array<Weights, most_rows> own;       // by row: of columns of which it is the home
    std::vector<Weights> own_of;              // by set of rows: the same
    std::vector<Step> steps;                  // by set and row
    std::vector<double> leaving;  // by set and row: objects that leave each home, most first

    explicit OrderSteps(int n_rows)
        : k(static_cast<std::size_t>(n_rows)), all((Set{1} << n_rows) - 1) {}

    void load(const Ranks& ranks) {
        const std::size_t n_sets = std::size_t{all} + 1;
        read_columns(ranks);
        sum_over_columns(ranks);
        steps.assign(n_sets * k, {});
        leaving.assign(n_sets * k * k, 0.0);
        for (Set before = 0; before < all; ++before) {
            for (std::size_t i = 0; i < k; ++i) {
                if ((before >> i & 1U) == 0) find_step(before, i);
            }
        }
    }

    std::size_t place(Set before, std::size_t row) const { return before * k + row; }
    const double* leaving_for(Set before, std::size_t row) const {
        return leaving.data() + place(before, row) * k;
    }

  private:
    void read_columns(const Ranks& ranks) {
        columns.resize(ranks.n_columns());
        Count largest = 0;
        for (std::size_t j = 0; j < columns.size(); ++j) largest = std::max(largest, ranks[j][all]);
        for (std::size_t j = 0; j < columns.size(); ++j) {
            const Count* f = ranks[j];
            Column& column = columns[j];
            column.home = 0;
            for (std::size_t i = 1; i < k; ++i) {
                if (f[Set{1} << i] > f[Set{1} << column.home]) column.home = i;
            }
            column.weight = static_cast<double>(f[all]) / static_cast<double>(largest);
            column.stay = f[Set{1} << column.home];
            column.at_home.assign(std::size_t{all} + 1, 0);
            column.no_home = column.at_home;
        }
        ranks.each_type([&](std::size_t j, Set set, Count count) {
            const Set home = Set{1} << columns[j].home;
            (set & home ? columns[j].at_home : columns[j].no_home)[set & ~home] += count;
        });
        for (Column& column : columns) {
            to_rank(column.at_home.data(), all);
            to_rank(column.no_home.data(), all);
        }
    }

    void sum_over_columns(const Ranks& ranks) {
        const std::size_t n_sets = std::size_t{all} + 1;
        own.fill({});
        total.assign(n_sets, 0);
        for (std::size_t j = 0; j < columns.size(); ++j) {
            const double w = columns[j].weight;
            Weights& there = own[columns[j].home];
            there = there + Weights{1.0, w, w * w};
            for (std::size_t s = 0; s < n_sets; ++s) total[s] += ranks[j][s];
        }
        most.fill(0);
        own_of.assign(n_sets, {});
        for (Set s = 0; s <= all; ++s) {
            if (s > 0) own_of[s] = own_of[s & (s - 1)] + own[std::countr_zero(s)];
            Count& largest = most[static_cast<std::size_t>(std::popcount(s))];
            largest = std::max(largest, total[s]);
        }
        for (std::size_t i = 0; i < k; ++i) sure[i] = total[all] - total[all ^ (Set{1} << i)];
    }

    // Fills in the step to a row, and what leaves each home for it.
    void find_step(Set before, std::size_t row) {
        const Set with = before | Set{1} << row;
        Step found, rest;
        double* leaves = leaving.data() + place(before, row) * k;
        for (const Column& column : columns) {
            const double w = column.weight;
            const auto rise = [&](const std::vector<Count>& f) {
                return static_cast<double>(f[with] - f[before]);
            };
            const auto add = [&](double Step::* part, double objects) {
                found.*part += w * objects;
                rest.*part += (1.0 - w) * objects;
            };
            if (column.home == row) {
                add(&Step::home, static_cast<double>(column.stay - column.at_home[before]));
            } else if (before >> column.home & 1U) {
                leaves[column.home] += w * rise(column.at_home);
                add(&Step::earlier, rise(column.no_home));
            } else {
                add(&Step::later, rise(column.at_home) + rise(column.no_home));
            }
        }
        found.rest = rest.later + rest.home + rest.earlier;
        steps[place(before, row)] = found;
        std::sort(leaves, leaves + k, std::greater{});
    }
};

}  // namespace sfumato::hard_truth
