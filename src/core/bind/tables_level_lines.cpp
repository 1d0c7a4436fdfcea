// Python functions for tables/level_lines.hpp.

#include "bind/arrays.hpp"
#include "tables/level_lines.hpp"

namespace sfumato {
namespace {

using Types = In<std::int32_t, 1>;

auto lines(const IntArray& first, const IntArray& starts, const Types& before, const Types& after,
           const IntArray& counts, const IntArray& types, const IntArray& above,
           const IntArray& below, const In<double, 2>& costs, std::size_t n_columns) {
    return give(unlocked([&] {
        return carry_lines({view(first), view(starts), view(before), view(after), view(counts)},
                           view(types), {view(above), view(below)}, view(costs), costs.shape(1),
                           n_columns);
    }));
}

auto tables(const IntArray& first, const IntArray& starts, const Types& before, const Types& after,
            const IntArray& counts, const IntArray& types, const IntArray& above,
            const IntArray& below, const IntArray& entry_starts, const IntArray& entry_types,
            const IntArray& sent, const In<double, 2>& weights, const FloatArray& psi,
            std::size_t n_rows, std::size_t n_columns) {
    std::vector<double> sums = unlocked([&] {
        return carry_tables({view(first), view(starts), view(before), view(after), view(counts)},
                            view(types), {view(above), view(below)},
                            {view(entry_starts), view(entry_types), view(sent)}, view(weights),
                            view(psi), n_rows, n_columns);
    });
    const std::size_t n_levels = sums.size() / 3;
    return give(std::move(sums), {n_levels, 3});
}

}  // namespace
}  // namespace sfumato

void bind_tables_level_lines(nanobind::module_& module) {
    using namespace sfumato;
    module.def("carry_lines", &lines);
    module.def("carry_tables", &tables);
}
