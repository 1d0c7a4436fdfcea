// Python functions for laws/.
#include <nanobind/stl/tuple.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "laws/convolve_moments.hpp"
#include "laws/merge_keys.hpp"
#include "laws/merge_matchings.hpp"
#include "laws/pair_law.hpp"
#include "laws/sum_of_steps.hpp"
#include "laws/value_grid.hpp"

namespace sfumato {
namespace {

using Keyed = std::tuple<Out<std::int64_t>, Out<double>, double>;

Keyed give_law(KeyedMasses&& found) {
    return {give(std::move(found.keys)), give(std::move(found.masses)), found.lost};
}

Keyed merge_two(const In<std::int64_t, 1>& first_keys, const In<double, 1>& first_masses,
                const In<std::int64_t, 1>& second_keys, const In<double, 1>& second_masses,
                double drop) {
    KeyedMasses merged;
    {
        nb::gil_scoped_release release;
        merged =
            KeyMerger(view(first_keys), view(first_masses), view(second_keys), view(second_masses))
                .merge(drop);
    }
    return give_law(std::move(merged));
}

Out<std::int64_t> order(const In<std::int64_t, 1>& keys, const In<double, 1>& masses,
                        std::int64_t width) {
    std::vector<std::int64_t> found;
    {
        nb::gil_scoped_release release;
        found = group_order(view(keys), view(masses), width);
    }
    return give(std::move(found));
}

Keyed pairs(const In<std::int64_t, 2>& rows, const In<std::int64_t, 1>& starts,
            const In<std::int64_t, 1>& totals, const In<double, 1>& masses,
            const In<std::int64_t, 2>& counts, const In<std::int64_t, 1>& column_totals,
            const In<double, 1>& column_masses, std::int64_t row_weight, std::int64_t cell_weight,
            double drop) {
    KeyedMasses found;
    {
        nb::gil_scoped_release release;
        const PairLaw law({view(rows), view(starts), view(totals), view(masses)},
                          {view(counts), view(column_totals), view(column_masses)}, row_weight,
                          cell_weight);
        found = law.law(drop);
    }
    return give_law(std::move(found));
}

using GridTuple =
    std::tuple<Out<double>, Out<double>, double, double, double, double, Out<std::int64_t>>;

GridTuple grid(const In<std::int64_t, 2>& rows, const In<std::int64_t, 1>& starts,
               const In<double, 1>& totals, const In<double, 1>& masses,
               const In<std::int64_t, 2>& counts, const In<double, 1>& column_totals,
               const In<double, 1>& column_masses, const In<double, 1>& psi,
               const In<double, 2>& weights, double power, std::size_t n_bins, double drop) {
    GridLaw found;
    {
        nb::gil_scoped_release release;
        const double* w = weights.data();
        const ValueGrid values({view(rows), view(starts), view(totals), view(masses)},
                               {view(counts), view(column_totals), view(column_masses)}, view(psi),
                               {w[0], w[1], w[2]}, {w[3], w[4], w[5]}, power);
        found = values.law(n_bins, drop);
    }
    return {give(std::move(found.values)),
            give(std::move(found.masses)),
            found.width,
            found.steepest,
            found.lost,
            found.undefined,
            give(std::move(found.undefined_rows))};
}

std::tuple<Out<std::int64_t>, Out<std::int64_t>, Out<double>, double> law_of_steps(
    const In<double, 2>& weights, const In<std::int64_t, 2>& steps, double drop) {
    StepLaw found;
    {
        nb::gil_scoped_release release;
        found = StepSummer(view(steps), steps.shape(1), drop).sum(view(weights));
    }
    std::vector<std::int64_t> shape(found.shape.begin(), found.shape.end());
    return {give(std::move(found.origin)), give(std::move(shape)), give(std::move(found.law)),
            found.lost};
}

std::tuple<Out<std::int64_t>, Out<double>, double> merge_columns(
    const In<std::int64_t, 2>& states, const In<double, 1>& state_masses,
    const In<std::int64_t, 2>& columns, const In<double, 1>& column_masses,
    const In<std::int64_t, 1>& starts, const In<std::int64_t, 1>& sources,
    const In<std::int64_t, 1>& rows, double drop) {
    MergedMatchings merged;
    {
        nb::gil_scoped_release release;
        const MatchingMerger merger({view(states), view(state_masses), states.shape(1)},
                                    {view(columns), view(column_masses), columns.shape(1)},
                                    {view(starts), view(sources), view(rows)});
        merged = merger.merge(drop);
    }
    const std::size_t size = merged.masses.size(), width = starts.size() - 1;
    return {give(std::move(merged.values), {size, width}), give(std::move(merged.masses)),
            merged.lost};
}

std::vector<std::size_t> sides_of(const In<std::int64_t, 1>& shape) {
    return {shape.data(), shape.data() + shape.size()};
}

Out<double> convolve_moments(const In<double, 2>& left, const In<std::int64_t, 1>& left_shape,
                             const In<double, 2>& right, const In<std::int64_t, 1>& right_shape) {
    const std::size_t n_moments = left.shape(0);
    const auto left_sides = sides_of(left_shape), right_sides = sides_of(right_shape);
    std::vector<double> found;
    {
        nb::gil_scoped_release release;
        const MomentBox first{view(left), left_sides}, second{view(right), right_sides};
        switch (n_moments) {
            case 1:
                found = MomentConvolver<1>(first, second).convolve();
                break;
            case 2:
                found = MomentConvolver<2>(first, second).convolve();
                break;
            default:
                found = MomentConvolver<3>(first, second).convolve();
        }
    }
    const std::size_t cells = found.size() / n_moments;
    return give(std::move(found), {n_moments, cells});
}

}  // namespace
}  // namespace sfumato

void bind_laws(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("merge_keys", &merge_two, "first_keys"_a, "first_masses"_a, "second_keys"_a,
               "second_masses"_a, "drop"_a);
    module.def("group_order", &order, "keys"_a, "masses"_a, "width"_a);
    module.def("pair_law", &pairs, "rows"_a, "starts"_a, "totals"_a, "masses"_a, "counts"_a,
               "column_totals"_a, "column_masses"_a, "row_weight"_a, "cell_weight"_a, "drop"_a);
    module.def("value_grid", &grid, "rows"_a, "starts"_a, "totals"_a, "masses"_a, "counts"_a,
               "column_totals"_a, "column_masses"_a, "psi"_a, "weights"_a, "power"_a, "n_bins"_a,
               "drop"_a);
    module.def("law_of_steps", &law_of_steps, "weights"_a, "steps"_a, "drop"_a);
    module.def("merge_matchings", &merge_columns, "states"_a, "state_masses"_a, "columns"_a,
               "column_masses"_a, "starts"_a, "sources"_a, "rows"_a, "drop"_a);
    module.def("convolve_moments", &convolve_moments, "left"_a, "left_shape"_a, "right"_a,
               "right_shape"_a);
}
