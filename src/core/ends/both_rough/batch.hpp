// Both ends between two rough clusterings for many instances that share their types: the smallest
// (Near) and the largest (Far)
//     G = sum psi(R) + sum psi(C) - 2 sum psi(N) over the compatible tables.
//
// Cost: that of one search per instance; instances are shared among threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <type_traits>
#include <vector>

#include "ends/both_rough/far.hpp"
#include "ends/both_rough/near.hpp"
#include "ends/both_rough/problem.hpp"
#include "ends/both_rough/two_by_two.hpp"
#include "ends/found_end.hpp"
#include "limits.hpp"
#include "psi/for_both_rough.hpp"
#include "share_work.hpp"

namespace sfumato::both_rough {

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

// counts: by instance and type. psi_of(i): the psi of instance i. A result depends on the counts
// and the psi of its instance only, not on the threads.
template <class End, class PsiOf>
FoundEnds<double> solve_batch(Shape shape, std::span<const Cells> sets,
                              std::span<const std::int64_t> counts, std::size_t size,
                              const PsiOf& psi_of, const Limits& limits, std::size_t n_threads) {
    const std::size_t n_types = sets.size(), n_cells = shape.n_cells();
    FoundEnds<double> found(size, n_cells);
    share_work(
        size, n_threads,
        [&](std::size_t i) {
            const Problem problem(shape, sets, counts.subspan(i * n_types, n_types));
            const auto& psi = psi_of(i);
            const FoundEnd<double> end = End::solve(psi, problem, limits);
            std::copy(end.table.begin(), end.table.end(),
                      found.tables.begin() + static_cast<std::ptrdiff_t>(i * n_cells));
            found.values[i] = end.value;
            found.bounds[i] = end.bound;
        },
        limits.stop);
    return found;
}

// One psi for all instances, made for the largest one.
template <class End, class Psi>
FoundEnds<double> solve_batch(Shape shape, std::span<const Cells> sets,
                              std::span<const std::int64_t> counts, std::size_t size,
                              const Limits& limits, std::size_t n_threads) {
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const auto own = counts.subspan(i * sets.size(), sets.size());
        largest = std::max(largest, std::accumulate(own.begin(), own.end(), std::int64_t{0}));
    }
    const Psi psi(largest);
    const auto psi_of = [&](std::size_t) -> const Psi& { return psi; };
    return solve_batch<End>(shape, sets, counts, size, psi_of, limits, n_threads);
}

// G = w (sum R^2 + sum C^2) - 2 sum N^2 with a weight 0 <= w <= 1 of its own for each instance.
template <class End>
FoundEnds<double> solve_weighted_batch(Shape shape, std::span<const Cells> sets,
                                       std::span<const std::int64_t> counts,
                                       std::span<const double> weights, const Limits& limits,
                                       std::size_t n_threads) {
    const auto psi_of = [&](std::size_t i) { return WeightedSquare(weights[i]); };
    return solve_batch<End>(shape, sets, counts, weights.size(), psi_of, limits, n_threads);
}

}  // namespace sfumato::both_rough
