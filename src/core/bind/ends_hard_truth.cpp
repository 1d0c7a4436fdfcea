// Python functions for ends/hard_truth/.

#include "bind/arrays.hpp"
#include "ends/found_end.hpp"
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
auto ends(Sets row_sets, Ints classes, const IntGrid& counts, Floats weights, int n_rows,
          std::size_t n_columns, bool is_shared, std::int64_t max_nodes, double max_seconds,
          Flag stop) {
    const Limits limits(max_nodes, max_seconds, stop.data());
    const hard_truth::Batch batch{row_sets, classes,   counts.values, weights,
                                  n_rows,   n_columns, is_shared,     limits};
    const bool is_few = n_rows == 2 || n_rows == 3;
    auto found = is_few ? solve<End, is_square, hard_truth::few_rows>(batch)
                        : solve<End, is_square, hard_truth::most_rows>(batch);
    return std::move(found).in_shape(static_cast<std::size_t>(n_rows), n_columns);
}

}  // namespace
}  // namespace sfumato

void bind_ends_hard_truth(nanobind::module_& module) {
    using namespace sfumato;
    module.def("hard_truth_far_square", &ends<hard_truth::Far, true>, unlocked);
    module.def("hard_truth_far_xlogx", &ends<hard_truth::Far, false>, unlocked);
    module.def("hard_truth_near_square", &ends<hard_truth::Near, true>, unlocked);
    module.def("hard_truth_near_xlogx", &ends<hard_truth::Near, false>, unlocked);
}
