// A node of the search for the near end: some columns are placed, and every other column has a
// list of the vertices that may still be in a better table.
//
// Letters. vertex: its place in the list of its column. q: its place among those still alive.
// Cost: O(k) per vertex in the lists.
#pragma once

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "psi/for_hard_truth.hpp"
#include "spans.hpp"

namespace sfumato::hard_truth {

// Vertices of a column with their own costs.
template <class Number, int K>
struct VertexList {
    std::vector<PerRow<Count, K>> vertices;
    std::vector<Number> own;
};

template <class Number, int K>
struct SearchNode {
    using Vertex = std::uint32_t;  // its place in the list
    using Lists = std::vector<VertexList<Number, K>>;

    std::vector<std::size_t> columns;          // those not placed
    std::vector<std::vector<Vertex>> alive;    // by column
    std::vector<std::vector<Number>> reduced;  // what each of these costs above the cheapest one
    PerRow<Count, K> rows;                     // row sums of the placed columns
    Number cost;                               // own costs of the placed columns
    PerRow<double, K> centre;                  // where the lines touch psi

    void keep_all(std::size_t column, std::size_t size) {
        if (alive.size() <= column) alive.resize(column + 1);
        alive[column].resize(size);
        std::iota(alive[column].begin(), alive[column].end(), Vertex{0});
    }

    // True if at most `limit` combinations are left, or one column.
    bool is_small(std::size_t limit) const {
        if (columns.size() == 1) return true;
        std::size_t product = 1;
        for (const std::size_t j : columns) {
            product *= alive[j].size();
            if (product > limit) return false;
        }
        return true;
    }

    // Drops the vertices that cost at least `gap` more than the cheapest one of their column. False
    // if a column has none left.
    bool filter(const Lists& lists, const PerRow<Number, K>& slopes, int k, Number gap) {
        reduced.resize(alive.size());
        for (const std::size_t j : columns) {
            auto& costs = reduced[j];
            costs.clear();
            for (const Vertex a : alive[j]) {
                Number cost = lists[j].own[a];
                for (int i = 0; i < k; ++i) {
                    cost += slopes[i] * static_cast<Number>(lists[j].vertices[a][i]);
                }
                costs.push_back(cost);
            }
            const Number least = *std::min_element(costs.begin(), costs.end());
            std::size_t kept = 0;
            for (std::size_t q = 0; q < costs.size(); ++q) {
                if (costs[q] - least >= gap) continue;
                alive[j][kept] = alive[j][q];
                costs[kept++] = costs[q] - least;
            }
            alive[j].resize(kept);
            costs.resize(kept);
            if (kept == 0) return false;
        }
        return true;
    }

    std::size_t column_with_fewest() const {
        return *std::min_element(columns.begin(), columns.end(), [&](std::size_t a, std::size_t b) {
            return alive[a].size() < alive[b].size();
        });
    }

    // Sorts the vertices of a column, the cheapest first.
    void sort(std::size_t column) {
        std::vector<std::pair<Number, Vertex>> order;
        for (std::size_t q = 0; q < alive[column].size(); ++q) {
            order.emplace_back(reduced[column][q], alive[column][q]);
        }
        std::sort(order.begin(), order.end());
        for (std::size_t q = 0; q < order.size(); ++q) {
            std::tie(reduced[column][q], alive[column][q]) = order[q];
        }
    }

    // Makes the node below this one, in which vertex q of a column is placed.
    void place(std::size_t column, std::size_t q, const Lists& lists, int k,
               SearchNode& below) const {
        const VertexList<Number, K>& list = lists[column];
        below.columns.clear();
        below.alive.resize(alive.size());
        for (const std::size_t j : columns) {
            if (j == column) continue;
            below.columns.push_back(j);
            below.alive[j] = alive[j];
        }
        const Vertex vertex = alive[column][q];
        for (int i = 0; i < k; ++i) below.rows[i] = rows[i] + list.vertices[vertex][i];
        below.cost = cost + list.own[vertex];
        below.centre = centre;
    }
};

}  // namespace sfumato::hard_truth
