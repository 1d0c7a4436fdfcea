// Python functions for tables/.
#include <nanobind/stl/pair.h>

#include "bind/arrays.hpp"
#include "bind/choices.hpp"
#include "tables/bound_tables.hpp"
#include "tables/copy_rows.hpp"
#include "tables/expected_information.hpp"
#include "tables/group_rows.hpp"
#include "tables/largest_matching.hpp"
#include "tables/merge_tables.hpp"
#include "tables/reachable_tables.hpp"
#include "tables/semirings.hpp"
#include "tables/tally_pairs.hpp"

namespace sfumato {
namespace {

auto group(const In<std::uint8_t, 2>& rows) {
    std::vector<std::int64_t> codes(rows.shape(0));
    auto first =
        unlocked([&] { return group_rows(rows.data(), rows.shape(0), rows.shape(1), codes); });
    return std::tuple(give(std::move(codes)), give(std::move(first)));
}

// Lowest numbers and the tally from there; no tally if the numbers span too many pairs.
template <class A, class B>
auto tally(const In<A, 1>& a, const In<B, 1>& b, std::size_t most) {
    PairTally found =
        unlocked([&] { return a.size() > 0 ? tally_pairs(view(a), view(b), most) : PairTally{}; });
    return std::tuple(found.lowest_a, found.lowest_b,
                      give(std::move(found.counts), {found.n_a, found.n_b}));
}

auto bound(const CellChoices& choices, double max_lost_mass) {
    return unlocked([&] { return bound_tables(choices, max_lost_mass); });
}

auto most_likely(const CellChoices& choices, double max_lost_mass) {
    return give(likely_most(choices, max_lost_mass));
}

auto merge_likely(const CellChoices& choices, double max_lost_mass) {
    TableList list = unlocked([&] { return merge_tables<SumProduct>(choices, max_lost_mass); });
    const std::size_t size = list.weights.size();
    return std::tuple(give(std::move(list.tables), {size, choices.n_cells}),
                      give(std::move(list.weights)), list.lost);
}

template <class Semiring>
auto merge(const CellChoices& choices) {
    TableList list = unlocked([&] { return merge_tables<Semiring>(choices); });
    const std::size_t size = list.weights.size();
    return std::tuple(give(std::move(list.tables), {size, choices.n_cells}),
                      give(std::move(list.weights)));
}

auto reach(const In<std::int64_t, 2>& counts, const IntArray& starts, const IntArray& cells,
           const FloatArray& weights, std::size_t n_cells) {
    ReachableTables found = unlocked([&] {
        return reachable_tables(view(counts), counts.shape(0),
                                {{}, view(starts), view(cells), view(weights), n_cells});
    });
    return std::tuple(give(std::move(found.tables), {found.n_tables, n_cells}),
                      give(std::move(found.starts)), give(std::move(found.ids)));
}

template <class T>
using InOut = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
RowBounds bounds_of(const T& values, const IntArray& starts, std::size_t width) {
    return {view(starts), width, starts.size() == 0 ? values.size() / width : starts.size() - 1};
}

template <class T>
auto copy(const In<T, 1>& values, const IntArray& starts, std::size_t width, double largest,
          double rounding, const InOut<double>& out) {
    const RowSummary found = unlocked([&] {
        return copy_rows(values.data(), bounds_of(values, starts, width), largest, rounding,
                         out.data());
    });
    return std::tuple(found.has_bad_entry, found.lowest_row, found.lowest_sum, found.highest_row,
                      found.highest_sum, found.n_off);
}

void rescale(const InOut<double>& values, const IntArray& starts, std::size_t width,
             double rounding) {
    unlocked([&] { rescale_rows(values.data(), bounds_of(values, starts, width), rounding); });
}

auto largest_matching(const In<std::int64_t, 3>& tables) {
    const std::size_t batch = tables.shape(0), k = tables.shape(1), l = tables.shape(2);
    std::vector<std::int64_t> totals(batch);
    unlocked([&] {
        Matcher matcher;
        for (std::size_t t = 0; t < batch; ++t) {
            totals[t] = matcher.largest_total(view(tables).subspan(t * k * l, k * l), k, l);
        }
    });
    return give(std::move(totals));
}

auto expected_information(const In<std::int64_t, 2>& rows, const In<std::int64_t, 2>& columns) {
    const std::size_t batch = rows.shape(0), k = rows.shape(1), l = columns.shape(1);
    std::vector<double> expected(batch);
    unlocked([&] {
        ExpectedInformation information;
        for (std::size_t t = 0; t < batch; ++t) {
            expected[t] =
                information.of_table(view(rows).subspan(t * k, k), view(columns).subspan(t * l, l));
        }
    });
    return give(std::move(expected));
}

}  // namespace
}  // namespace sfumato

void bind_tables(nanobind::module_& module) {
    using namespace sfumato;
    const auto any = [] { return nb::arg(); };
    const auto own = [] { return nb::arg().noconvert(); };  // of this type, or another overload
    module.def("group_rows", &group);
    module.def("bound_tables", of_choices(&bound));
    module.def("likely_most", of_choices(&most_likely));
    module.def("merge_likely", of_choices(&merge_likely));
    module.def("merge_max_min", of_choices(&merge<MaxNorm<Minimum>>));
    module.def("merge_max_product", of_choices(&merge<MaxNorm<Product>>));
    module.def("merge_max_lukasiewicz", of_choices(&merge<MaxNorm<Lukasiewicz>>));
    module.def("reachable_tables", &reach);
    module.def("copy_rows", &copy<double>, any(), any(), any(), any(), any(), own());
    module.def("copy_rows", &copy<float>, any(), any(), any(), any(), any(), own());
    module.def("rescale_rows", &rescale, own(), any(), any(), any());
    module.def("largest_matching", &largest_matching);
    module.def("tally_pairs", &tally<std::int32_t, std::int32_t>, own(), own(), any());
    module.def("tally_pairs", &tally<std::int32_t, std::int64_t>, own(), own(), any());
    module.def("tally_pairs", &tally<std::int64_t, std::int32_t>, own(), own(), any());
    module.def("tally_pairs", &tally<std::int64_t, std::int64_t>, own(), own(), any());
    module.def("expected_information", &expected_information);
}
