// Python functions for possibility/.
#include <nanobind/stl/pair.h>

#include "bind/arrays.hpp"
#include "possibility/cheapest_tables.hpp"
#include "possibility/matching_at_most.hpp"
#include "possibility/pair_count_profile.hpp"

void bind_possibility(nanobind::module_& module) {
    using namespace sfumato;
    module.def("cheapest_tables", &cheapest_tables, unlocked);
    module.def("pair_count_profile", &pair_count_profile<BothCounts>, unlocked);
    module.def("pair_difference_profile", &pair_count_profile<Difference>, unlocked);
    module.def("matching_at_most", &matching_at_most, unlocked);
}
