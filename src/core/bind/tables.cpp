// Python functions for tables/.
#include <nanobind/stl/pair.h>

#include "bind/arrays.hpp"
#include "tables/bound_tables.hpp"
#include "tables/cell_choices.hpp"
#include "tables/copy_rows.hpp"
#include "tables/expected_information.hpp"
#include "tables/group_rows.hpp"
#include "tables/largest_matching.hpp"
#include "tables/merge_tables.hpp"
#include "tables/semirings.hpp"
#include "tables/tally_pairs.hpp"

namespace sfumato {
namespace {

// How Python passes CellChoices: as five arguments, before the others of a kernel.
template <class Found, class... More>
auto of_choices(Found (*kernel)(const CellChoices&, More...)) {
    return by_fields<CellChoices, Ints, Ints, Ints, Floats, std::size_t>(kernel);
}

}  // namespace
}  // namespace sfumato

void bind_tables(nanobind::module_& module) {
    using namespace sfumato;
    module.def("group_rows", &group_rows, unlocked);
    module.def("bound_tables", of_choices(&bound_tables), unlocked);
    module.def("likely_most", of_choices(&likely_most), unlocked);
    module.def("merge_likely", of_choices(&merge_tables<SumProduct>), unlocked);
    module.def("merge_max_min", of_choices(&merge_tables<MaxNorm<Minimum>>), unlocked);
    module.def("merge_max_product", of_choices(&merge_tables<MaxNorm<Product>>), unlocked);
    module.def("merge_max_lukasiewicz", of_choices(&merge_tables<MaxNorm<Lukasiewicz>>), unlocked);
    module.def("reachable_tables", &reachable_tables, unlocked);
    module.def("copy_rows", &copy_rows<double>, unlocked);
    module.def("copy_rows", &copy_rows<float>, unlocked);
    module.def("rescale_rows", &rescale_rows, unlocked);
    module.def("largest_matching", &largest_matching, unlocked);
    // Each overload for integers of its own types.
    const auto own = [] { return nb::arg().noconvert(); };
    const auto def_tally = [&](auto tally) {
        module.def("tally_pairs", tally, own(), own(), nb::arg(), unlocked);
    };
    def_tally(&tally_pairs<std::int32_t, std::int32_t>);
    def_tally(&tally_pairs<std::int32_t, std::int64_t>);
    def_tally(&tally_pairs<std::int64_t, std::int32_t>);
    def_tally(&tally_pairs<std::int64_t, std::int64_t>);
    module.def("expected_information", &expected_information, unlocked);
}
