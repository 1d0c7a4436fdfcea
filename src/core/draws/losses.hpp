// Losses between two clusterings that are functions of three sums,
//     A = sum psi(R), B = sum psi(C), S = sum psi(N),
// over the rows, the columns and the cells of their table; and such losses against draws.
//
// Cost: O(1) each, after O(n) for the list of psi; O(n + k l) for a clustering and a draw.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "draws/draw_list.hpp"
#include "interrupt.hpp"
#include "share_work.hpp"
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

using Clustering = std::span<const std::int32_t>;  // the cluster of each object

inline std::size_t clusters_of(Clustering codes) {
    return static_cast<std::size_t>(std::ranges::max(codes)) + 1;
}

// Sum of psi over the sizes of the clusters.
template <class Loss>
double sum_of_sizes(const Loss& loss, Clustering codes) {
    std::vector<std::size_t> sizes(clusters_of(codes));
    for (const std::int32_t code : codes) ++sizes[static_cast<std::size_t>(code)];
    double sum = 0.0;
    for (const std::size_t size : sizes) sum += loss.psi(size);
    return sum;
}

// What a comparison with every draw needs of it, found once.
template <class Loss>
struct Margins {
    Margins(const Loss& loss, const Codes& draws) {
        for (std::size_t draw = 0; draw < draws.shape[0]; ++draw) {
            clusters.push_back(clusters_of(draws[draw]));
            sums.push_back(sum_of_sizes(loss, draws[draw]));
        }
    }

    std::vector<std::size_t> clusters;
    std::vector<double> sums;
};

// The loss of one clustering against a draw.
template <class Loss>
class LossTo {
  public:
    LossTo(const Loss& loss, const Codes& draws, const Margins<Loss>& margins, Clustering center)
        : loss_(loss),
          draws_(draws),
          margins_(margins),
          center_(center),
          k_(clusters_of(center)),
          sum_(sum_of_sizes(loss, center)) {}

    double operator()(std::size_t draw) {
        const std::size_t l = margins_.clusters[draw], cells = k_ * l;
        // Two tables, filled in turn: an object need not wait for the count of the one before.
        counts_.assign(2 * cells, 0);
        const Clustering codes = draws_[draw];
        for (std::size_t x = 0; x < codes.size(); ++x) {
            ++counts_[(x & 1) * cells + static_cast<std::size_t>(center_[x]) * l +
                      static_cast<std::size_t>(codes[x])];
        }
        double sum = 0.0;
        for (std::size_t cell = 0; cell < cells; ++cell) {
            sum += loss_.psi(static_cast<std::size_t>(counts_[cell] + counts_[cells + cell]));
        }
        return loss_(sum_, margins_.sums[draw], sum);
    }

  private:
    const Loss& loss_;
    const Codes& draws_;
    const Margins<Loss>& margins_;
    Clustering center_;
    std::size_t k_;
    double sum_;
    std::vector<std::int32_t> counts_;
};

// Losses of one clustering against each of the draws.
template <class Loss>
std::vector<double> losses(const Codes& draws, Clustering center) {
    const Loss loss(center.size());
    const Margins<Loss> margins(loss, draws);
    LossTo<Loss> to(loss, draws, margins, center);
    std::vector<double> found(draws.shape[0]);
    for (std::size_t draw = 0; draw < found.size(); ++draw) found[draw] = to(draw);
    return found;
}

// Mean losses over the draws of some of them; infinite if they are above a limit, which ends a sum
// early because no loss is negative.
template <class Loss>
std::vector<double> mean_losses(const Codes& draws, Floats weights, Ints candidates, double limit,
                                std::size_t n_threads) {
    const Loss loss(draws.shape[1]);
    const Margins<Loss> margins(loss, draws);
    std::vector<double> found(candidates.size());
    share_work(found.size(), n_threads, [&](std::size_t at) {
        LossTo<Loss> to(loss, draws, margins, draws[static_cast<std::size_t>(candidates[at])]);
        double sum = 0.0;
        for (std::size_t draw = 0; draw < weights.size() && sum <= limit; ++draw) {
            if (draw % 64 == 0) allow_interrupt();
            sum += weights[draw] * to(draw);
        }
        found[at] = sum > limit ? std::numeric_limits<double>::infinity() : sum;
    });
    return found;
}

}  // namespace sfumato::draws
