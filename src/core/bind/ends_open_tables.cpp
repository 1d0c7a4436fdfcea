// Python functions for ends/climb_tables.hpp and ends/largest_row/bound.hpp.

#include "bind/arrays.hpp"
#include "ends/climb_tables.hpp"
#include "ends/largest_row/bound.hpp"

namespace sfumato {
namespace {

// Weights are v and w. `attained` are values of F, infinite where none is known.
auto bound_each(Ints table_starts, Ints starts, Ints cells, Ints counts, const FloatGrid& weights,
                Floats attained, std::size_t n_rows, std::size_t n_columns) {
    std::vector<double> bounds(weights.shape[0]), shares(cells.size()), lines;
    largest_row::LargestRowBound bounder(n_rows, n_columns);
    for (std::size_t table = 0; table < bounds.size(); ++table) {
        const Ints own = entries_of(table, table_starts, starts);
        const auto from = static_cast<std::size_t>(own.front());
        const auto size = static_cast<std::size_t>(own.back()) - from;
        bounds[table] = bounder.bound(
            {own, part(counts, table_starts, table), cells.subspan(from, size), n_columns},
            weights[table][0], weights[table][1], attained[table],
            std::span(shares).subspan(from, size));
        lines.insert(lines.end(), bounder.line().begin(), bounder.line().end());
    }
    const std::array shape{weights.shape[0], 1 + n_rows * n_columns};
    return std::tuple(std::move(bounds), std::move(shares),
                      NewGrid<double>{std::move(lines), shape});
}

}  // namespace
}  // namespace sfumato

void bind_ends_open_tables(nanobind::module_& module) {
    using namespace sfumato;
    module.def("climb_tables", &climb_tables, unlocked);
    module.def("largest_row_bounds", &bound_each, unlocked);
}
