// A set of tables, each with a weight. Adding a table that is already there merges the two.
//
// Cost: O(cells) per table added, on average.
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "hash.hpp"
#include "spans.hpp"
#include "tables/likely_counts.hpp"

namespace sfumato {

// Each cell has a random multiplier and the hash of a table is the sum of multiplier * count, so
// the hash of a sum of tables is the sum of their hashes.
inline std::uint64_t cell_multiplier(std::size_t cell) {
    return mix(0x9e3779b97f4a7c15ULL * (cell + 1)) | 1;
}

inline std::uint64_t hash_table(std::span<const std::int32_t> table) {
    std::uint64_t hash = 0;
    for (std::size_t cell = 0; cell < table.size(); ++cell) {
        hash += cell_multiplier(cell) * static_cast<std::uint64_t>(table[cell]);
    }
    return hash;
}

class WeightedTables {
  public:
    explicit WeightedTables(std::size_t width) : width_(width), slots_(64) {}

    std::size_t size() const { return weights_.size(); }
    std::size_t width() const { return width_; }
    double weight(std::size_t at) const { return weights_[at]; }
    double total() const { return std::accumulate(weights_.begin(), weights_.end(), 0.0); }
    std::uint64_t hash(std::size_t at) const { return hashes_[at]; }
    std::span<const std::int32_t> table(std::size_t at) const {
        return {tables_.data() + at * width_, width_};
    }
    std::vector<std::int32_t>& tables() { return tables_; }
    std::vector<double>& weights() { return weights_; }

    // Adds a table and returns its place; plus(old, new) merges the weights of equal tables.
    template <class Plus>
    std::size_t add(std::span<const std::int32_t> table, std::uint64_t hash, double weight,
                    const Plus& plus) {
        const auto fresh = static_cast<std::int64_t>(size());
        const std::int64_t known = slots_.find_or_place(mix(hash), fresh, [&](std::int64_t item) {
            const auto at = static_cast<std::size_t>(item);
            return hashes_[at] == hash && std::ranges::equal(this->table(at), table);
        });
        if (known >= 0) {
            const auto at = static_cast<std::size_t>(known);
            weights_[at] = plus(weights_[at], weight);
            return at;
        }
        tables_.insert(tables_.end(), table.begin(), table.end());
        weights_.push_back(weight);
        hashes_.push_back(hash);
        slots_.grow_for(size(), [&](std::size_t at) { return mix(hashes_[at]); });
        return size() - 1;
    }

    // Drops every table that has a count outside the limits of its cell; returns the weight lost.
    double keep_within(std::span<const CountLimits> limits) {
        double lost = 0.0;
        WeightedTables kept(width_);
        for (std::size_t at = 0; at < size(); ++at) {
            bool is_within = true;
            for (std::size_t i = 0; i < width_; ++i) {
                const std::int32_t count = tables_[at * width_ + i];
                is_within &= limits[i].least <= count && count <= limits[i].most;
            }
            if (is_within) {
                kept.add(table(at), hashes_[at], weights_[at], [](double, double w) { return w; });
            } else {
                lost += weights_[at];
            }
        }
        if (lost > 0.0) *this = std::move(kept);
        return lost;
    }

  private:
    std::size_t width_;
    HashSlots slots_;
    std::vector<std::int32_t> tables_;
    std::vector<double> weights_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace sfumato
