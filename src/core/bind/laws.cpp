// Python functions for laws/.

#include "bind/arrays.hpp"
#include "laws/boxes.hpp"
#include "laws/keyed_law.hpp"
#include "laws/merge_matchings.hpp"
#include "laws/pair_law.hpp"
#include "laws/value_grid.hpp"

void bind_laws(nanobind::module_& module) {
    using namespace sfumato;
    module.def("merge_keys", &merge_keys, unlocked);
    module.def("group_order", &group_order, unlocked);
    module.def("pair_law", &pair_law, unlocked);
    module.def("value_grid", &value_grid, unlocked);
    module.def("law_of_steps", &law_of_steps, unlocked);
    module.def("merge_matchings", &merge_matchings, unlocked);
    module.def("convolve_moments", &convolve_moments, unlocked);
}
