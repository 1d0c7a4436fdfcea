// Both ends between two rough clusterings for many instances that share their types: the smallest
// (Near) and the largest (Far)
//     G = sum psi(R) + sum psi(C) - 2 sum psi(N) over the compatible tables.
//
// Cost: that of one search per instance; instances are shared among threads.
#pragma once

#include <type_traits>

#include "ends/both_rough/far.hpp"
#include "ends/both_rough/near.hpp"
#include "ends/both_rough/problem.hpp"
#include "ends/both_rough/two_by_two.hpp"
#include "ends/found_end.hpp"
#include "limits.hpp"
#include "psi/for_both_rough.hpp"
#include "share_work.hpp"
#include "spans.hpp"

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
FoundEnds<double> solve_batch(Shape shape, std::span<const Cells> sets, Ints counts,
                              std::size_t size, const PsiOf& psi_of, const Limits& limits,
                              std::size_t n_threads) {
    const std::size_t n_types = sets.size();
    FoundEnds<double> found(size, shape.n_cells());
    share_work(
        size, n_threads,
        [&](std::size_t i) {
            const Problem problem(shape, sets, counts.subspan(i * n_types, n_types));
            const auto& psi = psi_of(i);
            found.set(i, End::solve(psi, problem, limits));
        },
        limits.stop);
    return found;
}

}  // namespace sfumato::both_rough
