// psi(x) = x log x for whole x >= 0, with psi(0) = 0.
//
// Values up to 2^16 are read from a table, larger ones are computed. Cost: O(1) each.
#pragma once

#include <algorithm>
#include <cmath>

#include "psi/line.hpp"
#include "spans.hpp"

namespace sfumato {

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
