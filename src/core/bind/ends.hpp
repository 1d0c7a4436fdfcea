// The ends that a search found, as NumPy arrays: tables, values and bounds.
#pragma once

#include "bind/arrays.hpp"
#include "ends/found_end.hpp"
#include "limits.hpp"

namespace sfumato {

using Sets = In<std::uint32_t, 1>;

template <class Number>
auto give_ends(FoundEnds<Number>&& found, std::size_t n_rows, std::size_t n_columns) {
    const std::size_t size = found.values.size();
    return std::tuple(give(std::move(found.tables), {size, n_rows, n_columns}),
                      give(std::move(found.values)), give(std::move(found.bounds)));
}

}  // namespace sfumato
