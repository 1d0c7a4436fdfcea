#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_extremes_hard(nb::module_& module);
void bind_extremes_matching(nb::module_& module);
void bind_extremes_rough(nb::module_& module);
void bind_matching_laws(nb::module_& module);
void bind_measures(nb::module_& module);
void bind_moments(nb::module_& module);
void bind_pairs(nb::module_& module);
void bind_table_laws(nb::module_& module);
void bind_policies(nb::module_& module);
void bind_profiles(nb::module_& module);
void bind_tables(nb::module_& module);

NB_MODULE(_core, module) {
    module.doc() = "Compiled kernels; see sfumato.algorithms for what they compute.";
    bind_extremes_hard(module);
    bind_extremes_matching(module);
    bind_extremes_rough(module);
    bind_matching_laws(module);
    bind_measures(module);
    bind_moments(module);
    bind_pairs(module);
    bind_table_laws(module);
    bind_policies(module);
    bind_profiles(module);
    bind_tables(module);
}
