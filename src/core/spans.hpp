// Names for arrays that a kernel reads, as in Python, with the standard headers that all kernels
// use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace sfumato {

using Ints = std::span<const std::int64_t>;
using Floats = std::span<const double>;

}  // namespace sfumato
