// The columns that the objects of one class can make, each with its least cost:
//     cost(column) = min over all ways to put the objects into rows, of the sum of their costs.
//
// Letters. The key of a column is the sum of the keys of the rows that its objects take.
// Cost: O(columns kept * rows) per object.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "interrupt.hpp"

namespace sfumato {

// Columns by key, cheapest first.
struct ColumnCosts {
    std::vector<std::int64_t> keys;
    std::vector<double> costs;
    double least_dropped = std::numeric_limits<double>::infinity();  // least cost left out
};

// The least cost of each key, in a hash table; a place of infinite cost is empty.
class LeastCosts {
  public:
    void add(std::int64_t key, double cost) {
        Place& place = find(key);
        if (place.cost == empty_cost) {
            place = {cost, key};
            if (2 * ++size_ > places_.size()) grow();
        } else if (cost < place.cost) {
            place.cost = cost;
        }
    }

    // The `most` cheapest.
    ColumnCosts take(std::size_t most) {
        std::erase_if(places_, [](const Place& place) { return place.cost == empty_cost; });
        std::ranges::sort(places_);
        ColumnCosts list;
        if (places_.size() > most) {
            list.least_dropped = places_[most].cost;
            places_.resize(most);
        }
        for (const auto& [cost, key] : places_) {
            list.keys.push_back(key);
            list.costs.push_back(cost);
        }
        return list;
    }

  private:
    static constexpr double empty_cost = std::numeric_limits<double>::infinity();
    struct Place {
        double cost = empty_cost;
        std::int64_t key = 0;
        auto operator<=>(const Place&) const = default;
    };

    Place& find(std::int64_t key) {
        std::size_t at = mix(static_cast<std::uint64_t>(key)) & (places_.size() - 1);
        while (places_[at].cost != empty_cost && places_[at].key != key) {
            at = (at + 1) & (places_.size() - 1);
        }
        return places_[at];
    }

    void grow() {
        const std::vector<Place> old =
            std::exchange(places_, std::vector<Place>(2 * places_.size()));
        for (const Place& place : old) {
            if (place.cost != empty_cost) find(place.key) = place;
        }
    }

    std::vector<Place> places_ = std::vector<Place>(64);
    std::size_t size_ = 0;
};

// Object x takes row i at cost costs[x * width + i]. Columns that cost `limit` or more are left
// out, and the dearest if there are more than `max_columns`.
inline ColumnCosts class_columns(std::span<const double> costs, std::span<const std::int64_t> keys,
                                 double limit, std::size_t max_columns) {
    ColumnCosts columns;
    columns.keys = {0};
    columns.costs = {0.0};
    double least_dropped = std::numeric_limits<double>::infinity();
    const std::size_t width = keys.size();
    for (std::size_t first = 0; first < costs.size(); first += width) {
        allow_interrupt();
        LeastCosts next;
        for (std::size_t column = 0; column < columns.keys.size(); ++column) {
            for (std::size_t i = 0; i < width; ++i) {
                const double cost = columns.costs[column] + costs[first + i];
                if (cost < limit) {
                    next.add(columns.keys[column] + keys[i], cost);
                } else {
                    least_dropped = std::min(least_dropped, cost);
                }
            }
        }
        columns = next.take(max_columns);
        least_dropped = std::min(least_dropped, columns.least_dropped);
    }
    columns.least_dropped = least_dropped;
    return columns;
}

}  // namespace sfumato
