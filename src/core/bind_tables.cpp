#include <cstdint>
#include <utility>
#include <vector>

#include <nanobind/stl/pair.h>

#include "arrays.hpp"
#include "group.hpp"

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

}  // namespace
}  // namespace sfumato

void bind_tables(nanobind::module_& module) {
    using namespace nanobind::literals;
    module.def("group_rows", &sfumato::group, "rows"_a);
}
