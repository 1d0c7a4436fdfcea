// Python functions for pairs of objects in moments/.
#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "bind/arrays.hpp"
#include "moments/class_powers.hpp"
#include "moments/pair_powers.hpp"
#include "moments/pair_sums.hpp"
#include "tables/probability_rows.hpp"

namespace sfumato {
namespace {

// starts, columns, values and number of clusters; the class Rows in sfumato.algorithms tells the
// forms.
using Side = std::tuple<In<std::int64_t, 1>, In<std::int64_t, 1>, In<double, 1>, std::size_t>;
using AnyRows = std::variant<DenseRows, HardRows, SparseRows>;

AnyRows read(const Side& side) {
    const auto& [starts, columns, values, width] = side;
    if (columns.size() == 0) return DenseRows{view(values), width};
    if (starts.size() == 0) return HardRows{view(columns), width};
    return SparseRows{view(starts), view(columns), view(values), width};
}

std::tuple<Out<double>, Out<double>, Out<double>, std::array<double, 3>> sums(const Side& a,
                                                                              const Side& b) {
    PairSums found;
    {
        nb::gil_scoped_release release;
        found = std::visit([](const auto& p, const auto& q) { return pair_sums(p, q); }, read(a),
                           read(b));
    }
    const std::size_t height = found.rows.size(), width = found.columns.size();
    return {give(std::move(found.rows)), give(std::move(found.columns)),
            give(std::move(found.cells), {height, width}), found.squares};
}

std::tuple<PairMatrix, PairMatrix, PairMatrix, double, double> objects(const Side& a, const Side& b,
                                                                       const In<double, 1>& rows,
                                                                       const In<double, 1>& columns,
                                                                       const In<double, 2>& cells) {
    nb::gil_scoped_release release;
    const ObjectSums found = std::visit(
        [&](const auto& p, const auto& q) {
            return object_sums(p, q, view(rows), view(columns), view(cells));
        },
        read(a), read(b));
    return {found.linear, found.crossed, found.diagonal, found.unsure, found.unsure_squares};
}

Out<double> features(const Side& a, const Side& b) {
    std::vector<double> found;
    std::size_t width = 0;
    {
        nb::gil_scoped_release release;
        const AnyRows p = read(a), q = read(b);
        found = std::visit([](const auto& p, const auto& q) { return feature_sums(p, q); }, p, q);
        width = std::visit([](const auto& q) { return Features(q).width(); }, q);
    }
    const std::size_t height = found.size() / width;
    return give(std::move(found), {height, width});
}

Powers by_pairs(const Side& a, const Side& b) {
    nb::gil_scoped_release release;
    return std::visit([](const auto& p, const auto& q) { return powers_by_pairs(p, q); }, read(a),
                      read(b));
}

// Columns of equal length; a matrix is given by its columns, which are `stride` entries apart.
template <class T>
std::tuple<Out<double>, bool, double, std::int64_t> powers_by_class(
    const std::vector<nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>>& columns,
    const In<std::int64_t, 1>& classes, std::size_t n_classes, std::size_t order, double largest,
    double rounding) {
    ColumnViews<T> rows{{}, 1, classes.size()};
    for (const auto& column : columns) {
        rows.columns.push_back(column.data());
        rows.stride = static_cast<std::size_t>(column.stride(0));
    }
    ClassPowers found;
    {
        nb::gil_scoped_release release;
        found = class_powers(rows, view(classes), n_classes, order, {largest, rounding});
    }
    return {give(std::move(found.sums), {n_classes, order, rows.width()}), found.has_bad_entry,
            found.worst, found.n_off};
}

}  // namespace
}  // namespace sfumato

void bind_moments_pairs(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("pair_sums", &sums, "a"_a, "b"_a);
    module.def("pair_object_sums", &objects, "a"_a, "b"_a, "rows"_a, "columns"_a, "cells"_a);
    module.def("pair_feature_sums", &features, "a"_a, "b"_a);
    module.def("pair_powers_by_pairs", &by_pairs, "a"_a, "b"_a);
    module.def("class_powers", &powers_by_class<float>, "columns"_a, "classes"_a, "n_classes"_a,
               "order"_a, "largest"_a, "rounding"_a);
    module.def("class_powers", &powers_by_class<double>, "columns"_a, "classes"_a, "n_classes"_a,
               "order"_a, "largest"_a, "rounding"_a);
}
