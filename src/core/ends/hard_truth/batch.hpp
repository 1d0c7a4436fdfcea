// Both ends against a hard truth for many instances that share their types: the smallest (Near)
// and the largest (Far) value of
//     kappa sum_i psi(R_i) - 2 sum_ij psi(N_ij) over the compatible tables.
// An instance has its own counts of types and its own weight kappa.
//
// Cost: O(t + l k 2^k) per instance, and its search.
#pragma once

#include <array>
#include <cmath>
#include <limits>
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
    bool is_shared;  // whether instances that are alike may share their nodes
    Limits limits;
};

// The largest value, by the method that suits the instance. Squares are searched in two ways, with
// a quarter of the nodes each, but at least some; then the one that has the sharper bound goes on.
// Where few rows are solved together, sharing nodes does more than the second way, of which only
// the first bound is taken.
template <class Psi, int K>
class Far {
  public:
    using Number = typename Psi::Number;
    // The most instances that are solved together. Few rows need few nodes anyway.
    static constexpr std::size_t most_together =
        std::is_same_v<Psi, ExactSquare> && K > few_rows ? 32 : 1;

    Far(const Psi& psi, int k)
        : k_(k),
          best_(most_together, BestTable<Psi, K>(psi, k)),
          search_(psi, k),
          by_order_(psi, k),
          two_classes_(k) {}

    // Calls record(instance, found) for each of the instances, which may be solved together.
    template <class Record>
    void solve(std::span<const Ranks> instances, Number weight, const Limits& limits,
               const Record& record) {
        if constexpr (std::is_same_v<Psi, ExactSquare>) {
            if (weight == 1 && instances[0].n_columns() == 2) {
                for (std::size_t at = 0; at < instances.size(); ++at) {
                    record(at, two_classes_.solve(instances[at]));
                }
                return;
            }
        }
        const std::size_t size = instances.size();
        for (std::size_t at = 0; at < size; ++at) best_[at].start(instances[at], weight);
        search_.start(instances, weight, best_.data());
        Limits all = shared(limits, size);
        std::array<Number, most_together> by_order;
        by_order.fill(std::numeric_limits<Number>::max());
        if constexpr (is_square && K > few_rows) {
            const bool is_searched_twice = k_ >= many_rows || size == 1;
            Limits part = limits, rest = limits;
            if (is_searched_twice) {
                part.max_nodes =
                    std::max(limits.max_nodes / 4, std::min(limits.max_nodes, few_nodes));
                rest.max_nodes -= part.max_nodes;
            }
            search_.advance(shared(part, size));
            for (std::size_t at = 0; at < size; ++at) {
                const Number bound = search_.bound(at);
                if (bound == best_[at].value() || weight <= 0 || limits.is_late()) continue;
                by_order_.start(instances[at], weight, best_[at]);
                if (is_searched_twice) by_order_.advance(part);
                if (is_searched_twice && by_order_.bound() < bound) {
                    by_order_.advance(rest);
                    search_.leave_out(at);
                    all.max_nodes -= rest.max_nodes;
                }
                by_order[at] = by_order_.bound();
            }
        }
        search_.advance(all);
        for (std::size_t at = 0; at < size; ++at) {
            const Number bound = std::min(search_.bound(at), by_order[at]);
            record(at, Found<Number>{best_[at].value(), bound, best_[at].table()});
        }
    }

  private:
    static constexpr bool is_square = !std::is_same_v<Psi, XLogX>;
    static constexpr std::int64_t few_nodes = 200;  // small searches close with them
    static constexpr int many_rows = 7;  // from here on shared instances are searched by order, too
    static constexpr std::int64_t most_nodes_together = 1 << 20;  // some 0.5 kB each

    // The nodes of so many searches, for one of all; not so many that memory runs out.
    static Limits shared(Limits limits, std::size_t n_searches) {
        const auto times = static_cast<std::int64_t>(n_searches);
        const std::int64_t most = std::numeric_limits<std::int64_t>::max() / times;
        const std::int64_t all = times * std::min(limits.max_nodes, most);
        limits.max_nodes = std::min(all, std::max(limits.max_nodes, most_nodes_together));
        return limits;
    }

    int k_;
    std::vector<BestTable<Psi, K>> best_;  // one for each instance
    FarSearch<Psi, K, most_together> search_;
    FarByOrder<Psi, K> by_order_;
    TwoClasses two_classes_;
};

// The smallest value, by the method that suits the instance.
template <class Psi, int K>
class Near {
  public:
    using Number = typename Psi::Number;
    static constexpr std::size_t most_together = 1;

    Near(const Psi& psi, int k) : search_(psi, k), heavy_rows_(psi, k) {}

    template <class Record>
    void solve(std::span<const Ranks> instances, Number weight, const Limits& limits,
               const Record& record) {
        const Ranks& ranks = instances[0];
        if constexpr (!std::is_same_v<Psi, ExactSquare>) {  // there kappa is at most 2
            if (weight > 2) return record(0, heavy_rows_.solve(ranks, weight, limits));
        }
        record(0, search_.solve(ranks, weight, {}, limits));
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

// The bounds of FarSearch for several instances are sums of terms of up to 12 n^2, together.
inline constexpr Count most_objects_together = ExactSquare::largest_total / 2;

// Solves instances one after the other, or those together that follow one another and are like the
// first of them, if these may share their nodes.
// solve(instances, weight, record) calls record(psi, weight, at, found) for each of them.
template <class Solve>
FoundEnds<double> solve_each(const Batch& batch, std::size_t most_together, const Solve& solve) {
    const auto k = static_cast<std::size_t>(batch.n_rows);
    const std::size_t l = batch.n_columns, size = batch.weights.size();
    const std::size_t n_types = batch.classes.size();
    FoundEnds<double> ends(size, k * l);
    if (!batch.is_shared) most_together = 1;
    std::vector<Ranks> ranks(most_together, Ranks(batch.row_sets, batch.classes, batch.n_rows, l));
    for (std::size_t first = 0, n = 0; first < size; first += n) {
        for (n = 0; n < most_together && first + n < size; ++n) {
            ranks[n].load(batch.counts.subspan((first + n) * n_types, n_types));
            if (n == 0) continue;
            const bool has_weight = batch.weights[first + n] == batch.weights[first];
            const bool is_small = ranks[0].total() <= most_objects_together;
            if (!has_weight || !is_small || !ranks[n].is_like(ranks[0])) break;
        }
        const auto record = [&](const auto& psi, auto weight, std::size_t at, const auto& found) {
            const std::size_t instance = first + at;
            const double value = objective(psi, weight, found.table, batch.n_rows);
            ends.values[instance] = value;
            ends.bounds[instance] =
                found.bound == found.value ? value : static_cast<double>(found.bound);
            Count* table = ends.tables.data() + instance * k * l;
            for (std::size_t cell = 0; cell < found.table.size(); ++cell) {
                table[cell % k * l + ranks[at].label(cell / k)] = found.table[cell];
            }
        };
        solve(std::span<const Ranks>(ranks.data(), n), batch.weights[first], record);
    }
    return ends;
}

// psi = x^2: in whole numbers if kappa is 0, 1 or 2 and n is not too large, else in floating point.
template <template <class, int> class End, int K>
FoundEnds<double> solve_square(const Batch& batch) {
    End<ExactSquare, K> exact(ExactSquare{}, batch.n_rows);
    End<RealSquare, K> real(RealSquare{}, batch.n_rows);
    const auto solve = [&](std::span<const Ranks> instances, double weight, const auto& record) {
        if (weight <= 2.0 && weight == std::floor(weight) &&
            instances[0].total() <= ExactSquare::largest_total) {
            const auto whole = static_cast<std::int64_t>(weight);
            exact.solve(instances, whole, batch.limits, [&](std::size_t at, const auto& found) {
                record(ExactSquare{}, whole, at, found);
            });
            return;
        }
        for (std::size_t one = 0; one < instances.size(); ++one) {
            real.solve(
                instances.subspan(one, 1), weight, batch.limits,
                [&](std::size_t, const auto& found) { record(RealSquare{}, weight, one, found); });
        }
    };
    return solve_each(batch, End<ExactSquare, K>::most_together, solve);
}

template <template <class, int> class End, int K>
FoundEnds<double> solve_xlogx(const Batch& batch) {
    const XLogXTable table(largest_total(batch.counts, batch.classes.size()));
    const XLogX psi(table);
    End<XLogX, K> end(psi, batch.n_rows);
    const auto solve = [&](std::span<const Ranks> instances, double weight, const auto& record) {
        end.solve(instances, weight, batch.limits,
                  [&](std::size_t at, const auto& found) { record(psi, weight, at, found); });
    };
    return solve_each(batch, End<XLogX, K>::most_together, solve);
}

}  // namespace sfumato::hard_truth
