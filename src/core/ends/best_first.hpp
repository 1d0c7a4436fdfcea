// What best-first searches on boxes share: the heap of open nodes, and how to cut a box.
//
// Cost: O(log nodes) to push or to pop a node.
#pragma once

#include <algorithm>
#include <utility>

#include "spans.hpp"

namespace sfumato {

enum class Ties { oldest, newest };  // which of the nodes with equal bounds comes first

// The open nodes of a search for a largest value. The node with the largest bound comes first.
template <class Number, class Node, Ties ties>
class OpenNodes {
  public:
    void clear() {
        nodes_.clear();
        free_.clear();
        open_.clear();
        n_pushed_ = 0;
    }
    void push(Number bound, Node node) {
        std::size_t at = nodes_.size();
        if (free_.empty()) {
            nodes_.push_back(std::move(node));
        } else {
            at = free_.back();
            free_.pop_back();
            nodes_[at] = std::move(node);
        }
        open_.push_back({bound, n_pushed_++, at});
        std::push_heap(open_.begin(), open_.end());
    }
    // Takes out the first node.
    Node pop() {
        std::pop_heap(open_.begin(), open_.end());
        const std::size_t at = open_.back().node;
        open_.pop_back();
        free_.push_back(at);
        return std::move(nodes_[at]);
    }

    bool is_empty() const { return open_.empty(); }
    Number bound() const { return open_.front().bound; }  // of the first node
    std::size_t n_pushed() const { return n_pushed_; }    // all that ever were open

    // Visits the open nodes, in any order.
    template <class Visit>
    void each(const Visit& visit) const {
        for (const Open& open : open_) visit(nodes_[open.node]);
    }

  private:
    struct Open {
        Number bound;
        std::size_t number;  // among all that were pushed
        std::size_t node;

        bool operator<(const Open& other) const {
            if (bound != other.bound) return bound < other.bound;
            return ties == Ties::newest ? number < other.number : number > other.number;
        }
    };

    std::vector<Node> nodes_;
    std::vector<std::size_t> free_;  // places of nodes that were taken out
    std::vector<Open> open_;         // a heap
    std::size_t n_pushed_ = 0;
};

// Narrows the limits of whole numbers that sum to n. False if there are no such numbers.
inline bool narrow_to_sum(std::span<std::int64_t> lows, std::span<std::int64_t> highs,
                          std::int64_t n) {
    std::int64_t lowest = 0, highest = 0;
    for (std::size_t at = 0; at < lows.size(); ++at) {
        lowest += lows[at];
        highest += highs[at];
    }
    if (lowest > n || highest < n) return false;
    for (std::size_t at = 0; at < lows.size(); ++at) {
        const std::int64_t low = lows[at], high = highs[at];
        lows[at] = std::max(low, n - (highest - high));
        highs[at] = std::min(high, n - (lowest - low));
    }
    return true;
}

// Where to cut a side of a box into [low, point] and [point + 1, high]: at a given number, but at
// least a fifth of the side away from both ends.
inline std::int64_t cut_point(std::int64_t at, std::int64_t low, std::int64_t high) {
    const std::int64_t fifth = (high - low) / 5;
    return std::clamp(at, low + fifth, std::max(low + fifth, high - 1 - fifth));
}

}  // namespace sfumato
