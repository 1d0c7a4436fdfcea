// Python functions for sampling/.
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bind/arrays.hpp"
#include "sampling/draw_class_counts.hpp"
#include "sampling/draw_tables.hpp"
#include "sampling/product_sampler.hpp"
#include "sampling/table_sampler.hpp"
#include "sampling/xoshiro.hpp"
#include "tables/probability_rows.hpp"

namespace sfumato {
namespace {

Out<std::int32_t> draw(const In<std::int64_t, 2>& counts, const In<std::int64_t, 1>& starts,
                       const In<std::int64_t, 1>& cells, const In<double, 1>& weights,
                       std::size_t n_cells, std::size_t n_repeats,
                       const In<std::uint64_t, 1>& seed) {
    const std::size_t n_rows = counts.shape(0), n_types = counts.shape(1);
    std::vector<std::int32_t> tables(n_rows * n_repeats * n_cells, 0);
    {
        nb::gil_scoped_release release;
        const ChoiceSampler sampler({{}, view(starts), view(cells), view(weights), n_cells});
        Xoshiro random(view(seed));
        for (std::size_t table = 0; table < n_rows * n_repeats; ++table) {
            sampler.draw(view(counts).subspan(table / n_repeats * n_types, n_types), random,
                         std::span(tables).subspan(table * n_cells, n_cells));
        }
    }
    return give(std::move(tables), {n_rows * n_repeats, n_cells});
}

TableSampler make_sampler(const In<std::int64_t, 1>& counts, const In<std::int64_t, 1>& starts,
                          const In<std::int64_t, 1>& cells, const In<double, 1>& weights,
                          std::size_t n_cells, double n_draws) {
    nb::gil_scoped_release release;
    return {{view(counts), view(starts), view(cells), view(weights), n_cells}, n_draws};
}

Out<std::int64_t> draw_classes(const In<double, 2>& masses, const In<std::int64_t, 1>& classes,
                               std::size_t n_classes, std::size_t n_draws,
                               const In<std::uint64_t, 1>& seed) {
    const std::size_t width = n_classes * masses.shape(1);
    std::vector<std::int64_t> counts(n_draws * width, 0);
    {
        nb::gil_scoped_release release;
        Xoshiro random(view(seed));
        draw_class_counts({masses.data(), view(classes), masses.shape(1), n_classes}, n_draws,
                          random, counts.data());
    }
    return give(std::move(counts), {n_draws, width});
}

// Every table starts from `base`.
Out<std::int64_t> draw_many(const TableSampler& sampler, const In<std::int64_t, 1>& base,
                            std::size_t n_draws, const In<std::uint64_t, 1>& seed) {
    std::vector<std::int64_t> tables;
    {
        nb::gil_scoped_release release;
        tables.reserve(n_draws * base.size());
        for (std::size_t draw = 0; draw < n_draws; ++draw) {
            tables.insert(tables.end(), base.data(), base.data() + base.size());
        }
        Xoshiro random(view(seed));
        sampler.draw(n_draws, random, tables.data());
    }
    return give(std::move(tables), {n_draws, base.size()});
}

ProductSampler make_product_sampler(const In<std::int64_t, 1>& a_starts,
                                    const In<std::int64_t, 1>& a_columns,
                                    const In<double, 1>& a_values, std::size_t a_width,
                                    const In<std::int64_t, 1>& b_starts,
                                    const In<std::int64_t, 1>& b_columns,
                                    const In<double, 1>& b_values, std::size_t b_width) {
    nb::gil_scoped_release release;
    return {SparseRows{view(a_starts), view(a_columns), view(a_values), a_width},
            SparseRows{view(b_starts), view(b_columns), view(b_values), b_width}};
}

Out<std::int64_t> draw_products(const ProductSampler& sampler, std::size_t n_draws,
                                const In<std::uint64_t, 1>& seed) {
    std::vector<std::int64_t> tables(n_draws * sampler.width(), 0);
    {
        nb::gil_scoped_release release;
        Xoshiro random(view(seed));
        sampler.draw(n_draws, random, tables.data());
    }
    return give(std::move(tables), {n_draws, sampler.width()});
}

}  // namespace
}  // namespace sfumato

void bind_sampling(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    nanobind::class_<TableSampler>(module, "TableSampler")
        .def("draw", &draw_many, "base"_a, "n_draws"_a, "seed"_a);
    nanobind::class_<ProductSampler>(module, "ProductSampler")
        .def("draw", &draw_products, "n_draws"_a, "seed"_a);
    module.def("product_sampler", &make_product_sampler, "a_starts"_a, "a_columns"_a, "a_values"_a,
               "a_width"_a, "b_starts"_a, "b_columns"_a, "b_values"_a, "b_width"_a);
    module.def("draw_class_counts", &draw_classes, "masses"_a, "classes"_a, "n_classes"_a,
               "n_draws"_a, "seed"_a);
    module.def("table_sampler", &make_sampler, "counts"_a, "starts"_a, "cells"_a, "weights"_a,
               "n_cells"_a, "n_draws"_a);
    module.def("draw_tables", &draw, "counts"_a, "starts"_a, "cells"_a, "weights"_a, "n_cells"_a,
               "n_repeats"_a, "seed"_a);
}
