// Python functions for pairs of objects in moments/.
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.hpp"
#include "moments/class_powers.hpp"
#include "moments/pair_powers.hpp"
#include "moments/pair_sums.hpp"
#include "tables/probability_rows.hpp"

namespace sfumato {
namespace {

// See rows_of, and the class Rows in sfumato.algorithms.
using Side = std::tuple<Ints, Ints, Floats, std::size_t>;

// A function of two sides, made of kernel(p, q, ...) on their rows.
template <class... More, class Kernel>
auto on_rows(const Kernel& kernel) {
    return [kernel](const Side& a, const Side& b, More... more) {
        return std::visit([&](const auto& p, const auto& q) { return kernel(p, q, more...); },
                          std::apply(rows_of, a), std::apply(rows_of, b));
    };
}

// Columns of equal length; a matrix is given by its columns, which are `stride` entries apart.
template <class T>
auto powers_by_class(const std::vector<nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>>& columns,
                     Ints classes, std::size_t n_classes, std::size_t order, double largest,
                     double rounding) {
    ColumnViews<T> rows{{}, 1, classes.size()};
    for (const auto& column : columns) {
        rows.columns.push_back(column.data());
        rows.stride = static_cast<std::size_t>(column.stride(0));
    }
    return class_powers(rows, classes, n_classes, order, {largest, rounding});
}

}  // namespace
}  // namespace sfumato

void bind_moments_pairs(nanobind::module_& module) {
    using namespace sfumato;
    module.def("pair_sums", on_rows([](const auto&... rows) { return pair_sums(rows...); }),
               unlocked);
    module.def("pair_object_sums", on_rows<Floats, Floats, FloatGrid>([](const auto&... rows) {
                   return object_sums(rows...);
               }),
               unlocked);
    module.def("pair_feature_sums",
               on_rows([](const auto&... rows) { return feature_sums(rows...); }), unlocked);
    module.def("pair_powers_by_pairs",
               on_rows([](const auto&... rows) { return powers_by_pairs(rows...); }), unlocked);
    module.def("class_powers", &powers_by_class<float>, unlocked);
    module.def("class_powers", &powers_by_class<double>, unlocked);
}
