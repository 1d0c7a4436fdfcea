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

// For one table after the other. Terms depend on sizes alone, so sizes that occur again, in this
// table or a later one, cost little.
class ExpectedInformation {
  public:
    double of_table(Ints rows, Ints columns) {
        const std::int64_t n = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
        if (n != n_objects_ || known_.size() > most_known) {
            known_.clear();
            n_objects_ = n;
        }
        tally(rows, row_sizes_);
        tally(columns, column_sizes_);
        double expected = 0.0;
        for (const auto& [a, a_times] : row_sizes_) {
            for (const auto& [b, b_times] : column_sizes_) {
                expected += a_times * b_times * of_cell(a, b);
            }
        }
        return expected;
    }

  private:
    using Sizes = std::vector<std::pair<std::int64_t, double>>;

    static constexpr std::size_t most_known = std::size_t{1} << 20;

    // Sizes in increasing order with how often each occurs; empty clusters are left out.
    void tally(Ints sizes, Sizes& times) {
        sorted_.assign(sizes.begin(), sizes.end());
        std::sort(sorted_.begin(), sorted_.end());
        times.clear();
        for (const std::int64_t size : sorted_) {
            if (size == 0) continue;
            if (times.empty() || times.back().first != size) times.emplace_back(size, 0.0);
            times.back().second += 1.0;
        }
    }

    double of_cell(std::int64_t a, std::int64_t b) {
        const auto [smaller, larger] = std::minmax(a, b);
        const auto key =
            static_cast<std::uint64_t>(smaller) * static_cast<std::uint64_t>(n_objects_ + 1) +
            static_cast<std::uint64_t>(larger);
        const auto [place, is_new] = known_.try_emplace(key, 0.0);
        if (is_new) {
            place->second =
                expected_cell_information(static_cast<double>(smaller), static_cast<double>(larger),
                                          static_cast<double>(n_objects_));
        }
        return place->second;
    }

    std::int64_t n_objects_ = 0;
    std::unordered_map<std::uint64_t, double> known_;
    std::vector<std::int64_t> sorted_;
    Sizes row_sizes_, column_sizes_;
};

}  // namespace sfumato
