// Python functions for laws/.

#include "bind/arrays.hpp"
#include "laws/convolve_moments.hpp"
#include "laws/merge_keys.hpp"
#include "laws/merge_matchings.hpp"
#include "laws/pair_law.hpp"
#include "laws/sum_of_steps.hpp"
#include "laws/value_grid.hpp"

namespace sfumato {
namespace {

using Tables = In<std::int64_t, 2>;

auto give_law(KeyedMasses&& found) {
    return std::tuple(give(std::move(found.keys)), give(std::move(found.masses)), found.lost);
}

auto merge(const IntArray& first_keys, const FloatArray& first_masses, const IntArray& second_keys,
           const FloatArray& second_masses, double drop) {
    return give_law(unlocked([&] {
        return merge_keys({view(first_keys), view(first_masses)},
                          {view(second_keys), view(second_masses)}, drop);
    }));
}

auto order(const IntArray& keys, const FloatArray& masses, std::int64_t width) {
    return give(unlocked([&] { return group_order(view(keys), view(masses), width); }));
}

auto pairs(const Tables& rows, const IntArray& starts, const IntArray& totals,
           const FloatArray& masses, const Tables& counts, const IntArray& column_totals,
           const FloatArray& column_masses, std::int64_t row_weight, std::int64_t cell_weight,
           double drop) {
    return give_law(unlocked([&] {
        const PairLaw law({view(rows), view(starts), view(totals), view(masses)},
                          {view(counts), view(column_totals), view(column_masses)}, row_weight,
                          cell_weight);
        return law.law(drop);
    }));
}

auto grid(const Tables& rows, const IntArray& starts, const FloatArray& totals,
          const FloatArray& masses, const Tables& counts, const FloatArray& column_totals,
          const FloatArray& column_masses, const FloatArray& psi, const In<double, 2>& weights,
          double power, std::size_t n_bins, double drop) {
    GridLaw found = unlocked([&] {
        const double* w = weights.data();
        const ValueGrid values({view(rows), view(starts), view(totals), view(masses)},
                               {view(counts), view(column_totals), view(column_masses)}, view(psi),
                               {w[0], w[1], w[2]}, {w[3], w[4], w[5]}, power);
        return values.law(n_bins, drop);
    });
    return std::tuple(give(std::move(found.values)), give(std::move(found.masses)), found.width,
                      found.steepest, found.lost, found.undefined);
}

auto law_of_steps(const In<double, 2>& weights, const Tables& steps, double drop) {
    StepLaw found =
        unlocked([&] { return StepSummer(view(steps), steps.shape(1), drop).sum(view(weights)); });
    std::vector<std::int64_t> shape(found.shape.begin(), found.shape.end());
    return std::tuple(give(std::move(found.origin)), give(std::move(shape)),
                      give(std::move(found.law)), found.lost);
}

auto merge_columns(const Tables& states, const FloatArray& state_masses, const Tables& columns,
                   const FloatArray& column_masses, const IntArray& starts, const IntArray& sources,
                   const IntArray& rows, double drop) {
    MergedMatchings merged = unlocked([&] {
        const MatchingMerger merger({view(states), view(state_masses), states.shape(1)},
                                    {view(columns), view(column_masses), columns.shape(1)},
                                    {view(starts), view(sources), view(rows)});
        return merger.merge(drop);
    });
    const std::size_t size = merged.masses.size();
    return std::tuple(give(std::move(merged.values), {size, starts.size() - 1}),
                      give(std::move(merged.masses)), merged.lost);
}

auto convolve_moments(const In<double, 2>& left, const IntArray& left_shape,
                      const In<double, 2>& right, const IntArray& right_shape) {
    const std::size_t n_moments = left.shape(0);
    std::vector<double> found = unlocked([&] {
        const std::vector<std::size_t> left_sides(left_shape.data(),
                                                  left_shape.data() + left_shape.size());
        const std::vector<std::size_t> right_sides(right_shape.data(),
                                                   right_shape.data() + right_shape.size());
        const MomentBox first{view(left), left_sides}, second{view(right), right_sides};
        if (n_moments == 1) return MomentConvolver<1>(first, second).convolve();
        if (n_moments == 2) return MomentConvolver<2>(first, second).convolve();
        return MomentConvolver<3>(first, second).convolve();
    });
    const std::size_t cells = found.size() / n_moments;
    return give(std::move(found), {n_moments, cells});
}

}  // namespace
}  // namespace sfumato

void bind_laws(nanobind::module_& module) {
    using namespace sfumato;
    module.def("merge_keys", &merge);
    module.def("group_order", &order);
    module.def("pair_law", &pairs);
    module.def("value_grid", &grid);
    module.def("law_of_steps", &law_of_steps);
    module.def("merge_matchings", &merge_columns);
    module.def("convolve_moments", &convolve_moments);
}
