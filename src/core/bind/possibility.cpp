// Python functions for possibility/.

#include "bind/arrays.hpp"
#include "possibility/cheapest_tables.hpp"
#include "possibility/class_columns.hpp"
#include "possibility/matching_at_most.hpp"
#include "possibility/pair_count_profile.hpp"

namespace sfumato {
namespace {

// The columns of class j: those from starts[j] to starts[j + 1].
ClassColumns of_class(std::size_t j, const In<std::int64_t, 2>& columns, const FloatArray& costs,
                      const IntArray& starts) {
    const auto own = part(costs, starts, j);
    const std::size_t width = columns.shape(1);
    const auto first = static_cast<std::size_t>(starts.data()[j]);
    return {view(columns).subspan(first * width, own.size() * width), own, width};
}

template <class Target>
auto profile(const In<std::int64_t, 2>& columns, const FloatArray& costs, const IntArray& starts,
             std::int64_t n_objects, double limit, double max_steps) {
    PairProfile found = unlocked([&] {
        const std::size_t last = starts.size() - 2;
        PairCountProfiler profiler(columns.shape(1), n_objects, limit, max_steps);
        for (std::size_t j = 0; j < last; ++j) profiler.add(of_class(j, columns, costs, starts));
        return profiler.finish<Target>(of_class(last, columns, costs, starts));
    });
    return std::tuple(give(std::move(found.row_pairs)), give(std::move(found.cell_pairs)),
                      give(std::move(found.costs)), found.least_dropped);
}

auto at_most(const In<std::int64_t, 2>& columns, const FloatArray& costs, const IntArray& starts,
             std::int64_t n_objects, double limit) {
    double least_dropped = no_cost;
    auto found = unlocked([&] {
        return matching_at_most(
            of_class(0, columns, costs, starts), of_class(1, columns, costs, starts),
            of_class(2, columns, costs, starts), n_objects, limit, least_dropped);
    });
    return std::tuple(give(std::move(found)), least_dropped);
}

// Keys of 1, 2, 4 or 16 words.
auto cheap_tables(const IntArray& counts, const IntArray& starts, const In<std::uint64_t, 2>& keys,
                  const FloatArray& costs, double limit, std::size_t most) {
    const std::size_t words = keys.shape(1);
    const PricedChoices choices{view(counts), view(starts), view(keys), view(costs)};
    CheapTables found = unlocked([&] {
        if (words == 1) return cheapest_tables<1>(choices, limit, most);
        if (words == 2) return cheapest_tables<2>(choices, limit, most);
        if (words == 4) return cheapest_tables<4>(choices, limit, most);
        return cheapest_tables<16>(choices, limit, most);
    });
    const std::size_t size = found.costs.size();
    return std::tuple(give(std::move(found.keys), {size, words}), give(std::move(found.costs)),
                      found.least_dropped);
}

}  // namespace
}  // namespace sfumato

void bind_possibility(nanobind::module_& module) {
    using namespace sfumato;
    module.def("cheapest_tables", &cheap_tables);
    module.def("pair_count_profile", &profile<BothCounts>);
    module.def("pair_difference_profile", &profile<Difference>);
    module.def("matching_at_most", &at_most);
}
