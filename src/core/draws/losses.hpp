// Losses between two clusterings that are functions of three sums,
//     A = sum psi(R), B = sum psi(C), S = sum psi(N),
// over the rows, the columns and the cells of their table.
//
// Cost: O(1) each, after O(n) for the list of psi.
#pragma once

#include <cmath>

#include "spans.hpp"

namespace sfumato::draws {

// psi at 0, 1, ..., n, and its rise from each number to the next.
class PsiList {
  public:
    template <class Psi>
    PsiList(std::size_t n, const Psi& psi) : values_(n + 2), rises_(n + 1) {
        for (std::size_t x = 0; x < values_.size(); ++x) values_[x] = psi(static_cast<double>(x));
        for (std::size_t x = 0; x < rises_.size(); ++x) rises_[x] = values_[x + 1] - values_[x];
    }

    double operator()(std::size_t x) const { return values_[x]; }
    const double* rises() const { return rises_.data(); }

  private:
    std::vector<double> values_, rises_;
};

inline double count_pairs(double x) { return 0.5 * x * (x - 1.0); }

inline double share_of_a_pair(std::size_t n) {
    return n > 1 ? 1.0 / count_pairs(static_cast<double>(n)) : 0.0;
}

// What is in one clustering alone, A + B - 2 S, as a share.
class DifferenceLoss {
  public:
    double operator()(double a, double b, double s) const { return share_ * (a + b - 2.0 * s); }

    const PsiList psi;

  protected:
    template <class Psi>
    DifferenceLoss(std::size_t n, const Psi& of, double share) : psi(n, of), share_(share) {}

  private:
    double share_;
};

// The variation of information, in nats: psi = x log x.
struct InformationLoss : DifferenceLoss {
    explicit InformationLoss(std::size_t n)
        : DifferenceLoss(
              n, [](double x) { return x > 1.0 ? x * std::log(x) : 0.0; },
              1.0 / static_cast<double>(n)) {}
};

// The share of pairs of objects on which the clusterings differ: psi = x (x - 1) / 2.
struct PairLoss : DifferenceLoss {
    explicit PairLoss(std::size_t n) : DifferenceLoss(n, count_pairs, share_of_a_pair(n)) {}
};

// One minus the adjusted Rand index: psi = x (x - 1) / 2. Zero over zero counts as agreement.
class AdjustedLoss {
  public:
    explicit AdjustedLoss(std::size_t n) : psi(n, count_pairs), share_(share_of_a_pair(n)) {}

    double operator()(double a, double b, double s) const {
        const double mean = 0.5 * (a + b), by_chance = share_ * a * b;
        return mean > by_chance ? (mean - s) / (mean - by_chance) : 0.0;
    }

    const PsiList psi;

  private:
    double share_;
};

}  // namespace sfumato::draws
