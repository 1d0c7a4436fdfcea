// Python functions for ends/matching/.

#include "bind/arrays.hpp"
#include "ends/matching/fill_cells.hpp"
#include "ends/matching/largest.hpp"
#include "ends/matching/three_clusters.hpp"

void bind_ends_matching(nanobind::module_& module) {
    using namespace sfumato;
    module.def("largest_match", &largest_match, unlocked);
    module.def("largest_match_three", &largest_match_three, unlocked);
    module.def("smallest_match_three", &smallest_match_three, unlocked);
    module.def("fill_cells", &fill_cells, unlocked);
}
