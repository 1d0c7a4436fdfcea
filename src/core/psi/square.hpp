// psi(x) = x^2 in whole or real numbers, and what its users for both kinds of ends share.
#pragma once

#include <cstdint>

#include "psi/line.hpp"

namespace sfumato {

template <class Value>
struct Square {
    using Number = Value;

    Number operator()(std::int64_t x) const {
        return static_cast<Number>(x) * static_cast<Number>(x);
    }
    // Equals psi at both ends: not below psi between them, not above psi elsewhere.
    Line<Number> chord(std::int64_t low, std::int64_t high) const {
        const auto from = static_cast<Number>(low), to = static_cast<Number>(high);
        return {from + to, -from * to};
    }
    static double curvature(double) { return 2.0; }
};

}  // namespace sfumato
