// Expected mutual information of two random clusterings with given cluster sizes:
//     sum over rows a and columns b of E[x/n log(n x / (a b))], x hypergeometric
// (Vinh, Epps & Bailey 2010).
//
// Letters. a, b: sizes of a row cluster and a column cluster. x: the size of their overlap.
// Cost: O(standard deviation of x) per pair of different sizes.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "spans.hpp"

namespace sfumato {

// The term of one pair of sizes. Probabilities are taken relative to that of the mode and followed
// outwards by their ratios, so nothing cancels and far terms are never visited.
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

// Sizes in increasing order with how often each occurs; empty clusters are left out.
inline void tally_sizes(Ints sizes, std::vector<std::pair<std::int64_t, double>>& times) {
    times.clear();
    for (const std::int64_t size : sizes) {
        if (size > 0) times.emplace_back(size, 1.0);
    }
    std::ranges::sort(times);
    std::size_t last = 0;
    for (std::size_t at = 1; at < times.size(); ++at) {
        if (times[at].first == times[last].first) {
            times[last].second += 1.0;
        } else {
            times[++last] = times[at];
        }
    }
    times.resize(std::min(times.size(), last + 1));
}

// For many pairs of lists of cluster sizes. Terms depend on sizes alone, so sizes that occur again,
// in this pair or a later one, cost little.
inline std::vector<double> expected_information(const IntGrid& rows, const IntGrid& columns) {
    constexpr std::size_t most_known = std::size_t{1} << 20;
    std::vector<double> expected(rows.shape[0]);
    std::vector<std::pair<std::int64_t, double>> row_sizes, column_sizes;
    std::unordered_map<std::uint64_t, double> known;
    std::int64_t n_before = 0;
    for (std::size_t t = 0; t < expected.size(); ++t) {
        const std::int64_t n = std::accumulate(rows[t].begin(), rows[t].end(), std::int64_t{0});
        if (n != n_before || known.size() > most_known) known.clear();
        n_before = n;
        tally_sizes(rows[t], row_sizes);
        tally_sizes(columns[t], column_sizes);
        for (const auto& [a, a_times] : row_sizes) {
            for (const auto& [b, b_times] : column_sizes) {
                const auto [smaller, larger] = std::minmax(a, b);
                const auto [place, is_new] =
                    known.try_emplace(static_cast<std::uint64_t>(smaller * (n + 1) + larger), 0.0);
                if (is_new) {
                    place->second = expected_cell_information(static_cast<double>(smaller),
                                                              static_cast<double>(larger),
                                                              static_cast<double>(n));
                }
                expected[t] += a_times * b_times * place->second;
            }
        }
    }
    return expected;
}

}  // namespace sfumato
