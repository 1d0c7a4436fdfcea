// A way to end a long search from outside.
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
