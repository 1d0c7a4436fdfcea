// A straight line slope * x + offset, used as a bound above or below psi.
#pragma once

namespace sfumato {

// Relative size of the rounding errors that a search in floating point allows for.
inline constexpr double rounding = 1e-12;

template <class Number>
struct Line {
    Number slope, offset;

    template <class X>
    Number at(X x) const {
        return slope * static_cast<Number>(x) + offset;
    }
};

}  // namespace sfumato
