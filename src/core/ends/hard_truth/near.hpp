// The near end against a hard truth: the smallest value of
//     kappa sum_i psi(R_i) - 2 sum_ij psi(N_ij)
// over the compatible tables, for kappa <= 2 (near_heavy_rows.hpp has the other case).
//
// Letters. kappa: weight of the rows. Vertex: a column in which the rows, in some order, take as
// many objects as they can (vertex_paths.hpp). Own cost: the part of the value that depends on
// one column alone.
// Cost: O(l k 2^k) per node while the lists of vertices are short; about max_nodes such nodes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "ends/hard_truth/far.hpp"
#include "ends/hard_truth/ranks.hpp"
#include "ends/hard_truth/search_node.hpp"
#include "ends/hard_truth/vertex_paths.hpp"
#include "interrupt.hpp"
#include "limits.hpp"
#include "psi/for_hard_truth.hpp"

namespace sfumato::hard_truth {

// For kappa <= 2 the value is concave along every exchange of objects within a column, because
// psi'' does not increase and N_ij <= R_i. So some best table consists of vertices.
//
// Bound: psi(R_i) lies above every line that touches it. With lines in place of psi(R_i) the
// columns are independent. A subgradient method looks for the lines with the best bound.
//
// Search: a vertex that costs more than the cheapest one of its column by at least the gap between
// the bound and the best table cannot be in a better table. A depth-first search chooses among the
// other vertices, column by column, with new lines at every node.
//
// A linear term sum_i linear_i R_i may be added to the value.
template <class Psi, int K>
class NearSearch {
  public:
    using Number = typename Psi::Number;
    using Linear = PerRow<Number, K>;

    NearSearch(const Psi& psi, int k) : psi_(psi), k_(k), paths_(k) {}

    Found<Number> solve(const Ranks& ranks, Number weight, const Linear& linear,
                        const Limits& limits) {
        ranks_ = &ranks;
        weight_ = weight;
        linear_ = linear;
        slack_ = psi_.slack(ranks.total());
        limits_ = &limits;
        nodes_left_ = limits.max_nodes;
        has_best_ = false;
        current_.assign(ranks.n_columns() * static_cast<std::size_t>(k()), 0);
        best_.assign(current_.size(), 0);
        if (nodes_.size() <= ranks.n_columns()) nodes_.resize(ranks.n_columns() + 1);
        lists_.resize(std::max(lists_.size(), ranks.n_columns()));
        if (ranks.n_columns() == 0) return {0, 0, best_};

        Node& root = nodes_[0];
        root.rows.fill(0);
        root.cost = 0;
        root.columns.resize(ranks.n_columns());
        std::iota(root.columns.begin(), root.columns.end(), std::size_t{0});
        if constexpr (K == 2 || K == 3) {
            list_all(root);
            if (root.is_small(small_product)) {
                enumerate(root, 0, root.rows, root.cost);
                return {best_value_, best_value_, best_};
            }
        }
        return conclude(search_from_root(root));
    }

  private:
    using Rows = PerRow<Count, K>;
    using Node = SearchNode<Number, K>;
    using Vertex = typename Node::Vertex;
    using List = VertexList<Number, K>;

    static constexpr std::size_t small_product = 512;     // so few combinations are all tried
    static constexpr std::size_t longest_list = 1 << 14;  // vertices of one column
    // The bound of a node below which no table is better than the best.
    static constexpr Number nothing_better = std::numeric_limits<Number>::max();

    int k() const { return K == 0 ? k_ : K; }

    bool is_closed(Number bound) const { return has_best_ && bound >= best_value_ - slack_; }

    Found<Number> conclude(Number bound) const {
        if (is_closed(bound)) return {best_value_, best_value_, best_};
        return {best_value_, bound - Psi::margin(slack_), best_};
    }

    // Own cost of count x in row i.
    Number own(int i, Count x) const { return linear_[i] * static_cast<Number>(x) - 2 * psi_(x); }

    Count* column(std::vector<Count>& table, std::size_t j) const {
        return table.data() + j * static_cast<std::size_t>(k());
    }

    // ---- few combinations

    void list_all(Node& node) {
        for (const std::size_t j : node.columns) {
            List& list = lists_[j];
            list.vertices.clear();
            const Count* f = (*ranks_)[j];
            if constexpr (K == 2) {
                add(list, {f[1], f[3] - f[1]});
                add(list, {f[3] - f[2], f[2]});
            } else if constexpr (K == 3) {
                constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                              {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
                for (const auto& [a, b, c] : orders) {
                    Rows v;
                    const Count two = f[(1 << a) | (1 << b)];
                    v[a] = f[1 << a];
                    v[b] = two - v[a];
                    v[c] = f[7] - two;
                    add(list, v);
                }
            }
            weigh(node, j);
        }
    }

    static void add(List& list, const Rows& v) {
        if (std::find(list.vertices.begin(), list.vertices.end(), v) == list.vertices.end()) {
            list.vertices.push_back(v);
        }
    }

    // Tries all combinations of vertices, from the given free column on.
    void enumerate(const Node& node, std::size_t from, const Rows& rows, Number cost) {
        if (from == node.columns.size()) {
            Number value = cost;
            for (int i = 0; i < k(); ++i) value += weight_ * psi_(rows[i]);
            if (!has_best_ || value < best_value_) {
                has_best_ = true;
                best_value_ = value;
                best_ = current_;
            }
            return;
        }
        const std::size_t j = node.columns[from];
        const List& list = lists_[j];
        for (const Vertex a : node.alive[j]) {
            Rows sums = rows;
            for (int i = 0; i < k(); ++i) sums[i] += list.vertices[a][i];
            std::copy_n(list.vertices[a].begin(), k(), column(current_, j));
            enumerate(node, from + 1, sums, cost + list.own[a]);
        }
    }

    // ---- the search

    // What count x in row i costs besides its own cost: along a line ...
    struct Along {
        const PerRow<Number, K>& slopes;
        Number operator()(int i, Count x) const { return slopes[i] * static_cast<Number>(x); }
    };
    // ... or by psi(R_i) itself, if the other columns have row sums `rest`.
    struct Beside {
        const NearSearch& end;
        const Rows& rest;
        Number operator()(int i, Count x) const {
            return end.weight_ * (end.psi_(rest[i] + x) - end.psi_(rest[i]));
        }
    };

    // Finds the cheapest column for such a cost: among all vertices ...
    struct AllVertices {
        NearSearch& end;
        template <class Extra>
        Number operator()(std::size_t j, const Extra& extra, Rows& v) const {
            const auto cost = [&](int i, Count x) { return extra(i, x) + end.own(i, x); };
            return end.paths_.cheapest((*end.ranks_)[j], cost, v.data());
        }
    };
    // ... or among those that a node has left. If these are many, all vertices take less time.
    struct AliveVertices {
        NearSearch& end;
        const Node& node;
        template <class Extra>
        Number operator()(std::size_t j, const Extra& extra, Rows& v) const {
            if (node.alive[j].size() > end.ranks_->all()) return AllVertices{end}(j, extra, v);
            const List& list = end.lists_[j];
            Number least{};
            const Rows* found = nullptr;
            for (const Vertex a : node.alive[j]) {
                Number cost = list.own[a];
                for (int i = 0; i < end.k(); ++i) cost += extra(i, list.vertices[a][i]);
                if (found == nullptr || cost < least) {
                    least = cost;
                    found = &list.vertices[a];
                }
            }
            v = *found;
            return least;
        }
    };

    Number search_from_root(Node& root) {
        const double even = static_cast<double>(ranks_->total()) / k();
        root.centre.fill(std::max(1.0, even));
        const Number bound = fit_lines(root, 40, AllVertices{*this});
        if (is_closed(bound) || limits_->reached(0) || !list_alive(root, bound)) return bound;
        return search(0, bound);
    }

    // Charges a node to the budget: as one, which stands for O(l k 2^k), or as more if lists are
    // long.
    void charge(const Node& node) {
        std::size_t vertices = 0;
        for (const std::size_t j : node.columns) vertices += node.alive[j].size();
        nodes_left_ -= 1 + static_cast<std::int64_t>((vertices / node.columns.size()) >> k());
    }

    // Searches the tables below a node. Returns a lower bound on them, or nothing_better.
    Number search(std::size_t depth, Number inherited) {
        Node& here = nodes_[depth];
        if (nodes_left_ <= 0) return inherited;
        allow_interrupt();
        if (limits_->is_late()) {
            nodes_left_ = 0;
            return inherited;
        }
        charge(here);
        if (here.is_small(small_product)) {
            enumerate(here, 0, here.rows, here.cost);
            return nothing_better;
        }
        const Number bound = fit_lines(here, 10, AliveVertices{*this, here});
        if (is_closed(std::max(bound, inherited))) return nothing_better;
        PerRow<Line<Number>, K> lines;
        PerRow<Number, K> slopes;
        touch(here.centre, lines, slopes);
        if (!here.filter(lists_, slopes, k(), best_value_ - slack_ - bound)) return nothing_better;

        const std::size_t j = here.column_with_fewest();
        here.sort(j);
        Number least = nothing_better;
        for (std::size_t q = 0; q < here.alive[j].size(); ++q) {
            const Number at_least = std::max(inherited, bound + here.reduced[j][q]);
            if (is_closed(at_least)) break;  // and so are all that follow
            const Rows& v = lists_[j].vertices[here.alive[j][q]];
            std::copy_n(v.begin(), k(), column(current_, j));
            here.place(j, q, lists_, k(), nodes_[depth + 1]);
            least = std::min(least, search(depth + 1, at_least));
        }
        return least;
    }

    // Looks for the lines with the best bound by a subgradient method with Polyak's step length.
    // Tables met on the way are improved and kept if they are the best so far. The best lines are
    // left in node.centre.
    template <class Cheapest>
    Number fit_lines(Node& node, int n_steps, const Cheapest& cheapest) {
        PerRow<double, K> centre = node.centre;
        Number best_bound = std::numeric_limits<Number>::lowest();
        double patience = 1.0;
        trial_ = current_;
        for (int step = 0; step < n_steps; ++step) {
            PerRow<Line<Number>, K> lines;
            PerRow<Number, K> slopes;
            Rows rows = node.rows, v{};
            Number bound = node.cost + touch(centre, lines, slopes);
            for (int i = 0; i < k(); ++i) bound += slopes[i] * static_cast<Number>(rows[i]);
            for (const std::size_t j : node.columns) {
                bound += cheapest(j, Along{slopes}, v);
                std::copy_n(v.begin(), k(), column(trial_, j));
                for (int i = 0; i < k(); ++i) rows[i] += v[i];
            }
            Number value = bound;
            for (int i = 0; i < k(); ++i) value += weight_ * (psi_(rows[i]) - lines[i].at(rows[i]));
            if (step == 0 || value < best_value_) improve(node, rows, value, cheapest);
            if (step == 0 || bound > best_bound) {
                best_bound = bound;
                node.centre = centre;
            } else {
                patience *= 0.7;
            }
            if (is_closed(best_bound)) break;
            double square = 0.0;
            for (int i = 0; i < k(); ++i) {
                const double off = static_cast<double>(rows[i]) - centre[i];
                square += psi_.curvature(centre[i]) * off * off;
            }
            square *= static_cast<double>(weight_);
            if (square < 1e-12) break;
            const double step_length =
                std::min(1.0, patience * static_cast<double>(best_value_ - bound) / square);
            for (int i = 0; i < k(); ++i) {
                const double off = static_cast<double>(rows[i]) - centre[i];
                centre[i] = std::max(0.25, centre[i] + step_length * off);
            }
        }
        return best_bound;
    }

    // Lines that touch psi near `centre`, and their slopes times kappa. Returns kappa times the sum
    // of their offsets.
    Number touch(const PerRow<double, K>& centre, PerRow<Line<Number>, K>& lines,
                 PerRow<Number, K>& slopes) const {
        Number offsets = 0;
        for (int i = 0; i < k(); ++i) {
            lines[i] = psi_.support(centre[i]);
            slopes[i] = weight_ * lines[i].slope;
            offsets += weight_ * lines[i].offset;
        }
        return offsets;
    }

    // Replaces every free column of trial_ by the best one for the other columns, until none
    // changes.
    template <class Cheapest>
    void improve(const Node& node, Rows rows, Number value, const Cheapest& cheapest) {
        for (bool improved = true; improved;) {
            improved = false;
            for (const std::size_t j : node.columns) {
                Count* old = column(trial_, j);
                Rows rest = rows, v{};
                Number before = 0;
                for (int i = 0; i < k(); ++i) {
                    rest[i] -= old[i];
                    before += own(i, old[i]) + Beside{*this, rest}(i, old[i]);
                }
                const Number after = cheapest(j, Beside{*this, rest}, v);
                if (after >= before - Psi::margin(slack_)) continue;
                improved = true;
                value += after - before;
                for (int i = 0; i < k(); ++i) {
                    rows[i] = rest[i] + v[i];
                    old[i] = v[i];
                }
            }
        }
        if (!has_best_ || value < best_value_) {
            has_best_ = true;
            best_value_ = value;
            best_ = trial_;
        }
    }

    // Lists the vertices that may be in a better table. False if there are too many.
    bool list_alive(Node& root, Number bound) {
        const Number gap = best_value_ - slack_ - bound;
        PerRow<Line<Number>, K> lines;
        PerRow<Number, K> slopes;
        touch(root.centre, lines, slopes);
        for (const std::size_t j : root.columns) {
            const Count* f = (*ranks_)[j];
            const auto cost = [&](int i, Count x) { return Along{slopes}(i, x) + own(i, x); };
            Rows v{};
            const Number least = paths_.cheapest(f, cost, v.data());
            auto& vertices = lists_[j].vertices;
            vertices.clear();
            vertices.push_back(v);
            const bool complete = paths_.each_below(f, cost, least + gap, [&](const Rows& vertex) {
                vertices.push_back(vertex);
                return vertices.size() < longest_list;
            });
            if (!complete) return false;
            std::sort(vertices.begin(), vertices.end());
            vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
            weigh(root, j);
        }
        return true;
    }

    // Finds the own costs of the listed vertices of column j.
    void weigh(Node& node, std::size_t j) {
        List& list = lists_[j];
        list.own.clear();
        for (const Rows& v : list.vertices) {
            Number sum = 0;
            for (int i = 0; i < k(); ++i) sum += own(i, v[i]);
            list.own.push_back(sum);
        }
        node.keep_all(j, list.vertices.size());
    }

    Psi psi_;
    int k_;
    VertexPaths<Number, K> paths_;
    const Ranks* ranks_ = nullptr;
    Number weight_{}, slack_{}, best_value_{};
    Linear linear_{};
    bool has_best_ = false;
    const Limits* limits_ = nullptr;
    std::int64_t nodes_left_ = 0;
    std::vector<List> lists_;
    std::vector<Node> nodes_;                    // by depth
    std::vector<Count> current_, trial_, best_;  // tables, column by column
};

}  // namespace sfumato::hard_truth
