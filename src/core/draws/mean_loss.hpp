// Losses of clusterings against draws.
//
// Cost: O(n + k l) per pair.
#pragma once

#include <algorithm>
#include <limits>

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato::draws {

// The draws, one after the other, and what is known of each.
struct Draws {
    std::span<const std::int32_t> codes;  // (s, n)
    Floats weights;                       // (s,), of sum 1
    std::size_t n;

    std::size_t size() const { return weights.size(); }
    const std::int32_t* of(std::size_t draw) const { return codes.data() + draw * n; }
};

inline std::size_t clusters_of(const std::int32_t* codes, std::size_t n) {
    return static_cast<std::size_t>(*std::max_element(codes, codes + n)) + 1;
}

// Sum of psi over the sizes of the clusters.
template <class Loss>
double sum_of_sizes(const Loss& loss, const std::int32_t* codes, std::size_t n) {
    std::vector<std::size_t> sizes(clusters_of(codes, n));
    for (std::size_t x = 0; x < n; ++x) ++sizes[static_cast<std::size_t>(codes[x])];
    double sum = 0.0;
    for (const std::size_t size : sizes) sum += loss.psi(size);
    return sum;
}

// What a comparison with every draw needs of it, found once.
template <class Loss>
struct Margins {
    Margins(const Loss& loss, const Draws& draws) : clusters(draws.size()), sums(draws.size()) {
        for (std::size_t draw = 0; draw < draws.size(); ++draw) {
            clusters[draw] = clusters_of(draws.of(draw), draws.n);
            sums[draw] = sum_of_sizes(loss, draws.of(draw), draws.n);
        }
    }

    std::vector<std::size_t> clusters;
    std::vector<double> sums;
};

// Losses of one clustering against each of the draws.
template <class Loss>
class LossTo {
  public:
    LossTo(const Loss& loss, const Draws& draws, const Margins<Loss>& margins,
           const std::int32_t* center)
        : loss_(loss),
          draws_(draws),
          margins_(margins),
          center_(center),
          k_(clusters_of(center, draws.n)),
          sum_(sum_of_sizes(loss, center, draws.n)) {}

    double operator()(std::size_t draw) {
        const std::size_t l = margins_.clusters[draw], cells = k_ * l;
        // Two tables, filled in turn: an object need not wait for the count of the one before.
        counts_.assign(2 * cells, 0);
        const std::int32_t* codes = draws_.of(draw);
        for (std::size_t x = 0; x < draws_.n; ++x) {
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
    const Draws& draws_;
    const Margins<Loss>& margins_;
    const std::int32_t* center_;
    std::size_t k_;
    double sum_;
    std::vector<std::int32_t> counts_;
};

// The mean loss of a clustering over the draws; infinite if it is above a limit, which ends the
// sum early because no loss is negative.
template <class Loss>
double mean_loss(const Loss& loss, const Draws& draws, const Margins<Loss>& margins,
                 const std::int32_t* center, double limit) {
    LossTo<Loss> to(loss, draws, margins, center);
    double sum = 0.0;
    for (std::size_t draw = 0; draw < draws.size(); ++draw) {
        if (draw % 64 == 0) allow_interrupt();
        sum += draws.weights[draw] * to(draw);
        if (sum > limit) return std::numeric_limits<double>::infinity();
    }
    return sum;
}

}  // namespace sfumato::draws
