// NumPy arrays at the border of the core: spans come in, arrays that own their memory go out.
//
// In<T, d>: a contiguous, read-only array of d dimensions. Out<T>: an array for Python. Names of
// arguments are in _core.pyi only: Python passes them by position.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <initializer_list>
#include <tuple>
#include <utility>

#include "spans.hpp"

namespace sfumato {

namespace nb = nanobind;

template <class T, std::size_t Dimensions>
using In = nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;
using IntArray = In<std::int64_t, 1>;
using FloatArray = In<double, 1>;
// One number, which another thread sets to 1 to end a kernel (limits.hpp).
using Flag = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
using Out = nb::ndarray<nb::numpy, T>;

template <class Array>
auto view(const Array& array) {
    return std::span(array.data(), array.size());
}

// Part i of an array: from starts[i] to starts[i + 1].
template <class Array>
auto part(const Array& array, const IntArray& starts, std::size_t i) {
    const auto first = static_cast<std::size_t>(starts.data()[i]);
    return view(array).subspan(first, static_cast<std::size_t>(starts.data()[i + 1]) - first);
}

// What a kernel gives, found without the GIL.
template <class Kernel>
auto unlocked(const Kernel& kernel) {
    const nb::gil_scoped_release release;
    return kernel();
}

// Hands a vector over to NumPy without copying it.
template <class T>
Out<T> give(std::vector<T>&& values, std::initializer_list<std::size_t> shape) {
    auto* owned = new std::vector<T>(std::move(values));
    nb::capsule owner(owned,
                      [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    return Out<T>(owned->data(), shape, owner);
}

template <class T>
Out<T> give(std::vector<T>&& values) {
    const std::size_t size = values.size();
    return give(std::move(values), {size});
}

}  // namespace sfumato
