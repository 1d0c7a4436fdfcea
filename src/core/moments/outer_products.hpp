// Sums of outer products: table[i][j] += sum over eight rows of u[i] v[j].
//
// On wide registers where the processor has them. Cost: O(8 * height * width).
#pragma once

#include <array>
#include <cstddef>

#if defined(__GNUC__) && defined(__x86_64__)
#define SFUMATO_HAS_AVX2 1
#define SFUMATO_INLINE [[gnu::always_inline]] inline
#else
#define SFUMATO_INLINE inline
#endif

namespace sfumato {

// Vector instructions run over j and every sum keeps its order, so the width of the registers does
// not change a bit of the result.
SFUMATO_INLINE void add_eight_plainly(const double* u, std::size_t height, const double* v,
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

#ifdef SFUMATO_HAS_AVX2
[[gnu::target("avx2")]] inline void add_eight_widely(const double* u, std::size_t height,
                                                     const double* v, std::size_t width,
                                                     double* table) {
    add_eight_plainly(u, height, v, width, table);
}
#endif

inline void add_eight(const double* u, std::size_t height, const double* v, std::size_t width,
                      double* table) {
#ifdef SFUMATO_HAS_AVX2
    static const bool is_wide = __builtin_cpu_supports("avx2");
    if (is_wide) return add_eight_widely(u, height, v, width, table);
#endif
    add_eight_plainly(u, height, v, width, table);
}

}  // namespace sfumato
