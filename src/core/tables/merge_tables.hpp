// All tables that the choices of objects can make, each once, with its weight:
//     weight(N) = plus over all choices that make N, of times over objects, of the chosen weights.
//
// Cost: per type the tables so far times the ways to share out the type (see bound_tables.hpp).
#pragma once

#include <algorithm>
#include <utility>

#include "interrupt.hpp"
#include "spans.hpp"
#include "tables/cell_choices.hpp"
#include "tables/components.hpp"
#include "tables/likely_counts.hpp"
#include "tables/weighted_tables.hpp"

namespace sfumato {

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
    std::vector<std::int32_t> tables;  // (m, n_cells)
    std::vector<double> weights;       // (m,)
    double lost = 0.0;                 // weight that was left out
};

// Components are independent: merge within each, then list all combinations.
template <class Semiring>
TableList merge_tables(const CellChoices& choices, double max_lost = 0.0) {
    TableList all{std::vector<std::int32_t>(choices.n_cells, 0), {1.0}};
    const auto parts = components(choices);
    for (const Component& component : parts) {
        TableList next;
        next.lost = all.lost;
        const WeightedTables merged = merge_component<Semiring>(
            choices, component, max_lost / static_cast<double>(parts.size()), &next.lost);
        next.tables.reserve(all.weights.size() * merged.size() * choices.n_cells);
        next.weights.reserve(all.weights.size() * merged.size());
        for (std::size_t at = 0; at < all.weights.size(); ++at) {
            const auto begin =
                all.tables.begin() + static_cast<std::ptrdiff_t>(at * choices.n_cells);
            allow_interrupt();
            for (std::size_t m = 0; m < merged.size(); ++m) {
                const double weight = Semiring::times(all.weights[at], merged.weight(m));
                if (weight <= 0.0) continue;
                const std::size_t offset = next.tables.size();
                next.tables.insert(next.tables.end(), begin,
                                   begin + static_cast<std::ptrdiff_t>(choices.n_cells));
                for (std::size_t i = 0; i < component.cells.size(); ++i) {
                    next.tables[offset + component.cells[i]] = merged.table(m)[i];
                }
                next.weights.push_back(weight);
            }
        }
        all = std::move(next);
    }
    return all;
}

}  // namespace sfumato
