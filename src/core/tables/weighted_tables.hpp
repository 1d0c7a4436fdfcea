// A set of tables, each with a weight. Adding a table that is already there merges the two.
//
// Cost: O(cells) per table added, on average.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "hash.hpp"
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
    explicit WeightedTables(std::size_t width) : width_(width), slots_(64, empty) {}

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
        std::size_t slot = mix(hash) & (slots_.size() - 1);
        while (slots_[slot] != empty) {
            const std::size_t at = slots_[slot];
            if (hashes_[at] == hash && std::ranges::equal(this->table(at), table)) {
                weights_[at] = plus(weights_[at], weight);
                return at;
            }
            slot = (slot + 1) & (slots_.size() - 1);
        }
        const std::size_t at = size();
        slots_[slot] = at;
        tables_.insert(tables_.end(), table.begin(), table.end());
        weights_.push_back(weight);
        hashes_.push_back(hash);
        if (2 * size() > slots_.size()) grow();
        return at;
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
    static constexpr std::size_t empty = ~std::size_t{0};

    void grow() {
        slots_.assign(2 * slots_.size(), empty);
        for (std::size_t at = 0; at < size(); ++at) {
            std::size_t slot = mix(hashes_[at]) & (slots_.size() - 1);
            while (slots_[slot] != empty) slot = (slot + 1) & (slots_.size() - 1);
            slots_[slot] = at;
        }
    }

    std::size_t width_;
    std::vector<std::size_t> slots_;
    std::vector<std::int32_t> tables_;
    std::vector<double> weights_;
    std::vector<std::uint64_t> hashes_;
};

}  // namespace sfumato
