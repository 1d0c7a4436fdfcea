// Both ends between two rough clusterings for many instances that share their types: the smallest
// (Near) and the largest (Far)
//     G = sum psi(R) + sum psi(C) - 2 sum psi(N) over the compatible tables.
//
// Cost: that of one search per instance; instances are shared among threads.
#pragma once

#include <algorithm>
#include <numeric>
#include <type_traits>
#include <utility>

#include "ends/both_rough/far.hpp"
#include "ends/both_rough/near.hpp"
#include "ends/both_rough/problem.hpp"
#include "ends/found_end.hpp"
#include "limits.hpp"
#include "psi/for_both_rough.hpp"
#include "share_work.hpp"
#include "spans.hpp"

namespace sfumato::both_rough {

// Both ends of Rand between two clusters and two clusters have a closed form,
//     G = sum R^2 + sum C^2 - 2 sum N^2 = 2 a (n - a), where a = N_11 + N_22.
// Gain over the searches: 5 times at the near end; at the far end 0.5 us instead of 13 ms (150
// objects).
//
// A set of several cells has one on the diagonal and one off it. So a takes every value from the
// objects that are certain to be on the diagonal up to these and all open ones. Puts `on_diagonal`
// open objects there.
inline FoundEnd<double> two_by_two(const Problem& problem, std::int64_t on_diagonal) {
    constexpr Cells diagonal = 0b1001;
    std::vector<std::int64_t> table = problem.certain;
    std::int64_t left = on_diagonal;
    for (std::size_t t = 0; t < problem.n_types(); ++t) {
        const std::int64_t inside = std::min(left, problem.counts[t]);
        table[first(problem.sets[t] & diagonal)] += inside;
        table[first(problem.sets[t] & ~diagonal)] += problem.counts[t] - inside;
        left -= inside;
    }
    const std::int64_t a = table[0] + table[3];
    const auto value = static_cast<double>(2 * a * (problem.n_objects - a));
    return {std::move(table), value, value};
}

inline std::int64_t n_open(const Problem& problem) {
    return std::accumulate(problem.counts.begin(), problem.counts.end(), std::int64_t{0});
}

// The largest G: a as near to n / 2 as possible.
inline FoundEnd<double> far_two_by_two(const Problem& problem) {
    const std::int64_t least = problem.certain[0] + problem.certain[3];
    return two_by_two(problem,
                      std::clamp(problem.n_objects / 2 - least, std::int64_t{0}, n_open(problem)));
}

// The smallest G: all open objects on the diagonal or none, because G is concave in a.
inline FoundEnd<double> near_two_by_two(const Problem& problem) {
    FoundEnd<double> none = two_by_two(problem, 0), all = two_by_two(problem, n_open(problem));
    return all.value < none.value ? all : none;
}

// One end: the search for it, and the formula for two clusters on both sides in whole numbers.
template <template <class> class Search, FoundEnd<double> two_by_two(const Problem&)>
struct End {
    template <class Psi>
    static FoundEnd<double> solve(const Psi& psi, const Problem& problem, const Limits& limits) {
        if constexpr (std::is_same_v<Psi, WeightedSquare>) {
            if (psi.weight() == 1.0) return solve(ExactSquare(problem.n_objects), problem, limits);
        }
        if constexpr (std::is_same_v<Psi, ExactSquare>) {
            const Shape shape = problem.shape;
            if (shape.n_rows == 2 && shape.n_columns == 2) return two_by_two(problem);
        }
        return Search<Psi>(psi, problem).run(limits);
    }
};
using Far = End<FarSearch, far_two_by_two>;
using Near = End<NearSearch, near_two_by_two>;

// psi_of(i): the psi of instance i. counts: by instance and type. A result depends on the counts
// and the psi of its instance only, not on the threads.
template <class End, class PsiOf>
auto solve_batch(Sets row_sets, Sets column_sets, const IntGrid& counts, Shape shape,
                 const Limits& limits, std::size_t n_threads, const PsiOf& psi_of) {
    const std::vector<Cells> sets = rectangles(shape, row_sets, column_sets);
    FoundEnds<double> found(counts.shape[0], shape.n_cells());
    share_work(
        counts.shape[0], n_threads,
        [&](std::size_t i) {
            const Problem problem(shape, sets, counts[i]);
            const auto& psi = psi_of(i);
            found.set(i, End::solve(psi, problem, limits));
        },
        limits.stop);
    return std::move(found).in_shape(shape.n_rows, shape.n_columns);
}

// One psi for all instances, made for the largest one.
template <class End>
auto xlogx_ends(Sets row_sets, Sets column_sets, const IntGrid& counts, std::size_t n_rows,
                std::size_t n_columns, std::int64_t max_nodes, std::size_t threads,
                double max_seconds, Flag stop) {
    const XLogX psi(largest_total(counts.values, counts.shape[1]));
    return solve_batch<End>(row_sets, column_sets, counts, {n_rows, n_columns},
                            {max_nodes, max_seconds, stop.data()}, threads,
                            [&](std::size_t) -> const XLogX& { return psi; });
}

// G = w (sum R^2 + sum C^2) - 2 sum N^2 with a weight 0 <= w <= 1 of its own for each instance.
template <class End>
auto weighted_ends(Sets row_sets, Sets column_sets, const IntGrid& counts, Floats weights,
                   std::size_t n_rows, std::size_t n_columns, std::int64_t max_nodes,
                   std::size_t threads, double max_seconds, Flag stop) {
    return solve_batch<End>(row_sets, column_sets, counts, {n_rows, n_columns},
                            {max_nodes, max_seconds, stop.data()}, threads,
                            [&](std::size_t i) { return WeightedSquare(weights[i]); });
}

}  // namespace sfumato::both_rough
