// NumPy arrays at the border of the core: spans come in, arrays that own their memory go out.
//
// In<T, d>: a contiguous, read-only array of d dimensions. Out<T>: an array for Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

namespace sfumato {

namespace nb = nanobind;

template <class T, std::size_t Dimensions>
using In = nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

template <class T>
using Out = nb::ndarray<nb::numpy, T>;

template <class Array>
auto view(const Array& array) {
    return std::span(array.data(), array.size());
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
