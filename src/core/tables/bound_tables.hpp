// Bounds on the number of tables that the choices of objects can make, and on the number of merges
// it takes to list them. Nothing is listed.
//
// Cost: O(number of options), and O(cells) per type if only likely tables count.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "interrupt.hpp"
#include "spans.hpp"
#include "tables/cell_choices.hpp"
#include "tables/likely_counts.hpp"

namespace sfumato {

struct TableBound {
    double log_tables;
    double merges;
};

// log of the number of ways to share `objects` out over `options`: C(objects + options - 1,
// objects).
inline double log_compositions(double objects, double options) {
    return std::lgamma(objects + options) - std::lgamma(objects + 1) - std::lgamma(options);
}

inline double log_size(const CountLimits& limits) {
    return std::log1p(static_cast<double>(std::max(std::int64_t{0}, limits.most - limits.least)));
}

// log of the number of ways to share out within limits: the last option takes what is left.
inline double log_within(const std::vector<CountLimits>& limits) {
    double sum = 0.0;
    for (std::size_t option = 0; option + 1 < limits.size(); ++option) {
        sum += log_size(limits[option]);
    }
    return sum;
}

// Follows merge_component type by type. The tables so far are at most
//   - the tables before times the ways to share out this type,
//   - the ways to share out all objects so far over the cells so far, and
//   - the points of the box of cell counts, without one cell because the total is fixed.
//
// With a `loss` only likely tables are kept: those whose counts all lie within limits.
inline TableBound bound_component(const CellChoices& choices, const Component& component,
                                  double loss = 0.0) {
    constexpr double log_far_too_many = 40.0;
    TableBound bound{0.0, 0.0};
    double log_box = 0.0, objects = 0.0, n_cells = 0.0;
    std::int64_t largest = 0;
    std::vector<std::int64_t> most(choices.n_cells, 0);
    LikelyCounts likely(choices.n_cells, loss, component);
    std::vector<double> log_widths(choices.n_cells, 0.0);
    for (const std::size_t type : component.types) {
        allow_interrupt();
        const std::int64_t count = choices.counts[type];
        double log_own = log_compositions(static_cast<double>(count),
                                          static_cast<double>(choices.n_options(type)));
        // So many tables are never listed: how many more there may be is of no interest.
        const bool is_likely_only = loss > 0.0 && bound.log_tables < log_far_too_many;
        if (is_likely_only) log_own = std::min(log_own, log_within(likely.add(choices, type)));
        bound.merges += std::exp(bound.log_tables + log_own);
        objects += static_cast<double>(count);
        for (const std::int64_t cell : choices.cells_of(type)) {
            std::int64_t& reached = most[static_cast<std::size_t>(cell)];
            if (reached == 0) n_cells += 1.0;
            log_box += std::log1p(static_cast<double>(reached + count)) -
                       std::log1p(static_cast<double>(reached));
            reached += count;
            largest = std::max(largest, reached);
        }
        double log_likely = std::numeric_limits<double>::infinity();
        if (is_likely_only) {
            for (const std::int64_t cell : choices.cells_of(type)) {  // no others change
                log_widths[static_cast<std::size_t>(cell)] =
                    log_size(likely.limits(static_cast<std::size_t>(cell)));
            }
            double log_sum = 0.0, log_widest = 0.0;
            for (const std::size_t cell : component.cells) {
                log_sum += log_widths[cell];
                log_widest = std::max(log_widest, log_widths[cell]);
            }
            log_likely = log_sum - log_widest;
        }
        bound.log_tables =
            std::min({bound.log_tables + log_own, log_compositions(objects, n_cells),
                      log_box - std::log1p(static_cast<double>(largest)), log_likely});
    }
    return bound;
}

// The largest count of every cell among the likely tables.
inline std::vector<std::int64_t> likely_most(const CellChoices& choices, double max_lost) {
    std::vector<std::int64_t> most(choices.n_cells, 0);
    const auto parts = components(choices);
    for (const Component& component : parts) {
        LikelyCounts likely(choices.n_cells, max_lost / static_cast<double>(parts.size()),
                            component);
        for (const std::size_t type : component.types) likely.add(choices, type);
        for (const std::size_t cell : component.cells) most[cell] = likely.limits(cell).most;
    }
    return most;
}

// Bounds on the tables and the merges of merge_tables.
inline std::pair<double, double> bound_tables(const CellChoices& choices, double max_lost) {
    double log_all = 0.0, merges = 0.0;
    const auto parts = components(choices);
    for (const Component& component : parts) {
        const TableBound bound =
            bound_component(choices, component, max_lost / static_cast<double>(parts.size()));
        log_all += bound.log_tables;
        merges += bound.merges;
    }
    const double tables = std::exp(log_all);
    return {tables, merges + tables};
}

}  // namespace sfumato
