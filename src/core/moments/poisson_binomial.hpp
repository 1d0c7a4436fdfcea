// The law of a count, how many of several independent events happen, and how far it is from its
// mean.
//
// Cost: O(number of events * width of the law).
#pragma once

#include <cmath>
#include <utility>

#include "spans.hpp"

namespace sfumato {

// Bennett's inequality: a count of independent events with variance v exceeds its mean by t with a
// probability of at most exp(-v h(t / v)), h(u) = (1 + u) log(1 + u) - u. Returns the t for which
// this is exp(-log_term).
inline double bennett_radius(double variance, double log_term) {
    if (variance <= 0.0) return 0.0;
    const auto exponent = [&](double t) {
        const double u = t / variance;
        return variance * ((1.0 + u) * std::log1p(u) - u);
    };
    double low = 0.0, high = log_term / 3.0 + std::sqrt(log_term * log_term / 9.0 +
                                                        2.0 * variance * log_term);  // Bernstein
    for (int step = 0; step < 40; ++step) {
        const double middle = (low + high) / 2.0;
        (exponent(middle) < log_term ? low : high) = middle;
    }
    return high;
}

struct CountLaw {
    std::size_t first = 0;              // smallest count that is listed
    std::vector<double> probabilities;  // of first, first + 1, ...
    double lost = 0.0;                  // mass of what was dropped
};

// Moves both ends of a law inwards past what is negligible; returns the mass of that.
inline double trim(Floats law, double negligible, std::size_t& low, std::size_t& high) {
    double lost = 0.0;
    for (; low < high && law[low] < negligible; ++low) lost += law[low];
    for (; high > low && law[high] < negligible; --high) lost += law[high];
    return lost;
}

// Adds one event at a time: f(m) <- (1 - p) f(m) + p f(m - 1). All terms are positive, so every
// probability keeps its relative accuracy. Probabilities below `negligible` at both ends are
// dropped as they appear. With 0 nothing is dropped and the cost is quadratic.
inline CountLaw law_of_count(Floats events, double negligible) {
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
        lost += trim(now, negligible, low, high);
    }
    return {low, {now.data() + low, now.data() + high + 1}, lost};
}

// The law of the sum of two independent counts, of which the least add up to `first`. `lost` is
// what is dropped here alone.
inline CountLaw add_count_laws(std::size_t first, Floats one, Floats two, double negligible) {
    std::vector<double> sum(one.size() + two.size() - 1, 0.0);
    for (std::size_t m = 0; m < one.size(); ++m) {
        for (std::size_t l = 0; l < two.size(); ++l) sum[m + l] += one[m] * two[l];
    }
    std::size_t low = 0, high = sum.size() - 1;
    const double lost = trim(sum, negligible, low, high);
    return {first + low, {sum.data() + low, sum.data() + high + 1}, lost};
}

}  // namespace sfumato
