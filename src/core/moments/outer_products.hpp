// Sums of outer products: table[i][j] += sum over eight rows of u[i] v[j].
//
// Cost: O(8 * height * width).
#pragma once

#include <array>
#include <cstddef>

#include "clones.hpp"

namespace sfumato {

// Vector instructions run over j and every sum keeps its order.
SFUMATO_CLONES inline void add_eight(const double* u, std::size_t height, const double* v,
                                     std::size_t width, double* table) {
    for (std::size_t i = 0; i < height; ++i) {
        std::array<double, 8> own;
        for (std::size_t row = 0; row < 8; ++row) own[row] = u[row * height + i];
        double* __restrict to = table + i * width;  // no row lies in the table
        for (std::size_t j = 0; j < width; ++j) {
            double sum = 0.0;
            for (std::size_t row = 0; row < 8; ++row) sum += own[row] * v[row * width + j];
            to[j] += sum;
        }
    }
}

}  // namespace sfumato
