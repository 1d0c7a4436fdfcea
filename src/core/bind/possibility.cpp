// Python functions for possibility/.
#include <nanobind/stl/tuple.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "possibility/cheapest_columns.hpp"
#include "possibility/cheapest_tables.hpp"
#include "possibility/matching_at_most.hpp"
#include "possibility/pair_count_profile.hpp"

namespace sfumato {
namespace {

std::tuple<Out<std::int64_t>, Out<double>, double> columns_of_class(const In<double, 2>& costs,
                                                                    const In<std::int64_t, 1>& keys,
                                                                    double limit,
                                                                    std::size_t max_columns) {
    ColumnCosts found;
    {
        nb::gil_scoped_release release;
        found = class_columns(view(costs), view(keys), limit, max_columns);
    }
    return {give(std::move(found.keys)), give(std::move(found.costs)), found.least_dropped};
}

template <class Target>
std::tuple<Out<std::int64_t>, Out<std::int64_t>, Out<double>, double> profile(
    const In<std::int64_t, 2>& columns, const In<double, 1>& costs,
    const In<std::int64_t, 1>& starts, std::int64_t n_objects, double limit, double max_steps) {
    PairProfile found;
    {
        nb::gil_scoped_release release;
        const std::size_t width = columns.shape(1), n_classes = starts.size() - 1;
        const auto of_class = [&](std::size_t j) {
            const auto first = static_cast<std::size_t>(starts.data()[j]);
            const std::size_t size = static_cast<std::size_t>(starts.data()[j + 1]) - first;
            return ClassColumns{view(columns).subspan(first * width, size * width),
                                view(costs).subspan(first, size)};
        };
        PairCountProfiler profiler(width, n_objects, limit, max_steps);
        for (std::size_t j = 0; j + 1 < n_classes; ++j) profiler.add(of_class(j));
        found = profiler.finish<Target>(of_class(n_classes - 1));
    }
    return {give(std::move(found.row_pairs)), give(std::move(found.cell_pairs)),
            give(std::move(found.costs)), found.least_dropped};
}

std::tuple<Out<double>, double> at_most(const In<std::int64_t, 2>& columns,
                                        const In<double, 1>& costs,
                                        const In<std::int64_t, 1>& starts, std::int64_t n_objects,
                                        double limit) {
    std::vector<double> found;
    double least_dropped = no_cost;
    {
        nb::gil_scoped_release release;
        const auto of_class = [&](std::size_t j) {
            const auto first = static_cast<std::size_t>(starts.data()[j]);
            const std::size_t size = static_cast<std::size_t>(starts.data()[j + 1]) - first;
            return ThreeColumns{view(columns).subspan(3 * first, 3 * size),
                                view(costs).subspan(first, size)};
        };
        found = matching_at_most(of_class(0), of_class(1), of_class(2), n_objects, limit,
                                 least_dropped);
    }
    return {give(std::move(found)), least_dropped};
}

CheapTables cheapest(const PricedChoices& choices, std::size_t words, double limit,
                     std::size_t most) {
    switch (words) {
        case 1:
            return cheapest_tables<1>(choices, limit, most);
        case 2:
            return cheapest_tables<2>(choices, limit, most);
        case 4:
            return cheapest_tables<4>(choices, limit, most);
        default:
            return cheapest_tables<16>(choices, limit, most);
    }
}

// Keys of 1, 2, 4 or 16 words.
std::tuple<Out<std::uint64_t>, Out<double>, double> cheap_tables(const In<std::int64_t, 1>& counts,
                                                                 const In<std::int64_t, 1>& starts,
                                                                 const In<std::uint64_t, 2>& keys,
                                                                 const In<double, 1>& costs,
                                                                 double limit, std::size_t most) {
    CheapTables found;
    const std::size_t words = keys.shape(1);
    {
        nb::gil_scoped_release release;
        found = cheapest({view(counts), view(starts), view(keys), view(costs)}, words, limit, most);
    }
    const std::size_t size = found.costs.size();
    return {give(std::move(found.keys), {size, words}), give(std::move(found.costs)),
            found.least_dropped};
}

}  // namespace
}  // namespace sfumato

void bind_possibility(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("class_columns", &columns_of_class, "costs"_a, "keys"_a, "limit"_a, "max_columns"_a);
    module.def("cheapest_tables", &cheap_tables, "counts"_a, "starts"_a, "keys"_a, "costs"_a,
               "limit"_a, "most"_a);
    const auto def_profile = [&](const char* name, auto function) {
        module.def(name, function, "columns"_a, "costs"_a, "starts"_a, "n_objects"_a, "limit"_a,
                   "max_steps"_a);
    };
    def_profile("pair_count_profile", &profile<BothCounts>);
    def_profile("pair_difference_profile", &profile<Difference>);
    module.def("matching_at_most", &at_most, "columns"_a, "costs"_a, "starts"_a, "n_objects"_a,
               "limit"_a);
}
