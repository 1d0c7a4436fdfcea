// Python functions for tables/level_moves.hpp and tables/level_lines.hpp.

#include "bind/arrays.hpp"
#include "ends/found_end.hpp"
#include "tables/level_lines.hpp"

namespace sfumato {
namespace {

// How Python passes MovesView: as five arguments, before the others of a kernel.
template <class Found, class... More>
auto of_moves(Found (*kernel)(const MovesView&, More...)) {
    using Types = std::span<const std::int32_t>;
    return by_fields<MovesView, Ints, Ints, Types, Types, Ints>(kernel);
}

auto moves_of(const FloatGrid& rows, const FloatGrid& columns, Ints row_of, Ints column_of,
              Ints counts, Floats levels) {
    return level_moves({rows.values, rows.shape[1], row_of},
                       {columns.values, columns.shape[1], column_of}, counts, levels);
}

NewGrid<std::int64_t> counts_at(const MovesView& moves, Ints at) {
    std::vector<std::int64_t> out(at.size() * moves.first.size());
    counts_at_levels(moves, at, out);
    return {std::move(out), {at.size(), moves.first.size()}};
}

auto lines(const MovesView& moves, Ints types, Ints above, Ints below, const FloatGrid& costs,
           std::size_t n_columns) {
    return carry_lines(moves, types, {above, below}, costs.values, costs.shape[1], n_columns);
}

NewGrid<double> tables(const MovesView& moves, Ints types, Ints above, Ints below,
                       Ints entry_starts, Ints entry_types, Ints sent, const FloatGrid& weights,
                       Floats psi, std::size_t n_rows, std::size_t n_columns, double max_seconds,
                       Flag stop) {
    const Limits limits(0, max_seconds, stop.data());
    return {carry_tables(moves, types, {above, below}, {entry_starts, entry_types, sent},
                         weights.values, psi, n_rows, n_columns, limits),
            {moves.n_levels(), 3}};
}

}  // namespace
}  // namespace sfumato

void bind_tables_level_lines(nanobind::module_& module) {
    using namespace sfumato;
    module.def("level_moves", &moves_of, unlocked);
    module.def("counts_at_levels", of_moves(&counts_at), unlocked);
    module.def("cells_at_levels", of_moves(&cells_at_levels), unlocked);
    module.def("carry_lines", of_moves(&lines), unlocked);
    module.def("carry_tables", of_moves(&tables), unlocked);
}
