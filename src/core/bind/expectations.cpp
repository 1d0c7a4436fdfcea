// Python functions for expectations/.

#include "bind/arrays.hpp"
#include "expectations/climb_policy.hpp"
#include "expectations/matching_arc_weights.hpp"

void bind_expectations(nanobind::module_& module) {
    using namespace sfumato;
    module.def("climb_policy", &climb_policy, unlocked);
    module.def("arc_weights", &arc_weights, unlocked);
}
