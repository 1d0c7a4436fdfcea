// Python functions for sampling/.

#include "bind/arrays.hpp"
#include "sampling/draw_class_counts.hpp"
#include "sampling/draw_tables.hpp"
#include "sampling/product_sampler.hpp"
#include "sampling/table_sampler.hpp"

namespace sfumato {
namespace {

TableSampler table_sampler(Ints counts, Ints starts, Ints cells, Floats weights,
                           std::size_t n_cells, double n_draws) {
    return {{counts, starts, cells, weights, n_cells}, n_draws};
}

ProductSampler product_sampler(Ints a_starts, Ints a_columns, Floats a_values, std::size_t a_width,
                               Ints b_starts, Ints b_columns, Floats b_values,
                               std::size_t b_width) {
    return {{a_starts, a_columns, a_values, a_width}, {b_starts, b_columns, b_values, b_width}};
}

}  // namespace
}  // namespace sfumato

void bind_sampling(nanobind::module_& module) {
    using namespace sfumato;
    nb::class_<TableSampler>(module, "TableSampler").def("draw", &TableSampler::draw, unlocked);
    nb::class_<ProductSampler>(module, "ProductSampler")
        .def("draw", &ProductSampler::draw, unlocked);
    module.def("product_sampler", &product_sampler, unlocked);
    module.def("draw_class_counts", &draw_class_counts, unlocked);
    module.def("table_sampler", &table_sampler, unlocked);
    module.def("draw_tables", &draw_tables, unlocked);
}
