// Python functions for ends/climb_tables.hpp and ends/largest_row/bound.hpp.

#include "bind/arrays.hpp"
#include "ends/climb_tables.hpp"
#include "ends/largest_row/bound.hpp"

namespace sfumato {
namespace {

// The starts of the entries of one table, which are those from table_starts[t] to
// table_starts[t + 1], and where the last one ends.
Ints entries_of(std::size_t table, const IntArray& table_starts, const IntArray& starts) {
    const auto own = part(starts, table_starts, table);
    return {own.data(), own.size() + 1};
}

auto climb_each(const IntArray& table_starts, const IntArray& starts,
                const In<std::int64_t, 2>& places, const IntArray& sent,
                const In<double, 2>& weights, const FloatArray& psi, std::size_t n_places,
                std::size_t max_sweeps) {
    std::vector<std::int64_t> found(sent.data(), sent.data() + sent.size());
    unlocked([&] {
        const std::size_t n_views = places.shape(1);
        TableClimber climber(view(psi), n_views, n_places);
        for (std::size_t table = 0; table + 1 < table_starts.size(); ++table) {
            climber.climb(entries_of(table, table_starts, starts), view(places), found,
                          {weights.data() + table * n_views, n_views}, max_sweeps);
        }
    });
    return give(std::move(found));
}

// Weights are v and w. `attained` are values of F, infinite where none is known.
auto bound_each(const IntArray& table_starts, const IntArray& starts, const IntArray& cells,
                const IntArray& counts, const In<double, 2>& weights, const FloatArray& attained,
                std::size_t n_rows, std::size_t n_columns) {
    std::vector<double> bounds(weights.shape(0)), shares(cells.size()), lines;
    unlocked([&] {
        largest_row::LargestRowBound bounder(n_rows, n_columns);
        for (std::size_t table = 0; table < bounds.size(); ++table) {
            const auto own = entries_of(table, table_starts, starts);
            const auto from = static_cast<std::size_t>(own.front());
            const auto size = static_cast<std::size_t>(own.back()) - from;
            bounds[table] = bounder.bound({own, part(counts, table_starts, table),
                                           view(cells).subspan(from, size), n_columns},
                                          weights(table, 0), weights(table, 1), attained(table),
                                          std::span(shares).subspan(from, size));
            lines.insert(lines.end(), bounder.line().begin(), bounder.line().end());
        }
    });
    return std::tuple(give(std::move(bounds)), give(std::move(shares)),
                      give(std::move(lines), {weights.shape(0), 1 + n_rows * n_columns}));
}

}  // namespace
}  // namespace sfumato

void bind_ends_open_tables(nanobind::module_& module) {
    using namespace sfumato;
    module.def("climb_tables", &climb_each);
    module.def("largest_row_bounds", &bound_each);
}
