// All tables that the choices can make, each once, with its weight.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "choices.hpp"
#include "likely.hpp"
#include "weighted_tables.hpp"

namespace sfumato {

// Every way to share out the objects of one type over its options, as tables on the cells of its
// component; place[cell] is the position of a cell there.
template <class Semiring>
class TypeTables {
  public:
    TypeTables(const Choices& choices, std::size_t type, std::span<const std::size_t> place,
               std::size_t width)
        : cells_(choices.cells_of(type)),
          place_(place),
          shares_(choices.weights_of(type), choices.counts[type]),
          current_(width, 0),
          tables_(width) {
        share(0, choices.counts[type], 1.0);
    }
    WeightedTables take() { return std::move(tables_); }

  private:
    void share(std::size_t option, std::int64_t left, double weight) {
        std::int32_t& count = current_[place_[static_cast<std::size_t>(cells_[option])]];
        if (option + 1 == cells_.size()) {
            put(option, left, left, weight, count);
            return;
        }
        for (std::int64_t chosen = 0; chosen <= left; ++chosen) {
            put(option, left, chosen, weight, count);
        }
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

    std::span<const std::int64_t> cells_;
    std::span<const std::size_t> place_;
    typename Semiring::Shares shares_;
    std::vector<std::int32_t> current_;
    WeightedTables tables_;
};

// Sums of a table of one set and a table of the other, equal sums merged.
template <class Semiring>
WeightedTables convolve(const WeightedTables& left, const WeightedTables& right) {
    WeightedTables sums(left.width());
    std::vector<std::int32_t> sum(left.width());
    for (std::size_t l = 0; l < left.size(); ++l) {
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

// The tables that one component can make, on its own cells. With a `loss` only those whose counts
// are likely after every type; what was lost is added to `lost`.
template <class Semiring>
WeightedTables merge_component(const Choices& choices, const Component& component,
                               double loss = 0.0, double* lost = nullptr) {
    const std::size_t width = component.cells.size();
    std::vector<std::size_t> place(choices.n_cells, 0);
    for (std::size_t i = 0; i < width; ++i) place[component.cells[i]] = i;
    LikelyCounts likely(choices.n_cells, loss, component);
    std::vector<std::pair<std::int64_t, std::int64_t>> limits(width);
    WeightedTables merged(width);
    bool is_first = true;
    for (const std::size_t type : component.types) {
        WeightedTables own = TypeTables<Semiring>(choices, type, place, width).take();
        merged = is_first ? std::move(own) : convolve<Semiring>(merged, own);
        is_first = false;
        if (loss <= 0.0) continue;
        likely.add(choices, type);
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

// Components vary independently: merge within each, then list every combination.
template <class Semiring>
TableList merge_tables(const Choices& choices, double max_lost = 0.0) {
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
