// Losses between two clusterings that are functions of three sums,
//     A = sum psi(R), B = sum psi(C), S = sum psi(N),
// over the rows, the columns and the cells of their table.
//
// Cost: O(1) each, after O(n) for the list of psi.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

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

// The variation of information, in nats: psi = x log x.
class InformationLoss {
  public:
    explicit InformationLoss(std::size_t n)
        : psi(n, [](double x) { return x > 1.0 ? x * std::log(x) : 0.0; }),
          share_(1.0 / static_cast<double>(n)) {}

    double operator()(double a, double b, double s) const { return share_ * (a + b - 2.0 * s); }

    const PsiList psi;

  private:
    double share_;
};

// The share of pairs of objects on which the clusterings differ: psi = x (x - 1) / 2.
class PairLoss {
  public:
    explicit PairLoss(std::size_t n)
        : psi(n, count_pairs), share_(n > 1 ? 1.0 / count_pairs(static_cast<double>(n)) : 0.0) {}

    double operator()(double a, double b, double s) const { return share_ * (a + b - 2.0 * s); }

    const PsiList psi;

  private:
    double share_;
};

// One minus the adjusted Rand index: psi = x (x - 1) / 2. Zero over zero counts as agreement.
class AdjustedLoss {
  public:
    explicit AdjustedLoss(std::size_t n)
        : psi(n, count_pairs), share_(n > 1 ? 1.0 / count_pairs(static_cast<double>(n)) : 0.0) {}

    double operator()(double a, double b, double s) const {
        const double mean = 0.5 * (a + b), by_chance = share_ * a * b;
        return mean > by_chance ? (mean - s) / (mean - by_chance) : 0.0;
    }

    const PsiList psi;

  private:
    double share_;
};

}  // namespace sfumato::draws
