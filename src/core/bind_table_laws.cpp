#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "last_column.hpp"
#include "merge_keys.hpp"
#include "value_grid.hpp"

namespace sfumato {
namespace {

using Keyed = std::tuple<Out<std::int64_t>, Out<double>, double>;

Keyed give_law(KeyedMasses&& found) {
    return {give(std::move(found.keys)), give(std::move(found.masses)), found.lost};
}

Keyed merge(const In<std::int64_t, 1>& first_keys, const In<double, 1>& first_masses,
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

}  // namespace
}  // namespace sfumato

void bind_table_laws(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("merge_keys", &merge, "first_keys"_a, "first_masses"_a, "second_keys"_a,
               "second_masses"_a, "drop"_a);
    module.def("group_order", &order, "keys"_a, "masses"_a, "width"_a);
    module.def("pair_law", &pairs, "rows"_a, "starts"_a, "totals"_a, "masses"_a, "counts"_a,
               "column_totals"_a, "column_masses"_a, "row_weight"_a, "cell_weight"_a, "drop"_a);
    module.def("value_grid", &grid, "rows"_a, "starts"_a, "totals"_a, "masses"_a, "counts"_a,
               "column_totals"_a, "column_masses"_a, "psi"_a, "weights"_a, "power"_a, "n_bins"_a,
               "drop"_a);
}
