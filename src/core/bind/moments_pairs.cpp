// Python functions for pairs of objects in moments/.
#include <nanobind/stl/array.h>
#include <nanobind/stl/vector.h>

#include <variant>

#include "bind/arrays.hpp"
#include "moments/class_powers.hpp"
#include "moments/pair_powers.hpp"
#include "moments/pair_sums.hpp"
#include "tables/probability_rows.hpp"

namespace sfumato {
namespace {

// starts, columns, values and number of clusters; the class Rows in sfumato.algorithms tells the
// forms.
using Side = std::tuple<IntArray, IntArray, FloatArray, std::size_t>;
using AnyRows = std::variant<DenseRows, HardRows, SparseRows>;

AnyRows read(const Side& side) {
    const auto& [starts, columns, values, width] = side;
    if (columns.size() == 0) return DenseRows{view(values), width};
    if (starts.size() == 0) return HardRows{view(columns), width};
    return SparseRows{view(starts), view(columns), view(values), width};
}

// Runs kernel(p, q) on the rows of both sides, without the GIL.
template <class Kernel>
auto visit(const Side& a, const Side& b, const Kernel& kernel) {
    return unlocked([&] { return std::visit(kernel, read(a), read(b)); });
}

auto sums(const Side& a, const Side& b) {
    PairSums found = visit(a, b, [](const auto& p, const auto& q) { return pair_sums(p, q); });
    const std::size_t height = found.rows.size(), width = found.columns.size();
    return std::tuple(give(std::move(found.rows)), give(std::move(found.columns)),
                      give(std::move(found.cells), {height, width}), found.squares);
}

auto objects(const Side& a, const Side& b, const FloatArray& rows, const FloatArray& columns,
             const In<double, 2>& cells) {
    const ObjectSums found = visit(a, b, [&](const auto& p, const auto& q) {
        return object_sums(p, q, view(rows), view(columns), view(cells));
    });
    return std::tuple(found.linear, found.crossed, found.diagonal, found.unsure,
                      found.unsure_squares);
}

auto features(const Side& a, const Side& b) {
    std::size_t width = 0;
    std::vector<double> found = visit(a, b, [&](const auto& p, const auto& q) {
        width = Features(q).width();
        return feature_sums(p, q);
    });
    const std::size_t height = found.size() / width;
    return give(std::move(found), {height, width});
}

auto by_pairs(const Side& a, const Side& b) {
    return visit(a, b, [](const auto& p, const auto& q) { return powers_by_pairs(p, q); });
}

// Columns of equal length; a matrix is given by its columns, which are `stride` entries apart.
template <class T>
auto powers_by_class(const std::vector<nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>>& columns,
                     const IntArray& classes, std::size_t n_classes, std::size_t order,
                     double largest, double rounding) {
    ColumnViews<T> rows{{}, 1, classes.size()};
    for (const auto& column : columns) {
        rows.columns.push_back(column.data());
        rows.stride = static_cast<std::size_t>(column.stride(0));
    }
    ClassPowers found = unlocked(
        [&] { return class_powers(rows, view(classes), n_classes, order, {largest, rounding}); });
    return std::tuple(give(std::move(found.sums), {n_classes, order, rows.width()}),
                      found.has_bad_entry, found.worst, found.n_off);
}

}  // namespace
}  // namespace sfumato

void bind_moments_pairs(nanobind::module_& module) {
    using namespace sfumato;
    module.def("pair_sums", &sums);
    module.def("pair_object_sums", &objects);
    module.def("pair_feature_sums", &features);
    module.def("pair_powers_by_pairs", &by_pairs);
    module.def("class_powers", &powers_by_class<float>);
    module.def("class_powers", &powers_by_class<double>);
}
