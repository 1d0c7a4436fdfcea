// Python functions for ends/both_rough/.

#include "bind/arrays.hpp"
#include "ends/both_rough/batch.hpp"

void bind_ends_both_rough(nanobind::module_& module) {
    using namespace sfumato;
    using namespace sfumato::both_rough;
    module.def("both_rough_far_xlogx", &xlogx_ends<Far>, unlocked);
    module.def("both_rough_near_xlogx", &xlogx_ends<Near>, unlocked);
    module.def("both_rough_far_weighted", &weighted_ends<Far>, unlocked);
    module.def("both_rough_near_weighted", &weighted_ends<Near>, unlocked);
}
