// Extremes of G = sum psi(R) + sum psi(C) - 2 sum psi(N) over the tables compatible with two
// rough clusterings, for many instances that share their types.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <numeric>
#include <span>
#include <thread>
#include <type_traits>
#include <vector>

#include "ends/both_rough/far.hpp"
#include "ends/both_rough/near.hpp"
#include "ends/both_rough/problem.hpp"
#include "ends/both_rough/two_by_two.hpp"
#include "psi/for_both_rough.hpp"

namespace sfumato::both_rough {

struct Far {
    template <class Psi>
    static Extreme solve(const Psi& psi, const Problem& problem, std::int64_t max_nodes) {
        if constexpr (std::is_same_v<Psi, WeightedSquare>) {
            if (psi.weight() == 1.0) return solve(Square(problem.n_objects), problem, max_nodes);
        }
        if constexpr (std::is_same_v<Psi, Square>) {
            if (problem.shape.n_rows == 2 && problem.shape.n_columns == 2) {
                return far_two_by_two(problem);
            }
        }
        return FarSearch<Psi>(psi, problem).run(max_nodes);
    }
};

struct Near {
    template <class Psi>
    static Extreme solve(const Psi& psi, const Problem& problem, std::int64_t max_nodes) {
        if constexpr (std::is_same_v<Psi, WeightedSquare>) {
            if (psi.weight() == 1.0) return solve(Square(problem.n_objects), problem, max_nodes);
        }
        if constexpr (std::is_same_v<Psi, Square>) {
            if (problem.shape.n_rows == 2 && problem.shape.n_columns == 2) {
                return near_two_by_two(problem);
            }
        }
        return NearSearch<Psi>(psi, problem).run(max_nodes);
    }
};

struct Batch {
    std::vector<std::int64_t> tables;
    std::vector<double> values, bounds;
};

// Runs action(i) for i < size on several threads, each taking the next that is left.
template <class Action>
void share_work(std::size_t size, std::size_t n_threads, const Action& action) {
    std::atomic<std::size_t> next{0};
    std::exception_ptr failure;
    std::mutex guard;
    const auto work = [&] {
        try {
            for (std::size_t i = next++; i < size; i = next++) action(i);
        } catch (...) {
            const std::lock_guard lock(guard);
            failure = std::current_exception();
            next = size;
        }
    };
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < std::min(n_threads, size); ++t) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

// counts is instances x types, psi_of(i) the psi of an instance. An instance's result depends on
// nothing but its own counts and psi.
template <class End, class PsiOf>
Batch solve_batch(Shape shape, std::span<const Cells> sets, std::span<const std::int64_t> counts,
                  std::size_t size, const PsiOf& psi_of, std::int64_t max_nodes,
                  std::size_t n_threads) {
    const std::size_t n_types = sets.size(), n_cells = shape.n_cells();
    Batch batch{std::vector<std::int64_t>(size * n_cells), std::vector<double>(size),
                std::vector<double>(size)};
    share_work(size, n_threads, [&](std::size_t i) {
        const Problem problem(shape, sets, counts.subspan(i * n_types, n_types));
        const auto& psi = psi_of(i);
        const Extreme extreme = End::solve(psi, problem, max_nodes);
        std::copy(extreme.table.begin(), extreme.table.end(),
                  batch.tables.begin() + static_cast<std::ptrdiff_t>(i * n_cells));
        batch.values[i] = extreme.value;
        batch.bounds[i] = extreme.bound;
    });
    return batch;
}

// One psi for all, made for the largest instance.
template <class End, class Psi>
Batch solve_batch(Shape shape, std::span<const Cells> sets, std::span<const std::int64_t> counts,
                  std::size_t size, std::int64_t max_nodes, std::size_t n_threads) {
    std::int64_t largest = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const auto own = counts.subspan(i * sets.size(), sets.size());
        largest = std::max(largest, std::accumulate(own.begin(), own.end(), std::int64_t{0}));
    }
    const Psi psi(largest);
    const auto psi_of = [&](std::size_t) -> const Psi& { return psi; };
    return solve_batch<End>(shape, sets, counts, size, psi_of, max_nodes, n_threads);
}

// G = w (sum R^2 + sum C^2) - 2 sum N^2 with a weight 0 <= w <= 1 for each instance.
template <class End>
Batch solve_weighted_batch(Shape shape, std::span<const Cells> sets,
                           std::span<const std::int64_t> counts, std::span<const double> weights,
                           std::int64_t max_nodes, std::size_t n_threads) {
    const auto psi_of = [&](std::size_t i) { return WeightedSquare(weights[i]); };
    return solve_batch<End>(shape, sets, counts, weights.size(), psi_of, max_nodes, n_threads);
}

}  // namespace sfumato::both_rough
