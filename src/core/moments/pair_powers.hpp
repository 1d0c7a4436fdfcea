// F_st = sum over all pairs of objects (x, y) of a_xy^s b_xy^t, for s and t from 0 to 2.
//
// Letters. a_xy, b_xy: probability that x and y share a row, a column. f, g: numbers of features.
// Cost: O(n f g) by features, O(n^2 (k + l)) by pairs.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

#include "interrupt.hpp"
#include "moments/pair_sums.hpp"
#include "spans.hpp"
#include "tables/probability_rows.hpp"

namespace sfumato {

using Powers = std::array<double, 9>;  // F_st at 3 s + t

// Numbers made of a row whose inner products over two rows are 1, a_xy and a_xy^2: the constant 1,
// the p_i, and the products p_i p_h with h <= i, which count twice if h < i. Hard rows have a^2 = a
// and need no products.
template <class Rows>
class Features {
  public:
    explicit Features(const Rows& rows) : rows_(rows), clusters_(rows.width), values_(rows.width) {}

    static constexpr bool has_squares = !std::is_same_v<Rows, HardRows>;
    static constexpr bool is_dense = std::is_same_v<Rows, DenseRows>;

    std::size_t width() const {
        const std::size_t k = rows_.width;
        return 1 + k + (has_squares ? k * (k + 1) / 2 : 0);
    }
    std::size_t n_rows() const { return rows_.size(); }

    // visit(feature, value), the features in increasing order.
    template <class Visit>
    void each(std::size_t x, const Visit& visit) {
        visit(std::size_t{0}, 1.0);
        std::size_t size = 0;
        rows_.each(x, [&](std::size_t i, double p) {
            clusters_[size] = i;
            values_[size++] = p;
            visit(1 + i, p);
        });
        if constexpr (has_squares) {
            for (std::size_t s = 0; s < size; ++s) {
                const std::size_t first = 1 + rows_.width + clusters_[s] * (clusters_[s] + 1) / 2;
                for (std::size_t t = 0; t <= s; ++t) {
                    visit(first + clusters_[t], values_[s] * values_[t]);
                }
            }
        }
    }

  private:
    Rows rows_;
    std::vector<std::size_t> clusters_;
    std::vector<double> values_;
};

// sums[f][g] += sum over x of feature f of a times feature g of b.
template <class A, class B>
void add_features(Features<A>& a, Features<B>& b, std::vector<double>& sums) {
    const std::size_t width = b.width();
    std::vector<double> own(width);
    for (std::size_t x = 0; x < a.n_rows(); ++x) {
        allow_interrupt();
        if constexpr (Features<B>::is_dense) {
            b.each(x, [&](std::size_t g, double v) { own[g] = v; });
            a.each(x, [&](std::size_t f, double u) {
                double* to = sums.data() + f * width;
                for (std::size_t g = 0; g < width; ++g) to[g] += u * own[g];
            });
        } else {
            a.each(x, [&](std::size_t f, double u) {
                double* to = sums.data() + f * width;
                b.each(x, [&](std::size_t g, double v) { to[g] += u * v; });
            });
        }
    }
}

// Eight objects at a time: every sum is read and written once for all of them.
inline void add_features(Features<DenseRows>& a, Features<DenseRows>& b,
                         std::vector<double>& sums) {
    const std::size_t height = a.width(), width = b.width(), n = a.n_rows();
    std::vector<double> u(8 * height), v(8 * width);
    for (std::size_t first = 0; first < n; first += 8) {
        allow_interrupt();
        for (std::size_t row = 0; row < 8; ++row) {
            double *own_u = u.data() + row * height, *own_v = v.data() + row * width;
            if (first + row < n) {
                a.each(first + row, [&](std::size_t f, double value) { own_u[f] = value; });
                b.each(first + row, [&](std::size_t g, double value) { own_v[g] = value; });
            } else {
                std::fill_n(own_u, height, 0.0);
            }
        }
        add_eight(u.data(), height, v.data(), width, sums.data());
    }
}

// Sums over objects of products of a feature of a and one of b: f g numbers, row by row. They add
// up over chunks of objects, and their squares add up to F.
template <class A, class B>
NewGrid<double> feature_sums(const A& a, const B& b) {
    Features<A> of_a(a);
    Features<B> of_b(b);
    NewGrid<double> sums{std::vector<double>(of_a.width() * of_b.width()),
                         {of_a.width(), of_b.width()}};
    add_features(of_a, of_b, sums.values);
    return sums;
}

// By the pairs themselves. Takes memory for k + l numbers.
template <class A, class B>
Powers powers_by_pairs(const A& a, const B& b) {
    Powers found{};
    std::vector<double> p(a.width), q(b.width);
    for (std::size_t x = 0; x < a.size(); ++x) {
        allow_interrupt();
        a.each(x, [&](std::size_t i, double value) { p[i] = value; });
        b.each(x, [&](std::size_t j, double value) { q[j] = value; });
        Powers own{};
        for (std::size_t y = 0; y <= x; ++y) {
            double in_a = 0.0, in_b = 0.0;
            a.each(y, [&](std::size_t i, double value) { in_a += p[i] * value; });
            b.each(y, [&](std::size_t j, double value) { in_b += q[j] * value; });
            const double times = y < x ? 2.0 : 1.0;
            const std::array<double, 3> of_a{times, times * in_a, times * in_a * in_a};
            const std::array<double, 3> of_b{1.0, in_b, in_b * in_b};
            for (std::size_t at = 0; at < 9; ++at) own[at] += of_a[at / 3] * of_b[at % 3];
        }
        for (std::size_t at = 0; at < 9; ++at) found[at] += own[at];
        a.each(x, [&](std::size_t i, double) { p[i] = 0.0; });
        b.each(x, [&](std::size_t j, double) { q[j] = 0.0; });
    }
    return found;
}

}  // namespace sfumato
