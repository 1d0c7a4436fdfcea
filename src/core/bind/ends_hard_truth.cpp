// Python functions for ends/hard_truth/.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "bind/arrays.hpp"
#include "bind/ends.hpp"
#include "ends/hard_truth/batch.hpp"

namespace sfumato {
namespace {

template <template <class, int> class End, bool is_square, int K>
FoundEnds<double> solve(const hard_truth::Batch& batch) {
    if constexpr (is_square) {
        return hard_truth::solve_square<End, K>(batch);
    } else {
        return hard_truth::solve_xlogx<End, K>(batch);
    }
}

template <template <class, int> class End, bool is_square>
EndArrays<double> ends(const In<std::uint32_t, 1>& row_sets, const In<std::int64_t, 1>& classes,
                       const In<std::int64_t, 2>& counts, const In<double, 1>& weights, int n_rows,
                       std::size_t n_columns, std::int64_t max_nodes, double max_seconds,
                       const Flag& stop) {
    FoundEnds<double> found;
    {
        const Limits limits(max_nodes, max_seconds, stop.data());
        nb::gil_scoped_release release;
        const hard_truth::Batch batch{view(row_sets), view(classes), view(counts), view(weights),
                                      n_rows,         n_columns,     limits};
        const bool is_few = n_rows == 2 || n_rows == 3;
        found = is_few ? solve<End, is_square, hard_truth::few_rows>(batch)
                       : solve<End, is_square, hard_truth::most_rows>(batch);
    }
    return give_ends(std::move(found), static_cast<std::size_t>(n_rows), n_columns);
}

}  // namespace
}  // namespace sfumato

void bind_ends_hard_truth(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    const auto def_end = [&](const char* name, auto function) {
        module.def(name, function, "row_sets"_a, "classes"_a, "counts"_a, "weights"_a, "n_rows"_a,
                   "n_columns"_a, "max_nodes"_a, "max_seconds"_a, "stop"_a);
    };
    def_end("hard_truth_far_square", &ends<hard_truth::Far, true>);
    def_end("hard_truth_far_xlogx", &ends<hard_truth::Far, false>);
    def_end("hard_truth_near_square", &ends<hard_truth::Near, true>);
    def_end("hard_truth_near_xlogx", &ends<hard_truth::Near, false>);
}
