#include <nanobind/stl/tuple.h>

#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "arc_weights.hpp"
#include "arrays.hpp"
#include "merge_matchings.hpp"
#include "step_law.hpp"

namespace sfumato {
namespace {

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

std::tuple<Out<std::int64_t>, Out<double>, double> merge(
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

Out<double> arcs(const In<double, 2>& p, const In<double, 2>& q, double t) {
    std::vector<double> weights;
    {
        nb::gil_scoped_release release;
        weights = arc_weights(view(p), view(q), p.shape(1), q.shape(1), t);
    }
    return give(std::move(weights), {p.shape(1), q.shape(1)});
}

}  // namespace
}  // namespace sfumato

void bind_matching_laws(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("law_of_steps", &law_of_steps, "weights"_a, "steps"_a, "drop"_a);
    module.def("merge_matchings", &merge, "states"_a, "state_masses"_a, "columns"_a,
               "column_masses"_a, "starts"_a, "sources"_a, "rows"_a, "drop"_a);
    module.def("arc_weights", &arcs, "p"_a, "q"_a, "t"_a);
}
