// Python functions for ends/climb_tables.hpp.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "ends/climb_tables.hpp"

namespace sfumato {
namespace {

// Table t has the entries from table_starts[t] to table_starts[t + 1].
Out<std::int64_t> climb_each(const In<std::int64_t, 1>& table_starts,
                             const In<std::int64_t, 1>& starts, const In<std::int64_t, 1>& cells,
                             const In<std::int64_t, 1>& sent, const In<double, 2>& weights,
                             const In<double, 1>& psi, std::size_t n_rows, std::size_t n_columns,
                             std::size_t max_sweeps) {
    std::vector<std::int64_t> found(sent.data(), sent.data() + sent.size());
    {
        nb::gil_scoped_release release;
        TableClimber climber(view(psi), n_rows, n_columns);
        const auto firsts = view(table_starts);
        for (std::size_t table = 0; table + 1 < firsts.size(); ++table) {
            const auto first = static_cast<std::size_t>(firsts[table]);
            const auto size = static_cast<std::size_t>(firsts[table + 1]) - first;
            climber.climb(view(starts).subspan(first, size + 1), view(cells), found,
                          {weights(table, 0), weights(table, 1), weights(table, 2)}, max_sweeps);
        }
    }
    return give(std::move(found));
}

}  // namespace
}  // namespace sfumato

void bind_ends_climb(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("climb_tables", &climb_each, "table_starts"_a, "starts"_a, "cells"_a, "sent"_a,
               "weights"_a, "psi"_a, "n_rows"_a, "n_columns"_a, "max_sweeps"_a);
}
