// How often each pair of integers occurs, where they span few numbers.
//
// Cost: O(n + number of pairs).
#pragma once

#include <algorithm>
#include <utility>

#include "spans.hpp"

namespace sfumato {

struct PairTally {
    std::int64_t lowest_a = 0, lowest_b = 0;
    NewGrid<std::int64_t> counts{};  // from the lowest to the highest; empty: too many pairs
};

template <class T>
std::pair<std::int64_t, std::uint64_t> span_of(std::span<const T> values) {
    T low = values[0], high = values[0];
    for (const T value : values) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    return {static_cast<std::int64_t>(low),
            static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low)};
}

// Neighbours go to four tallies in turn: equal pairs would wait for each other.
template <class A, class B>
PairTally tally_pairs(std::span<const A> a, std::span<const B> b, std::size_t most) {
    PairTally found;
    if (a.empty()) return found;
    const auto [low_a, wide_a] = span_of(a);
    const auto [low_b, wide_b] = span_of(b);
    if (wide_a >= most || wide_b >= most || (wide_a + 1) * (wide_b + 1) > most) return found;
    found.lowest_a = low_a;
    found.lowest_b = low_b;
    const std::size_t n_b = wide_b + 1, size = (wide_a + 1) * n_b;
    std::vector<std::int64_t> counts(size);
    std::vector<std::uint32_t> parts(4 * size);
    const auto first_a = static_cast<A>(low_a);
    const auto first_b = static_cast<B>(low_b);
    constexpr std::size_t at_once = std::size_t{1} << 31;  // no part overflows
    for (std::size_t start = 0; start < a.size(); start += at_once) {
        const std::size_t end = std::min(a.size(), start + at_once);
        std::ranges::fill(parts, 0);
        const auto add = [&](std::size_t x, std::size_t part) {
            const auto row = static_cast<std::size_t>(a[x] - first_a);
            ++parts[part * size + row * n_b + static_cast<std::size_t>(b[x] - first_b)];
        };
        std::size_t x = start;
        for (; x + 4 <= end; x += 4) {
            add(x, 0);
            add(x + 1, 1);
            add(x + 2, 2);
            add(x + 3, 3);
        }
        for (; x < end; ++x) add(x, 0);
        for (std::size_t at = 0; at < 4 * size; ++at) counts[at % size] += parts[at];
    }
    found.counts = {std::move(counts), {wide_a + 1, n_b}};
    return found;
}

}  // namespace sfumato
