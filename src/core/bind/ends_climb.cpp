// Python functions for ends/climb_tables.hpp.
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "bind/arrays.hpp"
#include "ends/climb_tables.hpp"

namespace sfumato {
namespace {

// Table t has the entries from table_starts[t] to table_starts[t + 1].
Out<std::int64_t> climb_each(const In<std::int64_t, 1>& table_starts,
                             const In<std::int64_t, 1>& starts, const In<std::int64_t, 2>& places,
                             const In<std::int64_t, 1>& sent, const In<double, 2>& weights,
                             const In<double, 1>& psi, std::size_t n_places,
                             std::size_t max_sweeps) {
    std::vector<std::int64_t> found(sent.data(), sent.data() + sent.size());
    {
        nb::gil_scoped_release release;
        const std::size_t n_views = places.shape(1);
        const std::span all_places(places.data(), places.size());
        TableClimber climber(view(psi), n_views, n_places);
        const auto firsts = view(table_starts);
        for (std::size_t table = 0; table + 1 < firsts.size(); ++table) {
            const auto first = static_cast<std::size_t>(firsts[table]);
            const auto size = static_cast<std::size_t>(firsts[table + 1]) - first;
            climber.climb(view(starts).subspan(first, size + 1), all_places, found,
                          {weights.data() + table * n_views, n_views}, max_sweeps);
        }
    }
    return give(std::move(found));
}

}  // namespace
}  // namespace sfumato

void bind_ends_climb(nanobind::module_& module) {
    using namespace nanobind::literals;
    using namespace sfumato;
    module.def("climb_tables", &climb_each, "table_starts"_a, "starts"_a, "places"_a, "sent"_a,
               "weights"_a, "psi"_a, "n_places"_a, "max_sweeps"_a);
}
