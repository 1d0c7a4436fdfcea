// Python functions for ends/both_rough/.

#include "bind/arrays.hpp"
#include "bind/ends.hpp"
#include "ends/both_rough/batch.hpp"

namespace sfumato {
namespace {

using Counts = In<std::int64_t, 2>;

// psi_of(i): the psi of instance i.
template <class End, class PsiOf>
auto solve(const Sets& row_sets, const Sets& column_sets, const Counts& counts,
           both_rough::Shape shape, const Limits& limits, std::size_t threads,
           const PsiOf& psi_of) {
    auto found = unlocked([&] {
        const auto sets = both_rough::rectangles(shape, view(row_sets), view(column_sets));
        return both_rough::solve_batch<End>(shape, sets, view(counts), counts.shape(0), psi_of,
                                            limits, threads);
    });
    return give_ends(std::move(found), shape.n_rows, shape.n_columns);
}

// One psi for all instances, made for the largest one.
template <class End>
auto xlogx_ends(const Sets& row_sets, const Sets& column_sets, const Counts& counts,
                std::size_t n_rows, std::size_t n_columns, std::int64_t max_nodes,
                std::size_t threads, double max_seconds, const Flag& stop) {
    const both_rough::XLogX psi(largest_total(view(counts), counts.shape(1)));
    return solve<End>(row_sets, column_sets, counts, {n_rows, n_columns},
                      {max_nodes, max_seconds, stop.data()}, threads,
                      [&](std::size_t) -> const both_rough::XLogX& { return psi; });
}

// G = w (sum R^2 + sum C^2) - 2 sum N^2 with a weight 0 <= w <= 1 of its own for each instance.
template <class End>
auto weighted_ends(const Sets& row_sets, const Sets& column_sets, const Counts& counts,
                   const FloatArray& weights, std::size_t n_rows, std::size_t n_columns,
                   std::int64_t max_nodes, std::size_t threads, double max_seconds,
                   const Flag& stop) {
    return solve<End>(row_sets, column_sets, counts, {n_rows, n_columns},
                      {max_nodes, max_seconds, stop.data()}, threads,
                      [&](std::size_t i) { return both_rough::WeightedSquare(weights.data()[i]); });
}

}  // namespace
}  // namespace sfumato

void bind_ends_both_rough(nanobind::module_& module) {
    using namespace sfumato;
    using both_rough::Far, both_rough::Near;
    module.def("both_rough_far_xlogx", &xlogx_ends<Far>);
    module.def("both_rough_near_xlogx", &xlogx_ends<Near>);
    module.def("both_rough_far_weighted", &weighted_ends<Far>);
    module.def("both_rough_near_weighted", &weighted_ends<Near>);
}
