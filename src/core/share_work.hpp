// A loop on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "spans.hpp"

namespace sfumato {

// Runs action(0), ..., action(size - 1). Each thread takes the next number until none is left. An
// exception ends the loop and is thrown again by this function; `stop`, if given, is set to 1, so
// that the other threads may end early.
template <class Action>
void share_work(std::size_t size, std::size_t n_threads, const Action& action,
                std::uint8_t* stop = nullptr) {
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
            if (stop != nullptr) std::atomic_ref(*stop).store(1);
        }
    };
    std::vector<std::thread> others;
    for (std::size_t t = 1; t < std::min(n_threads, size); ++t) others.emplace_back(work);
    work();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace sfumato
