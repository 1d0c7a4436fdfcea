// How two counts depend on each other: X = log of G(s, r) / (G(s) G(r)) and its derivatives, where
// G are the generating functions of both counts and of each.
//
// Letters. An object has event A with probability a, event B with probability b, and both with
// probability a b + c; objects are independent. With u = 1 - s and v = 1 - r
//   G(s, r) = prod D,  D = (1 - a u)(1 - b v) + c u v,
//   X = sum log(D / ((1 - a u)(1 - b v))),
//   X_uv = sum c / D^2,  X_u = sum c v / (D (1 - a u)),  X_v = sum c u / (D (1 - b v)).
// No two of these terms cancel if all c have one sign.
// Cost: O(objects * nodes of u * nodes of v); as a power series O(objects * n_powers^2).
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "moments/long_sums.hpp"
#include "spans.hpp"

namespace sfumato {

struct EventPairs {
    Floats first, second, shared;  // a, b, c of every object
};

// Four grids over (u, v).
struct Coupling {
    NewGrid<double> value, by_u, by_v, by_both;
};

// Adds object by object at every pair of nodes (u, v).
inline Coupling couple_counts(const EventPairs& pairs, Floats u, Floats v) {
    const NewGrid<double> zeros{std::vector<double>(u.size() * v.size()), {u.size(), v.size()}};
    Coupling grid{zeros, zeros, zeros, zeros};
    std::vector<double> second(v.size()), inverse(v.size());
    for (std::size_t x = 0; x < pairs.first.size(); ++x) {
        const double c = pairs.shared[x];
        for (std::size_t r = 0; r < v.size(); ++r) {
            second[r] = 1.0 - pairs.second[x] * v[r];
            inverse[r] = 1.0 / second[r];
        }
        for (std::size_t q = 0; q < u.size(); ++q) {
            const double first = 1.0 - pairs.first[x] * u[q], inverse_first = 1.0 / first;
            const double shared = c * u[q];
            double* const value = grid.value.values.data() + q * v.size();
            double* const by_u = grid.by_u.values.data() + q * v.size();
            double* const by_v = grid.by_v.values.data() + q * v.size();
            double* const by_both = grid.by_both.values.data() + q * v.size();
            for (std::size_t r = 0; r < v.size(); ++r) {
                const double joint = first * second[r] + shared * v[r];
                const double reciprocal = 1.0 / joint;
                const double term = c * reciprocal;
                // Sums e^X - 1 rather than X: then rounding is small relative to X.
                value[r] += shared * v[r] * inverse_first * inverse[r] * (1.0 + value[r]);
                by_u[r] += term * inverse_first;
                by_v[r] += term * inverse[r];
                by_both[r] += term * reciprocal;
            }
        }
    }
    for (std::size_t q = 0; q < u.size(); ++q) {
        for (std::size_t r = 0; r < v.size(); ++r) {
            const std::size_t at = q * v.size() + r;
            grid.value.values[at] = std::log1p(std::max(grid.value.values[at], -1.0));
            grid.by_u.values[at] *= v[r];
            grid.by_v.values[at] *= u[q];
        }
    }
    return grid;
}

// Coefficients t_ij of X_uv = sum_ij t_ij u^i v^j with i + j < n_powers, as a square array. Those
// of c / D^2 follow from the recurrences given by D (1 / D) = 1 and D (1 / D^2) = 1 / D.
inline NewGrid<double> couple_counts_in_powers(const EventPairs& pairs, std::size_t n_powers) {
    const std::size_t n = n_powers;
    std::vector<SideBySide> sums(n * n, SideBySide{});
    std::vector<SideBySide> simple(n + 1), squared(n + 1);  // row i - 1, overwritten by row i
    for (std::size_t at = 0; at < pairs.first.size(); at += n_side_by_side) {
        SideBySide a{}, b{}, both{}, c{};
        for (std::size_t lane = 0; lane < n_side_by_side && at + lane < pairs.first.size();
             ++lane) {
            a[lane] = pairs.first[at + lane];
            b[lane] = pairs.second[at + lane];
            c[lane] = pairs.shared[at + lane];
            both[lane] = a[lane] * b[lane] + c[lane];
        }
        for (std::size_t j = 0; j <= n; ++j) simple[j] = squared[j] = SideBySide{};
        for (std::size_t i = 0; i < n; ++i) {
            SideBySide left{}, left_squared{}, corner{}, corner_squared{};
            for (std::size_t j = 0; i + j < n; ++j) {
                SideBySide& sum = sums[i * n + j];
                const double one = i + j == 0 ? 1.0 : 0.0;
                for (std::size_t lane = 0; lane < n_side_by_side; ++lane) {
                    const double above = simple[j][lane], above_squared = squared[j][lane];
                    const double now =
                        one + a[lane] * above + b[lane] * left[lane] - both[lane] * corner[lane];
                    const double now_squared = now + a[lane] * above_squared +
                                               b[lane] * left_squared[lane] -
                                               both[lane] * corner_squared[lane];
                    sum[lane] += c[lane] * now_squared;
                    corner[lane] = above;
                    corner_squared[lane] = above_squared;
                    left[lane] = now;
                    left_squared[lane] = now_squared;
                }
                simple[j] = left;
                squared[j] = left_squared;
            }
        }
    }
    std::vector<double> totals(n * n);
    for (std::size_t at = 0; at < n * n; ++at) totals[at] = add_across(sums[at]);
    return {std::move(totals), {n, n}};
}

}  // namespace sfumato
