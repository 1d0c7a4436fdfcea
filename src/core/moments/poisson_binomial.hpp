// The law of a count: how many of several independent events happen.
//
// Cost: O(number of events * width of the law).
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace sfumato {

struct CountLaw {
    std::size_t first = 0;              // smallest count that is listed
    std::vector<double> probabilities;  // of first, first + 1, ...
    double lost = 0.0;                  // mass of what was dropped
};

// Adds one event at a time: f(m) <- (1 - p) f(m) + p f(m - 1). All terms are positive, so every
// probability keeps its relative accuracy. Probabilities below `negligible` at both ends are
// dropped as they appear. With 0 nothing is dropped and the cost is quadratic.
inline CountLaw law_of_count(std::span<const double> events, double negligible) {
    std::vector<double> now(events.size() + 2, 0.0), next(events.size() + 2, 0.0);
    now[0] = 1.0;
    std::size_t low = 0, high = 0;
    double lost = 0.0;
    for (const double p : events) {
        if (p == 0.0) continue;
        const double q = 1.0 - p;
        next[low] = now[low] * q;
        for (std::size_t m = low + 1; m <= high; ++m) next[m] = now[m] * q + now[m - 1] * p;
        next[high + 1] = now[high] * p;
        ++high;
        std::swap(now, next);
        for (; low < high && now[low] < negligible; ++low) lost += now[low];
        for (; high > low && now[high] < negligible; --high) lost += now[high];
    }
    using Offset = std::vector<double>::difference_type;
    return {low,
            {now.begin() + static_cast<Offset>(low), now.begin() + static_cast<Offset>(high + 1)},
            lost};
}

// The law of the sum of two independent counts, of which the least add up to `first`. `lost` is
// what is dropped here alone.
inline CountLaw convolve(std::size_t first, std::span<const double> one,
                         std::span<const double> two, double negligible) {
    std::vector<double> sum(one.size() + two.size() - 1, 0.0);
    for (std::size_t m = 0; m < one.size(); ++m) {
        for (std::size_t l = 0; l < two.size(); ++l) sum[m + l] += one[m] * two[l];
    }
    std::size_t low = 0, high = sum.size() - 1;
    double lost = 0.0;
    for (; low < high && sum[low] < negligible; ++low) lost += sum[low];
    for (; high > low && sum[high] < negligible; --high) lost += sum[high];
    using Offset = std::vector<double>::difference_type;
    return {first + low,
            {sum.begin() + static_cast<Offset>(low), sum.begin() + static_cast<Offset>(high + 1)},
            lost};
}

}  // namespace sfumato
