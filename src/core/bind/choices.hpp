// How Python passes CellChoices: as five arguments, before the others of a kernel.
#pragma once

#include "bind/arrays.hpp"
#include "tables/cell_choices.hpp"

namespace sfumato {

template <class Found, class... More>
auto of_choices(Found (*kernel)(const CellChoices&, More...)) {
    return [kernel](const IntArray& counts, const IntArray& starts, const IntArray& cells,
                    const FloatArray& weights, std::size_t n_cells, More... more) {
        return kernel({view(counts), view(starts), view(cells), view(weights), n_cells}, more...);
    };
}

}  // namespace sfumato
