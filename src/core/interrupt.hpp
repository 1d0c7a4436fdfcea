// Lets the user end a long search with Ctrl-C, and a limit of time end work that knows of none.
//
// The binding sets `poll`. A search calls allow_interrupt() at every node; a call costs one load
// of an atomic pointer, and what `poll` does.
#pragma once

#include <atomic>
#include <exception>

namespace sfumato {

struct OutOfTime : std::exception {
    const char* what() const noexcept override { return "out of time"; }
};

using Poll = void (*)();  // returns, or throws to end the search

inline std::atomic<Poll> poll{nullptr};

// Called at every node of a search.
inline void allow_interrupt() {
    if (const Poll call = poll.load(std::memory_order_relaxed)) call();
}

}  // namespace sfumato
