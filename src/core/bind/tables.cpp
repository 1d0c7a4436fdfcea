// Python functions for tables/.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "tables/bound_tables.hpp"
#include "tables/copy_rows.hpp"
#include "tables/expected_information.hpp"
#include "tables/group_rows.hpp"
#include "tables/largest_matching.hpp"
#include "tables/level_moves.hpp"
#include "tables/merge_tables.hpp"
#include "tables/reachable_tables.hpp"
#include "tables/semirings.hpp"
#include "tables/tally_pairs.hpp"

namespace sfumato {
namespace {

std::pair<Out<std::int64_t>, Out<std::int64_t>> group(const In<std::uint8_t, 2>& rows) {
    std::vector<std::int64_t> codes(rows.shape(0));
    std::vector<std::int64_t> first;
    {
        nb::gil_scoped_release release;
        first = group_rows(rows.data(), rows.shape(0), rows.shape(1), codes);
    }
    return {give(std::move(codes)), give(std::move(first))};
}

// Lowest numbers and the tally from there; no tally if the numbers span too many pairs.
template <class A, class B>
std::tuple<std::int64_t, std::int64_t, Out<std::int64_t>> tally(const In<A, 1>& a,
                                                                const In<B, 1>& b,
                                                                std::size_t most) {
    PairTally found;
    {
        nb::gil_scoped_release release;
        if (a.size() > 0) found = tally_pairs(view(a), view(b), most);
    }
    return {found.lowest_a, found.lowest_b, give(std::move(found.counts), {found.n_a, found.n_b})};
}

template <class A>
void bind_tally(nb::module_& module) {
    using namespace nb::literals;
    module.def("tally_pairs", &tally<A, std::int32_t>, "a"_a.noconvert(), "b"_a.noconvert(),
               "most"_a);
    module.def("tally_pairs", &tally<A, std::int64_t>, "a"_a.noconvert(), "b"_a.noconvert(),
               "most"_a);
}

std::pair<double, double> bound(const In<std::int64_t, 1>& counts,
                                const In<std::int64_t, 1>& starts, const In<std::int64_t, 1>& cells,
                                const In<double, 1>& weights, std::size_t n_cells,
                                double max_lost_mass) {
    nb::gil_scoped_release release;
    return bound_tables({view(counts), view(starts), view(cells), view(weights), n_cells},
                        max_lost_mass);
}

template <class Semiring>
std::pair<Out<std::int32_t>, Out<double>> merge(const In<std::int64_t, 1>& counts,
                                                const In<std::int64_t, 1>& starts,
                                                const In<std::int64_t, 1>& cells,
                                                const In<double, 1>& weights, std::size_t n_cells) {
    TableList list;
    {
        nb::gil_scoped_release release;
        list = merge_tables<Semiring>(
            {view(counts), view(starts), view(cells), view(weights), n_cells});
    }
    const std::size_t size = list.weights.size();
    return {give(std::move(list.tables), {size, n_cells}), give(std::move(list.weights))};
}

Out<std::int64_t> most_likely(const In<std::int64_t, 1>& counts, const In<std::int64_t, 1>& starts,
                              const In<std::int64_t, 1>& cells, const In<double, 1>& weights,
                              std::size_t n_cells, double max_lost_mass) {
    return give(likely_most({view(counts), view(starts), view(cells), view(weights), n_cells},
                            max_lost_mass));
}

std::tuple<Out<std::int32_t>, Out<double>, double> merge_likely(const In<std::int64_t, 1>& counts,
                                                                const In<std::int64_t, 1>& starts,
                                                                const In<std::int64_t, 1>& cells,
                                                                const In<double, 1>& weights,
                                                                std::size_t n_cells,
                                                                double max_lost_mass) {
    TableList list;
    {
        nb::gil_scoped_release release;
        list = merge_tables<SumProduct>(
            {view(counts), view(starts), view(cells), view(weights), n_cells}, max_lost_mass);
    }
    const std::size_t size = list.weights.size();
    return {give(std::move(list.tables), {size, n_cells}), give(std::move(list.weights)),
            list.lost};
}

std::tuple<Out<std::int32_t>, Out<std::int64_t>, Out<std::int64_t>> reach(
    const In<std::int64_t, 2>& counts, const In<std::int64_t, 1>& starts,
    const In<std::int64_t, 1>& cells, const In<double, 1>& weights, std::size_t n_cells) {
    ReachableTables found;
    {
        nb::gil_scoped_release release;
        found = reachable_tables(view(counts), counts.shape(0),
                                 {{}, view(starts), view(cells), view(weights), n_cells});
    }
    const std::size_t size = found.n_tables;
    return {give(std::move(found.tables), {size, n_cells}), give(std::move(found.starts)),
            give(std::move(found.ids))};
}

template <class T>
using InOut = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Summary = std::tuple<bool, std::int64_t, double, std::int64_t, double, std::int64_t>;

template <class T>
Summary copy(const In<T, 1>& values, const In<std::int64_t, 1>& starts, std::size_t width,
             double largest, double rounding, const InOut<double>& out) {
    nb::gil_scoped_release release;
    const std::size_t n_rows = starts.size() == 0 ? values.size() / width : starts.size() - 1;
    const RowSummary found =
        copy_rows(values.data(), {view(starts), width, n_rows}, largest, rounding, out.data());
    return {found.has_bad_entry, found.lowest_row,  found.lowest_sum,
            found.highest_row,   found.highest_sum, found.n_off};
}

void rescale(const InOut<double>& values, const In<std::int64_t, 1>& starts, std::size_t width,
             double rounding) {
    nb::gil_scoped_release release;
    const std::size_t n_rows = starts.size() == 0 ? values.size() / width : starts.size() - 1;
    rescale_rows(values.data(), {view(starts), width, n_rows}, rounding);
}

Out<std::int64_t> largest_matching(const In<std::int64_t, 3>& tables) {
    const std::size_t batch = tables.shape(0), k = tables.shape(1), l = tables.shape(2);
    std::vector<std::int64_t> totals(batch);
    {
        nb::gil_scoped_release release;
        Matcher matcher;
        for (std::size_t t = 0; t < batch; ++t) {
            totals[t] = matcher.largest_total(view(tables).subspan(t * k * l, k * l), k, l);
        }
    }
    return give(std::move(totals));
}

Out<double> expected_information(const In<std::int64_t, 2>& rows,
                                 const In<std::int64_t, 2>& columns) {
    const std::size_t batch = rows.shape(0), k = rows.shape(1), l = columns.shape(1);
    std::vector<double> expected(batch);
    {
        nb::gil_scoped_release release;
        ExpectedInformation information;
        for (std::size_t t = 0; t < batch; ++t) {
            expected[t] =
                information.of_table(view(rows).subspan(t * k, k), view(columns).subspan(t * l, l));
        }
    }
    return give(std::move(expected));
}

using Counts = In<std::int64_t, 1>;

std::tuple<Out<std::int64_t>, Out<std::int64_t>, Out<std::int64_t>, Out<std::int32_t>,
           Out<std::int32_t>, Out<std::int64_t>>
moves_of(const In<double, 2>& rows, const In<double, 2>& columns, const Counts& row_of,
         const Counts& column_of, const Counts& counts, const In<double, 1>& levels) {
    LevelMoves found;
    {
        nb::gil_scoped_release release;
        found = level_moves({view(rows), rows.shape(1), view(row_of)},
                            {view(columns), columns.shape(1), view(column_of)}, view(counts),
                            view(levels));
    }
    return {give(std::move(found.types)),  give(std::move(found.first)),
            give(std::move(found.starts)), give(std::move(found.before)),
            give(std::move(found.after)),  give(std::move(found.counts))};
}

Out<std::int64_t> counts_at(const Counts& first, const Counts& starts,
                            const In<std::int32_t, 1>& before, const In<std::int32_t, 1>& after,
                            const Counts& counts, const Counts& at) {
    std::vector<std::int64_t> out(at.size() * first.size());
    {
        nb::gil_scoped_release release;
        counts_at_levels({view(first), view(starts), view(before), view(after), view(counts)},
                         view(at), out);
    }
    return give(std::move(out), {at.size(), first.size()});
}

Out<std::int64_t> cells_at(const Counts& first, const Counts& starts,
                           const In<std::int32_t, 1>& before, const In<std::int32_t, 1>& after,
                           const Counts& counts, const Counts& types) {
    std::vector<std::int64_t> found;
    {
        nb::gil_scoped_release release;
        found = cells_at_levels(
            {view(first), view(starts), view(before), view(after), view(counts)}, view(types));
    }
    return give(std::move(found));
}

}  // namespace
}  // namespace sfumato

void bind_tables(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("group_rows", &group, "rows"_a);
    module.def("bound_tables", &bound, "counts"_a, "starts"_a, "cells"_a, "weights"_a, "n_cells"_a,
               "max_lost_mass"_a);
    module.def("likely_most", &most_likely, "counts"_a, "starts"_a, "cells"_a, "weights"_a,
               "n_cells"_a, "max_lost_mass"_a);
    module.def("merge_likely", &merge_likely, "counts"_a, "starts"_a, "cells"_a, "weights"_a,
               "n_cells"_a, "max_lost_mass"_a);
    const auto def_merge = [&](const char* name, auto function) {
        module.def(name, function, "counts"_a, "starts"_a, "cells"_a, "weights"_a, "n_cells"_a);
    };
    def_merge("merge_max_min", &merge<MaxNorm<Minimum>>);
    def_merge("merge_max_product", &merge<MaxNorm<Product>>);
    def_merge("merge_max_lukasiewicz", &merge<MaxNorm<Lukasiewicz>>);
    module.def("reachable_tables", &reach, "counts"_a, "starts"_a, "cells"_a, "weights"_a,
               "n_cells"_a);
    const auto def_copy = [&](auto function) {
        module.def("copy_rows", function, "values"_a, "starts"_a, "width"_a, "largest"_a,
                   "rounding"_a, "out"_a.noconvert());
    };
    def_copy(&copy<double>);
    def_copy(&copy<float>);
    module.def("rescale_rows", &rescale, "values"_a.noconvert(), "starts"_a, "width"_a,
               "rounding"_a);
    module.def("largest_matching", &largest_matching, "tables"_a);
    bind_tally<std::int32_t>(module);
    bind_tally<std::int64_t>(module);
    module.def("expected_information", &expected_information, "rows"_a, "columns"_a);
    module.def("level_moves", &moves_of, "rows"_a, "columns"_a, "row_of"_a, "column_of"_a,
               "counts"_a, "levels"_a);
    module.def("counts_at_levels", &counts_at, "first"_a, "starts"_a, "before"_a, "after"_a,
               "counts"_a, "at"_a);
    module.def("cells_at_levels", &cells_at, "first"_a, "starts"_a, "before"_a, "after"_a,
               "counts"_a, "types"_a);
}
