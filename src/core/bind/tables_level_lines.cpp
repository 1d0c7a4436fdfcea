// Python functions for tables/level_lines.hpp.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "tables/level_lines.hpp"

namespace sfumato {
namespace {

using Numbers = In<std::int64_t, 1>;
using Types = In<std::int32_t, 1>;

Out<double> lines(const Numbers& first, const Numbers& starts, const Types& before,
                  const Types& after, const Numbers& counts, const Numbers& types,
                  const Numbers& above, const Numbers& below, const In<double, 2>& costs,
                  std::size_t n_columns) {
    std::vector<double> sums;
    {
        nb::gil_scoped_release release;
        sums = carry_lines({view(first), view(starts), view(before), view(after), view(counts)},
                           view(types), {view(above), view(below)}, view(costs), costs.shape(1),
                           n_columns);
    }
    return give(std::move(sums));
}

Out<double> tables(const Numbers& first, const Numbers& starts, const Types& before,
                   const Types& after, const Numbers& counts, const Numbers& types,
                   const Numbers& above, const Numbers& below, const Numbers& entry_starts,
                   const Numbers& entry_types, const Numbers& sent, const In<double, 2>& weights,
                   const In<double, 1>& psi, std::size_t n_rows, std::size_t n_columns) {
    std::vector<double> sums;
    {
        nb::gil_scoped_release release;
        sums = carry_tables({view(first), view(starts), view(before), view(after), view(counts)},
                            view(types), {view(above), view(below)},
                            {view(entry_starts), view(entry_types), view(sent)}, view(weights),
                            view(psi), n_rows, n_columns);
    }
    const std::size_t n_levels = sums.size() / 3;
    return give(std::move(sums), {n_levels, 3});
}

}  // namespace
}  // namespace sfumato

void bind_tables_level_lines(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("carry_lines", &lines, "first"_a, "starts"_a, "before"_a, "after"_a, "counts"_a,
               "types"_a, "above"_a, "below"_a, "costs"_a, "n_columns"_a);
    module.def("carry_tables", &tables, "first"_a, "starts"_a, "before"_a, "after"_a, "counts"_a,
               "types"_a, "above"_a, "below"_a, "entry_starts"_a, "entry_types"_a, "sent"_a,
               "weights"_a, "psi"_a, "n_rows"_a, "n_columns"_a);
}
