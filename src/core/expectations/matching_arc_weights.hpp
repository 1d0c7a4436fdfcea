// How likely it is that some matching is better than a given one: Chernoff weights of the arcs of
// its improving cycles. Row i is matched to column i. On a cycle row i takes column j from row j
// for each arc i -> j. For every t > 0
//     E exp(t change of the total) <= product over the arcs of exp(weight[i, j]).
//
// Letters. p_i, q_j: probabilities of row i and column j for an object x. There are k <= l rows and
// columns; columns beyond k have no partner. u = e^t - 1, d = e^-t - 1.
// Cost: O(n k l).
#pragma once

#include <cmath>
#include <utility>

#include "interrupt.hpp"
#include "spans.hpp"

namespace sfumato {

// An object changes the total by -1, 0 or 1. For the arc i -> j let U = q_j (u p_i + d p_j). Then
//     E e^(t change) = prod_x (1 + sum of U over the arcs) <= prod over the arcs of e^weight,
//     weight[i, j] = sum_x log(1 + U)            if U <= 0,
//                  = sum_x log(1 + U / (1 - s))  if U > 0, with s = -d sum_j p_j q_j.
// If the column of an object is certain, the object is part of one arc only and s = 0. The diagonal
// holds the weight of giving up column j without taking another, U = d p_j q_j.
inline NewGrid<double> arc_weights(const FloatGrid& p, const FloatGrid& q, double t) {
    constexpr std::size_t factors_at_once = 16;  // so few factors do not overflow
    const double u = std::expm1(t), d = std::expm1(-t);
    const std::size_t n_objects = p.shape[0], n_rows = p.shape[1], n_columns = q.shape[1];
    std::vector<double> weights(n_rows * n_columns, 0.0), products(n_rows * n_columns, 1.0);
    for (std::size_t x = 0; x < n_objects; ++x) {
        if (x % 1024 == 0) allow_interrupt();
        const Floats own_p = p[x], own_q = q[x];
        double matched = 0.0;
        bool is_certain = false;
        for (std::size_t j = 0; j < n_columns; ++j) {
            if (j < n_rows) matched += own_p[j] * own_q[j];
            is_certain = is_certain || own_q[j] == 1.0;
        }
        const double inflation = is_certain ? 1.0 : 1.0 / (1.0 + d * matched);
        for (std::size_t i = 0; i < n_rows; ++i) {
            for (std::size_t j = 0; j < n_columns; ++j) {
                const double gain = i == j ? 0.0 : u * own_p[i];
                const double change = own_q[j] * (gain + (j < n_rows ? d * own_p[j] : 0.0));
                products[i * n_columns + j] *= 1.0 + (change > 0.0 ? change * inflation : change);
            }
        }
        if (x % factors_at_once + 1 == factors_at_once || x + 1 == n_objects) {
            for (std::size_t arc = 0; arc < products.size(); ++arc) {
                weights[arc] += std::log(products[arc]);
                products[arc] = 1.0;
            }
        }
    }
    return {std::move(weights), {n_rows, n_columns}};
}

}  // namespace sfumato
