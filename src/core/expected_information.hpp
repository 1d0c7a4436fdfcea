// Mutual information expected of two random clusterings with given cluster sizes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>

namespace sfumato {

// E[x/n log(n x / (a b))] for x hypergeometric: overlap of an a-set and a b-set among n objects
// (Vinh, Epps & Bailey 2010). Weights are taken relative to the mode and followed outwards by
// their ratio, so nothing cancels and only O(standard deviation) terms are visited.
inline double expected_cell_information(double a, double b, double n) {
    constexpr double negligible = 1e-25;
    const double lowest = std::max(0.0, a + b - n);
    const double highest = std::min(a, b);
    const double mode = std::clamp(std::floor((a + 1) * ((b + 1) / (n + 2))), lowest, highest);
    const double log_scale = std::log(n) - std::log(a) - std::log(b);
    const auto term = [&](double x) { return x > 0 ? x * (std::log(x) + log_scale) : 0.0; };

    double total = 1.0;
    double sum = term(mode);
    double weight = 1.0;
    for (double x = mode; x < highest && weight > negligible; ++x) {
        weight *= (a - x) / (x + 1) * ((b - x) / (n - a - b + x + 1));
        total += weight;
        sum += weight * term(x + 1);
    }
    weight = 1.0;
    for (double x = mode; x > lowest && weight > negligible; --x) {
        weight *= x / (a - x + 1) * ((n - a - b + x) / (b - x + 1));
        total += weight;
        sum += weight * term(x - 1);
    }
    return sum / total / n;
}

// Cluster sizes with how often each occurs, empty clusters left out: the expectation depends on
// the sizes alone, so many small clusters cost no more than a few.
inline std::map<std::int64_t, double> tally(std::span<const std::int64_t> sizes) {
    std::map<std::int64_t, double> times;
    for (const std::int64_t size : sizes) {
        if (size != 0) times[size] += 1.0;
    }
    return times;
}

inline double expected_mutual_information(std::span<const std::int64_t> rows,
                                          std::span<const std::int64_t> columns) {
    double n = 0.0;
    for (const std::int64_t a : rows) n += static_cast<double>(a);
    const auto row_sizes = tally(rows), column_sizes = tally(columns);
    double expected = 0.0;
    for (const auto& [a, a_times] : row_sizes) {
        for (const auto& [b, b_times] : column_sizes) {
            expected +=
                a_times * b_times *
                expected_cell_information(static_cast<double>(a), static_cast<double>(b), n);
        }
    }
    return expected;
}

}  // namespace sfumato
