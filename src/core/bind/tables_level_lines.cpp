// Python functions for tables/level_moves.hpp and tables/level_lines.hpp.

#include "bind/arrays.hpp"
#include "bind/moves.hpp"
#include "tables/level_lines.hpp"

namespace sfumato {
namespace {

auto moves_of(const In<double, 2>& rows, const In<double, 2>& columns, const IntArray& row_of,
              const IntArray& column_of, const IntArray& counts, const FloatArray& levels) {
    LevelMoves found = unlocked([&] {
        return level_moves({view(rows), rows.shape(1), view(row_of)},
                           {view(columns), columns.shape(1), view(column_of)}, view(counts),
                           view(levels));
    });
    return std::tuple(give(std::move(found.types)), give(std::move(found.first)),
                      give(std::move(found.starts)), give(std::move(found.before)),
                      give(std::move(found.after)), give(std::move(found.counts)));
}

auto counts_at(const MovesView& moves, const IntArray& at) {
    std::vector<std::int64_t> out(at.size() * moves.first.size());
    unlocked([&] { counts_at_levels(moves, view(at), out); });
    return give(std::move(out), {at.size(), moves.first.size()});
}

auto cells_at(const MovesView& moves, const IntArray& types) {
    return give(unlocked([&] { return cells_at_levels(moves, view(types)); }));
}

auto lines(const MovesView& moves, const IntArray& types, const IntArray& above,
           const IntArray& below, const In<double, 2>& costs, std::size_t n_columns) {
    return give(unlocked([&] {
        return carry_lines(moves, view(types), {view(above), view(below)}, view(costs),
                           costs.shape(1), n_columns);
    }));
}

auto tables(const MovesView& moves, const IntArray& types, const IntArray& above,
            const IntArray& below, const IntArray& entry_starts, const IntArray& entry_types,
            const IntArray& sent, const In<double, 2>& weights, const FloatArray& psi,
            std::size_t n_rows, std::size_t n_columns, double max_seconds, const Flag& stop) {
    const Limits limits(0, max_seconds, stop.data());
    return give(unlocked([&] {
                    return carry_tables(moves, view(types), {view(above), view(below)},
                                        {view(entry_starts), view(entry_types), view(sent)},
                                        view(weights), view(psi), n_rows, n_columns, limits);
                }),
                {moves.n_levels(), 3});
}

}  // namespace
}  // namespace sfumato

void bind_tables_level_lines(nanobind::module_& module) {
    using namespace sfumato;
    module.def("level_moves", &moves_of);
    module.def("counts_at_levels", of_moves(&counts_at));
    module.def("cells_at_levels", of_moves(&cells_at));
    module.def("carry_lines", of_moves(&lines));
    module.def("carry_tables", of_moves(&tables));
}
