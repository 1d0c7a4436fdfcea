// Python functions for sampling/.

#include "bind/arrays.hpp"
#include "bind/choices.hpp"
#include "sampling/draw_class_counts.hpp"
#include "sampling/draw_tables.hpp"
#include "sampling/product_sampler.hpp"
#include "sampling/table_sampler.hpp"
#include "sampling/xoshiro.hpp"
#include "tables/probability_rows.hpp"

namespace sfumato {
namespace {

using Seed = In<std::uint64_t, 1>;

auto draw(const In<std::int64_t, 2>& counts, const IntArray& starts, const IntArray& cells,
          const FloatArray& weights, std::size_t n_cells, std::size_t n_repeats, const Seed& seed) {
    const std::size_t size = counts.shape(0) * n_repeats, n_types = counts.shape(1);
    std::vector<std::int32_t> tables(size * n_cells, 0);
    unlocked([&] {
        const ChoiceSampler sampler({{}, view(starts), view(cells), view(weights), n_cells});
        Xoshiro random(view(seed));
        for (std::size_t table = 0; table < size; ++table) {
            sampler.draw(view(counts).subspan(table / n_repeats * n_types, n_types), random,
                         std::span(tables).subspan(table * n_cells, n_cells));
        }
    });
    return give(std::move(tables), {size, n_cells});
}

auto draw_classes(const In<double, 2>& masses, const IntArray& classes, std::size_t n_classes,
                  std::size_t n_draws, const Seed& seed) {
    const std::size_t width = n_classes * masses.shape(1);
    std::vector<std::int64_t> counts(n_draws * width, 0);
    unlocked([&] {
        Xoshiro random(view(seed));
        draw_class_counts({masses.data(), view(classes), masses.shape(1), n_classes}, n_draws,
                          random, counts.data());
    });
    return give(std::move(counts), {n_draws, width});
}

TableSampler table_sampler(const CellChoices& choices, double n_draws) {
    return unlocked([&] { return TableSampler(choices, n_draws); });
}

ProductSampler product_sampler(const IntArray& a_starts, const IntArray& a_columns,
                               const FloatArray& a_values, std::size_t a_width,
                               const IntArray& b_starts, const IntArray& b_columns,
                               const FloatArray& b_values, std::size_t b_width) {
    return unlocked([&] {
        return ProductSampler({view(a_starts), view(a_columns), view(a_values), a_width},
                              {view(b_starts), view(b_columns), view(b_values), b_width});
    });
}

// Adds `n_draws` draws to the tables, one after the other.
template <class Sampler>
auto add_draws(const Sampler& sampler, std::size_t n_draws, const Seed& seed,
               std::vector<std::int64_t>&& tables) {
    unlocked([&] {
        Xoshiro random(view(seed));
        sampler.draw(n_draws, random, tables.data());
    });
    const std::size_t width = sampler.width();
    return give(std::move(tables), {n_draws, width});
}

// Every table starts from `base`.
auto draw_many(const TableSampler& sampler, const IntArray& base, std::size_t n_draws,
               const Seed& seed) {
    std::vector<std::int64_t> tables;
    tables.reserve(n_draws * base.size());
    for (std::size_t draw = 0; draw < n_draws; ++draw) {
        tables.insert(tables.end(), base.data(), base.data() + base.size());
    }
    return add_draws(sampler, n_draws, seed, std::move(tables));
}

auto draw_products(const ProductSampler& sampler, std::size_t n_draws, const Seed& seed) {
    return add_draws(sampler, n_draws, seed,
                     std::vector<std::int64_t>(n_draws * sampler.width(), 0));
}

}  // namespace
}  // namespace sfumato

void bind_sampling(nanobind::module_& module) {
    using namespace sfumato;
    nanobind::class_<TableSampler>(module, "TableSampler").def("draw", &draw_many);
    nanobind::class_<ProductSampler>(module, "ProductSampler").def("draw", &draw_products);
    module.def("product_sampler", &product_sampler);
    module.def("draw_class_counts", &draw_classes);
    module.def("table_sampler", of_choices(&table_sampler));
    module.def("draw_tables", &draw);
}
