// psi for the ends against a hard truth, where the value of a table is
//     kappa sum_i psi(R_i) - 2 sum_ij psi(N_ij)
// and psi is convex: x^2 (Rand) or x log x (variation of information).
//
// Every psi here offers
//     psi(x)              its value at a whole number x
//     chord(lo, hi)       the line through psi at lo and at hi, not below psi between them
//     support(c)          a line that touches psi near c, not above psi at any whole number
//     tangent_slope(x)    the slope of psi at x
//     curvature(c)        the second derivative of psi near c
//     share, split        the best whole numbers with a given sum: for m rows, for two rows
//     slack(n)            a gap between bound and value up to this counts as closed
//     margin(slack)       how far a bound may be off through rounding
//     prepare(slopes)     fills in what share and split need besides the slopes
// and ExactSquare, for searches of several instances at once,
//     peak(slope)         the best whole number for a slope
//
// Letters. kappa: weight of the rows. s_i: slope of row i. v_i: count of row i in one column.
// Cost: O(1) each; share O(m^2).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "psi/psi.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

using Count = std::int64_t;

// Two or three rows, the common cases, are compiled on their own: they need less room, and have
// shorter ways to the best column and to all vertices. With three rows that is 2 to 4 times faster.
inline constexpr int few_rows = 3, most_rows = 12;

// One entry per row. K is the room: few_rows or most_rows.
template <class T, int K>
using PerRow = std::array<T, K>;

// The slope s_i of every row. `pull` is exp(s_i / 2) up to a common factor; only x log x needs it.
template <class Number, int K>
struct Slopes {
    PerRow<Number, K> s;
    PerRow<double, K> pull;
};

// Rounds the best real numbers of m rows to whole ones with sum `total`: quotients, rounded down,
// come in v; those with the largest remainders are raised by one, which takes `unit` from these.
// Through rounding the quotients may also be too large.
template <class Number>
void settle_rest(const int* index, int m, Count total, Number* remainder, Number unit, Count* v) {
    for (int q = 0; q < m; ++q) total -= v[index[q]];
    for (; total > 0; --total) {
        Number* const best = std::max_element(remainder, remainder + m);
        ++v[index[best - remainder]];
        *best -= unit;
    }
    for (; total < 0; ++total) {
        Number* const best = std::min_element(remainder, remainder + m);
        --v[index[best - remainder]];
        *best += unit;
    }
}

// psi(x) = x^2 in whole numbers, for a whole kappa. All values have the parity of kappa n, so a gap
// of 1 between bound and value is closed. Exact while 4 n^2 < 2^63.
struct ExactSquare : Square<std::int64_t> {
    static constexpr Count largest_total = 1'000'000'000;

    Number slack(Count) const { return 1; }
    static constexpr Number margin(Number) { return 0; }  // no rounding

    Number tangent_slope(Count x) const { return 2 * x; }

    // The whole x >= 0 with the largest slope * x - 2 psi(x).
    static Count peak(Number slope) { return std::max<Number>(0, slope + 2) / 4; }

    // Touches psi at one or two whole numbers near c > 0.
    Line<Number> support(double c) const {
        const Number slope = std::max<Number>(0, std::llround(2.0 * c));
        return {slope, -(slope * slope / 4)};
    }

    template <int K>
    void prepare(Slopes<Number, K>&, int) const {}

    // Whole v_i with sum `total` and the largest sum_i s_i v_i - 2 v_i^2, over the m rows of
    // `index`. The best real numbers are s_i / 4 plus a constant. They are rounded down, then those
    // with the largest remainders are raised by one.
    template <int K>
    void share(const Slopes<Number, K>& slopes, const int* index, int m, Count total,
               Count* v) const {
        Number sum = 0;
        for (int q = 0; q < m; ++q) sum += slopes.s[index[q]];
        const Number divisor = 4 * m;
        PerRow<Number, K> remainder;
        for (int q = 0; q < m; ++q) {
            const Number numerator = m * slopes.s[index[q]] + 4 * total - sum;
            Number quotient = numerator / divisor;
            Number rest = numerator % divisor;
            if (rest < 0) {
                --quotient;
                rest += divisor;
            }
            v[index[q]] = quotient;
            remainder[q] = rest;
        }
        settle_rest(index, m, total, remainder.data(), divisor, v);
    }

    // The best v_i in [lo, hi] when v_i + v_j = total.
    template <int K>
    Count split(const Slopes<Number, K>& slopes, int i, int j, Count total, Count lo,
                Count hi) const {
        const Number numerator = slopes.s[i] - slopes.s[j] + 4 * total + 4;  // rounds to nearest
        const Number quotient = numerator / 8 - (numerator % 8 < 0 ? 1 : 0);
        return std::clamp<Count>(quotient, lo, hi);
    }
};

// psi(x) = x^2 with any weight kappa, in floating point.
struct RealSquare : Square<double> {
    Number slack(Count n) const { return rounding * std::max(1.0, (*this)(n)); }
    static constexpr Number margin(Number slack) { return slack; }

    Number tangent_slope(Count x) const { return 2.0 * static_cast<double>(x); }
    Line<Number> support(double c) const {
        const double nearest = std::floor(c + 0.5);
        return {2.0 * c, nearest * (nearest - 2.0 * c)};
    }

    template <int K>
    void prepare(Slopes<Number, K>&, int) const {}

    // As in ExactSquare, in floating point.
    template <int K>
    void share(const Slopes<Number, K>& slopes, const int* index, int m, Count total,
               Count* v) const {
        double sum = 0.0;
        for (int q = 0; q < m; ++q) sum += 0.25 * slopes.s[index[q]];
        const double shift = (static_cast<double>(total) - sum) / m;
        PerRow<double, K> remainder;
        for (int q = 0; q < m; ++q) {
            const double wanted = 0.25 * slopes.s[index[q]] + shift;
            const double rounded = std::floor(wanted);
            v[index[q]] = static_cast<Count>(rounded);
            remainder[q] = wanted - rounded;
        }
        settle_rest(index, m, total, remainder.data(), 1.0, v);
    }

    template <int K>
    Count split(const Slopes<Number, K>& slopes, int i, int j, Count total, Count lo,
                Count hi) const {
        const double wanted =
            0.125 * (slopes.s[i] - slopes.s[j]) + 0.5 * static_cast<double>(total);
        return std::clamp(static_cast<Count>(std::floor(wanted + 0.5)), lo, hi);
    }
};

// psi(x) = x log x.
class XLogX {
  public:
    using Number = double;

    explicit XLogX(const XLogXTable& table) : table_(&table) {}

    Number operator()(Count x) const { return (*table_)(x); }
    Number slack(Count n) const { return rounding * std::max(1.0, (*this)(n)); }
    static constexpr Number margin(Number slack) { return slack; }

    Line<Number> chord(Count lo, Count hi) const { return table_->chord(lo, hi); }
    Number tangent_slope(Count x) const {
        return x > 0 ? (*this)(x) / static_cast<double>(x) + 1.0 : slope_at_zero;
    }
    Line<Number> support(double c) const {
        const double slope = std::log(c) + 1.0;
        const auto below = static_cast<Count>(c);
        const double at_below = (*this)(below)-slope * static_cast<double>(below);
        return {slope, at_below + std::min(0.0, rise(below) - slope)};
    }
    static double curvature(double c) { return XLogXTable::curvature(c); }

    template <int K>
    void prepare(Slopes<Number, K>& slopes, int k) const {
        double largest = slopes.s[0];
        for (int i = 1; i < k; ++i) largest = std::max(largest, slopes.s[i]);
        for (int i = 0; i < k; ++i) slopes.pull[i] = std::exp(0.5 * (slopes.s[i] - largest));
    }

    // Whole v_i >= 0 with sum `total` and the largest sum_i s_i v_i - 2 psi(v_i). The best real
    // numbers are proportional to pull_i. They are rounded; then single objects move while that
    // gains. For a sum of concave functions of one variable each, this ends at the best numbers.
    template <int K>
    void share(const Slopes<Number, K>& slopes, const int* index, int m, Count total,
               Count* v) const {
        double sum = 0.0;
        for (int q = 0; q < m; ++q) sum += slopes.pull[index[q]];
        const double factor = static_cast<double>(total) / sum;
        Count left = total;
        for (int q = 0; q < m; ++q) {
            const auto part = static_cast<Count>(factor * slopes.pull[index[q]]);
            v[index[q]] = std::min(part, left);
            left -= v[index[q]];
        }
        PerRow<double, K> gain, loss;
        const auto measure = [&](int q) {
            const int i = index[q];
            gain[q] = slopes.s[i] - 2.0 * rise(v[i]);
            loss[q] = v[i] > 0 ? slopes.s[i] - 2.0 * rise(v[i] - 1)
                               : std::numeric_limits<double>::infinity();
        };
        for (int q = 0; q < m; ++q) measure(q);
        for (;; --left) {
            int up = 0, down = 0;
            for (int q = 1; q < m; ++q) {
                if (gain[q] > gain[up]) up = q;
                if (loss[q] < loss[down]) down = q;
            }
            if (left <= 0) {
                // A smaller gain may be rounding.
                if (up == down || gain[up] <= loss[down] + resolution) break;
                --v[index[down]];
                measure(down);
                left = 1;
            }
            ++v[index[up]];
            measure(up);
        }
    }

    template <int K>
    Count split(const Slopes<Number, K>& slopes, int i, int j, Count total, Count lo,
                Count hi) const {
        const double part = slopes.pull[i] / (slopes.pull[i] + slopes.pull[j]);
        Count x = std::clamp(static_cast<Count>(static_cast<double>(total) * part), lo, hi);
        const double tilt = slopes.s[i] - slopes.s[j];
        while (x < hi && tilt - 2.0 * (rise(x) - rise(total - x - 1)) > resolution) ++x;
        while (x > lo && tilt - 2.0 * (rise(x - 1) - rise(total - x)) < -resolution) --x;
        return x;
    }

  private:
    static constexpr double slope_at_zero = -64.0;  // stands for minus infinity
    static constexpr double resolution = 1e-11;

    double rise(Count x) const { return table_->rise(x); }

    const XLogXTable* table_;
};

}  // namespace sfumato::hard_truth
