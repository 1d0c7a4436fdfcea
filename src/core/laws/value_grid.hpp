// The law of a ratio of sums of psi, for a random table against a hard truth, on a grid of values:
//     value = numerator / denominator^power, both affine in sum psi(R) and sum psi(N).
//
// Letters. t: the total of psi over the cells of all columns but the last; see last_column.hpp.
// Cost: O(1) per pair of a state and a last column, O(k) per pair of a group and a last column.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "laws/last_column.hpp"
#include "spans.hpp"

namespace sfumato {

struct GridLaw {
    std::vector<double> values;  // the mean of what falls into each bin, increasing
    std::vector<double> masses;
    double width = 0.0;     // of a bin
    double steepest = 0.0;  // largest derivative of a value by the sum over cells
    double lost = 0.0;
    double undefined = 0.0;  // probability that the denominator is zero
};

// Bins of equal width, each with the probability and the mean of the values in it.
class Bins {
  public:
    Bins(double low, double high, std::size_t n_bins)
        : low_(low),
          per_unit_(high > low ? static_cast<double>(n_bins) / (high - low) : 0.0),
          bins_(n_bins + 1) {}

    void add(double value, double mass) {
        const double above = value - low_;
        // Rounding may put the lowest value a little below zero. Conversion to a signed number is
        // fast.
        const auto at = static_cast<std::int32_t>(std::max(0.0, above * per_unit_));
        Bin& bin = bins_[static_cast<std::size_t>(at)];
        bin.mass += mass;
        bin.moment += mass * above;
    }

    template <class Visit>
    void each(const Visit& visit) const {
        for (const Bin& bin : bins_) {
            if (bin.mass > 0.0) visit(low_ + bin.moment / bin.mass, bin.mass);
        }
    }

  private:
    struct Bin {
        double mass = 0.0, moment = 0.0;
    };
    double low_, per_unit_;
    std::vector<Bin> bins_;
};

// The value as a function of t: (above + above_slope * t) / (below + below_slope * t). If it is
// straight, `above` and its slope are already divided by the denominator.
struct Quotient {
    double above, above_slope, below, below_slope;

    bool is_straight() const { return below_slope == 0.0; }
    // The entropy of one cluster is 0 up to rounding.
    bool is_defined(double t) const { return std::abs(below + below_slope * t) > 1e-12; }
    double at(double t) const {
        return is_straight() ? above + above_slope * t
                             : (above + above_slope * t) / (below + below_slope * t);
    }
    double slope(double t) const {
        if (is_straight()) return std::abs(above_slope);
        const double denominator = below + below_slope * t;
        return std::abs(above_slope * below - above * below_slope) / (denominator * denominator);
    }
};

// weights (2, 3): of the constant, of sum psi(R) and of sum psi(N), in the numerator and in the
// denominator. For given row sums the value is linear in the sum over cells, unless the denominator
// depends on that sum too; then the power is 1 and the value still monotone.
inline GridLaw value_grid(const IntGrid& rows, Ints starts, Floats totals, Floats masses,
                          const IntGrid& counts, Floats column_totals, Floats column_masses,
                          Floats psi, const FloatGrid& weights, double power, std::size_t n_bins,
                          double drop) {
    const GroupedStates<double> states{rows, starts, totals, masses};
    const ColumnStates<double> column{counts, column_totals, column_masses};
    const auto quotient_of = [&](std::size_t g, std::size_t c) {
        const Ints own = rows[g], added = counts[c];
        double sum = 0.0;
        for (std::size_t i = 0; i < own.size(); ++i) {
            sum += psi[static_cast<std::size_t>(own[i] + added[i])];
        }
        const auto fixed = [&](Floats w) { return w[0] + w[1] * sum + w[2] * column_totals[c]; };
        Quotient quotient{fixed(weights[0]), weights[0][2], fixed(weights[1]), weights[1][2]};
        if (quotient.is_straight() && quotient.is_defined(0.0)) {
            const double divisor = power == 1.0 ? quotient.below : std::pow(quotient.below, power);
            quotient.above /= divisor;
            quotient.above_slope /= divisor;
        }
        return quotient;
    };
    GridLaw found;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t g = 0; g < states.n_groups(); ++g) {
        const auto [least, most] = std::ranges::minmax(part(totals, starts, g));
        for (std::size_t c = 0; c < column.size(); ++c) {
            const Quotient quotient = quotient_of(g, c);
            for (const double total : {least, most}) {
                if (!quotient.is_defined(total)) continue;
                const double value = quotient.at(total);
                low = std::min(low, value);
                high = std::max(high, value);
                found.steepest = std::max(found.steepest, quotient.slope(total));
            }
        }
    }
    if (low > high) low = high = 0.0;  // no value is defined
    found.width = (high - low) / static_cast<double>(n_bins);
    Bins bins(low, high, n_bins);
    const auto visit = [&](std::size_t g, std::size_t c, std::size_t end) {
        const Quotient quotient = quotient_of(g, c);
        const double mass = column_masses[c];
        const std::size_t first = states.first(g);
        if (quotient.is_straight() && quotient.is_defined(0.0)) {
            for (std::size_t m = first; m < end; ++m) {
                bins.add(quotient.above + quotient.above_slope * totals[m], mass * masses[m]);
            }
            return;
        }
        for (std::size_t m = first; m < end; ++m) {
            if (quotient.is_defined(totals[m])) {
                bins.add(quotient.at(totals[m]), mass * masses[m]);
            } else {
                found.undefined += mass * masses[m];
            }
        }
    };
    found.lost = each_likely_pair(states, column, drop, visit);
    bins.each([&](double value, double mass) {
        found.values.push_back(value);
        found.masses.push_back(mass);
    });
    return found;
}

}  // namespace sfumato
