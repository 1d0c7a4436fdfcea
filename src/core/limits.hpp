// When a search must stop: after so many nodes, at a time, or when it is told to.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace sfumato {

struct Limits {
    using Clock = std::chrono::steady_clock;

    std::int64_t max_nodes;
    Clock::time_point end = Clock::time_point::max();
    std::uint8_t* stop = nullptr;  // another thread writes 1 there to end the search

    // max_seconds: from now on; may be infinite.
    Limits(std::int64_t nodes, double max_seconds, std::uint8_t* flag)
        : max_nodes(nodes), stop(flag) {
        constexpr double longest = 1e8;
        if (max_seconds < longest) {
            const std::chrono::duration<double> left(std::max(0.0, max_seconds));
            end = Clock::now() + std::chrono::duration_cast<Clock::duration>(left);
        }
    }

    bool is_late() const {
        if (stop != nullptr && std::atomic_ref(*stop).load(std::memory_order_relaxed) != 0) {
            return true;
        }
        return end != Clock::time_point::max() && Clock::now() >= end;
    }

    bool reached(std::int64_t n_nodes) const { return n_nodes >= max_nodes || is_late(); }
};

}  // namespace sfumato
