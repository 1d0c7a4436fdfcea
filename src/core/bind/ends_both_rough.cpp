// Python functions for ends/both_rough/.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "bind/arrays.hpp"
#include "bind/ends.hpp"
#include "ends/both_rough/batch.hpp"

namespace sfumato {
namespace {

template <class End, class Psi>
EndArrays<double> ends(const In<std::uint32_t, 1>& row_sets,
                       const In<std::uint32_t, 1>& column_sets, const In<std::int64_t, 2>& counts,
                       std::size_t n_rows, std::size_t n_columns, std::int64_t max_nodes,
                       std::size_t threads, double max_seconds, const Flag& stop) {
    FoundEnds<double> found;
    {
        const Limits limits(max_nodes, max_seconds, stop.data());
        nb::gil_scoped_release release;
        const both_rough::Shape shape{n_rows, n_columns};
        const auto sets = both_rough::rectangles(shape, view(row_sets), view(column_sets));
        found = both_rough::solve_batch<End, Psi>(shape, sets, view(counts), counts.shape(0),
                                                  limits, threads);
    }
    return give_ends(std::move(found), n_rows, n_columns);
}

template <class End>
EndArrays<double> weighted_ends(const In<std::uint32_t, 1>& row_sets,
                                const In<std::uint32_t, 1>& column_sets,
                                const In<std::int64_t, 2>& counts, const In<double, 1>& weights,
                                std::size_t n_rows, std::size_t n_columns, std::int64_t max_nodes,
                                std::size_t threads, double max_seconds, const Flag& stop) {
    FoundEnds<double> found;
    {
        const Limits limits(max_nodes, max_seconds, stop.data());
        nb::gil_scoped_release release;
        const both_rough::Shape shape{n_rows, n_columns};
        const auto sets = both_rough::rectangles(shape, view(row_sets), view(column_sets));
        found = both_rough::solve_weighted_batch<End>(shape, sets, view(counts), view(weights),
                                                      limits, threads);
    }
    return give_ends(std::move(found), n_rows, n_columns);
}

}  // namespace
}  // namespace sfumato

void bind_ends_both_rough(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    using both_rough::Far, both_rough::Near, both_rough::ExactSquare, both_rough::XLogX;
    const auto def = [&](const char* name, auto function) {
        module.def(name, function, "row_sets"_a, "column_sets"_a, "counts"_a, "n_rows"_a,
                   "n_columns"_a, "max_nodes"_a, "threads"_a, "max_seconds"_a, "stop"_a);
    };
    def("both_rough_far_square", &ends<Far, ExactSquare>);
    def("both_rough_far_xlogx", &ends<Far, XLogX>);
    def("both_rough_near_square", &ends<Near, ExactSquare>);
    def("both_rough_near_xlogx", &ends<Near, XLogX>);
    const auto def_weighted = [&](const char* name, auto function) {
        module.def(name, function, "row_sets"_a, "column_sets"_a, "counts"_a, "weights"_a,
                   "n_rows"_a, "n_columns"_a, "max_nodes"_a, "threads"_a, "max_seconds"_a,
                   "stop"_a);
    };
    def_weighted("both_rough_far_weighted", &weighted_ends<Far>);
    def_weighted("both_rough_near_weighted", &weighted_ends<Near>);
}
