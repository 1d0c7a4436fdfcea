// psi(x) = x^2 and psi(x) = x log x for whole x >= 0, and straight lines above or below them.
//
// Cost: O(1) each; x log x is read from a table up to 2^16 and computed beyond.
#pragma once

#include <algorithm>
#include <cmath>

#include "spans.hpp"

namespace sfumato {

// Relative size of the rounding errors that a search in floating point allows for.
inline constexpr double rounding = 1e-12;

// slope * x + offset
template <class Number>
struct Line {
    Number slope, offset;

    template <class X>
    Number at(X x) const {
        return slope * static_cast<Number>(x) + offset;
    }
};

// x^2 in whole or real numbers.
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

// x log x, with psi(0) = 0.
class XLogXTable {
  public:
    explicit XLogXTable(std::int64_t largest)
        : values_(static_cast<std::size_t>(std::min(largest, most_listed)) + 2) {
        for (std::size_t x = 1; x < values_.size(); ++x) values_[x] = of(static_cast<double>(x));
    }

    double operator()(std::int64_t x) const {
        const auto at = static_cast<std::size_t>(x);
        return at < values_.size() ? values_[at] : of(static_cast<double>(x));
    }

    // psi(x + 1) - psi(x). For large x the two terms nearly cancel, so there it is computed as
    // log(x + 1) + x log(1 + 1 / x).
    double rise(std::int64_t x) const {
        const auto at = static_cast<std::size_t>(x);
        if (at + 1 < values_.size()) return values_[at + 1] - values_[at];
        const auto real = static_cast<double>(x);
        return std::log(real + 1.0) + real * std::log1p(1.0 / real);
    }

    // Equals psi at both ends; if these are the same, it has the slope up to the next whole number.
    Line<double> chord(std::int64_t low, std::int64_t high) const {
        const double at_low = (*this)(low);
        const double slope =
            high > low ? ((*this)(high)-at_low) / static_cast<double>(high - low) : rise(low);
        return {slope, at_low - slope * static_cast<double>(low)};
    }
    static double curvature(double at) { return 1.0 / std::max(1.0, at); }

    static double of(double x) { return x > 1.0 ? x * std::log(x) : 0.0; }

  private:
    static constexpr std::int64_t most_listed = std::int64_t{1} << 16;

    std::vector<double> values_;
};

}  // namespace sfumato
