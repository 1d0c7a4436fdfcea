#include <cstdint>
#include <span>
#include <vector>

#include "arrays.hpp"
#include "expected_information.hpp"
#include "matching.hpp"

namespace sfumato {
namespace {

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

}  // namespace
}  // namespace sfumato

void bind_measures(nanobind::module_& module) {
    using namespace nanobind::literals;
    module.def("largest_matching", &sfumato::largest_matching, "tables"_a);
    module.def("expected_information", &sfumato::expected_information, "rows"_a, "columns"_a);
}
