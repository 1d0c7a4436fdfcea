// Python functions for ends/largest_row.hpp.
#include <nanobind/stl/tuple.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "ends/largest_row.hpp"

namespace sfumato {
namespace {

// Table t has the entries from table_starts[t] to table_starts[t + 1]. Weights are v and w.
// `attained` are values of F, infinite where none is known.
std::tuple<Out<double>, Out<double>, Out<double>> bound_each(
    const In<std::int64_t, 1>& table_starts, const In<std::int64_t, 1>& starts,
    const In<std::int64_t, 1>& cells, const In<std::int64_t, 1>& counts,
    const In<double, 2>& weights, const In<double, 1>& attained, std::size_t n_rows,
    std::size_t n_columns) {
    std::vector<double> bounds(weights.shape(0)), shares(cells.size()), lines;
    {
        nb::gil_scoped_release release;
        LargestRowBound bounder(n_rows, n_columns);
        const auto firsts = view(table_starts);
        for (std::size_t table = 0; table < bounds.size(); ++table) {
            const auto entry = static_cast<std::size_t>(firsts[table]);
            const auto n_entries = static_cast<std::size_t>(firsts[table + 1]) - entry;
            const auto own = view(starts).subspan(entry, n_entries + 1);
            const auto from = static_cast<std::size_t>(own.front());
            const auto size = static_cast<std::size_t>(own.back()) - from;
            const OpenTable open{own, view(counts).subspan(entry, n_entries),
                                 view(cells).subspan(from, size)};
            bounds[table] = bounder.bound(open, weights(table, 0), weights(table, 1),
                                          attained(table), std::span(shares).subspan(from, size));
            lines.insert(lines.end(), bounder.line().begin(), bounder.line().end());
        }
    }
    return {give(std::move(bounds)), give(std::move(shares)),
            give(std::move(lines), {weights.shape(0), 1 + n_rows * n_columns})};
}

}  // namespace
}  // namespace sfumato

void bind_ends_largest_row(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("largest_row_bounds", &bound_each, "table_starts"_a, "starts"_a, "cells"_a,
               "counts"_a, "weights"_a, "attained"_a, "n_rows"_a, "n_columns"_a);
}
