// All tables that the choices of objects can make, each once, with its weight:
//     weight(N) = plus over all choices that make N, of times over objects, of the chosen weights.
//
// Cost: per type the tables so far times the ways to share out the type (see bound_tables.hpp).
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>

#include "hash.hpp"
#include "interrupt.hpp"
#include "spans.hpp"
#include "tables/cell_choices.hpp"
#include "tables/likely_counts.hpp"
#include "tables/semirings.hpp"

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

// Adding a table that is already there merges the two.
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

// All ways to share out the objects of one type over its options, as tables on the cells of its
// component; place[cell] is the position of a cell there. If limits are given, one per option, only
// ways that keep to them.
template <class Semiring>
class TypeTables {
  public:
    TypeTables(const CellChoices& choices, std::size_t type, std::span<const std::size_t> place,
               std::size_t width, std::span<const CountLimits> limits)
        : limits_(limits),
          cells_(choices.cells_of(type)),
          place_(place),
          shares_(choices.weights_of(type), choices.counts[type]),
          current_(width, 0),
          tables_(width) {
        share(0, choices.counts[type], 1.0);
    }
    WeightedTables take() { return std::move(tables_); }

    // Weight of the ways that the limits left out.
    double left_out() const { return left_out_; }

  private:
    void share(std::size_t option, std::int64_t left, double weight) {
        std::int32_t& count = current_[place_[static_cast<std::size_t>(cells_[option])]];
        const bool is_last = option + 1 == cells_.size();
        const std::int64_t fewest = is_last ? left : 0;
        const CountLimits limits = limits_.empty() ? CountLimits{0, left} : limits_[option];
        const std::int64_t first = std::max(fewest, limits.least);
        const std::int64_t last = std::min(left, limits.most);
        for (std::int64_t chosen = first; chosen <= last; ++chosen) {
            put(option, left, chosen, weight, count);
        }
        if (first == fewest && last == left) return;
        double kept = 0.0;
        for (std::int64_t chosen = first; chosen <= last; ++chosen) {
            kept += shares_(option, left, chosen);
        }
        left_out_ += weight * std::max(0.0, 1.0 - kept);
    }

    void put(std::size_t option, std::int64_t left, std::int64_t chosen, double weight,
             std::int32_t& count) {
        const double product = Semiring::times(weight, shares_(option, left, chosen));
        if (product <= 0.0) return;
        count = static_cast<std::int32_t>(chosen);
        if (option + 1 == cells_.size()) {
            tables_.add(current_, hash_table(current_), product, Semiring::plus);
        } else {
            share(option + 1, left - chosen, product);
        }
        count = 0;
    }

    std::span<const CountLimits> limits_;
    double left_out_ = 0.0;
    Ints cells_;
    std::span<const std::size_t> place_;
    typename Semiring::Shares shares_;
    std::vector<std::int32_t> current_;
    WeightedTables tables_;
};

// All sums of a table of one set and a table of the other; equal sums are merged.
template <class Semiring>
WeightedTables convolve(const WeightedTables& left, const WeightedTables& right) {
    WeightedTables sums(left.width());
    std::vector<std::int32_t> sum(left.width());
    for (std::size_t l = 0; l < left.size(); ++l) {
        allow_interrupt();
        const auto first = left.table(l);
        for (std::size_t r = 0; r < right.size(); ++r) {
            const double weight = Semiring::times(left.weight(l), right.weight(r));
            if (weight <= 0.0) continue;
            const auto second = right.table(r);
            for (std::size_t cell = 0; cell < sum.size(); ++cell) {
                sum[cell] = first[cell] + second[cell];
            }
            sums.add(sum, left.hash(l) + right.hash(r), weight, Semiring::plus);
        }
    }
    return sums;
}

// The tables that one component can make, on its own cells. With a `loss` only likely tables are
// kept, after every type; the weight of the others is added to `lost`.
template <class Semiring>
WeightedTables merge_component(const CellChoices& choices, const Component& component,
                               double loss = 0.0, double* lost = nullptr) {
    const std::size_t width = component.cells.size();
    std::vector<std::size_t> place(choices.n_cells, 0);
    for (std::size_t i = 0; i < width; ++i) place[component.cells[i]] = i;
    LikelyCounts likely(choices.n_cells, loss, component);
    std::vector<CountLimits> limits(width);
    WeightedTables merged(width);
    bool is_first = true;
    for (const std::size_t type : component.types) {
        std::vector<CountLimits> own_limits;
        if (loss > 0.0) own_limits = likely.add(choices, type);
        TypeTables<Semiring> own(choices, type, place, width, own_limits);
        if (loss > 0.0) *lost += own.left_out() * (is_first ? 1.0 : merged.total());
        merged = is_first ? own.take() : convolve<Semiring>(merged, own.take());
        is_first = false;
        if (loss <= 0.0) continue;
        for (std::size_t i = 0; i < width; ++i) limits[i] = likely.limits(component.cells[i]);
        *lost += merged.keep_within(limits);
    }
    return merged;
}

struct TableList {
    NewGrid<std::int32_t> tables;  // (m, n_cells)
    std::vector<double> weights;   // (m,)
    double lost = 0.0;             // weight that was left out
};

// Components are independent: merge within each, then list all combinations.
template <class Semiring>
TableList merge_tables(const CellChoices& choices, double max_lost) {
    const std::size_t n_cells = choices.n_cells;
    TableList all{{std::vector<std::int32_t>(n_cells, 0), {1, n_cells}}, {1.0}};
    const auto parts = components(choices);
    for (const Component& component : parts) {
        TableList next{{{}, {0, n_cells}}, {}, all.lost};
        const WeightedTables merged = merge_component<Semiring>(
            choices, component, max_lost / static_cast<double>(parts.size()), &next.lost);
        std::vector<std::int32_t>& tables = next.tables.values;
        tables.reserve(all.weights.size() * merged.size() * n_cells);
        next.weights.reserve(all.weights.size() * merged.size());
        for (std::size_t at = 0; at < all.weights.size(); ++at) {
            const std::int32_t* const first = all.tables.values.data() + at * n_cells;
            allow_interrupt();
            for (std::size_t m = 0; m < merged.size(); ++m) {
                const double weight = Semiring::times(all.weights[at], merged.weight(m));
                if (weight <= 0.0) continue;
                const std::size_t offset = tables.size();
                tables.insert(tables.end(), first, first + n_cells);
                for (std::size_t i = 0; i < component.cells.size(); ++i) {
                    tables[offset + component.cells[i]] = merged.table(m)[i];
                }
                next.weights.push_back(weight);
            }
        }
        next.tables.shape[0] = next.weights.size();
        all = std::move(next);
    }
    return all;
}

// The compatible tables of each of many pairs of rough partitions.
struct ReachableTables {
    NewGrid<std::int32_t> tables;      // (m, n_cells): each once
    std::vector<std::int64_t> starts;  // (f + 1,)
    std::vector<std::int64_t> ids;     // tables of pair f: from starts[f] to starts[f + 1]
};

// All pairs have the same types of objects: counts (f, t) is how many objects of type t there are
// in pair f. The weights are all one.
inline ReachableTables reachable_tables(const IntGrid& counts, Ints starts, Ints cells,
                                        Floats weights, std::size_t n_cells) {
    WeightedTables seen(n_cells);
    ReachableTables reach{{}, {0}, {}};
    for (std::size_t f = 0; f < counts.shape[0]; ++f) {
        allow_interrupt();
        const TableList list =
            merge_tables<MaxNorm<Minimum>>({counts[f], starts, cells, weights, n_cells}, 0.0);
        for (std::size_t at = 0; at < list.weights.size(); ++at) {
            const std::span table(list.tables.values.data() + at * n_cells, n_cells);
            const std::size_t id =
                seen.add(table, hash_table(table), 1.0, [](double old, double) { return old; });
            reach.ids.push_back(static_cast<std::int64_t>(id));
        }
        reach.starts.push_back(static_cast<std::int64_t>(reach.ids.size()));
    }
    reach.tables = {std::move(seen.tables()), {seen.size(), n_cells}};
    return reach;
}

}  // namespace sfumato
