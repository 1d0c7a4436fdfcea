// Names for arrays that a kernel reads or gives back, as in Python, with the standard headers that
// all kernels use.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sfumato {

using Ints = std::span<const std::int64_t>;
using Floats = std::span<const double>;

// An array of several dimensions that a kernel reads, the last one running fastest.
template <class T, std::size_t dimensions = 2>
struct Grid {
    std::span<const T> values;
    std::array<std::size_t, dimensions> shape;

    // Part i along the first dimension: row i of a matrix.
    std::span<const T> operator[](std::size_t i) const {
        std::size_t size = 1;
        for (std::size_t d = 1; d < dimensions; ++d) size *= shape[d];
        return values.subspan(i * size, size);
    }
};
using IntGrid = Grid<std::int64_t>;
using FloatGrid = Grid<double>;

// One that a kernel gives back.
template <class T, std::size_t dimensions = 2>
struct NewGrid {
    std::vector<T> values;
    std::array<std::size_t, dimensions> shape;
};

// Part i of an array: from starts[i] to starts[i + 1].
template <class T>
std::span<const T> part(std::span<const T> values, Ints starts, std::size_t i) {
    const auto first = static_cast<std::size_t>(starts[i]);
    return values.subspan(first, static_cast<std::size_t>(starts[i + 1]) - first);
}

}  // namespace sfumato
