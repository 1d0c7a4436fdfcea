// How Python passes MovesView: as five arguments, before the others of a kernel.
#pragma once

#include "bind/arrays.hpp"
#include "tables/level_moves.hpp"

namespace sfumato {

template <class Found, class... More>
auto of_moves(Found (*kernel)(const MovesView&, More...)) {
    using Types = In<std::int32_t, 1>;
    return [kernel](const IntArray& first, const IntArray& starts, const Types& before,
                    const Types& after, const IntArray& counts, More... more) {
        return kernel({view(first), view(starts), view(before), view(after), view(counts)},
                      more...);
    };
}

}  // namespace sfumato
