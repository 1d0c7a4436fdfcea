// Python functions for ends/matching/.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "bind/ends.hpp"
#include "ends/found_end.hpp"
#include "ends/matching/fill_cells.hpp"
#include "ends/matching/largest.hpp"
#include "ends/matching/three_clusters.hpp"

namespace sfumato {
namespace {

using Sets = In<std::uint32_t, 1>;
using Counts = In<std::int64_t, 2>;
using Ends = EndArrays<std::int64_t>;

template <class Solve>
Ends solve_three(const Sets& row_sets, const In<std::int64_t, 1>& classes, const Counts& counts,
                 std::size_t n_rows, std::size_t n_columns, const Solve& solve) {
    const std::size_t size = counts.shape(0);
    FoundEnds<std::int64_t> found(size, n_rows * n_columns);
    {
        nb::gil_scoped_release release;
        const std::size_t n_types = counts.shape(1);
        for (std::size_t b = 0; b < size; ++b) {
            ThreeCounts three{};
            for (std::size_t t = 0; t < n_types; ++t) {
                three[row_sets.data()[t]][static_cast<std::size_t>(classes.data()[t])] +=
                    counts.data()[b * n_types + t];
            }
            const ThreeMatch match = solve(three);
            for (std::size_t i = 0; i < n_rows; ++i) {
                std::copy_n(match.table[i].begin(), n_columns,
                            found.tables.begin() +
                                static_cast<std::ptrdiff_t>((b * n_rows + i) * n_columns));
            }
            found.values[b] = match.value;
            found.bounds[b] = match.bound;
        }
    }
    return give_ends(std::move(found), n_rows, n_columns);
}

Ends largest_three(const Sets& row_sets, const In<std::int64_t, 1>& classes, const Counts& counts,
                   std::size_t n_rows, std::size_t n_columns) {
    return solve_three(row_sets, classes, counts, n_rows, n_columns, largest_three_match);
}

Ends smallest_three(const Sets& row_sets, const In<std::int64_t, 1>& classes, const Counts& counts,
                    std::size_t n_rows, std::size_t n_columns, std::int64_t max_nodes) {
    return solve_three(row_sets, classes, counts, n_rows, n_columns, [&](const ThreeCounts& three) {
        return SmallestThreeMatch(three, max_nodes).solve();
    });
}

Ends largest(const Sets& row_sets, const Sets& column_sets, const Counts& counts,
             std::size_t n_rows, std::size_t n_columns, std::int64_t max_nodes, double max_seconds,
             const Flag& stop) {
    const std::size_t size = counts.shape(0);
    FoundEnds<std::int64_t> found(size, n_rows * n_columns);
    {
        nb::gil_scoped_release release;
        const std::size_t n_types = counts.shape(1), n_cells = n_rows * n_columns;
        const Limits limits(max_nodes, max_seconds, stop.data());
        LargestMatching search({view(row_sets), view(column_sets), n_rows, n_columns});
        for (std::size_t b = 0; b < size; ++b) {
            const FoundEnd<std::int64_t> match =
                search.solve(view(counts).subspan(b * n_types, n_types), limits);
            std::ranges::copy(match.table,
                              found.tables.begin() + static_cast<std::ptrdiff_t>(b * n_cells));
            found.values[b] = match.value;
            found.bounds[b] = match.bound;
        }
    }
    return give_ends(std::move(found), n_rows, n_columns);
}

Out<std::int64_t> fill(const Sets& row_sets, const Sets& column_sets,
                       const In<std::int64_t, 1>& counts, const In<std::int64_t, 2>& capacities) {
    const std::size_t k = capacities.shape(0), l = capacities.shape(1);
    std::vector<std::int64_t> table;
    {
        nb::gil_scoped_release release;
        table =
            CellFiller({view(row_sets), view(column_sets), k, l}, view(counts), view(capacities))
                .fill();
    }
    return give(std::move(table), {k, l});
}

}  // namespace
}  // namespace sfumato

void bind_ends_matching(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("largest_match", &largest, "row_sets"_a, "column_sets"_a, "counts"_a, "n_rows"_a,
               "n_columns"_a, "max_nodes"_a, "max_seconds"_a, "stop"_a);
    module.def("largest_match_three", &largest_three, "row_sets"_a, "classes"_a, "counts"_a,
               "n_rows"_a, "n_columns"_a);
    module.def("smallest_match_three", &smallest_three, "row_sets"_a, "classes"_a, "counts"_a,
               "n_rows"_a, "n_columns"_a, "max_nodes"_a);
    module.def("fill_cells", &fill, "row_sets"_a, "column_sets"_a, "counts"_a, "capacities"_a);
}
