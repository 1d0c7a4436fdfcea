// How kernels see NumPy: spans and grids come in, vectors and grids go out without a copy, and a
// struct with several results goes out as a tuple. So a kernel is bound as it is.
//
// Names of arguments are in _core.pyi only: Python passes them by position.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <tuple>
#include <type_traits>
#include <utility>

#include "spans.hpp"

namespace sfumato {

namespace nb = nanobind;

template <class T, std::size_t dimensions>
using CpuArray = nb::ndarray<T, nb::ndim<dimensions>, nb::c_contig, nb::device::cpu>;

// After the name and the function: it runs without the GIL.
inline constexpr nb::call_guard<nb::gil_scoped_release> unlocked{};

// A function of the fields of a struct and of more, made of a kernel that takes the struct.
template <class Struct, class... Fields, class Found, class... More>
auto by_fields(Found (*kernel)(const Struct&, More...)) {
    return [kernel](Fields... fields, More... more) { return kernel({fields...}, more...); };
}

// A struct of results: plain, with three to six fields.
struct AnyField {
    template <class T>
    operator T() const;
};
template <class Struct, std::size_t... i>
constexpr bool takes(std::index_sequence<i...>) {
    return requires { Struct{(static_cast<void>(i), AnyField())...}; };
}
template <class Struct, std::size_t n>
concept HasFields = std::is_aggregate_v<Struct> && takes<Struct>(std::make_index_sequence<n>());

template <HasFields<3> Struct>
auto take_fields(Struct&& from) {
    const auto moved = [](auto&... fields) { return std::tuple(std::move(fields)...); };
    if constexpr (HasFields<Struct, 6>) {
        auto& [a, b, c, d, e, f] = from;
        return moved(a, b, c, d, e, f);
    } else if constexpr (HasFields<Struct, 5>) {
        auto& [a, b, c, d, e] = from;
        return moved(a, b, c, d, e);
    } else if constexpr (HasFields<Struct, 4>) {
        auto& [a, b, c, d] = from;
        return moved(a, b, c, d);
    } else {
        auto& [a, b, c] = from;
        return moved(a, b, c);
    }
}

}  // namespace sfumato

namespace nanobind::detail {

// An array that is kept while the kernel runs. Only what the kernel reads may be converted.
template <class Seen, class T, std::size_t dimensions>
struct numpy_caster {
    using Array = make_caster<sfumato::CpuArray<T, dimensions>>;

    NB_TYPE_CASTER(Seen, Array::Name)

    bool from_python(handle source, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        if constexpr (!std::is_const_v<T>) flags &= ~std::uint32_t{cast_flags::convert};
        if (!array_.from_python(source, flags, cleanup)) return false;
        const std::span<T> all(array_.value.data(), array_.value.size());
        if constexpr (std::is_same_v<Seen, std::span<T>>) {
            value = all;
        } else {
            value.values = all;
            for (std::size_t i = 0; i < dimensions; ++i) value.shape[i] = array_.value.shape(i);
        }
        return true;
    }

  private:
    Array array_;
};

template <class T>
struct type_caster<std::span<T>> : numpy_caster<std::span<T>, T, 1> {};

template <class T, std::size_t dimensions>
struct type_caster<sfumato::Grid<T, dimensions>>
    : numpy_caster<sfumato::Grid<T, dimensions>, const T, dimensions> {};

// Hands numbers over to NumPy.
template <class T, std::size_t dimensions>
struct type_caster<sfumato::NewGrid<T, dimensions>> {
    using Array = make_caster<ndarray<numpy, T>>;
    static constexpr auto Name = Array::Name;

    static handle from_cpp(sfumato::NewGrid<T, dimensions>&& grid, rv_policy policy,
                           cleanup_list* cleanup) {
        auto* owned = new std::vector<T>(std::move(grid.values));
        const capsule owner(
            owned, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
        const ndarray<numpy, T> array(owned->data(), dimensions, grid.shape.data(), owner);
        return Array::from_cpp(array, policy, cleanup);
    }
};

template <class T>
    requires std::is_arithmetic_v<T>
struct type_caster<std::vector<T>> {
    using Array = make_caster<sfumato::NewGrid<T, 1>>;
    static constexpr auto Name = Array::Name;

    static handle from_cpp(std::vector<T>&& values, rv_policy policy, cleanup_list* cleanup) {
        const std::size_t size = values.size();
        return Array::from_cpp({std::move(values), {size}}, policy, cleanup);
    }
};

template <sfumato::HasFields<3> Struct>
struct type_caster<Struct> {
    using Fields = decltype(sfumato::take_fields(std::declval<Struct>()));
    static constexpr auto Name = make_caster<Fields>::Name;

    static handle from_cpp(Struct&& found, rv_policy policy, cleanup_list* cleanup) {
        return make_caster<Fields>::from_cpp(sfumato::take_fields(std::move(found)), policy,
                                             cleanup);
    }
};

}  // namespace nanobind::detail
