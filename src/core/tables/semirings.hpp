// How weights combine, so that one merge serves probabilities and possibilities:
//     plus(a, b)      of two ways to the same table:  a + b      or  max(a, b)
//     times(a, b)     of two independent choices:     a b        or  a t-norm
//     Shares          of equal objects that are divided over their options
//
// Cost: O(1) each; the Shares of probabilities keep binomial laws of O(count) numbers.
#pragma once

#include <algorithm>
#include <cmath>

#include "spans.hpp"

namespace sfumato {

// Binomial probabilities of 0, ..., trials successes, for weights of success and failure. Starts at
// the mode, follows the ratios of neighbours outwards, and divides by the sum: no factorials, and
// nothing cancels. A weight may be 0, as the product of two tiny masses.
inline std::vector<double> binomial_law(std::int64_t trials, double success, double failure) {
    std::vector<double> law(static_cast<std::size_t>(trials) + 1, 0.0);
    if (success <= 0.0 || failure <= 0.0) {
        (success <= 0.0 ? law.front() : law.back()) = 1.0;
        return law;
    }
    const double odds = success / failure;
    const auto n = static_cast<double>(trials);
    const double share = success / (success + failure);
    const auto mode = static_cast<std::size_t>(std::min(std::floor((n + 1) * share), n));
    law[mode] = 1.0;
    double total = 1.0;
    for (std::size_t x = mode; x < law.size() - 1; ++x) {
        const auto successes = static_cast<double>(x);
        law[x + 1] = law[x] * ((n - successes) / (successes + 1) * odds);
        total += law[x + 1];
    }
    for (std::size_t x = mode; x > 0; --x) {
        const auto successes = static_cast<double>(x);
        law[x - 1] = law[x] * (successes / (n - successes + 1) / odds);
        total += law[x - 1];
    }
    for (double& p : law) p /= total;
    return law;
}

// Probabilities: ways add, independent objects multiply.
struct SumProduct {
    static double plus(double old, double added) { return old + added; }
    static double times(double left, double right) { return left * right; }

    // Weight of giving `chosen` of the `left` objects to an option after the earlier options have
    // theirs: a conditional binomial probability. The product over options is multinomial.
    class Shares {
      public:
        Shares(Floats weights, std::int64_t count)
            : weights_(weights), later_(weights.size(), 0.0), laws_(weights.size()) {
            for (std::size_t option = weights.size(); option-- > 0;) {
                if (option > 0) later_[option - 1] = later_[option] + weights[option];
                laws_[option].resize(static_cast<std::size_t>(count) + 1);
            }
        }
        double operator()(std::size_t option, std::int64_t left, std::int64_t chosen) {
            auto& law = laws_[option][static_cast<std::size_t>(left)];
            if (law.empty()) law = binomial_law(left, weights_[option], later_[option]);
            return law[static_cast<std::size_t>(chosen)];
        }

      private:
        Floats weights_;
        std::vector<double> later_;                           // weight of all later options
        std::vector<std::vector<std::vector<double>>> laws_;  // by option, by objects left
    };
};

// Possibilities: the larger of two ways counts, objects combine by a t-norm.
template <class TNorm>
struct MaxNorm {
    static double plus(double old, double added) { return std::max(old, added); }
    static double times(double left, double right) { return TNorm::combine(left, right); }

    class Shares {
      public:
        Shares(Floats weights, std::int64_t) : weights_(weights) {}
        double operator()(std::size_t option, std::int64_t, std::int64_t chosen) const {
            return chosen == 0 ? 1.0 : TNorm::power(weights_[option], static_cast<double>(chosen));
        }

      private:
        Floats weights_;
    };
};

struct Minimum {
    static double combine(double left, double right) { return std::min(left, right); }
    static double power(double weight, double) { return weight; }
};

struct Product {
    static double combine(double left, double right) { return left * right; }
    static double power(double weight, double times) { return std::pow(weight, times); }
};

struct Lukasiewicz {
    static double combine(double left, double right) { return std::max(0.0, left + right - 1.0); }
    static double power(double weight, double times) {
        return std::max(0.0, 1.0 - times * (1.0 - weight));
    }
};

}  // namespace sfumato
