// E[N log N] of a count N of independent events, by its generating function.
//
// On a window that N leaves with a negligible probability only, log N is approximated by a constant
// plus a sum of terms weight * exp(-rate N / scale). So E[N log N] needs E[N s^N] = s G'(s) at a
// few nodes s = exp(-rate / scale), where G(s) = prod(1 - p (1 - s)) is the generating function.
// The law of N itself is not needed, and log G adds up over chunks of events.
//
// Letters. p: probability of an event. s: a node; gap: 1 - s. q: number of a node.
// Cost: O(events * powers), plus O(events * nodes) for events of large p.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "clones.hpp"
#include "interrupt.hpp"
#include "moments/long_sums.hpp"
#include "moments/poisson_binomial.hpp"
#include "spans.hpp"

namespace sfumato {

// Fits of the logarithm, the cheapest first: log x = constant + sum weight exp(-rate x) for x from
// 1 to `largest`, up to `error`. A discrete fit holds at whole x only, so its scale is 1.
struct LogarithmFits {
    Floats largest, is_discrete, error, constant;
    Ints starts;
    Floats rates, weights;
};

struct CountSummary {
    double mean = 0.0, variance = 0.0;
    double sure = 0.0, possible = 0.0;  // events of probability 1, and above 0
    double largest = 0.0;               // probability below 1
};

SFUMATO_CLONES inline CountSummary summarise_block(const double* events) {
    Block variance;
    for (std::size_t x = 0; x < block_size; ++x) variance[x] = events[x] * (1.0 - events[x]);
    const SideBySide least = fold(events, Smaller{}), most = fold(events, Larger{});
    CountSummary found{add_up(events), add_up(variance.data()), 0.0, block_size,
                       *std::max_element(most.begin(), most.end())};
    if (*std::min_element(least.begin(), least.end()) > 0.0 && found.largest < 1.0) return found;
    found.largest = found.possible = 0.0;
    for (std::size_t x = 0; x < block_size; ++x) {
        found.sure += events[x] == 1.0 ? 1.0 : 0.0;
        found.possible += events[x] > 0.0 ? 1.0 : 0.0;
        if (events[x] < 1.0) found.largest = std::max(found.largest, events[x]);
    }
    return found;
}

inline CountSummary summarise(Floats events) {
    Sum mean, variance;
    CountSummary found;
    for_each_block(events, [&](const double* block) {
        const CountSummary part = summarise_block(block);
        mean.add(part.mean);
        variance.add(part.variance);
        found.sure += part.sure;
        found.possible += part.possible;
        found.largest = std::max(found.largest, part.largest);
    });
    found.mean = mean.total();
    found.variance = variance.total();
    return found;
}

// -log of the probability that N lies beyond one side of the window.
inline constexpr double log_outside = 46.0;

// The cheapest fit that holds on the whole window, if there is one, and what x is divided by there.
struct ChosenFit {
    std::size_t number = 0;
    double scale = 1.0;  // the lower end of the window, or 1 for a discrete fit
};

inline std::optional<ChosenFit> choose_fit(const CountSummary& count, const LogarithmFits& fits) {
    const double radius = bennett_radius(count.variance, log_outside);
    const double low = std::max({1.0, count.sure, std::floor(count.mean - radius)});
    const double high = std::min(count.possible, std::ceil(count.mean + radius));
    for (std::size_t f = 0; f < fits.largest.size(); ++f) {
        const double scale = fits.is_discrete[f] != 0.0 ? 1.0 : low;
        if (high <= fits.largest[f] * scale) return ChosenFit{f, scale};
    }
    return std::nullopt;
}

// The nodes s at which the generating function is needed, and the fit log N = constant + sum weight
// s^N.
struct LogarithmNodes {
    double constant = 0.0;
    double error = 0.0;             // of the logarithm, within the window
    double low = 1.0;               // no value of the window is less
    std::vector<double> exponents;  // -log s
    std::vector<double> gaps;       // 1 - s
    std::vector<double> weights;
};

inline LogarithmNodes nodes_of(const ChosenFit& chosen, const LogarithmFits& fits) {
    const std::size_t f = chosen.number;
    LogarithmNodes nodes{
        std::log(chosen.scale) + fits.constant[f], fits.error[f], chosen.scale, {}, {}, {}};
    const auto first = static_cast<std::size_t>(fits.starts[f]);
    const auto last = static_cast<std::size_t>(fits.starts[f + 1]);
    for (std::size_t q = first; q < last; ++q) {
        nodes.exponents.push_back(fits.rates[q] / chosen.scale);
        nodes.gaps.push_back(-std::expm1(-fits.rates[q] / chosen.scale));
        nodes.weights.push_back(fits.weights[q]);
    }
    return nodes;
}

// Sums of p^k, k = 1 .. n_powers, over the events of a block.
SFUMATO_CLONES inline void block_power_sums(const double* events, std::size_t n_powers,
                                            double* sums) {
    constexpr std::size_t half = block_size / 2;
    Block powers;
    std::array<double, half> halves;
    for (std::size_t x = 0; x < half; ++x) halves[x] = events[x] + events[x + half];
    for (std::size_t x = 0; x < block_size; ++x) powers[x] = events[x] * events[x];
    sums[0] = add_across(fold<half>(halves.data(), Plus{}));
    for (std::size_t k = 1; k < n_powers; ++k) {
        for (std::size_t x = 0; x < half; ++x) {
            halves[x] = powers[x] + powers[x + half];
            powers[x] *= events[x];
            powers[x + half] *= events[x + half];
        }
        sums[k] = add_across(fold<half>(halves.data(), Plus{}));
    }
}

// The same for all events with p <= limit; `largest` is the largest p of all.
inline std::vector<double> power_sums(Floats events, double largest, double limit,
                                      std::size_t n_powers) {
    std::vector<Sum> sums(n_powers);
    std::vector<double> part(n_powers), totals(n_powers);
    for_each_block(events, [&](const double* block) {
        Block small;
        if (largest > limit) {
            for (std::size_t x = 0; x < block_size; ++x) {
                small[x] = block[x] <= limit ? block[x] : 0.0;
            }
            block = small.data();
        }
        block_power_sums(block, n_powers, part.data());
        for (std::size_t k = 0; k < n_powers; ++k) sums[k].add(part[k]);
    });
    for (std::size_t k = 0; k < n_powers; ++k) totals[k] = sums[k].total();
    return totals;
}

// How many powers the series of log G needs to be exact to the last digit of E[N s^N], which is at
// most mean * s^low at every node.
inline std::size_t powers_needed(const LogarithmNodes& nodes, double mean, double largest) {
    constexpr double log_negligible = -38.9;  // 2^-56
    double most = 1.0;
    for (std::size_t q = 0; q < nodes.gaps.size(); ++q) {
        const double first = std::log(std::max(1.0, mean * nodes.gaps[q]));
        const double rest = log_negligible + nodes.exponents[q] * nodes.low - first;
        most = std::max(most, rest / std::log(largest * nodes.gaps[q]));
    }
    return static_cast<std::size_t>(std::ceil(most));
}

// Sums over events with p < 1, at every node s = 1 - gap: of log(1 - p gap), which is log G(s), and
// of p / (1 - p gap), which is G'(s) / G(s). Those of two lists of events add up.
struct LogSums {
    std::vector<double> logs, slopes;
    double n_steps = 1.0;  // of rounding: events multiplied one by one, and lists
};

// Events of small p enter through log G = -sum_k gap^k sum p^k / k. This costs the same for any
// number of nodes, and its rounding does not grow with the number of events. The others are
// multiplied, a few at a time so that no product underflows: no factor is below 2^-53. `own` is
// about these events, `mean` about the whole count.
inline LogSums sum_logs(Floats events, const CountSummary& own, double mean,
                        const LogarithmNodes& nodes) {
    constexpr double most = 0.25;
    constexpr std::size_t at_once = 16;
    const Floats gaps = nodes.gaps;
    const double widest = *std::max_element(gaps.begin(), gaps.end());
    const double limit = std::min(most / widest, std::nextafter(1.0, 0.0));
    const std::size_t n = gaps.size();
    LogSums found{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0), 1.0};
    if (own.largest > limit) {
        std::vector<double> values(n, 1.0), slopes(n, 0.0);
        std::size_t multiplied = 0;
        const auto close = [&] {
            for (std::size_t q = 0; q < n; ++q) {
                found.logs[q] += std::log(values[q]);
                found.slopes[q] += slopes[q] / values[q];
                values[q] = 1.0;
                slopes[q] = 0.0;
            }
            multiplied = 0;
        };
        for (const double p : events) {
            if (p <= limit || p == 1.0) continue;
            ++found.n_steps;
            for (std::size_t q = 0; q < n; ++q) {
                const double factor = 1.0 - p * gaps[q];
                slopes[q] = slopes[q] * factor + values[q] * p;
                values[q] *= factor;
            }
            if (++multiplied == at_once) close();
        }
        close();
    }
    const double largest = std::min(own.largest, limit);
    if (largest == 0.0) return found;
    const std::vector<double> sums = power_sums(events, own.sure > 0.0 ? 1.0 : own.largest, limit,
                                                powers_needed(nodes, mean, largest));
    for (std::size_t q = 0; q < n; ++q) {
        double logarithm = 0.0, slope = 0.0;
        for (std::size_t k = sums.size(); k-- > 0;) {
            logarithm = logarithm * gaps[q] + sums[k] / static_cast<double>(k + 1);
            slope = slope * gaps[q] + sums[k];
        }
        found.logs[q] -= logarithm * gaps[q];
        found.slopes[q] += slope;
    }
    return found;
}

inline double xlogx(double x) { return x > 0.0 ? x * std::log(x) : 0.0; }

struct Estimate {
    double value = 0.0;
    double error = 0.0;  // at most this: the fit, what lies outside the window, and rounding
};

// Bounds the rounding of a total of positive terms, to first order: each term took n_steps steps of
// three operations, and long sums.
inline double rounding_of(double total, double n_steps) {
    constexpr double unit = 1.2e-16;
    return (3.0 * n_steps + 64.0) * unit * total;
}

// E[N log N] from the law of N, for few events or where no fit is wide enough.
inline Estimate expected_by_law(Floats events, const CountSummary& count, double negligible) {
    std::vector<double> open;
    for (const double p : events) {
        if (p > 0.0 && p < 1.0) open.push_back(p);
    }
    const CountLaw law = law_of_count(open, negligible);
    Sum sum;
    for (std::size_t m = 0; m < law.probabilities.size(); ++m) {
        sum.add(law.probabilities[m] * xlogx(count.sure + static_cast<double>(law.first + m)));
    }
    const double lost = law.lost * xlogx(count.possible);
    return {sum.total(), lost + rounding_of(sum.total(), static_cast<double>(open.size()))};
}

// E[N log N] from the sums at the nodes, over all events of the count.
inline Estimate expected_by_nodes(const CountSummary& count, const LogarithmNodes& nodes,
                                  const LogSums& sums) {
    Sum sum;
    double total_weight = 0.0, total_term = count.mean * std::abs(nodes.constant);
    for (std::size_t q = 0; q < nodes.gaps.size(); ++q) {
        const double s = 1.0 - nodes.gaps[q];
        const double expected = std::exp(sums.logs[q] - count.sure * nodes.exponents[q]) *
                                (count.sure + s * sums.slopes[q]);
        sum.add(nodes.weights[q] * expected);
        total_weight += std::abs(nodes.weights[q]);
        total_term += std::abs(nodes.weights[q] * expected);
    }
    sum.add(count.mean * nodes.constant);
    // Outside the window both the logarithm and its fit are bounded.
    const double outside = 2.0 * std::exp(-log_outside) * count.possible *
                           (std::log(count.possible) + std::abs(nodes.constant) + total_weight);
    return {sum.total(),
            nodes.error * count.mean + outside + rounding_of(total_term, sums.n_steps)};
}

inline Estimate expected_xlogx(Floats events, const LogarithmFits& fits) {
    constexpr double few = 64.0;
    constexpr double negligible = 1e-30;
    allow_interrupt();
    const CountSummary count = summarise(events);
    if (count.possible - count.sure <= few) return expected_by_law(events, count, 0.0);
    const std::optional<ChosenFit> chosen = choose_fit(count, fits);
    if (!chosen) return expected_by_law(events, count, negligible);
    const LogarithmNodes nodes = nodes_of(*chosen, fits);
    return expected_by_nodes(count, nodes, sum_logs(events, count, count.mean, nodes));
}

using Estimates = std::pair<std::vector<double>, std::vector<double>>;  // values and errors

inline void add_to(Estimates& all, const Estimate& found) {
    all.first.push_back(found.value);
    all.second.push_back(found.error);
}

// Count t counts the events from offsets[t] to offsets[t + 1].
inline Estimates count_entropies(const LogarithmFits& fits, Floats events, Ints offsets) {
    Estimates found;
    for (std::size_t t = 0; t + 1 < offsets.size(); ++t) {
        add_to(found, expected_xlogx(part(events, offsets, t), fits));
    }
    return found;
}

// For each count the number of its fit (-1 if none is wide enough) and the scale.
inline std::pair<std::vector<std::int64_t>, std::vector<double>> choose_fits(
    const LogarithmFits& fits, Floats means, Floats variances, double possible) {
    std::vector<std::int64_t> numbers;
    std::vector<double> scales;
    for (std::size_t t = 0; t < means.size(); ++t) {
        const auto chosen = choose_fit({means[t], variances[t], 0.0, possible, 1.0}, fits);
        numbers.push_back(chosen ? static_cast<std::int64_t>(chosen->number) : -1);
        scales.push_back(chosen ? chosen->scale : 1.0);
    }
    return {std::move(numbers), std::move(scales)};
}

// Sums over some events of many counts, those of each at the nodes of its fit.
struct CountLogSums {
    NewGrid<double> totals;            // mean, sure events and steps of each count
    std::vector<double> logs, slopes;  // one list after the other
};

// Those of count t are the events from offsets[t] to offsets[t + 1].
inline CountLogSums count_log_sums(const LogarithmFits& fits, Floats events, Ints offsets,
                                   Floats means, Ints numbers, Floats scales) {
    const std::size_t n = numbers.size();
    CountLogSums sums{{std::vector<double>(3 * n), {3, n}}, {}, {}};
    for (std::size_t t = 0; t < n; ++t) {
        allow_interrupt();
        const Floats own = part(events, offsets, t);
        const CountSummary count = summarise(own);
        const LogarithmNodes nodes =
            nodes_of({static_cast<std::size_t>(numbers[t]), scales[t]}, fits);
        const LogSums found = sum_logs(own, count, means[t], nodes);
        sums.totals.values[t] = count.mean;
        sums.totals.values[n + t] = count.sure;
        sums.totals.values[2 * n + t] = found.n_steps;
        sums.logs.insert(sums.logs.end(), found.logs.begin(), found.logs.end());
        sums.slopes.insert(sums.slopes.end(), found.slopes.begin(), found.slopes.end());
    }
    return sums;
}

// E[N log N] of counts of up to `possible` events each, from such sums.
inline Estimates entropies_of_log_sums(const LogarithmFits& fits, const FloatGrid& totals,
                                       Floats logs, Floats slopes, Ints numbers, Floats scales,
                                       double possible) {
    Estimates found;
    std::size_t at = 0;
    for (std::size_t t = 0; t < numbers.size(); ++t) {
        const CountSummary count{totals[0][t], 0.0, totals[1][t], possible, 1.0};
        const LogarithmNodes nodes =
            nodes_of({static_cast<std::size_t>(numbers[t]), scales[t]}, fits);
        const Floats own_logs = logs.subspan(at, nodes.gaps.size());
        const Floats own_slopes = slopes.subspan(at, nodes.gaps.size());
        add_to(found, expected_by_nodes(count, nodes,
                                        {{own_logs.begin(), own_logs.end()},
                                         {own_slopes.begin(), own_slopes.end()},
                                         totals[2][t]}));
        at += nodes.gaps.size();
    }
    return found;
}

// The window's nodes, the fit there, and the sums of events below 1; no nodes if no fit is wide
// enough.
struct CountTransform {
    double constant, error;
    std::vector<double> exponents, weights, logs, slopes;
};

inline CountTransform count_transform(const LogarithmFits& fits, Floats events) {
    const CountSummary count = summarise(events);
    const std::optional<ChosenFit> chosen = choose_fit(count, fits);
    if (!chosen) return {};
    LogarithmNodes nodes = nodes_of(*chosen, fits);
    LogSums found = sum_logs(events, count, count.mean, nodes);
    return {nodes.constant,           nodes.error,           std::move(nodes.exponents),
            std::move(nodes.weights), std::move(found.logs), std::move(found.slopes)};
}

}  // namespace sfumato
