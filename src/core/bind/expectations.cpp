// Python functions for expectations/.

#include "bind/arrays.hpp"
#include "expectations/climb_policy.hpp"
#include "expectations/matching_arc_weights.hpp"

namespace sfumato {
namespace {

auto climb(const FloatArray& weights, const IntArray& starts, const IntArray& cells,
           const FloatArray& shares, std::size_t n_rows, std::size_t n_columns, bool is_largest,
           std::size_t max_sweeps) {
    return give(unlocked([&] {
        PolicyClimber climber(view(weights), view(starts), view(cells), n_rows, n_columns);
        return climber.climb({shares.data(), shares.data() + shares.size()}, is_largest,
                             max_sweeps);
    }));
}

auto arcs(const In<double, 2>& p, const In<double, 2>& q, double t) {
    const std::size_t k = p.shape(1), l = q.shape(1);
    return give(unlocked([&] { return arc_weights(view(p), view(q), k, l, t); }), {k, l});
}

}  // namespace
}  // namespace sfumato

void bind_expectations(nanobind::module_& module) {
    using namespace sfumato;
    module.def("climb_policy", &climb);
    module.def("arc_weights", &arcs);
}
