// Python functions for expectations/.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "expectations/climb_policy.hpp"
#include "expectations/matching_arc_weights.hpp"

namespace sfumato {
namespace {

Out<double> climb(const In<double, 1>& weights, const In<std::int64_t, 1>& starts,
                  const In<std::int64_t, 1>& cells, const In<double, 1>& shares, std::size_t n_rows,
                  std::size_t n_columns, bool is_largest, std::size_t max_sweeps) {
    std::vector<double> found(shares.data(), shares.data() + shares.size());
    {
        nb::gil_scoped_release release;
        PolicyClimber climber(view(weights), view(starts), view(cells), n_rows, n_columns);
        found = climber.climb(std::move(found), is_largest, max_sweeps);
    }
    return give(std::move(found));
}

Out<double> arcs(const In<double, 2>& p, const In<double, 2>& q, double t) {
    std::vector<double> weights;
    {
        nb::gil_scoped_release release;
        weights = arc_weights(view(p), view(q), p.shape(1), q.shape(1), t);
    }
    return give(std::move(weights), {p.shape(1), q.shape(1)});
}

}  // namespace
}  // namespace sfumato

void bind_expectations(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("climb_policy", &climb, "weights"_a, "starts"_a, "cells"_a, "shares"_a, "n_rows"_a,
               "n_columns"_a, "is_largest"_a, "max_sweeps"_a);
    module.def("arc_weights", &arcs, "p"_a, "q"_a, "t"_a);
}
