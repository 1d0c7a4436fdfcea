// Both ends against a hard truth for many instances that share their types: the smallest (Near)
// and the largest (Far) value of
//     kappa sum_i psi(R_i) - 2 sum_ij psi(N_ij) over the compatible tables.
// An instance has its own counts of types and its own weight kappa.
//
// Cost: O(t + l k 2^k) per instance, and its search.
#pragma once

#include <cmath>
#include <type_traits>

#include "ends/found_end.hpp"
#include "ends/hard_truth/far.hpp"
#include "ends/hard_truth/far_by_order.hpp"
#include "ends/hard_truth/found.hpp"
#include "ends/hard_truth/near.hpp"
#include "ends/hard_truth/near_heavy_rows.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "ends/hard_truth/two_classes.hpp"
#include "limits.hpp"
#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

struct Batch {
    std::span<const std::uint32_t> row_sets;  // by type
    Ints classes;                             // by type
    std::span<const Count> counts;            // by instance and type
    Floats weights;                           // by instance
    int n_rows;
    std::size_t n_columns;
    Limits limits;
};

// The largest value, by the method that suits the instance. Squares are searched in two ways, with
// a quarter of the nodes each, but at least some; then the one that has the sharper bound goes on.
template <class Psi, int K>
class Far {
  public:
    using Number = typename Psi::Number;
    Far(const Psi& psi, int k)
        : best_(psi, k), search_(psi, k), by_order_(psi, k), two_classes_(k) {}

    Found<Number> solve(const Ranks& ranks, Number weight, const Limits& limits) {
        if constexpr (std::is_same_v<Psi, ExactSquare>) {
            if (weight == 1 && ranks.n_columns() == 2) return two_classes_.solve(ranks);
        }
        best_.start(ranks, weight);
        search_.start(ranks, weight, best_);
        if constexpr (is_square && K > few_rows) {
            Limits part = limits;
            part.max_nodes = std::max(limits.max_nodes / 4, std::min(limits.max_nodes, few_nodes));
            search_.advance(part);
            if (!search_.is_closed() && weight > 0 && !limits.is_late()) {
                by_order_.start(ranks, weight, best_);
                by_order_.advance(part);
                if (by_order_.bound() < search_.bound()) {
                    part.max_nodes = limits.max_nodes - part.max_nodes;
                    by_order_.advance(part);
                } else {
                    search_.advance(limits);
                }
                return found(std::min(by_order_.bound(), search_.bound()));
            }
        }
        search_.advance(limits);
        return found(search_.bound());
    }

  private:
    static constexpr bool is_square = !std::is_same_v<Psi, XLogX>;
    static constexpr std::int64_t few_nodes = 200;  // small searches close with them

    Found<Number> found(Number bound) const { return {best_.value(), bound, best_.table()}; }

    BestTable<Psi, K> best_;
    FarSearch<Psi, K> search_;
    FarByOrder<Psi, K> by_order_;
    TwoClasses two_classes_;
};

// The smallest value, by the method that suits the instance.
template <class Psi, int K>
class Near {
  public:
    using Number = typename Psi::Number;
    Near(const Psi& psi, int k) : search_(psi, k), heavy_rows_(psi, k) {}

    Found<Number> solve(const Ranks& ranks, Number weight, const Limits& limits) {
        if constexpr (!std::is_same_v<Psi, ExactSquare>) {  // there kappa is at most 2
            if (weight > 2) return heavy_rows_.solve(ranks, weight, limits);
        }
        return search_.solve(ranks, weight, {}, limits);
    }

  private:
    NearSearch<Psi, K> search_;
    NearSearchHeavyRows<Psi, K> heavy_rows_;
};

// The value of a table that is given column by column.
template <class Psi>
double objective(const Psi& psi, typename Psi::Number weight, std::span<const Count> table, int k) {
    typename Psi::Number value = 0;
    const auto rows = static_cast<std::size_t>(k);
    for (std::size_t i = 0; i < rows; ++i) {
        Count sum = 0;
        for (std::size_t at = i; at < table.size(); at += rows) {
            sum += table[at];
            value -= 2 * psi(table[at]);
        }
        value += weight * psi(sum);
    }
    return static_cast<double>(value);
}

// Calls solve_one(instance, ranks, record) for every instance; record(psi, weight, found) stores
// the answer.
template <class SolveOne>
FoundEnds<double> solve_each(const Batch& batch, const SolveOne& solve_one) {
    const auto k = static_cast<std::size_t>(batch.n_rows);
    const std::size_t l = batch.n_columns, size = batch.weights.size();
    const std::size_t n_types = batch.classes.size();
    FoundEnds<double> ends(size, k * l);
    Ranks ranks(batch.row_sets, batch.classes, batch.n_rows, l);
    for (std::size_t instance = 0; instance < size; ++instance) {
        ranks.load(batch.counts.subspan(instance * n_types, n_types));
        solve_one(instance, ranks, [&](const auto& psi, auto weight, const auto& found) {
            const double value = objective(psi, weight, found.table, batch.n_rows);
            ends.values[instance] = value;
            ends.bounds[instance] =
                found.bound == found.value ? value : static_cast<double>(found.bound);
            Count* table = ends.tables.data() + instance * k * l;
            for (std::size_t at = 0; at < found.table.size(); ++at) {
                table[at % k * l + ranks.label(at / k)] = found.table[at];
            }
        });
    }
    return ends;
}

// psi = x^2: in whole numbers if kappa is 0, 1 or 2 and n is not too large, else in floating point.
template <template <class, int> class End, int K>
FoundEnds<double> solve_square(const Batch& batch) {
    End<ExactSquare, K> exact(ExactSquare{}, batch.n_rows);
    End<RealSquare, K> real(RealSquare{}, batch.n_rows);
    return solve_each(batch, [&](std::size_t instance, const Ranks& ranks, const auto& record) {
        const double weight = batch.weights[instance];
        if (weight <= 2.0 && weight == std::floor(weight) &&
            ranks.total() <= ExactSquare::largest_total) {
            const auto whole = static_cast<std::int64_t>(weight);
            record(ExactSquare{}, whole, exact.solve(ranks, whole, batch.limits));
        } else {
            record(RealSquare{}, weight, real.solve(ranks, weight, batch.limits));
        }
    });
}

template <template <class, int> class End, int K>
FoundEnds<double> solve_xlogx(const Batch& batch) {
    const XLogXTable table(largest_total(batch.counts, batch.classes.size()));
    const XLogX psi(table);
    End<XLogX, K> end(psi, batch.n_rows);
    return solve_each(batch, [&](std::size_t instance, const Ranks& ranks, const auto& record) {
        const double weight = batch.weights[instance];
        record(psi, weight, end.solve(ranks, weight, batch.limits));
    });
}

}  // namespace sfumato::hard_truth
