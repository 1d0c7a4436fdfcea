// psi for the ends between two rough clusterings, where the value of a table is
//     G = sum psi(R) + sum psi(C) - 2 sum psi(N)
// and psi is convex: x^2 (Rand) or x log x (variation of information).
//
// Every psi here offers
//     psi(x)                      its value at a whole number x
//     chord(low, high)            the line through psi at both ends of a range
//     tangent(at)                 a line that touches psi, nowhere above it
//     at(x)                       value and slope at a real number x
//     corner_slope(...)           slope of the first bound of near.hpp in one cell
//     preference, level, share    the best real numbers with a given sum
//     curvature(at)               the second derivative of psi near a point
//     largest(n), smallest(n)     limits of G for n objects
//     is_closed(gap, tolerance)   does this gap between bound and value count as closed?
//     of_margins()                psi of row and column sums, which may differ by a factor
//
// Cost: O(1) each.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "psi/psi.hpp"

namespace sfumato::both_rough {

// psi and its slope at some point.
struct ValueAndSlope {
    double value;
    double slope;
};

// What both squares below share.
template <class Value>
struct QuadraticCells : Square<Value> {
    static constexpr bool is_quadratic = true;

    static ValueAndSlope at(double x) { return {x * x, 2.0 * x}; }

    // sum slope x - 2 x^2 with a given total of x is largest at x = slope / 4 + level.
    static double preference(Value slope, Value largest) {
        return 0.25 * static_cast<double>(slope - largest);
    }
    static double level(double total, double preferences, double size) {
        return (total - preferences) / size;
    }
    static double share(double preference, double level) { return preference + level; }

    static bool is_gain(Value gain) { return gain > 0; }
};

// psi(x) = x^2 in whole numbers (Rand). G is even, so a gap below 2 is none.
class ExactSquare : public QuadraticCells<std::int64_t> {
  public:
    static constexpr bool grows = true;  // G never falls when an object is added

    explicit ExactSquare(std::int64_t /* largest argument */) {}

    const ExactSquare& of_margins() const { return *this; }
    static constexpr double weight() { return 1.0; }

    // The point is rounded, which makes the coefficients whole.
    static Line<Number> tangent(double at) {
        const Number point = std::llround(at);
        return {2 * point, -point * point};
    }
    // Slope of psi(x + row) + psi(x + column) - 2 psi(x), which is linear in x.
    Number corner_slope(std::int64_t, std::int64_t, std::int64_t row, std::int64_t column) const {
        return 2 * (row + column);
    }

    // All pairs of objects disagree, and none does.
    static Number largest(std::int64_t n) { return n * (n - 1); }
    static Number smallest(std::int64_t) { return 0; }

    static double tolerance(std::int64_t) { return 0.0; }
    // G is even, so an open gap is at least 2.
    static bool is_closed(Number gap, double) { return gap < 2; }
    // The largest even number up to a bound.
    static Number whole(double bound) { return 2 * static_cast<Number>(std::floor(0.5 * bound)); }
    // value / parts, rounded up to an even number.
    static Number divide_up(Number value, Number parts) {
        const Number pair = 2 * parts;
        const Number remainder = ((value % pair) + pair) % pair;
        return (value + (remainder == 0 ? 0 : pair - remainder)) / parts;
    }
    // A bound as it is reported: the nearest even number that G can have, or, for real numbers,
    // with room for rounding.
    static double outward_far(Number bound, double) {
        return static_cast<double>(bound - (bound % 2 == 0 ? 0 : 1));
    }
    static double outward_near(Number bound, double) {
        return static_cast<double>(bound + (bound % 2 == 0 ? 0 : 1));
    }
};

// How bounds and values that are real numbers compare, as psi above does for even numbers.
struct RealValues {
    static bool is_closed(double gap, double tolerance) { return gap <= tolerance; }
    static double whole(double bound) { return bound; }
    static double divide_up(double value, double parts) { return value / parts; }
    static double outward_far(double bound, double tolerance) { return bound + tolerance; }
    static double outward_near(double bound, double tolerance) { return bound - tolerance; }
};

// w x^2 with a weight 0 <= w <= 1.
class ScaledSquare {
  public:
    explicit ScaledSquare(double weight) : weight_(weight) {}

    double weight() const { return weight_; }

    double operator()(std::int64_t x) const {
        const auto value = static_cast<double>(x);
        return weight_ * (value * value);
    }
    Line<double> chord(std::int64_t low, std::int64_t high) const {
        const auto from = static_cast<double>(low), to = static_cast<double>(high);
        return {weight_ * (from + to), -weight_ * (from * to)};
    }
    Line<double> tangent(double at) const { return {weight_ * (2.0 * at), -weight_ * (at * at)}; }
    ValueAndSlope at(double x) const { return {weight_ * (x * x), weight_ * (2.0 * x)}; }

  private:
    double weight_;
};

// x^2 for cells and w x^2 for margins: G = w (sum R^2 + sum C^2) - 2 sum N^2. The ends of ratios
// such as Jaccard and Dice are found from the ends of such a G (Dinkelbach 1967). Values are real
// numbers, so a gap counts as closed when it may be rounding.
class WeightedSquare : public QuadraticCells<double>, public RealValues {
  public:
    static constexpr bool grows = false;  // an object alone in row and column adds 2 w - 2

    explicit WeightedSquare(double weight) : margin_(weight) {}

    const ScaledSquare& of_margins() const { return margin_; }
    double weight() const { return margin_.weight(); }

    // Slope of the chord on [low, high] of w (x + row)^2 + w (x + column)^2 - 2 x^2, which is
    // concave because w <= 1.
    Number corner_slope(std::int64_t low, std::int64_t high, std::int64_t row,
                        std::int64_t column) const {
        return 2.0 * (weight() * static_cast<double>(row + column) -
                      (1.0 - weight()) * static_cast<double>(low + high));
    }

    // G = w G_1 - 2 (1 - w) sum N^2 with the G_1 of ExactSquare, and n <= sum N^2 <= n^2.
    Number largest(std::int64_t n) const {
        const auto size = static_cast<double>(n);
        return weight() * (size * (size - 1.0)) - 2.0 * (1.0 - weight()) * size;
    }
    Number smallest(std::int64_t n) const {
        const auto size = static_cast<double>(n);
        return -2.0 * (1.0 - weight()) * (size * size);
    }

    // Rounding of G, a difference of sums as large as n^2.
    static double tolerance(std::int64_t n_objects) {
        const auto n = static_cast<double>(n_objects);
        return rounding * std::max(1.0, n * n);
    }

  private:
    ScaledSquare margin_;
};

// psi(x) = x log x (variation of information).
class XLogX : public XLogXTable, public RealValues {
  public:
    using Number = double;
    static constexpr bool is_quadratic = false;
    static constexpr bool grows = true;

    using XLogXTable::XLogXTable;

    const XLogX& of_margins() const { return *this; }

    static ValueAndSlope at(double x) {
        const double log = x > 0.0 ? std::log(x) : -1.0;  // at 0 any slope will do
        return {x * (x > 0.0 ? log : 0.0), log + 1.0};
    }
    static Line<Number> tangent(double at) {
        const double point = std::max(at, 0.5);  // the slope at zero is infinite
        return {std::log(point) + 1.0, -point};
    }
    // Slope of the chord on [low, high] of psi(x + row) + psi(x + column) - 2 psi(x), which is
    // concave.
    Number corner_slope(std::int64_t low, std::int64_t high, std::int64_t row,
                        std::int64_t column) const {
        const XLogX& psi = *this;
        return (psi(row + high) - psi(row + low) + psi(column + high) - psi(column + low) -
                2.0 * (psi(high) - psi(low))) /
               static_cast<double>(high - low);
    }

    // sum slope x - 2 x log x with a given total of x is largest at x = level exp(slope / 2).
    static double preference(Number slope, Number largest) {
        return std::exp(0.5 * (slope - largest));
    }
    static double level(double total, double preferences, double) { return total / preferences; }
    static double share(double preference, double level) { return preference * level; }

    static Number largest(std::int64_t n) { return of(static_cast<double>(n)); }
    static Number smallest(std::int64_t) { return 0.0; }

    // Rounding of G, a difference of sums as large as n log n.
    static double tolerance(std::int64_t n_objects) {
        return rounding * std::max(1.0, largest(n_objects));
    }
    static bool is_gain(Number gain) { return gain > 1e-11; }
};

}  // namespace sfumato::both_rough
