#include <cstdint>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "climb_policy.hpp"

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

}  // namespace
}  // namespace sfumato

void bind_policies(nanobind::module_& module) {
    using namespace nanobind::literals;
    module.def("climb_policy", &sfumato::climb, "weights"_a, "starts"_a, "cells"_a, "shares"_a,
               "n_rows"_a, "n_columns"_a, "is_largest"_a, "max_sweeps"_a);
}
