// Lets the user end a long search with Ctrl-C.
//
// The binding sets `poll`. A search calls allow_interrupt() at every node; a call costs one load
// of an atomic pointer, and what `poll` does.
#pragma once

#include <atomic>

namespace sfumato {

using Poll = void (*)();  // returns, or throws to end the search

inline std::atomic<Poll> poll{nullptr};

// Called at every node of a search.
inline void allow_interrupt() {
    if (const Poll call = poll.load(std::memory_order_relaxed)) call();
}

}  // namespace sfumato
