// Python functions for ends/matching/.

#include "bind/arrays.hpp"
#include "bind/ends.hpp"
#include "ends/found_end.hpp"
#include "ends/matching/fill_cells.hpp"
#include "ends/matching/largest.hpp"
#include "ends/matching/three_clusters.hpp"

namespace sfumato {
namespace {

using Counts = In<std::int64_t, 2>;

template <class Solve>
auto solve_three(const Sets& row_sets, const IntArray& classes, const Counts& counts,
                 std::size_t n_rows, std::size_t n_columns, const Solve& solve) {
    FoundEnds<std::int64_t> found(counts.shape(0), n_rows * n_columns);
    unlocked([&] {
        const std::size_t n_types = counts.shape(1);
        for (std::size_t b = 0; b < counts.shape(0); ++b) {
            ThreeCounts three{};
            for (std::size_t t = 0; t < n_types; ++t) {
                three[row_sets.data()[t]][static_cast<std::size_t>(classes.data()[t])] +=
                    counts.data()[b * n_types + t];
            }
            const ThreeMatch match = solve(three);
            FoundEnd<std::int64_t> end{{}, match.value, match.bound};
            for (std::size_t i = 0; i < n_rows; ++i) {
                end.table.insert(end.table.end(), match.table[i].begin(),
                                 match.table[i].begin() + n_columns);
            }
            found.set(b, end);
        }
    });
    return give_ends(std::move(found), n_rows, n_columns);
}

auto largest_three(const Sets& row_sets, const IntArray& classes, const Counts& counts,
                   std::size_t n_rows, std::size_t n_columns) {
    return solve_three(row_sets, classes, counts, n_rows, n_columns, largest_three_match);
}

auto smallest_three(const Sets& row_sets, const IntArray& classes, const Counts& counts,
                    std::size_t n_rows, std::size_t n_columns, std::int64_t max_nodes) {
    return solve_three(row_sets, classes, counts, n_rows, n_columns, [&](const ThreeCounts& three) {
        return SmallestThreeMatch(three, max_nodes).solve();
    });
}

auto largest(const Sets& row_sets, const Sets& column_sets, const Counts& counts,
             std::size_t n_rows, std::size_t n_columns, std::int64_t max_nodes, double max_seconds,
             const Flag& stop) {
    FoundEnds<std::int64_t> found(counts.shape(0), n_rows * n_columns);
    unlocked([&] {
        const std::size_t n_types = counts.shape(1);
        const Limits limits(max_nodes, max_seconds, stop.data());
        LargestMatching search({view(row_sets), view(column_sets), n_rows, n_columns});
        for (std::size_t b = 0; b < counts.shape(0); ++b) {
            found.set(b, search.solve(view(counts).subspan(b * n_types, n_types), limits));
        }
    });
    return give_ends(std::move(found), n_rows, n_columns);
}

auto fill(const Sets& row_sets, const Sets& column_sets, const IntArray& counts,
          const In<std::int64_t, 2>& capacities) {
    const std::size_t k = capacities.shape(0), l = capacities.shape(1);
    const SetTypes types{view(row_sets), view(column_sets), k, l};
    return give(unlocked([&] { return CellFiller(types, view(counts), view(capacities)).fill(); }),
                {k, l});
}

}  // namespace
}  // namespace sfumato

void bind_ends_matching(nanobind::module_& module) {
    using namespace sfumato;
    module.def("largest_match", &largest);
    module.def("largest_match_three", &largest_three);
    module.def("smallest_match_three", &smallest_three);
    module.def("fill_cells", &fill);
}
